#pragma once

#include "foundation/settings.h"

namespace tvp::pim {

/// Settings of a host program's accesses.
struct HostConfig : foundation::SettingGroup {
  HostConfig() : SettingGroup("host", SetBy::kDescription) {}

  foundation::Setting<bool> timed{
      *this,
      {"timed", "",
       "true: accesses of host programs take simulated time; false: no time. PIM banks: commands "
       "and data on the shared pins of the memory channel, then copying. Chips: PCI Express, and "
       "ethernet to chips behind another one",
       foundation::kOwnChoice},
      false};
  foundation::Setting<double> copy_gb_s{
      *this,
      {"copy_gb_s", "GB/s",
       "rate at which the host reorders bytes, since a beat has one of each chip; 0: "
       "no time (only with timed=true)",
       "assumed: the remainder of the 4.7 GB/s that PrIM (arXiv 2105.03814) reports for a rank of "
       "64 UPMEM units, if the bus itself has 17.3"},
      {.value = 6.5, .min = 0.0, .max = 1000.0}};
  foundation::Setting<double> copy_to_banks_gb_s{
      *this,
      {"copy_to_banks_gb_s", "GB/s",
       "copy_gb_s for writes of banks; 0: as copy_gb_s (only with timed=true)",
       "UPMEM: PrIM (arXiv 2105.03814, section 3.4) reports 6.68 GB/s to a rank of 64 units"},
      {.value = 0.0, .min = 0.0, .max = 1000.0}};
};

}  // namespace tvp::pim
