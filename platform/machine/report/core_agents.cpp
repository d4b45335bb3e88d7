#include "platform/machine/report/core_agents.h"

#include <algorithm>
#include <utility>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "platform/machine/report/kernel_caller.h"

namespace tvp::platform {

CoreAgents::CoreAgents(const std::vector<std::unique_ptr<Chip>>& chips,
                       const std::vector<std::unique_ptr<checks::ChipChecks>>& checks,
                       const SymbolTable& symbols, support::Cycle now)
    : chips_(chips), checks_(checks), symbols_(symbols) {
  for (const CoreView& view : all_cores(chips)) {
    const riscv::CoreState state = view.core->state_at(now);
    if (state == riscv::CoreState::kInReset) continue;
    numbers_[{view.chip, view.x, view.y, view.kind}] = agents_.size();
    agents_.push_back({.view = view});
    locate(agents_.back());
  }
}

const checks::TileRecord* CoreAgents::record_at(unsigned chip, unsigned x, unsigned y) const {
  const checks::TileChecks* const tile = checks_[place_of(chip)]->at(x, y);
  return tile == nullptr ? nullptr : tile->record();
}

std::size_t CoreAgents::place_of(unsigned chip) const {
  const auto is_it = [&](const auto& each) { return each->id() == chip; };
  return static_cast<std::size_t>(std::ranges::find_if(chips_, is_it) - chips_.begin());
}

const CoreAgent* CoreAgents::at(unsigned chip, unsigned x, unsigned y, unsigned kind) const {
  const auto found = numbers_.find({chip, x, y, kind});
  return found == numbers_.end() ? nullptr : &agents_[found->second];
}

void CoreAgents::locate(CoreAgent& agent) const {
  const checks::CodeOwner owner = agent.view.owner();
  const std::uint32_t pc = agent.view.core->pc();
  const auto at = symbols_.place_of(owner, pc);
  if (!at) return;
  agent.place.full = at->text();
  agent.place.text = at->own_text();
  agent.place.called = at->called();
  if (at->own() != nullptr) return;
  const auto serves = [](const riscv::SourceLocation& place) {
    return place.file.find("firmware/fabric/") != std::string::npos;
  };
  agent.place.is_of_service =
      serves(*at) || std::any_of(at->inlined_into.begin(), at->inlined_into.end(), serves);
  agent.place.is_of_firmware = agent.place.is_of_service || symbols_.is_of_first(owner, pc);
  if (agent.place.is_of_firmware) return;
  if (const auto caller = kernel_caller(*agent.view.core, owner, symbols_))
    agent.place.text = caller->own_text();
}

bool CoreAgents::in_kernel(const CoreAgent& agent) const {
  const checks::TileRecord* const record = record_of(agent.view);
  const bool moves_data = agent.view.kind <= TENSIX_VP_CORE_NCRISC;
  return record != nullptr && moves_data && record->hand_overs().knows_kernels()
             ? record->hand_overs().starts_kernel(agent.view.kind)
             : !kernel_of(agent).empty();
}

const std::string& CoreAgents::kernel_of(const CoreAgent& agent) const {
  if (!agent.kernel) {
    const auto kernel = symbols_.kernel_of(agent.view.owner());
    agent.kernel = kernel ? kernel->file : std::string();
  }
  return *agent.kernel;
}

bool CoreAgents::signals(const CoreAgent& agent) const {
  static const std::vector<std::string> kSignals = {"noc_semaphore_inc",
                                                    "noc_semaphore_inc_multicast",
                                                    "noc_semaphore_set_remote",
                                                    "noc_semaphore_set_multicast",
                                                    "noc_semaphore_set_multicast_loopback_src",
                                                    "noc_fast_atomic_increment",
                                                    "noc_inline_dw_write",
                                                    "noc_fast_write_dw_inline",
                                                    "to_noc_unicast_atomic_inc",
                                                    "to_noc_fused_unicast_write_atomic_inc"};
  if (!agent.signals) agent.signals = symbols_.kernel_calls(agent.view.owner(), kSignals);
  return *agent.signals;
}

bool CoreAgents::stores_signals(const CoreAgent& agent) const {
  return symbols_.kernel_calls(agent.view.owner(), {"noc_semaphore_set"});
}

std::string CoreAgents::line_of(const CoreView& view, std::uint32_t pc,
                                support::Cycle cycle) const {
  const auto at = pc == 0 ? std::nullopt : symbols_.place_of(view.owner(), pc, cycle);
  if (!at) return "";
  return " in " + at->own_text();
}

std::string CoreAgents::kernel_name(const CoreAgent& agent) const {
  const std::string& kernel = kernel_of(agent);
  if (kernel.empty()) return agent.view.core->where();
  return agent.view.core->where() + " (" + kernel.substr(kernel.rfind('/') + 1) + ")";
}

bool CoreAgents::add_giver(const CoreAgent& giver, std::vector<std::size_t>& givers) const {
  if (giver.has_thread)
    givers.push_back(giver.thread_wait);
  else if (giver.state == CoreAgent::State::kWaits)
    givers.push_back(giver.wait);
  else
    return false;
  return true;
}

}  // namespace tvp::platform
