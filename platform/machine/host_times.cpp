#include "platform/machine/host_times.h"

#include <algorithm>
#include <cmath>

#include "foundation/fault.h"

namespace tvp::platform {

HostTimes::HostTimes(const SystemDescription& system, const PlatformConfig& config)
    : system_(system), config_(config) {
  if (config.host.timed && config.foreign.shared_kernel)
    throw foundation::Fault(foundation::FaultKind::kDescription, "host.timed",
                            "true for a Board; expected false: its initiators take their own time");
}

double HostTimes::nanoseconds(const ChipDescription& chip, std::uint32_t bytes, bool write) const {
  const host::PcieConfig& pcie = config_.pcie;
  double rate = write ? pcie.host_write_gb_s.value() : pcie.host_read_gb_s.value();
  double latency = write ? 0 : pcie.host_read_ns.value();
  if (chip.host_chip) {
    // Packets of the largest payload (models/ethernet/README.md).
    constexpr double kPayload = 1500;
    const double of_link = config_.ethernet.line_bytes_per_ns * kPayload /
                           (kPayload + config_.ethernet.packet_overhead_bytes);
    const double of_way = static_cast<double>(config_.ethernet.link_latency_ps) / 1000;
    rate = std::min(rate, of_link);
    latency += write ? of_way : 2 * of_way;
  }
  return latency + bytes / rate;
}

support::Cycle HostTimes::cycles(unsigned pci_device, std::uint32_t bytes, bool write) const {
  if (!config_.host.timed) return 0;
  const auto chip = std::ranges::find_if(
      system_.chips, [&](const ChipDescription& one) { return one.pci_device == pci_device; });
  if (chip == system_.chips.end()) return 0;
  const double cycles =
      nanoseconds(*chip, bytes, write) * static_cast<double>(config_.chip.aiclk_mhz) / 1000;
  return static_cast<support::Cycle>(std::ceil(cycles));
}

}  // namespace tvp::platform
