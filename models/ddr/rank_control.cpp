#include "models/ddr/rank_control.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tvp::ddr {

RankControl::RankControl(CaBus& bus, MemCycle request_cycles, unsigned mailbox_bytes,
                         std::string where, foundation::FaultPolicy& faults)
    : bus_(bus),
      request_cycles_(request_cycles),
      mailbox_bytes_(mailbox_bytes),
      where_(std::move(where)),
      faults_(faults),
      mailboxes_(bus.ranks()) {
  stats_.deliveries.resize(bus.ranks());
}

void RankControl::count(std::uint32_t ranks, std::uint32_t others, std::size_t bytes) {
  ++stats_.messages;
  stats_.bytes += bytes;
  if (ranks == others) ++stats_.broadcasts;
  for (std::uint32_t left = ranks; left != 0; left &= left - 1)
    ++stats_.deliveries[static_cast<unsigned>(std::countr_zero(left))];
}

bool RankControl::fail(const std::string& text) {
  faults_.raise(foundation::Fault(foundation::FaultKind::kFirmware, where_, text));
  return false;
}

bool RankControl::sound(unsigned source, std::uint32_t ranks, std::size_t bytes) {
  const std::uint32_t known = all_ranks();
  if (source >= this->ranks()) {
    return fail("message from rank " + std::to_string(source) + " of " +
                std::to_string(this->ranks()));
  }
  if (ranks == 0 || (ranks & ~known) != 0 || (ranks >> source & 1) != 0) {
    return fail("message of rank " + std::to_string(source) + " to ranks by mask " +
                std::to_string(ranks) + ": expected other ranks among 0 to " +
                std::to_string(this->ranks() - 1));
  }
  if (bytes > mailbox_bytes_) {
    return fail("message of " + std::to_string(bytes) + " bytes into a mailbox of " +
                std::to_string(mailbox_bytes_));
  }
  return true;
}

MemCycle RankControl::carry(unsigned source, std::uint32_t ranks, std::size_t bytes,
                            MemCycle earliest) {
  if (!sound(source, ranks, bytes)) return earliest;
  const auto words = static_cast<unsigned>(1 + (bytes + kBytesAWord - 1) / kBytesAWord);
  const auto header = static_cast<std::uint32_t>(source << 12 | bytes);
  const MemCycle begin =
      bus_.issue_pim(words, earliest + request_cycles_, pim_word(PimKind::kMessage, ranks, header));
  count(ranks, all_but(source), bytes);
  return begin + words;
}

MemCycle RankControl::send(unsigned source, std::uint32_t ranks, const std::uint8_t* data,
                           std::size_t bytes, MemCycle earliest) {
  const std::uint64_t before = stats_.messages;
  const MemCycle delivered = carry(source, ranks, bytes, earliest);
  if (stats_.messages == before) return delivered;
  for (unsigned rank = 0; rank < this->ranks(); ++rank) {
    if ((ranks >> rank & 1) == 0) continue;
    mailboxes_[rank].push_back({source, {data, data + bytes}, delivered});
  }
  return delivered;
}

MemCycle RankControl::broadcast(unsigned source, const std::uint8_t* data, std::size_t bytes,
                                MemCycle earliest) {
  return send(source, source < ranks() ? all_but(source) : 0, data, bytes, earliest);
}

std::optional<RankControl::Message> RankControl::receive(unsigned rank, MemCycle now) {
  if (rank >= ranks()) {
    fail("mailbox of rank " + std::to_string(rank) + " of " + std::to_string(ranks()));
    return std::nullopt;
  }
  std::deque<Message>& box = mailboxes_[rank];
  if (box.empty() || box.front().delivered > now) return std::nullopt;
  Message message = std::move(box.front());
  box.pop_front();
  return message;
}

std::optional<MemCycle> RankControl::gather(Gathering& gathering, unsigned rank,
                                            BarrierScheme scheme, MemCycle earliest) {
  return hear(gathering, rank, scheme, false, earliest);
}

/// `releases`: an external controller also releases the ranks.
std::optional<MemCycle> RankControl::hear(Gathering& gathering, unsigned rank, BarrierScheme scheme,
                                          bool releases, MemCycle earliest) {
  const std::string name = "rank " + std::to_string(rank);
  if (rank >= ranks() || (gathering.ranks >> rank & 1) == 0) {
    fail(name + " arrives at a barrier of other ranks, expected one of " + std::to_string(ranks()) +
         " ranks");
    return std::nullopt;
  }
  if ((gathering.arrived >> rank & 1) != 0) {
    fail(name + " is twice at one barrier");
    return std::nullopt;
  }
  gathering.arrived |= 1U << rank;
  count_arrival(gathering, rank, scheme);
  if (bus_.is_replaced()) {
    const auto known = bus_.arrive({.ranks = gathering.ranks,
                                    .rank = rank,
                                    .broadcasts = scheme == BarrierScheme::kBroadcasts,
                                    .releases = releases,
                                    .place = gathering.place},
                                   earliest);
    if (known) gathering.arrived = 0;
    return known;
  }
  const MemCycle heard = scheme == BarrierScheme::kBroadcasts
                             ? bus_.issue_pim(1, earliest + request_cycles_) + 1
                             : earliest + request_cycles_;
  gathering.latest = std::max(gathering.latest, heard);
  if (gathering.arrived != gathering.ranks) return std::nullopt;
  gathering.arrived = 0;
  return std::exchange(gathering.latest, 0);
}

MemCycle RankControl::release(std::uint32_t ranks, MemCycle earliest) {
  if (ranks == 0 || (ranks & ~all_ranks()) != 0) {
    fail("release of ranks by mask " + std::to_string(ranks) + ": expected some of 0 to " +
         std::to_string(this->ranks() - 1));
    return earliest;
  }
  count(ranks, all_ranks(), 0);
  return bus_.issue_pim(1, earliest, pim_word(PimKind::kRelease, ranks)) + 1;
}

std::optional<MemCycle> RankControl::arrive(Gathering& gathering, unsigned rank,
                                            BarrierScheme scheme, MemCycle earliest) {
  std::optional<MemCycle> known = hear(gathering, rank, scheme, true, earliest);
  if (!known) return known;
  ++stats_.barriers;
  if (scheme != BarrierScheme::kController) return known;
  if (!bus_.is_replaced()) return release(gathering.ranks, *known);
  count_release(gathering, scheme);
  return known;
}

void RankControl::count_arrival(const Gathering& gathering, unsigned rank, BarrierScheme scheme) {
  const std::uint32_t others = gathering.ranks & ~(1U << rank);
  if (scheme == BarrierScheme::kBroadcasts && others != 0) count(others, all_but(rank), 0);
}

void RankControl::count_release(const Gathering& gathering, BarrierScheme scheme) {
  if (scheme == BarrierScheme::kController) count(gathering.ranks, all_ranks(), 0);
}

std::optional<MemCycle> RankControl::arrive(unsigned rank, BarrierScheme scheme,
                                            MemCycle earliest) {
  all_.ranks = all_ranks();
  return arrive(all_, rank, scheme, earliest);
}

}  // namespace tvp::ddr
