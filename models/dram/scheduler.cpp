#include "models/dram/scheduler.h"

namespace tvp::dram {

std::size_t Fcfs::pick(std::span<const Candidate> candidates) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (candidates[i].order < candidates[best].order) best = i;
  }
  return best;
}

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

std::unique_ptr<Scheduler> make_scheduler(std::string_view name, unsigned cap) {
  if (name == "fcfs") return std::make_unique<Fcfs>();
  return std::make_unique<FrFcfs>(cap);
}

}  // namespace tvp::dram
