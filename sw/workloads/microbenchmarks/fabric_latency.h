#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/fabric_line.h"
#include "sw/workloads/mesh_workload.h"

namespace tvp::workloads::microbenchmarks {

/// One packet at a time over the fabric and back, between Tensix cores of two chips of a line, for
/// one hop and for several.
class FabricLatency : public MeshWorkload {
 public:
  FabricLatency()
      : MeshWorkload({.name = "fabric_latency",
                      .summary = "a packet over the fabric, by hops and size",
                      .system = "quad_ring",
                      .max_time_ns = 10e6},
                     config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("fabric_latency") {}
    foundation::Setting<std::uint32_t> samples{
        *this,
        {"samples", "", "exchanges of each size and distance", "workload"},
        {.value = 16, .min = 1, .max = 256}};
    foundation::Setting<std::uint32_t> hops{
        *this,
        {"hops", "", "links of the line, to the farther one of the chips", "workload"},
        {.value = 2, .min = 2, .max = 31}};
    foundation::Setting<std::uint32_t> router_noc{
        *this,
        {"router_noc", "",
         "NoC that routers write over: 0 makes one round of the torus of the ways to a router and "
         "from it, wherever they are; tt-metal's routers use 1",
         "workload"},
        {.value = 1, .min = 0, .max = 1}};
    foundation::Choice kernel{
        *this,
        {"kernel", "",
         "ours, or published_order: routers that issue as tt-metal's do, for its users' times",
         "workload"},
        {.value = "ours", .choices = {"ours", "published_order"}}};
  };
  /// Mean nanoseconds of the way to a device `hops` links away, half of the way there and back.
  double one_way(runtime::MeshDevice& mesh, const runtime::FabricLine& line, unsigned hops,
                 std::uint32_t bytes, std::uint64_t seed, Result& result) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
