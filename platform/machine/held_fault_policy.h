#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"
#include "platform/machine/recording_fault_policy.h"

namespace tvp::platform {

/// The policy of a machine as one of its chips has it: while chips run at the same time, what a
/// chip warns of is kept, to be noted in the order in which one thread would have come to it.
class HeldFaultPolicy : public foundation::FaultPolicy, public foundation::WarningSink {
 public:
  explicit HeldFaultPolicy(RecordingFaultPolicy& all) : all_(all) {}

  void raise(const foundation::Fault& fault) override;
  void warn(const foundation::Fault& fault) override;

  /// Keeps warnings from now on; the machine's policy notes nothing until release().
  void hold() { holds_ = true; }
  /// Hands over what was kept.
  void release();

 private:
  struct Kept {
    foundation::Fault fault;
    std::string lines;
  };

  RecordingFaultPolicy& all_;
  bool holds_ = false;
  std::vector<Kept> kept_;
  std::unordered_set<std::string> texts_;  ///< of those
};

}  // namespace tvp::platform
