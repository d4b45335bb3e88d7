#pragma once

#include "models/dram/policies/refresh_policy.h"

namespace tvp::dram {

/// No refresh, to measure the cost of refresh.
class NoRefresh : public RefreshPolicy {
 public:
  RefreshDemand demand(unsigned, MemCycle) const override { return {}; }
  void issued(unsigned, std::uint64_t) override {}
  MemCycle next_change(MemCycle) const override { return kNeverMem; }
  std::uint64_t idle_refreshes(unsigned, MemCycle) const override { return 0; }
};

}  // namespace tvp::dram
