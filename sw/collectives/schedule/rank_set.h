#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

namespace tvp::collectives {

/// A set of ranks, of any number.
class RankSet {
 public:
  RankSet() = default;
  RankSet(std::initializer_list<std::uint32_t> ranks) {
    for (const std::uint32_t rank : ranks) add(rank);
  }
  /// Ranks 0 to count - 1.
  static RankSet first(std::uint32_t count) {
    RankSet made;
    for (std::uint32_t rank = 0; rank < count; ++rank) made.add(rank);
    return made;
  }

  void add(std::uint32_t rank) {
    if (rank / kBits >= words_.size()) words_.resize(rank / kBits + 1, 0);
    words_[rank / kBits] |= std::uint64_t{1} << rank % kBits;
  }
  void remove(std::uint32_t rank) {
    if (!contains(rank)) return;
    words_[rank / kBits] &= ~(std::uint64_t{1} << rank % kBits);
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  bool contains(std::uint32_t rank) const {
    return rank / kBits < words_.size() && (words_[rank / kBits] >> rank % kBits & 1) != 0;
  }
  bool empty() const { return words_.empty(); }
  std::uint32_t size() const {
    return std::accumulate(words_.begin(), words_.end(), 0U,
                           [](std::uint32_t sum, std::uint64_t word) {
                             return sum + static_cast<std::uint32_t>(std::popcount(word));
                           });
  }
  /// All ranks of the set are below this; 0 for the empty set.
  std::uint32_t end() const {
    return empty() ? 0
                   : static_cast<std::uint32_t>((words_.size() - 1) * kBits +
                                                std::bit_width(words_.back()));
  }
  /// The number of ranks of the set below `rank`.
  std::uint32_t below(std::uint32_t rank) const {
    std::uint32_t count = 0;
    for (std::uint32_t each = 0; each < std::min(rank, end()); ++each) count += contains(each);
    return count;
  }
  RankSet without(const RankSet& other) const {
    RankSet made = *this;
    for (std::uint32_t rank = 0; rank < other.end(); ++rank)
      if (other.contains(rank)) made.remove(rank);
    return made;
  }
  /// Ascending.
  std::vector<std::uint32_t> ranks() const {
    std::vector<std::uint32_t> made;
    for (std::uint32_t rank = 0; rank < end(); ++rank)
      if (contains(rank)) made.push_back(rank);
    return made;
  }

  auto operator<=>(const RankSet&) const = default;

 private:
  static constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> words_;  ///< the last one is not 0
};

}  // namespace tvp::collectives
