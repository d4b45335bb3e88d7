#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"
#include "sw/workloads/parallel/kinds.h"

namespace tvp::workloads::parallel {

/// A step of a model distributed over the chips of a mesh. Firmware computes products and
/// collectives.
class Parallel : public DeviceWorkload {
 public:
  Parallel()
      : DeviceWorkload({.name = "parallel",
                        .summary = "a model's step spread over chips: tensor, data, sequence, "
                                   "expert or pipeline parallel",
                        .system = "t3000",
                        .max_time_ns = 1e9},
                       config_) {}

 private:
  void adjust(const runtime::DeviceLibrary& library,
              runtime::MeshDevice::Options& options) const override;
  /// Throws Fault(kDescription) for sizes that the devices do not divide.
  Sizes sizes(std::uint32_t devices) const;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("parallel") {}
    Choice kind = choice("kind", "tensor, data, sequence, expert or pipeline parallel",
                         {.value = "tp", .choices = {"tp", "dp", "sp", "ep", "pp"}});
    foundation::Text algo{
        *this,
        {"algo", foundation::kNoFile, "of the collectives; empty: ring, or pairwise for all_to_all",
         "workload"},
        ""};
    Number tokens = number("tokens", "",
                           "tokens of all devices; 0: 32 for tp, 32 a device for dp and sp, 32 a "
                           "device and expert for ep, 32 a batch for pp",
                           {.value = 0, .min = 0, .max = 16384});
    Number width = number("width", "", "width of an activation, a multiple of 32",
                          {.value = 64, .min = 32, .max = 4096});
    Number inner =
        number("inner", "", "between two layers, a multiple of 32 for each device; 0: 32 for each",
               {.value = 0, .min = 0, .max = 16384});
    Number batches = number("batches", "", "that go through a pipeline (only with kind=pp)",
                            {.value = 4, .min = 1, .max = 64});
    Number chunks = number("chunks", "",
                           "chunks of tokens of tp and sp; with several, a collective of a chunk "
                           "runs beside a product of another one",
                           {.value = 1, .min = 1, .max = 64});
    Flag overlap = flag(
        "overlap", "pp passes a batch on while it computes another one, in buffers for two", false);
    Flag mean = flag("mean", "dp leaves the mean of gradients, not their sum", false);
  };

  Config config_;
};

}  // namespace tvp::workloads::parallel
