#include "models/pim/rank_bus.h"

#include <algorithm>
#include <utility>

namespace tvp::pim {

using ddr::Direction;
using dram::MemCycle;
using support::Cycle;
using Step = TierEvents::Step;
using Who = TierCredits::Request::Who;

namespace {

// A transfer on the DDR bus takes the PIM command and a word that says from where to where.
constexpr unsigned kBusWords = 2;

}  // namespace

RankBus::RankBus(const Environment& environment, unsigned ranks)
    : config_(environment.config),
      geometry_(environment.geometry),
      channels_(environment.channels),
      packets_(environment.packets),
      events_(environment.events),
      credits_(environment.credits),
      stats_(environment.stats),
      as_commands_(config_.rank_messages == "command"),
      host_(config_, channels_.preset().timing.tck, channels_.count()),
      buffers_(ranks) {}

void RankBus::buffered(unsigned rank, std::uint32_t slot, Cycle now) {
  Buffer& buffer = buffers_[rank];
  buffer.waiting.push_back(slot);
  stats_.most_in_buffer = std::max(stats_.most_in_buffer, buffer.waiting.size());
  if (!buffer.sending) ask_to_send(rank, now);
}

void RankBus::sent(unsigned rank, Cycle now) {
  buffers_[rank].sending = false;
  credits_.return_buffer(rank, now);
  ask_to_send(rank, now);
}

void RankBus::offered(unsigned chip, std::uint32_t slot, Cycle now) {
  credits_.ask({.who = Who::kHost, .number = slot, .chips = {chip}}, now);
}

void RankBus::ask_to_send(unsigned rank, Cycle now) {
  Buffer& buffer = buffers_[rank];
  if (buffer.waiting.empty()) return;
  buffer.sending = true;
  const unsigned to = geometry_.chip_of(packets_[buffer.waiting.front()].destination);
  TierCredits::Request request{.who = Who::kBuffer, .number = rank};
  // The memory of the host has room for what goes on to other channels.
  if (geometry_.channel_of(geometry_.rank_of(to)) == geometry_.channel_of(rank)) {
    request.chips = {to};
  }
  credits_.ask(std::move(request), now);
}

void RankBus::send(unsigned rank, Cycle now) {
  Buffer& buffer = buffers_[rank];
  const std::uint32_t slot = buffer.waiting.front();
  buffer.waiting.pop_front();
  const Transfer transfer = take_bus(slot, rank, now);
  stats_.waited_in_buffer += transfer.begin - packets_.ready(slot);
  const Packet& packet = packets_[slot];
  const std::uint64_t bytes = packets_.bytes_of(slot);
  const unsigned channel = geometry_.channel_of(rank);
  if (geometry_.channel_of(geometry_.rank_of_unit(packet.destination)) == channel) {
    ++stats_.packets_between_ranks;
    stats_.bytes_between_ranks += bytes;
    arrive(slot, transfer.end, now);
  } else {
    ++stats_.packets_between_channels;
    const unsigned levels = channels_.levels_between(packet.source, packet.destination);
    packets_.ready(slot) = host_.forward(channel, levels, bytes, transfer.end);
    events_.post_in(packets_.ready(slot), now,
                    {Step::kOffer, geometry_.chip_of(packet.destination), slot});
  }
  // The request of the next one may be under way while the data of this one are.
  const MemCycle ahead = config_.bus_request_cycles + kBusWords;
  events_.post_in(transfer.end - std::min(transfer.end, ahead), now,
                  {Step::kSend, geometry_.first_chip(rank), 0});
}

/// A packet gets the bus once the controller has granted it with a PIM command. Or PIM words are
/// the packet, if it is for a rank of this channel.
RankBus::Transfer RankBus::take_bus(std::uint32_t slot, unsigned rank, Cycle now) {
  const unsigned to = geometry_.rank_of_unit(packets_[slot].destination);
  const unsigned number = geometry_.channel_of(rank);
  MemoryChannel& channel = channels_[number];
  const std::uint64_t bytes = packets_.bytes_of(slot);
  const MemCycle earliest = std::max(packets_.ready(slot), events_.down(now));
  const bool stays = geometry_.channel_of(to) == number;
  if (stays && as_commands_ && bytes <= config_.mailbox_bytes) {
    ++stats_.packets_as_commands;
    const MemCycle there = channel.control.carry(geometry_.in_channel(rank),
                                                 1U << geometry_.in_channel(to), bytes, earliest);
    return {.begin = there, .end = there};
  }
  const MemCycle granted =
      channel.commands.issue_pim(kBusWords, earliest + config_.bus_request_cycles) + kBusWords;
  const auto span = channel.take_data(geometry_.in_channel(rank), bytes, granted);
  return {.begin = span.begin, .end = span.end};
}

/// The host writes a packet on the bus of the channel that it is for. A controller asks nobody, but
/// it says with a PIM command whose data these are.
void RankBus::offer(std::uint32_t slot, Cycle now) {
  const unsigned rank = geometry_.rank_of_unit(packets_[slot].destination);
  MemoryChannel& channel = channels_[geometry_.channel_of(rank)];
  const MemCycle earliest = std::max(packets_.ready(slot), events_.down(now));
  const MemCycle announced = channel.commands.issue_pim(kBusWords, earliest) + kBusWords;
  const auto span = channel.take_data(geometry_.in_channel(rank), packets_.bytes_of(slot),
                                      announced, Direction::kToChip);
  arrive(slot, span.end, now);
}

/// From the buffer of its rank, where a packet is complete at `at_buffer`, over the pins of the
/// chip that it is for.
void RankBus::arrive(std::uint32_t slot, MemCycle at_buffer, Cycle now) {
  const unsigned chip = geometry_.chip_of(packets_[slot].destination);
  ddr::DqLanes& in = channels_.rank(geometry_.rank_of(chip)).lanes;
  const unsigned pins = geometry_.in_rank(chip);
  const MemCycle enters = in.ready(pins, Direction::kToChip, at_buffer + config_.switch_cycles);
  const MemCycle arrived = in.take(pins, Direction::kToChip, packets_.bytes_of(slot), enters).end;
  events_.post_from(arrived, now, {Step::kEnter, chip, slot});
}

}  // namespace tvp::pim
