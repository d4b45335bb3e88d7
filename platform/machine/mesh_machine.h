#pragma once

#include <memory>

#include "models/mesh/traffic/load_sweep.h"
#include "models/rtl/router_array.h"
#include "models/support/calendar.h"
#include "platform/machine/machine.h"

namespace tvp::platform {

/// A mesh network under synthetic traffic (settings `mesh.*` and `traffic.*`). A cycle is one of
/// the routers' clock.
class MeshMachine : public Machine, private WaveSource {
 public:
  MeshMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
              PlatformConfig& config);

  void start() override;
  WaveSource* waves() override { return this; }
  void check_at_end() const override;
  std::uint64_t state_digest() const override;

 private:
  void watch(support::WaveRecorder& recorder) override;
  void describe(nlohmann::ordered_json& json) const override;

  support::Calendar calendar_;
  const mesh::MeshTopology topology_;
  std::unique_ptr<rtl::RouterArray> rtl_;  ///< null if all routers are TLM
  mesh::LoadSweep sweep_;
  std::vector<support::LevelSignal> link_signals_;
};

}  // namespace tvp::platform
