#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/measurement.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

class EthernetPair;

/// Messages from one ethernet core to the other over the first link of a system, by size. The
/// receiver acknowledges each by its sync words, and a ring of slots holds those without
/// acknowledgement. One direction, or both at once, with or without forwarding to a worker of each
/// chip.
class EthernetBandwidth : public ProfiledWorkload {
 public:
  EthernetBandwidth()
      : ProfiledWorkload({.name = "ethernet_bandwidth",
                          .summary = "messages one behind the other over a link",
                          .system = "pair",
                          .max_time_ns = 100e6},
                         config_) {}
  double default_max_time_ns() const override {
    constexpr double kEachSize = 5000;  // ns, of a message in a ring of two slots
    return ProfiledWorkload::default_max_time_ns() + kEachSize * 10 * config_.messages;
  }

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("ethernet_bandwidth") {}
    Number messages =
        number("messages", "", "messages of each size", {.value = 1024, .min = 16, .max = 65536});
    Number slots = number("slots", "", "slots of the ring, one more than messages in flight",
                          {.value = 16, .min = 2, .max = 16});
    Flag both_ways = flag("both_ways", "both cores send and acknowledge, up to 4096 bytes", false);
    Flag worker = flag(
        "worker",
        "a core that receives writes each message to a Tensix core before it acknowledges", false);
  };
  std::uint32_t largest() const;
  std::uint32_t ring_bytes() const;
  void compare(EthernetPair& pair, unsigned way, Result& result) const;
  void compare(EthernetPair& pair, unsigned way, const Bytes& at_worker, Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
