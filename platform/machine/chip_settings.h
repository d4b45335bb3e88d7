#pragma once

#include <memory>

#include "platform/machine/platform_config.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// The settings of one chip. A key that the caller set takes precedence over the chip's own table
/// (`[chip.noc] hop_cycles = 27`), which takes precedence over the system's.
class ChipSettings {
 public:
  /// `system` outlives it. Throws Fault(kDescription) for a key that a chip does not have.
  ChipSettings(const PlatformConfig& system, const ChipDescription& chip);

  const PlatformConfig& config() const { return own_ ? *own_ : system_; }

 private:
  const PlatformConfig& system_;
  std::unique_ptr<PlatformConfig> own_;  ///< null: the chip has none of its own
};

}  // namespace tvp::platform
