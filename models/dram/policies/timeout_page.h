#pragma once

#include "models/dram/policies/page_policy.h"

namespace tvp::dram {

/// A row closes after a time without requests to it.
class TimeoutPage : public PagePolicy {
 public:
  explicit TimeoutPage(MemCycle idle) : idle_(idle) {}
  bool closes(bool) const override { return false; }
  MemCycle idle_cycles() const override { return idle_; }

 private:
  const MemCycle idle_;
};

}  // namespace tvp::dram
