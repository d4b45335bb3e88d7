#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tvp::mesh {

/// A vector of sets of destinations. It checks many packets at once, so a deadlock check of
/// thousands of routers takes only a few passes over the channels.
class DestinationSets {
 public:
  DestinationSets(std::size_t number, unsigned destinations)
      : words_((destinations + kBits - 1) / kBits), bits_(number * words_, 0) {}

  std::size_t words() const { return words_; }
  std::uint64_t* operator[](std::size_t i) { return &bits_[i * words_]; }
  const std::uint64_t* operator[](std::size_t i) const { return &bits_[i * words_]; }
  void insert(std::size_t i, unsigned destination) {
    bits_[i * words_ + destination / kBits] |= std::uint64_t{1} << (destination % kBits);
  }
  void clear(std::size_t i) { std::fill_n((*this)[i], words_, 0); }
  static bool meets(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    for (std::size_t w = 0; w < words; ++w) {
      if ((a[w] & b[w]) != 0) return true;
    }
    return false;
  }
  /// Adds the intersection of `a` and `b` to set i; true if set i gained a member.
  bool add(std::size_t i, const std::uint64_t* a, const std::uint64_t* b) {
    std::uint64_t* const to = (*this)[i];
    std::uint64_t added = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t both = a[w] & b[w];
      added |= both & ~to[w];
      to[w] |= both;
    }
    return added != 0;
  }

 private:
  static constexpr unsigned kBits = 64;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace tvp::mesh
