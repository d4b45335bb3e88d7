#pragma once

#include <cstdint>
#include <vector>

#include "sw/workloads/device_workload.h"
#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"

namespace tvp::workloads::microbenchmarks {

/// Every chip of a ring or line sends in both directions at the same time.
class FabricRing : public DeviceWorkload {
 public:
  FabricRing()
      : DeviceWorkload({.name = "fabric_ring",
                        .summary = "every chip of a ring sends both ways around it",
                        .system = "t3000_line",
                        .max_time_ns = 20e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("fabric_ring") {}
    Choice pattern =
        choice("pattern",
               "full: packets to all other chips of a ring. half: to those nearer in this "
               "direction. last: to the last one around. line: to all later chips of a line. "
               "longer: to those of the longer direction",
               {.value = "full", .choices = {"full", "half", "last", "line", "longer"}});
    Number chips = number("chips", "", "in the order of the system; 0: all",
                          {.value = 0, .min = 0, .max = 32});
    Choice send = choice("send", "write, one that also increments a counter, or two halves apart",
                         {.value = "write", .choices = {"write", "fused", "scatter"}});
    FabricSendersKey senders{*this};
    Number packets = number("packets", "", "packets of each chip in each direction",
                            {.value = 256, .min = 8, .max = 131072});
  };
  bool ring() const;
  /// A chip's packets in one direction: up along the order of chips, or down.
  struct Way {
    unsigned from;
    bool up;
    unsigned hops;
  };
  bool up_first(unsigned chip, unsigned chips) const;
  std::vector<Way> ways(unsigned chips) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
