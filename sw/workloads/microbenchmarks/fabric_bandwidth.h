#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/fabric_line.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// A stream of packets over one link of the fabric, from a Tensix core to the chips of a line.
class FabricBandwidth : public Workload {
 public:
  std::string name() const override { return "fabric_bandwidth"; }
  std::string summary() const override { return "packets back to back over a link of the fabric"; }
  std::string default_system() const override { return "quad_ring"; }
  double default_max_time_ns() const override { return 10e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("fabric_bandwidth") {}
    foundation::Setting<std::uint32_t> hops{
        *this,
        {"hops", "", "packets go to the chips 1 to this many links away, in turn", "workload"},
        {.value = 3, .min = 1, .max = 3}};
    foundation::Setting<std::uint32_t> packets{*this,
                                               {"packets", "", "to each chip, timed", "workload"},
                                               {.value = 32, .min = 8, .max = 64}};
  };
  /// Payload bytes a nanosecond.
  double rate(runtime::MeshDevice& mesh, const FabricLine& line, std::uint32_t bytes,
              std::uint64_t seed, Result& result) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
