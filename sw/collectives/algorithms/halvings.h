#pragma once

#include <cstdint>
#include <vector>

namespace tvp::collectives {

/// A step of recursive halving, as one rank sees it: what of the chunks it had it gives to its
/// partner and what it keeps, as runs of chunks.
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

}  // namespace tvp::collectives
