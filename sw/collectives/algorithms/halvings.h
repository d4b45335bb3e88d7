#pragma once

#include <cstdint>
#include <vector>

namespace tvp::collectives {

/// A step of recursive halving at one rank: the run of chunks that the rank gives to its partner,
/// and the run that it keeps.
struct Halving {
  std::uint32_t partner = 0;
  std::uint32_t kept = 0;   ///< first chunk
  std::uint32_t given = 0;  ///< first chunk
  std::uint32_t count = 0;  ///< chunks of either
};

/// All steps of a rank: partners differ in one bit, the lower of them keeps the lower half. From
/// the farthest partner on, rank r ends with chunk r; from the nearest on, with the chunk of its
/// bits reversed. `ranks` is a power of two.
std::vector<Halving> halvings(std::uint32_t rank, std::uint32_t ranks, bool far_first);

bool is_power_of_two(std::uint32_t value);

/// Folds any number of ranks to a power of two (Thakur, Rabenseifner, Gropp: Optimization of
/// Collective Communication Operations in MPICH, 4.4). There are r ranks more than places. Each
/// even one of the first 2 r ranks gives its data to the next rank, which represents both and
/// returns the result.
class Folding {
 public:
  explicit Folding(std::uint32_t ranks);

  std::uint32_t places() const { return places_; }  ///< the largest power of two
  bool gives(std::uint32_t rank) const { return rank < 2 * folded_ && rank % 2 == 0; }
  bool stands_for_two(std::uint32_t rank) const { return rank < 2 * folded_ && rank % 2 != 0; }
  /// The place of a rank for which gives() is false.
  std::uint32_t place_of(std::uint32_t rank) const {
    return rank < 2 * folded_ ? rank / 2 : rank - folded_;
  }
  std::uint32_t rank_at(std::uint32_t place) const {
    return place < folded_ ? 2 * place + 1 : place + folded_;
  }
  /// Number of the first ranks that earlier places represent.
  std::uint32_t ranks_before(std::uint32_t place) const {
    return place < folded_ ? 2 * place : place + folded_;
  }
  std::uint32_t ranks_of(std::uint32_t first_place, std::uint32_t count) const {
    return ranks_before(first_place + count) - ranks_before(first_place);
  }

 private:
  std::uint32_t places_;
  std::uint32_t folded_;
};

}  // namespace tvp::collectives
