#include "sw/collectives/algorithms/halvings.h"

#include <bit>

namespace tvp::collectives {

std::vector<Halving> halvings(std::uint32_t rank, std::uint32_t ranks, bool far_first) {
  std::vector<Halving> made;
  std::uint32_t first = 0;
  for (std::uint32_t count = ranks / 2; count > 0; count /= 2) {
    const std::uint32_t bit = far_first ? count : ranks / 2 / count;
    const bool upper = rank & bit;
    Halving step{rank ^ bit, first + (upper ? count : 0), first + (upper ? 0 : count), count};
    first = step.kept;
    made.push_back(step);
  }
  return made;
}

Folding::Folding(std::uint32_t ranks) : places_(std::bit_floor(ranks)), folded_(ranks - places_) {}

bool is_power_of_two(std::uint32_t value) { return std::has_single_bit(value); }

}  // namespace tvp::collectives
