#pragma once

#include "sw/collectives/algorithms/algorithm.h"

namespace tvp::collectives {

/// The root sends to every other rank itself, one after the other.
class Direct : public Algorithm {
 public:
  std::string name() const override { return "direct"; }
  std::string summary() const override { return "one message from the root to each other rank"; }
  std::vector<Primitive> primitives() const override {
    return {Primitive::kBroadcast, Primitive::kScatter};
  }

 private:
  Schedule build(const ScheduleRequest& request) const override;
};

}  // namespace tvp::collectives
