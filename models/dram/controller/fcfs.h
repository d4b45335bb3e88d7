#pragma once

#include "models/dram/controller/scheduler.h"

namespace tvp::dram {

/// First come, first served: one request after the other, over all banks.
class Fcfs : public Scheduler {
 public:
  bool hit_may_pass(unsigned) const override { return false; }
  std::size_t pick(std::span<const Candidate> candidates) const override;
};

}  // namespace tvp::dram
