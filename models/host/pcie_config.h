#pragma once

#include "foundation/settings.h"

namespace tvp::host {

/// Times of a device's accesses to the memory of the host, and of the host's to a device, measured
/// on one desktop.
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

  static constexpr const char* kHostSource = "ISA PCIExpressTile/README.md, host-initiated";

  foundation::Setting<double> host_write_gb_s{
      *this,
      {"host_write_gb_s", "GB/s",
       "rate at which host programs fill a window by write-combined copies (only with "
       "host.timed=true)",
       kHostSource},
      {.value = 22.65, .min = 0.001, .max = 1000}};
  foundation::Setting<double> host_read_gb_s{
      *this,
      {"host_read_gb_s", "GB/s",
       "rate of reads of host programs, by DMA (only with host.timed=true)", kHostSource},
      {.value = 11.3, .min = 0.001, .max = 1000}};
  foundation::Setting<unsigned> host_read_ns{
      *this,
      {"host_read_ns", "ns", "round trip of a read of host programs (only with host.timed=true)",
       kHostSource},
      {.value = 671, .min = 0, .max = 100000}};
};

}  // namespace tvp::host
