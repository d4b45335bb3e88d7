#pragma once

#include <cstdint>
#include <set>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns if the host reads a page of a DRAM buffer that neither a kernel nor the host has written,
/// although kernels have the buffer's address. It also warns if a kernel has filled the page from
/// L1 that nothing had written. There is one warning for each buffer. Silicon returns the old
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
