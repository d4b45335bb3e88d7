#pragma once

#include <array>
#include <cstdint>

namespace tvp::support {

/// Queue of up to kMax words. The capacity is set once, since FIFOs of one kind differ in depth.
template <unsigned kMax>
class WordFifo {
 public:
  WordFifo() = default;
  explicit WordFifo(unsigned capacity) : capacity_(capacity) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  unsigned size() const { return size_; }
  unsigned capacity() const { return capacity_; }

  std::uint32_t front() const { return words_[first_]; }
  std::uint32_t at(unsigned i) const { return words_[(first_ + i) % kMax]; }
  void push(std::uint32_t word) {
    words_[(first_ + size_) % kMax] = word;
    ++size_;
  }
  void pop() {
    first_ = (first_ + 1) % kMax;
    --size_;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }

 private:
  std::array<std::uint32_t, kMax> words_{};
  unsigned first_ = 0;
  unsigned size_ = 0;
  unsigned capacity_ = kMax;
};

}  // namespace tvp::support
