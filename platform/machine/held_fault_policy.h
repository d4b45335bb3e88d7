#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"
#include "platform/machine/recording_fault_policy.h"

namespace tvp::platform {

/// The fault policy of one chip. While chips run in parallel threads, it keeps the chip's warnings.
/// The machine later records them in the order of a single thread.
class HeldFaultPolicy : public foundation::FaultPolicy, public foundation::WarningSink {
 public:
  explicit HeldFaultPolicy(RecordingFaultPolicy& all) : all_(all) {}

  void raise(const foundation::Fault& fault) override;
  void warn(const foundation::Fault& fault) override;

  /// Keeps warnings until release().
  void hold() { holds_ = true; }
  /// Passes the kept warnings to the machine's policy.
  void release();

  struct Kept {
    foundation::Fault fault;
    std::string lines;
  };
  /// Takes the kept warnings, for another process, and keeps on.
  std::vector<Kept> take();

 private:
  RecordingFaultPolicy& all_;
  bool holds_ = false;
  std::vector<Kept> kept_;
  std::unordered_set<std::string> texts_;  ///< of `kept_`
};

}  // namespace tvp::platform
