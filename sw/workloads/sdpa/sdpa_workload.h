#pragma once

#include <memory>
#include <vector>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/programs/program.h"
#include "sw/workloads/device_workload.h"
#include "sw/workloads/sdpa/problem.h"
#include "sw/workloads/sdpa/ring_fabric.h"
#include "sw/workloads/sdpa/timeline.h"

namespace tvp::workloads::sdpa {

class DeviceReduction;

/// Tunables of the workload.
struct SdpaSettings : WorkloadSettings {
  SdpaSettings() : WorkloadSettings("sdpa") {}

  Number head_dim = number("head_dim", "", "columns of a numerator, a multiple of 32",
                           {.value = 128, .min = 32, .max = 192},
                           "choice of the workload; 192 fills a packet of 4 KiB");
  Number sequence =
      number("sequence", "", "keys and values of the attention problem, a multiple of 4",
             {.value = 256, .min = 4, .max = 65536}, "assumed");
  foundation::Text numerator{
      *this,
      {"numerator", foundation::kInputFile,
       ".npy file, float32 [device, worker, 8, head_dim], instead of the seeded "
       "problem; needs sum and max",
       "choice of the user"},
      ""};
  foundation::Text sum{*this,
                       {"sum", foundation::kInputFile, ".npy file, float32 [device, worker, 8]",
                        "choice of the user"},
                       ""};
  foundation::Text max{*this,
                       {"max", foundation::kInputFile, ".npy file, float32 [device, worker, 8]",
                        "choice of the user"},
                       ""};
};

/// `vp run sdpa`: partial attention results of four devices on a ring, reduced on all of them in
/// two rounds of neighbor exchange.
class SdpaWorkload : public DeviceWorkload {
 public:
  SdpaWorkload()
      : DeviceWorkload({.name = "sdpa",
                        .summary = "attention over a sequence split across a ring of four devices, "
                                   "reduced to all of them",
                        .system = "quad_ring",
                        .max_time_ns = 10e6},
                       settings_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;
  Problem make_problem(
      std::uint64_t seed, const std::function<void()>& between = [] {}) const;
  static void compare_devices(const Problem& problem, DeviceReduction& reduction, Result& result);
  static void show(const Timeline& timeline, runtime::DeviceLibrary& library, Result& result);

  SdpaSettings settings_;
};

}  // namespace tvp::workloads::sdpa
