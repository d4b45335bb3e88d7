#include "models/dram/dram_config.h"

namespace tvp::dram {

namespace {
constexpr const char* kPerformance = "ISA DRAMTile/README.md, Performance";
}  // namespace

DramConfig::DramConfig()
    : SettingGroup("dram"),
      controller(*this, {"controller", "", "how a channel serves: a rate and a latency", "ours"},
                 "service", {"service"}),
      bytes_per_cycle(*this,
                      {"bytes_per_cycle", "bytes/cycle",
                       "raw rate of a channel: 16 bits at 12 GT/s, AICLK 1 GHz", kPerformance},
                      24.0, 0.1, 1024.0),
      read_efficiency(
          *this, {"read_efficiency", "", "share of the raw rate that reads reach", kPerformance},
          0.931, 0.01, 1.0),
      write_efficiency(
          *this, {"write_efficiency", "", "share of the raw rate that writes reach", kPerformance},
          0.918, 0.01, 1.0),
      burst_bytes(*this,
                  {"burst_bytes", "bytes", "least that a channel moves: 16 transfers of 16 bits",
                   "JEDEC GDDR6: burst length 16"},
                  32, 1, 1024),
      read_latency_cycles(*this,
                          {"read_latency_cycles", "cycles",
                           "request at the controller until its first bytes come back",
                           "assumed: difference of the published 32 B reads of DRAM and of L1 "
                           "(tt-metal data movement plots)"},
                          99, 1, 10000),
      write_latency_cycles(
          *this,
          {"write_latency_cycles", "cycles", "last byte at the controller until it is acknowledged",
           "assumed: difference of the published 32 B writes to DRAM and to L1 "
           "(tt-metal data movement plots)"},
          123, 1, 10000),
      queue_bytes(*this,
                  {"queue_bytes", "bytes", "requests that a controller takes ahead of the channel",
                   "assumed"},
                  8192, 32, 1048576) {}

}  // namespace tvp::dram
