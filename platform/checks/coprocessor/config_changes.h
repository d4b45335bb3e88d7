#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns if configuration changes while an unpacker or the packers still work with it. Only formats
/// and routes of data count: hardware reads them as long as data flows.
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
