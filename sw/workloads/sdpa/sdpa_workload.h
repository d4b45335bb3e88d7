#pragma once

#include <memory>
#include <vector>

#include "sw/runtime/mesh_device.h"
#include "sw/runtime/program.h"
#include "sw/workloads/sdpa/problem.h"
#include "sw/workloads/sdpa/ring_fabric.h"
#include "sw/workloads/sdpa/timeline.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::sdpa {

/// Tunables of the workload.
struct SdpaSettings : foundation::SettingGroup {
  SdpaSettings() : SettingGroup("sdpa") {}

  foundation::Setting<std::uint32_t> head_dim{
      *this,
      {"head_dim", "", "columns of a numerator, a multiple of 32",
       "choice of the workload; 192 fills a packet of 4 KiB"},
      {.value = 128, .min = 32, .max = 192}};
  foundation::Setting<std::uint32_t> sequence{
      *this,
      {"sequence", "", "keys and values of the attention problem, a multiple of 4", "assumed"},
      {.value = 256, .min = 4, .max = 65536}};
  foundation::Text numerator{
      *this,
      {"numerator", "",
       ".npy file, float32 [device, worker, 8, head_dim], instead of the seeded "
       "problem; needs sum and max",
       "choice of the user"},
      ""};
  foundation::Text sum{
      *this, {"sum", "", ".npy file, float32 [device, worker, 8]", "choice of the user"}, ""};
  foundation::Text max{
      *this, {"max", "", ".npy file, float32 [device, worker, 8]", "choice of the user"}, ""};
};

/// `vp run sdpa`: partial attention results of four devices on a ring, reduced on all of them in
/// two rounds of neighbor exchange.
class SdpaWorkload : public Workload {
 public:
  std::string name() const override { return "sdpa"; }
  std::string summary() const override {
    return "attention over a sequence split across a ring of four devices, reduced to all of them";
  }
  std::string default_system() const override { return "quad_ring"; }
  double default_max_time_ns() const override { return 10e6; }
  foundation::SettingGroup& settings() override { return settings_; }
  Result run(Context& context) override;

 private:
  Problem make_problem(std::uint64_t seed) const;

  SdpaSettings settings_;
};

}  // namespace tvp::workloads::sdpa
