#include "platform/machine/report/core_agents.h"

#include <algorithm>
#include <utility>

#include "foundation/abi/tensix_vp/libttsim.h"

namespace tvp::platform {

std::string CoreAgents::text_of(const riscv::SourceLocation& place) {
  riscv::SourceLocation copy = place;
  const std::size_t at = copy.function.find('<');
  if (at != 0 && at != std::string::npos && !copy.function.starts_with("operator"))
    copy.function.resize(at);
  return copy.place_text();
}

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

/// The place in the kernel that has called a library function which is not inlined. It comes from
/// the return address in ra, or from the innermost one on the stack.
std::optional<riscv::SourceLocation> CoreAgents::caller_of(const CoreAgent& agent) const {
  constexpr unsigned kRa = 1, kSp = 2;
  constexpr std::uint32_t kMostOfStack = 1024;
  riscv::Core& core = *agent.view.core;
  const auto call_before = [&](std::uint32_t at) -> std::optional<riscv::SourceLocation> {
    constexpr std::uint32_t kJal = 0x6F, kJalr = 0x67, kOpcode = 0x7F;
    std::uint32_t word = 0;
    if (at % 4 != 0 || !core.debug_read(at - 4, &word, sizeof word)) return {};
    const bool links = (word >> 7 & 31) == kRa;
    if (!links || ((word & kOpcode) != kJal && (word & kOpcode) != kJalr)) return {};
    auto place = symbols_.place_of(agent.view.owner(), at - 4);
    return place && place->own() != nullptr ? place : std::nullopt;
  };
  if (auto place = call_before(core.reg(kRa))) return place;
  for (std::uint32_t offset = 0; offset < kMostOfStack; offset += 4) {
    std::uint32_t word = 0;
    if (!core.debug_read(core.reg(kSp) + offset, &word, sizeof word)) break;
    if (auto place = call_before(word)) return place;
  }
  return {};
}

void CoreAgents::locate(CoreAgent& agent) const {
  const checks::CodeOwner owner = agent.view.owner();
  const std::uint32_t pc = agent.view.core->pc();
  const auto at = symbols_.place_of(owner, pc);
  if (!at) return;
  agent.place.full = at->text();
  agent.place.text = text_of(*at);
  agent.place.called = at->called();
  if (const riscv::SourceLocation* const own = at->own()) {
    agent.place.text = text_of(*own);
    return;
  }
  const auto serves = [](const riscv::SourceLocation& place) {
    return place.file.find("firmware/fabric/") != std::string::npos;
  };
  agent.place.is_of_service =
      serves(*at) || std::any_of(at->inlined_into.begin(), at->inlined_into.end(), serves);
  agent.place.is_of_firmware = agent.place.is_of_service || symbols_.is_of_first(owner, pc);
  if (agent.place.is_of_firmware) return;
  if (const auto caller = caller_of(agent)) agent.place.text = text_of(*caller->own());
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
  const riscv::SourceLocation* const own = at->own();
  return " in " + text_of(own != nullptr ? *own : *at);
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
