#pragma once

#include <string>
#include <vector>

#include "foundation/fault.h"

namespace tvp::platform {

/// Stops at the first fault, or (`faults=warn`) notes firmware faults and lets the model do what
/// silicon does.
class RecordingFaultPolicy : public foundation::FaultPolicy {
 public:
  static constexpr std::size_t kKept = 100;  ///< texts kept; all are counted

  void set_warn(bool warn) { warn_ = warn; }
  void raise(const foundation::Fault& fault) override {
    if (!warn_ || fault.kind() != foundation::FaultKind::kFirmware) throw fault;
    if (warnings_.size() < kKept) warnings_.emplace_back(fault.what());
    ++count_;
  }
  const std::vector<std::string>& warnings() const { return warnings_; }
  std::uint64_t count() const { return count_; }

 private:
  bool warn_ = false;
  std::vector<std::string> warnings_;
  std::uint64_t count_ = 0;
};

}  // namespace tvp::platform
