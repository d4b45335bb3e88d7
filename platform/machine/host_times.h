#pragma once

#include <cstdint>

#include "models/support/calendar.h"
#include "platform/machine/platform_config.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// The time that a host program spends in accesses of chips with host.timed=true. The host makes
/// one access after the other. It fills a window by write-combined copies, and its reads wait for
/// the round trip and for DMA. Another chip can lie between the host and the accessed one: then one
/// ethernet link of the two follows (ChipDescription::host_chip).
class HostTimes {
 public:
  /// Throws Fault(kDescription) if host.timed is set where a user runs the kernel.
  HostTimes(const SystemDescription& system, const PlatformConfig& config);

  /// Cycles of an access to the chip with `pci_device`; 0 without host.timed.
  support::Cycle cycles(unsigned pci_device, std::uint32_t bytes, bool write) const;

 private:
  double nanoseconds(const ChipDescription& chip, std::uint32_t bytes, bool write) const;

  const SystemDescription& system_;
  const PlatformConfig& config_;
};

}  // namespace tvp::platform
