#pragma once

#include <cstdint>

#include "foundation/settings.h"

namespace tvp::pim {

/// Settings of the host's reads and writes in the channels of a PIM system while programs run.
struct HostTrafficConfig : foundation::SettingGroup {
  HostTrafficConfig() : SettingGroup("host_traffic", SetBy::kRun) {}

  foundation::Choice pattern{
      *this,
      {"pattern", "",
       "order of the addresses that the host reads and writes in each channel while PIM programs "
       "run; off: no accesses",
       "user"},
      {.value = "off", .choices = {"off", "stream", "strided", "random"}}};
  foundation::Choice target{
      *this,
      {"target", "",
       "side_ranks: ranks of the channel without processors; host_banks: banks of the PIM ranks "
       "that the host owns in every chip, those without a processor included (only with "
       "pattern!=off)",
       "user"},
      {.value = "side_ranks", .choices = {"side_ranks", "host_banks"}}};
  foundation::Setting<unsigned> side_ranks{
      *this,
      {"side_ranks", "", "ranks without processors in each channel (only with target=side_ranks)",
       "assumed"},
      {.value = 1, .min = 1, .max = 8}};
  foundation::Setting<double> rate_per_ns{*this,
                                          {"rate_per_ns", "1/ns",
                                           "rate of bursts in a channel, independent of answers; "
                                           "0: as fast as answers (only with pattern!=off)",
                                           "user"},
                                          {.value = 0.0, .min = 0.0, .max = 1000.0}};
  foundation::Setting<unsigned> outstanding{
      *this,
      {"outstanding", "", "bursts of a channel that may be open at a time (only with pattern!=off)",
       "user"},
      {.value = 16, .min = 1, .max = 65536}};
  foundation::Setting<double> read_share{
      *this,
      {"read_share", "", "share of reads, the others write (only with pattern!=off)", "user"},
      {.value = 1.0, .min = 0.0, .max = 1.0}};
  foundation::Setting<std::uint64_t> stride_bursts{
      *this,
      {"stride_bursts", "bursts",
       "distance of addresses in the strided pattern (only with pattern=strided)", "user"},
      {.value = 128, .min = 1, .max = std::uint64_t{1} << 32}};
  foundation::Setting<std::uint64_t> working_set_bytes{
      *this,
      {"working_set_bytes", "bytes",
       "memory of a channel that the pattern covers (only with pattern!=off)", "user"},
      {.value = std::uint64_t{1} << 26, .min = 64, .max = std::uint64_t{1} << 34}};
  foundation::Setting<std::uint64_t> seed{
      *this,
      {"seed", "", "seed of random addresses and directions (only with pattern!=off)", "user"},
      {.value = 1, .min = 0, .max = ~std::uint64_t{0}}};
};

}  // namespace tvp::pim
