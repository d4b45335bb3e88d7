#pragma once

#include <string>
#include <utility>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"

namespace tvp::tensix::coprocessor {

/// Faults of one of several units of the same kind: "chip0.tensix(1,2).coprocessor.UNPACK0".
class UnitFaults {
 public:
  UnitFaults(foundation::FaultPolicy& policy, std::string where_without_number)
      : policy_(policy), where_(std::move(where_without_number)) {}

  void raise(foundation::FaultKind kind, unsigned unit, const std::string& text) const {
    policy_.raise(foundation::Fault(kind, where_ + std::to_string(unit), text));
  }
  void firmware(unsigned unit, const std::string& text) const {
    raise(foundation::FaultKind::kFirmware, unit, text);
  }
  /// A firmware fault that does not stop the run.
  void warn(unsigned unit, const std::string& text) const {
    const foundation::Fault fault(foundation::FaultKind::kFirmware, where_ + std::to_string(unit),
                                  text);
    auto* const sink = dynamic_cast<foundation::WarningSink*>(&policy_);
    if (sink != nullptr) sink->warn(fault);
  }
  void unmodelled(unsigned unit, const std::string& text) const {
    raise(foundation::FaultKind::kUnmodelled, unit, text);
  }

 private:
  foundation::FaultPolicy& policy_;
  const std::string where_;
};

}  // namespace tvp::tensix::coprocessor
