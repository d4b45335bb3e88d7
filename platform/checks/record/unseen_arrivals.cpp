#include "platform/checks/record/unseen_arrivals.h"

#include <algorithm>

namespace tvp::checks {

void UnseenArrivals::arrived(const Arrival& arrival) {
  if (listener_ == nullptr || arrival.bytes == 0) return;
  ++arrivals_;
  // The packets of one write arrive one after the other.
  if (!unseen_.empty() && signals_.empty()) {
    Unseen& last = unseen_.back();
    Arrival& before = last.arrival;
    if (before.x == arrival.x && before.y == arrival.y && last.loads == 0 &&
        before.address + before.bytes == arrival.address) {
      before.bytes += arrival.bytes;
      last.number = arrivals_;
      end_ = std::max(end_, arrival.address + arrival.bytes);
      return;
    }
  }
  if (unseen_.size() == kMost) unseen_.erase(unseen_.begin());
  unseen_.push_back({.arrival = arrival, .number = arrivals_});
  find_range();
}

/// The word matters only if there is data that it may announce.
void UnseenArrivals::signaled(std::uint32_t address, std::uint32_t bytes) {
  if (unseen_.empty()) return;
  ++arrivals_;
  for (Signal& known : signals_) {
    if (known.address != address || known.bytes != bytes) continue;
    known.number = arrivals_;
    return;
  }
  // With so many words it is unknown which of them a core waits for: count all data as known.
  if (signals_.size() == kMost) return know_all();
  signals_.push_back({address, bytes, arrivals_});
  find_range();
}

std::vector<UnseenArrivals::Arrival> UnseenArrivals::unseen() const {
  std::vector<Arrival> arrivals;
  for (const Unseen& each : unseen_) arrivals.push_back(each.arrival);
  return arrivals;
}

void UnseenArrivals::know_all() {
  if (unseen_.empty()) return;
  unseen_.clear();
  signals_.clear();
  find_range();
}

void UnseenArrivals::know(std::uint64_t number) {
  std::erase_if(unseen_, [&](const Unseen& each) { return each.number <= number; });
  if (unseen_.empty()) return signals_.clear();
  const std::uint64_t oldest = unseen_.front().number;
  std::erase_if(signals_, [&](const Signal& each) { return each.number < oldest; });
}

void UnseenArrivals::find_range() {
  begin_ = kNowhere;
  end_ = 0;
  const auto include = [&](std::uint32_t address, std::uint32_t bytes) {
    begin_ = std::min(begin_, address);
    end_ = std::max(end_, address + bytes);
  };
  for (const Unseen& each : unseen_) include(each.arrival.address, each.arrival.bytes);
  for (const Signal& each : signals_) include(each.address, each.bytes);
}

std::uint32_t UnseenArrivals::signal_behind(std::uint64_t number) const {
  for (const Signal& each : signals_)
    if (each.number > number) return each.address;
  return 0;
}

void UnseenArrivals::loaded(const Use& use) {
  std::uint64_t seen = 0;
  for (const Signal& each : signals_)
    if (meet(each.address, each.bytes, use.address, use.bytes)) seen = std::max(seen, each.number);
  for (Unseen& each : unseen_) {
    if (seen >= each.number ||
        !meet(each.arrival.address, each.arrival.bytes, use.address, use.bytes))
      continue;
    if (each.loads != 0 && each.last_address == use.address) {
      if (each.last_pc == use.pc) seen = std::max(seen, each.number);
      continue;
    }
    ++each.loads;
    each.last_address = use.address;
    each.last_pc = use.pc;
    const std::uint32_t signal = each.loads < kWordsOfData ? 0 : signal_behind(each.number);
    if (signal == 0) continue;
    listener_->used_unannounced(use, each.arrival, signal);
    seen = std::max(seen, each.number);
  }
  if (seen == 0) return;
  know(seen);
  find_range();
}

/// Data that was loaded in part may be polled itself and needs no other announcement.
void UnseenArrivals::use_whole(const Use& use) {
  std::uint64_t reported = 0;
  for (const Unseen& each : unseen_) {
    if (each.loads != 0 || !meet(each.arrival.address, each.arrival.bytes, use.address, use.bytes))
      continue;
    listener_->used_unannounced(use, each.arrival, signal_behind(each.number));
    reported = each.number;
    break;
  }
  if (reported == 0) return;
  know(reported);
  find_range();
}

}  // namespace tvp::checks
