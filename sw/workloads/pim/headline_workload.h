#pragma once

#include "sw/workloads/workload.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::workloads::pim {

/// Compares the two times that the PIM interconnect document gives for its all-reduce with the same
/// algorithm here, in simulated time and in wall time of the host. The document's times are 38 us
/// on 4 nodes and 1.3 ms on 32 nodes. It does not define them.
class HeadlineWorkload : public Workload {
 public:
  HeadlineWorkload()
      : Workload({.name = "pim_headline",
                  .summary = "the document's all-reduce of one value on 4 and 32 units, simulated "
                             "and wall time",
                  .system = "pim_rank",
                  .max_time_ns = 1e9},
                 config_) {}
  Result run(Context& context) override;

 private:
  struct Row {
    unsigned nodes = 0;
    unsigned longest_hop = 0;
    double written_us = 0;   ///< simulated, word for word
    double standard_us = 0;  ///< simulated, chunk by chunk
    double wall_us = 0;      ///< wall time of the host for the first
  };
  Row measure(runtime::PimSystem& system, unsigned nodes, std::uint64_t seed, Result& result) const;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("pim_headline", SetBy::kRun) {}
  };
  Config config_;
};

}  // namespace tvp::workloads::pim
