#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "models/support/time.h"

namespace tvp::mesh {

/// Items in transit for a few cycles, sorted by their cycle of arrival. Keeps its memory.
template <typename Item>
class DelayLine {
 public:
  explicit DelayLine(std::size_t longest) : buckets_(std::bit_ceil(longest + 1)) {}

  void push(support::Cycle when, const Item& item) {
    buckets_[when & (buckets_.size() - 1)].push_back(item);
    ++size_;
  }
  /// The items that arrive at `now`, in the order of push(). done() clears them.
  const std::vector<Item>& arriving(support::Cycle now) const {
    return buckets_[now & (buckets_.size() - 1)];
  }
  void done(support::Cycle now) {
    std::vector<Item>& bucket = buckets_[now & (buckets_.size() - 1)];
    size_ -= bucket.size();
    bucket.clear();
  }
  bool empty() const { return size_ == 0; }
  /// The first arrival after `now`.
  support::Cycle next(support::Cycle now) const {
    if (size_ == 0) return support::kNever;
    for (std::size_t i = 1; i <= buckets_.size(); ++i) {
      if (!arriving(now + i).empty()) return now + i;
    }
    return support::kNever;
  }
  void clear() {
    for (std::vector<Item>& bucket : buckets_) bucket.clear();
    size_ = 0;
  }
  template <typename Function>
  void for_each(const Function& function) const {
    for (const std::vector<Item>& bucket : buckets_) {
      for (const Item& item : bucket) function(item);
    }
  }

 private:
  std::vector<std::vector<Item>> buckets_;
  std::size_t size_ = 0;
};

}  // namespace tvp::mesh
