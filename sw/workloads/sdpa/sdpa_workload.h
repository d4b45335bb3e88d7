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

  foundation::Text devices{*this,
                           {"devices", foundation::kNoFile,
                            "ring: a count (2, 4, 8, 16, 32), or chips in its order (\"0,1,3,2\"); "
                            "empty: all devices of the system",
                            "workload"},
                           ""};
  Number head_dim =
      number("head_dim", "", "columns of a numerator, a multiple of 32; a packet holds 192",
             {.value = 128, .min = 32, .max = 1024});
  Number sequence =
      number("sequence", "", "keys and values of the attention problem, a multiple of the devices",
             {.value = 256, .min = 2, .max = 65536}, "assumed");
  Flag decode = flag("decode",
                     "devices compute their partial results from queries, keys and values in DRAM; "
                     "sequence is then a multiple of 32 for each device",
                     false);
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

/// `vp run sdpa`: partial attention results of the devices of a ring, reduced on all of them in
/// rounds of exchange.
class SdpaWorkload : public DeviceWorkload {
 public:
  SdpaWorkload()
      : DeviceWorkload({.name = "sdpa",
                        .summary = "attention over a sequence split across a ring of devices, "
                                   "reduced to all of them",
                        .system = "quad_ring",
                        .max_time_ns = 10e6},
                       settings_) {}

 private:
  void check() const override;
  void adjust(const runtime::DeviceLibrary& library,
              runtime::MeshDevice::Options& options) const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;
  bool from_files() const { return !settings_.numerator.value().empty(); }
  Shape shape(std::size_t devices) const;
  Problem make_problem(
      std::size_t devices, std::uint64_t seed, const std::function<void()>& between = [] {}) const;
  /// Lets the devices compute their partial results.
  Problem decode(DeviceReduction& reduction, runtime::MeshDevice& mesh, std::uint64_t seed,
                 Result& result) const;
  static void compare_devices(const Problem& problem, DeviceReduction& reduction, Result& result);
  static void show(const Timeline& timeline, runtime::DeviceLibrary& library, Result& result);

  SdpaSettings settings_;
};

}  // namespace tvp::workloads::sdpa
