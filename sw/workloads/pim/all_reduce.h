#pragma once

#include <cstdint>
#include <vector>

#include "sw/workloads/workload.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::workloads::pim {

class Reduction;

/// Ring all-reduce between the units of a PIM system, of a vector that each has in its bank.
class AllReduce : public Workload {
 public:
  std::string name() const override { return "pim_allreduce"; }
  std::string summary() const override {
    return "ring all-reduce of a vector in the banks of a PIM system";
  }
  std::string default_system() const override { return "pim_rank"; }
  double default_max_time_ns() const override { return 1e9; }
  support::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : support::SettingGroup {
    Config() : SettingGroup("pim_allreduce") {}
    support::Setting<std::uint32_t> nodes{
        *this, {"nodes", "", "units that take part; 0 for all", "workload"}, 0, 0, 4096};
    support::Setting<std::uint32_t> bytes{
        *this,
        {"bytes", "bytes", "vector of each unit; a multiple of 8", "workload"},
        65536,
        8,
        1U << 25};
    support::Choice type{
        *this, {"type", "", "of the elements", "workload"}, "fp32", {"fp32", "int32", "int64"}};
    support::Choice op{*this,
                       {"op", "", "what combines the elements", "workload"},
                       "sum",
                       {"sum", "max", "min", "prod"}};
    support::Choice ring{
        *this,
        {"ring", "", "order of the units: by number, or along a closed way over the mesh",
         "PIM interconnect document (row_major)"},
        "row_major",
        {"row_major", "hamiltonian"}};
  };

  /// Units in the order of the ring.
  std::vector<unsigned> ring(const runtime::PimSystem& system) const;
  void check(runtime::PimSystem& system, const std::vector<unsigned>& units,
             const Reduction& reduction, Result& result) const;
  void measure(runtime::PimSystem& system, const std::vector<unsigned>& units,
               Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::pim
