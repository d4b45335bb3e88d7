#include "models/ddr/rank_control.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tvp::ddr {

RankControl::RankControl(CaBus& bus, MemCycle request_cycles, unsigned mailbox_bytes,
                         std::string where, support::FaultPolicy& faults)
    : bus_(bus),
      request_cycles_(request_cycles),
      mailbox_bytes_(mailbox_bytes),
      where_(std::move(where)),
      faults_(faults),
      mailboxes_(bus.ranks()) {}

bool RankControl::fail(const std::string& text) {
  faults_.raise(support::Fault(support::FaultKind::kFirmware, where_, text));
  return false;
}

MemCycle RankControl::send(unsigned source, std::uint32_t ranks, const std::uint8_t* data,
                           std::size_t bytes, MemCycle earliest) {
  const std::uint32_t known = (1U << this->ranks()) - 1;
  bool good = true;
  if (source >= this->ranks()) {
    good = fail("message from rank " + std::to_string(source) + " of " +
                std::to_string(this->ranks()));
  } else if (ranks == 0 || (ranks & ~known) != 0 || (ranks >> source & 1) != 0) {
    good = fail("message of rank " + std::to_string(source) + " to ranks by mask " +
                std::to_string(ranks) + ": expected other ranks among 0 to " +
                std::to_string(this->ranks() - 1));
  } else if (bytes > mailbox_bytes_) {
    good = fail("message of " + std::to_string(bytes) + " bytes into a mailbox of " +
                std::to_string(mailbox_bytes_));
  }
  if (!good) return earliest;
  const auto words = static_cast<unsigned>(1 + (bytes + kBytesAWord - 1) / kBytesAWord);
  const MemCycle begin = bus_.issue_pim(words, earliest + request_cycles_);
  const MemCycle delivered = begin + words;
  for (unsigned rank = 0; rank < this->ranks(); ++rank) {
    if ((ranks >> rank & 1) == 0) continue;
    mailboxes_[rank].push_back({source, {data, data + bytes}, delivered});
  }
  ++stats_.messages;
  stats_.bytes += bytes;
  if (ranks == all_but(source)) ++stats_.broadcasts;
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

std::optional<MemCycle> RankControl::arrive(unsigned rank, BarrierScheme scheme,
                                            MemCycle earliest) {
  if (rank >= ranks() || (arrived_ >> rank & 1) != 0) {
    fail("rank " + std::to_string(rank) + (rank < ranks() ? " is twice at one barrier" : " of ") +
         (rank < ranks() ? "" : std::to_string(ranks()) + " at a barrier"));
    return std::nullopt;
  }
  arrived_ |= 1U << rank;
  if (scheme == BarrierScheme::kBroadcasts) {
    release_ = std::max(release_, bus_.issue_pim(1, earliest + request_cycles_) + 1);
  } else {
    release_ = std::max(release_, earliest + request_cycles_);
  }
  if (static_cast<unsigned>(std::popcount(arrived_)) < ranks()) return std::nullopt;
  if (scheme == BarrierScheme::kController) release_ = bus_.issue_pim(1, release_) + 1;
  arrived_ = 0;
  ++stats_.barriers;
  return std::exchange(release_, 0);
}

}  // namespace tvp::ddr
