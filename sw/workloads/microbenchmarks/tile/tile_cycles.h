#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Measures the cycles of single instructions of a RISC-V core, of packing a tile from Dst, and of
/// tilizing rows.
class TileCycles : public ProfiledWorkload {
 public:
  TileCycles()
      : ProfiledWorkload({.name = "tile_cycles",
                          .summary = "cycles of a core's instructions and of packing a tile",
                          .system = "single_chip",
                          .max_time_ns = 10e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("tile_cycles") {}
    Number tiles = number("tiles", "tiles", "packed from one half of Dst in turn",
                          {.value = 4, .min = 1, .max = 8});
    Choice format = choice("format", "of packed tiles",
                           {.value = "bfloat16", .choices = {"bfloat16", "bfp8_b"}});
  };
  void measure_core(runtime::MeshDevice& mesh, Result& result) const;
  void measure_packers(runtime::MeshDevice& mesh, Result& result) const;
  void measure_tilize(runtime::MeshDevice& mesh, Result& result) const;
  /// Two circular buffers of the tiles on the first core. The first one is in `operands` if given.
  runtime::Program with_buffers(
      const std::shared_ptr<runtime::MeshBuffer>& operands = nullptr) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
