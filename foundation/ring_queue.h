#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tvp::foundation {

/// A queue in a ring buffer. It grows to its high-water mark and then allocates no more.
template <typename T>
class RingQueue {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  T& front() { return slots_[head_]; }
  const T& front() const { return slots_[head_]; }

  /// Element i from the front.
  const T& at(std::size_t i) const { return slots_[(head_ + i) % slots_.size()]; }

  void push(const T& value) {
    if (count_ == slots_.size()) grow();
    slots_[(head_ + count_) % slots_.size()] = value;
    ++count_;
  }
  void pop() {
    head_ = (head_ + 1) % slots_.size();
    --count_;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 4 : slots_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) {
      larger[i] = std::move(slots_[(head_ + i) % slots_.size()]);
    }
    slots_ = std::move(larger);
    head_ = 0;
  }

  std::vector<T> slots_;
  std::size_t head_ = 0;
  std::size_t count_ = 0;
};

}  // namespace tvp::foundation
