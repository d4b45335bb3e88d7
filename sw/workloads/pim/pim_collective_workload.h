#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/pim/host_path.h"
#include "sw/collectives/pim/pim_run.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::pim {

/// A collective between the units of a PIM system, on vectors in their banks.
class PimCollectiveWorkload : public Workload {
 public:
  /// `collective` is a name of pim_collectives().
  explicit PimCollectiveWorkload(const std::string& collective);
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    explicit Config(const collectives::PimCollective& collective);
    /// Adds the settings that not all collectives have.
    void add_own(const collectives::PimCollective& collective);
    foundation::Setting<std::uint32_t> nodes;
    foundation::Setting<std::uint32_t> bytes;
    foundation::Choice type;
    std::optional<foundation::Choice> op;
    foundation::Choice algorithm;
    std::optional<foundation::Choice> order;
    foundation::Choice form;
    foundation::Choice sync;
    std::optional<foundation::Choice> variant;
    std::optional<foundation::Setting<bool>> pipelined;
    std::optional<foundation::Setting<std::uint32_t>> root;
    collectives::HostPathConfig host;
  };

  collectives::PimRequest request(std::uint64_t seed) const;
  void measure(const collectives::PimRequest& request, const collectives::PimRun& run,
               double time_ns, const runtime::PimSystem& system, Context& context,
               Result& result) const;

  const collectives::PimCollective& collective_;
  Config config_;
};

/// Makes a workload of each of pim_collectives().
std::vector<std::unique_ptr<Workload>> make_collective_workloads();

}  // namespace tvp::workloads::pim
