#include "platform/library/pci_bus.h"

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::platform {

using foundation::Fault;
using foundation::FaultKind;

namespace {

/// The BARs of device i start at (i + 1) times this stride. Physical address 0 stays free.
constexpr std::uint64_t kBarStride = 1ULL << 32;
constexpr std::uint64_t kBar2Offset = 0x40000000;
constexpr std::uint64_t kBar4Offset = 0x50000000;

std::uint64_t bar0_base(unsigned device) { return (device + 1) * kBarStride; }

}  // namespace

std::uint64_t PciBus::bar_base(unsigned device, unsigned bar) {
  return bar0_base(device) + (bar == 2 ? kBar2Offset : bar == 4 ? kBar4Offset : 0);
}

bool PciBus::has_device(unsigned device) const {
  return devices_ != nullptr && devices_->has_device(device);
}

std::uint32_t PciBus::config_read(std::uint32_t bus_device_function, std::uint32_t offset) const {
  constexpr std::uint32_t kAbsent = 0xFFFFFFFF;
  const unsigned device = (bus_device_function >> 3) & 0x1F;
  if ((bus_device_function & ~0xF8U) != 0 || !has_device(device)) return kAbsent;
  const foundation::ChipSpec::Pcie& bars = devices_->bars_of(device);
  const std::uint64_t base = bar0_base(device);
  const auto low = [](std::uint64_t bar) { return static_cast<std::uint32_t>(bar) | 0x4U; };
  const auto high = [](std::uint64_t bar) { return static_cast<std::uint32_t>(bar >> 32); };
  switch (offset) {
    case 0x00:
      return bars.device << 16 | bars.vendor;
    case 0x08:
      return 0x12000000;  // processing accelerator, revision 0
    case 0x10:
      return low(base) | 0x8U;  // prefetchable
    case 0x14:
      return high(base);
    case 0x18:
      return low(base + kBar2Offset);
    case 0x1C:
      return high(base + kBar2Offset);
    case 0x20:
      return low(base + kBar4Offset);
    case 0x24:
      return high(base + kBar4Offset);
    default:
      return 0;
  }
}

PciBus::Place PciBus::place_of(std::uint64_t physical, std::uint32_t bytes) const {
  const auto device = static_cast<unsigned>(physical / kBarStride) - 1;
  if (physical < kBarStride || !has_device(device)) {
    throw Fault(FaultKind::kDescription, "host",
                "physical address " + foundation::hex(physical) + " belongs to no device");
  }
  const foundation::ChipSpec::Pcie& bars = devices_->bars_of(device);
  std::uint64_t offset = physical - bar0_base(device);
  if (offset >= kBar2Offset && offset + bytes <= kBar2Offset + bars.bar2_bytes) {
    return {device, 2, offset - kBar2Offset};
  }
  if (offset >= kBar4Offset && offset + bytes <= kBar4Offset + bars.bar4_bytes) {
    // BAR 4 maps the top of BAR 0 again (ISA PCIExpressTile/README.md).
    offset = offset - kBar4Offset + (bars.bar0_bytes - bars.bar4_bytes);
  }
  if (offset + bytes > bars.bar0_bytes) {
    throw Fault(
        FaultKind::kDescription, "host",
        "physical address " + foundation::hex(physical) + " lies outside the modelled BARs");
  }
  return {device, 0, offset};
}

void PciBus::access(std::uint64_t physical, std::uint8_t* data, std::uint32_t bytes,
                    bool write) const {
  const Place place = place_of(physical, bytes);
  devices_->pass_host_time(place.device, bytes, write);
  if (place.bar == 2) {
    devices_->access_bar2(place.device, place.offset, data, bytes, write);
  } else {
    devices_->access_bar0(place.device, place.offset, data, bytes, write);
  }
}

}  // namespace tvp::platform
