#include "tensix_vp/systemc/dram_memory.h"

#include <stdexcept>

#include "foundation/fault.h"
#include "foundation/settings_registry.h"
#include "models/dram/dram_target.h"

namespace tensix_vp {

using tvp::dram::DramCommand;

struct DramMemory::Parts {
  tvp::dram::DramConfig config;
  std::unique_ptr<tvp::dram::DramTarget> target;
};

DramMemory::DramMemory(const sc_core::sc_module_name& name, const Parameters& parameters)
    : sc_module(name), socket("socket"), parts_(std::make_unique<Parts>()) {
  try {
    tvp::foundation::SettingsRegistry registry;
    registry.add(parts_->config);
    registry.set("dram.preset", parameters.preset, this->name());
    for (const auto& [key, value] : parameters.settings) {
      registry.set("dram." + key, value, this->name());
    }
    parts_->target = std::make_unique<tvp::dram::DramTarget>("target", parts_->config);
  } catch (const tvp::foundation::Fault& fault) {
    throw std::runtime_error(fault.what());
  }
  parts_->target->allow_dmi(parameters.dmi);
  socket.bind(parts_->target->socket);
}

DramMemory::~DramMemory() = default;

std::uint64_t DramMemory::bytes() const { return parts_->target->bytes(); }

void DramMemory::allow_dmi(bool allowed) { parts_->target->allow_dmi(allowed); }

DramMemory::Statistics DramMemory::statistics() const {
  Statistics sum;
  const tvp::dram::MemorySystem& memory = parts_->target->memory();
  for (std::size_t i = 0; i < memory.channels(); ++i) {
    const tvp::dram::ChannelStats& stats = memory.channel(i).stats();
    sum.reads += stats.reads;
    sum.writes += stats.writes;
    sum.activates += stats.command(DramCommand::kActivate);
    sum.refreshes +=
        stats.command(DramCommand::kRefresh) + stats.command(DramCommand::kRefreshBank);
  }
  return sum;
}

}  // namespace tensix_vp
