#pragma once

#include <set>

#include "platform/checks/check.h"

namespace tvp::checks {

/// The first command that each core of a tile gives to a NIU.
class FirstCommands : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "first_commands"; }
  const char* summary() const override { return "the first command of each core"; }
  Probe::Kinds kinds() const override { return Probe::bit(ProbeEvent::Kind::kCommand); }
  void on(const ProbeEvent& event) override;

 private:
  std::set<BusMaster> seen_;
};

}  // namespace tvp::checks
