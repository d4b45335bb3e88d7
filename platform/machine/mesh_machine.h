#pragma once

#include "models/mesh/load_sweep.h"
#include "models/support/calendar.h"
#include "platform/machine/machine.h"

namespace tvp::platform {

/// A mesh network under synthetic traffic (settings `mesh.*` and `traffic.*`). A cycle is one of
/// its routers.
class MeshMachine : public Machine {
 public:
  MeshMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
              PlatformConfig& config);

  void start() override;
  void check_at_end() const override { sweep_.check_at_end(); }
  std::uint64_t state_digest() const override;

 private:
  void watch(support::WaveRecorder& recorder) override;
  void describe(nlohmann::ordered_json& json) const override;

  support::Calendar calendar_;
  mesh::LoadSweep sweep_;
  std::vector<support::LevelSignal> link_signals_;
};

}  // namespace tvp::platform
