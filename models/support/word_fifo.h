#pragma once

#include <array>
#include <cstdint>

namespace tvp::support {

/// Queue of up to kMax words. The capacity is set at run time, since FIFOs of one kind differ in
/// depth.
template <unsigned kMax, typename Word = std::uint32_t>
class WordFifo {
 public:
  WordFifo() = default;
  explicit WordFifo(unsigned capacity) : capacity_(capacity) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  unsigned size() const { return size_; }
  unsigned capacity() const { return capacity_; }

  Word front() const { return words_[first_]; }
  Word at(unsigned i) const { return words_[(first_ + i) % kMax]; }
  void push(Word word) {
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
  std::array<Word, kMax> words_{};
  unsigned first_ = 0;
  unsigned size_ = 0;
  unsigned capacity_ = kMax;
};

}  // namespace tvp::support
