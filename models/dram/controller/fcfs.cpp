#include "models/dram/controller/fcfs.h"

namespace tvp::dram {

std::size_t Fcfs::pick(std::span<const Candidate> candidates) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (candidates[i].order < candidates[best].order) best = i;
  }
  return best;
}

}  // namespace tvp::dram
