#pragma once

#include <cstdint>
#include <set>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns if the host reads a page of a DRAM buffer that no kernel or host has written, although
/// kernels have the buffer's address. There is one warning for each buffer. Silicon returns the old
/// contents.
class UnwrittenResults : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unwritten_results"; }
  const char* summary() const override { return "results in DRAM that no kernel has written"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  std::set<std::uint64_t> reported_;  ///< Unwritten::made_at of each buffer
};

}  // namespace tvp::checks
