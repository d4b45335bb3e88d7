#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace tvp::mesh {

/// A set of small numbers. Iteration skips absent numbers at almost no cost.
class ActiveSet {
 public:
  explicit ActiveSet(unsigned size) : words_((size + 63) / 64, 0) {}
  void insert(unsigned i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(unsigned i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool contains(unsigned i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words_) any |= word;
    return any == 0;
  }
  void clear() { words_.assign(words_.size(), 0); }
  /// Visits the set in ascending order; `function` may erase the current number.
  template <typename Function>
  void for_each(const Function& function) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        function(static_cast<unsigned>(w * 64) + static_cast<unsigned>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace tvp::mesh
