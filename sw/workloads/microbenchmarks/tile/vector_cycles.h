#pragma once

#include <cstdint>
#include <string>

#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Cycles of each function of the vector unit in the compute library for a tile of Dst.
class VectorCycles : public ProfiledWorkload {
 public:
  VectorCycles()
      : ProfiledWorkload({.name = "vector_cycles",
                          .summary = "cycles of the vector unit's functions, for a tile each",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("vector_cycles") {}
    foundation::Text function{
        *this,
        {"function", foundation::kNoFile,
         "what names of the functions to measure begin with; all if empty", "workload"},
        ""};
    Choice format = choice("format", "format of tiles in Dst",
                           {.value = "bfloat16", .choices = {"bfloat16", "float32"}});
  };
  double measure(runtime::MeshDevice& mesh, const char* init, const char* call) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
