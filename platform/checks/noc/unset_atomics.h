#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// Atomics on words of L1 that neither a core nor anybody else has ever written: semaphores that
/// nobody has set.
class UnsetAtomics : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unset_atomics"; }
  const char* summary() const override { return "atomics on words that nobody has set"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;
};

}  // namespace tvp::checks
