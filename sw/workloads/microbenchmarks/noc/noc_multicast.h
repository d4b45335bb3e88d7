#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/go_signal.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Writes from the first core of a rectangle, or one beside it, to all of its cores, by size.
class NocMulticast : public ProfiledWorkload {
 public:
  NocMulticast()
      : ProfiledWorkload({.name = "noc_multicast",
                          .summary = "NoC writes of one core to a rectangle of cores",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("noc_multicast", SetBy::kRun) {}
    foundation::Setting<std::uint32_t> columns{
        *this, {"columns", "", "of the rectangle", "workload"}, {.value = 2, .min = 1, .max = 8}};
    foundation::Setting<std::uint32_t> rows{
        *this, {"rows", "", "of the rectangle", "workload"}, {.value = 2, .min = 1, .max = 10}};
    foundation::Setting<std::uint32_t> transactions{
        *this,
        {"transactions", "", "writes of each size", "workload"},
        {.value = 1, .min = 1, .max = 65536}};
    foundation::Setting<bool> linked{
        *this,
        {"linked", "", "all writes of a size are linked, so that only the first reserves its path",
         "workload"},
        false};
    foundation::Setting<bool> outside{
        *this,
        {"outside", "", "the sender is right of the first row, not in the corner", "workload"},
        false};
    FastDispatch fast_dispatch{*this};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
