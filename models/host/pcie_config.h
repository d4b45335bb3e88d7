#pragma once

#include "foundation/settings.h"

namespace tvp::host {

/// Times of a device's accesses to the memory of the host, measured on one desktop.
struct PcieConfig : foundation::SettingGroup {
  PcieConfig() : SettingGroup("pcie", SetBy::kDescription) {}

  static constexpr const char* kSource = "ISA PCIExpressTile/README.md, device-initiated";

  foundation::Setting<double> read_gb_s{
      *this,
      {"read_gb_s", "GB/s", "rate of reads from the host", kSource},
      {.value = 24.5, .min = 0.001, .max = 1000}};
  foundation::Setting<double> write_gb_s{
      *this,
      {"write_gb_s", "GB/s", "rate of writes to the host", kSource},
      {.value = 26.4, .min = 0.001, .max = 1000}};
  foundation::Setting<unsigned> controller_ns{
      *this,
      {"controller_ns", "ns",
       "from the NIU of the PCIe tile to the middle of the PCI Express controller and back; there, "
       "writes are acknowledged",
       kSource},
      {.value = 150, .min = 0, .max = 100000}};
  foundation::Setting<unsigned> host_ns{
      *this,
      {"host_ns", "ns", "from the controller to the memory of the host and back", kSource},
      {.value = 430, .min = 0, .max = 100000}};
};

}  // namespace tvp::host
