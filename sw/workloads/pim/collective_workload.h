#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sw/collectives/collective_run.h"
#include "sw/collectives/host_path.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::pim {

/// A collective between the units of a PIM system, of vectors that are in their banks.
class CollectiveWorkload : public Workload {
 public:
  /// By its name in the registry of collectives.
  explicit CollectiveWorkload(const std::string& collective);
  std::string name() const override { return config_.name(); }
  std::string summary() const override;
  std::string default_system() const override { return "pim_rank"; }
  double default_max_time_ns() const override { return 10e9; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    explicit Config(const collectives::Collective& collective);
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

  collectives::Request request(std::uint64_t seed) const;
  void measure(const collectives::Request& request, const collectives::CollectiveRun& run,
               double time_ns, const runtime::PimSystem& system, Context& context,
               Result& result) const;

  const collectives::Collective& collective_;
  Config config_;
};

}  // namespace tvp::workloads::pim
