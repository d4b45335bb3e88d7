#pragma once

#include "models/dram/controller/scheduler.h"

namespace tvp::dram {

/// First ready, first come, first served. Order: legal commands, then column commands, then the
/// oldest request. `cap` row hits may pass an older request of their bank.
class FrFcfs : public Scheduler {
 public:
  explicit FrFcfs(unsigned cap) : cap_(cap) {}
  bool hit_may_pass(unsigned passed) const override { return passed < cap_; }
  std::size_t pick(std::span<const Candidate> candidates) const override;

 private:
  const unsigned cap_;
};

}  // namespace tvp::dram
