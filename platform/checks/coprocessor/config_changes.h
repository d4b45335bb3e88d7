#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// Configuration that changes while an unpacker or the packers still work with it: formats and ways
/// of data, which hardware looks at as long as data flows.
class ConfigChanges : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "config_changes"; }
  const char* summary() const override {
    return "configuration that changes while an unpacker or the packers work with it";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;
};

}  // namespace tvp::checks
