#include "models/pim/network/rank_bus.h"

#include <algorithm>
#include <utility>

namespace tvp::pim {

using ddr::Direction;
using dram::MemCycle;
using support::Cycle;
using Step = TierEvents::Step;
using Who = TierCredits::Request::Who;

namespace {

// A transfer on the DDR bus takes the PIM command and a word with source and destination.
constexpr unsigned kBusWords = 2;

}  // namespace

RankBus::RankBus(const TierContext& tiers, unsigned ranks)
    : tiers_(tiers),
      as_commands_(tiers.config.rank_messages == "command"),
      host_(tiers.config, tiers.channels.preset().timing.tck, tiers.channels.count()),
      buffers_(ranks) {}

void RankBus::buffered(unsigned rank, std::uint32_t slot, Cycle now) {
  Buffer& buffer = buffers_[rank];
  buffer.waiting.push_back(slot);
  tiers_.stats.most_in_buffer = std::max(tiers_.stats.most_in_buffer, buffer.waiting.size());
  if (!buffer.sending) ask_to_send(rank, now);
}

void RankBus::sent(unsigned rank, Cycle now) {
  buffers_[rank].sending = false;
  tiers_.credits.return_buffer(rank, now);
  ask_to_send(rank, now);
}

void RankBus::offered(unsigned chip, std::uint32_t slot, Cycle now) {
  tiers_.credits.ask({.who = Who::kHost, .number = slot, .chips = {chip}}, now);
}

void RankBus::ask_to_send(unsigned rank, Cycle now) {
  Buffer& buffer = buffers_[rank];
  if (buffer.waiting.empty()) return;
  buffer.sending = true;
  const unsigned to = tiers_.geometry.chip_of(tiers_.packets[buffer.waiting.front()].destination);
  TierCredits::Request request{.who = Who::kBuffer, .number = rank};
  // The host's memory always has room for packets to other channels.
  if (tiers_.geometry.channel_of(tiers_.geometry.rank_of(to)) == tiers_.geometry.channel_of(rank)) {
    request.chips = {to};
  }
  tiers_.credits.ask(std::move(request), now);
}

void RankBus::send(unsigned rank, Cycle now) {
  Buffer& buffer = buffers_[rank];
  const std::uint32_t slot = buffer.waiting.front();
  buffer.waiting.pop_front();
  const Transfer transfer = take_bus(slot, rank, now);
  tiers_.stats.waited_in_buffer += transfer.begin - tiers_.packets.ready(slot);
  const Packet& packet = tiers_.packets[slot];
  const std::uint64_t bytes = tiers_.packets.bytes_of(slot);
  const unsigned channel = tiers_.geometry.channel_of(rank);
  if (tiers_.geometry.channel_of(tiers_.geometry.rank_of_unit(packet.destination)) == channel) {
    ++tiers_.stats.packets_between_ranks;
    tiers_.stats.bytes_between_ranks += bytes;
    arrive(slot, transfer.end, now);
  } else {
    ++tiers_.stats.packets_between_channels;
    const unsigned levels = tiers_.channels.levels_between(packet.source, packet.destination);
    tiers_.packets.ready(slot) = host_.forward(channel, levels, bytes, transfer.end);
    tiers_.events.post_in(tiers_.packets.ready(slot), now,
                          {Step::kOffer, tiers_.geometry.chip_of(packet.destination), slot});
  }
  // The next packet may send its request during the data of this one.
  const MemCycle ahead = tiers_.config.bus_request_cycles + kBusWords;
  tiers_.events.post_in(transfer.end - std::min(transfer.end, ahead), now,
                        {Step::kSend, tiers_.geometry.first_chip(rank), 0});
}

/// Reserves the bus for a packet once the controller has granted it with a PIM command. A packet to
/// a rank of this channel can consist of PIM words only.
RankBus::Transfer RankBus::take_bus(std::uint32_t slot, unsigned rank, Cycle now) {
  const unsigned to = tiers_.geometry.rank_of_unit(tiers_.packets[slot].destination);
  const unsigned number = tiers_.geometry.channel_of(rank);
  MemoryChannel& channel = tiers_.channels[number];
  const std::uint64_t bytes = tiers_.packets.bytes_of(slot);
  const MemCycle earliest = std::max(tiers_.packets.ready(slot), tiers_.events.down(now));
  const bool stays = tiers_.geometry.channel_of(to) == number;
  if (stays && as_commands_ && bytes <= tiers_.config.mailbox_bytes) {
    ++tiers_.stats.packets_as_commands;
    const MemCycle there = channel.control.carry(
        tiers_.geometry.in_channel(rank), 1U << tiers_.geometry.in_channel(to), bytes, earliest);
    return {.begin = there, .end = there};
  }
  const unsigned source = tiers_.geometry.in_channel(rank);
  const ddr::PimWord grant = ddr::pim_word(ddr::PimKind::kGrant, 1U << source,
                                           source << 8 | tiers_.geometry.in_channel(to));
  const MemCycle granted =
      channel.commands.issue_pim(kBusWords, earliest + tiers_.config.bus_request_cycles, grant) +
      kBusWords;
  const auto span = channel.take_data(source, bytes, granted);
  return {.begin = span.begin, .end = span.end};
}

/// The host writes a packet on the bus of its destination channel. The controller needs no grant,
/// but a PIM command announces the data.
void RankBus::offer(std::uint32_t slot, Cycle now) {
  const unsigned rank = tiers_.geometry.rank_of_unit(tiers_.packets[slot].destination);
  MemoryChannel& channel = tiers_.channels[tiers_.geometry.channel_of(rank)];
  const MemCycle earliest = std::max(tiers_.packets.ready(slot), tiers_.events.down(now));
  const unsigned to = tiers_.geometry.in_channel(rank);
  const MemCycle announced =
      channel.commands.issue_pim(kBusWords, earliest,
                                 ddr::pim_word(ddr::PimKind::kGrant, 1U << to, to)) +
      kBusWords;
  const auto span = channel.take_data(tiers_.geometry.in_channel(rank),
                                      tiers_.packets.bytes_of(slot), announced, Direction::kToChip);
  arrive(slot, span.end, now);
}

/// From the buffer of its rank, where a packet is complete at `at_buffer`, over the pins of its
/// destination chip.
void RankBus::arrive(std::uint32_t slot, MemCycle at_buffer, Cycle now) {
  const unsigned chip = tiers_.geometry.chip_of(tiers_.packets[slot].destination);
  ddr::DqLanes& in = tiers_.channels.rank(tiers_.geometry.rank_of(chip)).lanes;
  const unsigned pins = tiers_.geometry.in_rank(chip);
  const MemCycle enters =
      in.ready(pins, Direction::kToChip, at_buffer + tiers_.config.switch_cycles);
  const MemCycle arrived =
      in.take(pins, Direction::kToChip, tiers_.packets.bytes_of(slot), enters).end;
  tiers_.events.post_from(arrived, now, {Step::kEnter, chip, slot});
}

}  // namespace tvp::pim
