#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about atomics on words of L1 that no core, NIU, unit or host has ever written, for example
/// semaphores without an initial value.
class UnsetAtomics : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unset_atomics"; }
  const char* summary() const override { return "atomics on words that nothing has initialized"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;
};

}  // namespace tvp::checks
