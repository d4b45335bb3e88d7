#pragma once

#include <cstdint>
#include <set>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Reads by the host of buffers in DRAM of which kernels have the address, and which nobody has
/// written, once for each buffer. Silicon gives it what lies there.
class UnwrittenResults : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unwritten_results"; }
  const char* summary() const override { return "results in DRAM that no kernel has written"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  std::set<std::uint64_t> reported_;  ///< when the buffers were made
};

}  // namespace tvp::checks
