#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/dram/memory_system.h"
#include "models/dram/traffic/traffic_player.h"
#include "models/dram/traffic/traffic_source.h"
#include "models/support/calendar.h"
#include "platform/machine/machine.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// A memory without a chip: channels behind an address mapping, and a traffic generator that checks
/// the answers. A cycle is one of the memory's CK.
class DramMachine : public Machine, private WaveSource, private support::EventTarget {
 public:
  DramMachine(const sc_core::sc_module_name& name, const SystemDescription& system,
              PlatformConfig& config);

  void start() override;
  WaveSource* waves() override { return this; }
  void finish() override;
  void check_at_end() const override;
  std::uint64_t state_digest() const override;

 private:
  void fire(support::Cycle now, std::uint64_t token) override;
  void post_next();
  void watch(support::WaveRecorder& recorder) override;
  void describe(nlohmann::ordered_json& json) const override;
  double to_ns(dram::MemCycle cycles) const;

  support::Calendar calendar_;
  dram::MemorySystem memory_;
  std::unique_ptr<dram::TrafficSource> source_;
  dram::TrafficPlayer player_;
  support::WaveRecorder* recorder_ = nullptr;
  std::vector<dram::CommandLog> logs_;  ///< one per channel while waves are recorded
};

}  // namespace tvp::platform
