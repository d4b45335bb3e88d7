#include "platform/checks/record/unit_record.h"

#include <algorithm>

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

void UnitRecord::on(const ProbeEvent& event) {
  if (event.kind == Kind::kReset) {
    sent_.clear();
    transfers_.clear();
    oldest_ = 0;
  } else if (event.kind == Kind::kServed) {
    if (event.bytes == 0) return;  // a signal
    add({.kind = Transfer::Kind::kMessage,
         .wram = static_cast<std::uint32_t>(event.address),
         .bytes = event.bytes,
         .source = event.value,
         .channel = event.index});
  } else if (event.agent == BusMaster::kPimDma) {
    add({.kind = event.request == ProbeEvent::Request::kWrite ? Transfer::Kind::kToBank
                                                              : Transfer::Kind::kToWram,
         .thread = event.thread,
         .wram = static_cast<std::uint32_t>(event.address),
         .bytes = event.bytes,
         .pc = event.pc,
         .bank = event.remote_address});
  } else if (!event.is_broadcast) {
    Sent& sent = sent_[{event.value, event.index}];
    ++sent.count;
    sent.pc = event.pc;
  }
}

void UnitRecord::add(const Transfer& transfer) {
  if (transfers_.size() < kMost) return transfers_.push_back(transfer);
  transfers_[oldest_] = transfer;
  oldest_ = (oldest_ + 1) % kMost;
}

UnitRecord::Sent UnitRecord::sent_to(std::uint32_t unit, std::uint32_t channel) const {
  const auto found = sent_.find({unit, channel});
  return found == sent_.end() ? Sent{} : found->second;
}

std::pair<std::uint32_t, UnitRecord::Sent> UnitRecord::sent_on(std::uint32_t channel) const {
  for (const auto& [to, sent] : sent_)
    if (to.second == channel) return {to.first, sent};
  return {};
}

std::vector<UnitRecord::Transfer> UnitRecord::transfers() const {
  std::vector<Transfer> all = transfers_;
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(oldest_), all.end());
  return all;
}

}  // namespace tvp::checks
