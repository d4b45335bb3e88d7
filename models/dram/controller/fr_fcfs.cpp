#include "models/dram/controller/fr_fcfs.h"

namespace tvp::dram {

std::size_t FrFcfs::pick(std::span<const Candidate> candidates) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const Candidate& a = candidates[i];
    const Candidate& b = candidates[best];
    const bool first = a.at != b.at           ? a.at < b.at
                       : a.column != b.column ? a.column
                                              : a.order < b.order;
    if (first) best = i;
  }
  return best;
}

}  // namespace tvp::dram
