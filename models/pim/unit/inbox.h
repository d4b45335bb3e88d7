#pragma once

#include <deque>

#include "models/support/time.h"

namespace tvp::pim {

/// The items that events have sent to an agent of a unit, in order of time. Items with equal times
/// keep the order of sending.
template <typename Item>
class Inbox {
 public:
  void push(support::Cycle when, const Item& item) {
    auto at = items_.end();
    while (at != items_.begin() && std::prev(at)->when > when) --at;
    items_.insert(at, {when, item});
  }
  bool empty() const { return items_.empty(); }
  support::Cycle next() const { return items_.empty() ? support::kNever : items_.front().when; }
  Item pop() {
    const Item item = items_.front().item;
    items_.pop_front();
    return item;
  }
  void clear() { items_.clear(); }

 private:
  struct Entry {
    support::Cycle when;
    Item item;
  };
  std::deque<Entry> items_;
};

}  // namespace tvp::pim
