#include "platform/machine/report/core_waits.h"

#include <algorithm>
#include <iterator>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/hex.h"
#include "foundation/regs/tensix_tile.h"
#include "platform/machine/report/why_waiting.h"

namespace tvp::platform {

namespace {

using Reason = WaitGraph::Reason;
namespace tile_regs = regs::tensix_tile;

constexpr unsigned kThreads = 3;

const char* const kWatchNames[] = {"L1",
                                   "NoC 0 NIU",
                                   "NoC 1 NIU",
                                   "stream registers",
                                   "tile control",
                                   "TDMA",
                                   "mailbox",
                                   "PCBuf",
                                   "semaphore",
                                   "coprocessor",
                                   "Tensix GPRs",
                                   "configuration",
                                   "ethernet queue",
                                   "host"};

}  // namespace

CoreWaits::CoreWaits(const std::vector<std::unique_ptr<Chip>>& chips,
                     const std::vector<std::unique_ptr<checks::ChipChecks>>& checks,
                     const SymbolTable& symbols, support::Cycle now)
    : cores_(chips, checks, symbols, now),
      buffers_(cores_),
      words_(cores_),
      of_firmware_(chips.size()) {
  // All agents get their numbers before any of them is explained by others.
  for (CoreAgent& agent : cores_.all()) add_waits(agent, now);
  for (CoreAgent& agent : cores_.all()) add_thread(agent);
  for (const CoreAgent& agent : cores_.all()) {
    if (agent.state == CoreAgent::State::kWaits) explain(agent);
    if (agent.has_thread) explain_thread(agent);
  }
}

/// The text without conditions: the locations that must change before the core continues.
std::string CoreWaits::old_text(const CoreAgent& agent, support::Cycle now) const {
  const riscv::Core& core = *agent.view.core;
  std::string text;
  for (const auto& range : core.waiting().ranges())
    text = comma(text, "L1 " + foundation::hex(range.first));
  const std::uint32_t mask = core.waiting().mask();
  for (unsigned bit = 1; bit < std::size(kWatchNames); ++bit)
    if (((mask >> bit) & 1U) != 0) text = comma(text, kWatchNames[bit]);
  if (core.state() == riscv::CoreState::kBlocked)
    text = comma(text, "access of " + foundation::hex(core.blocked_address()));
  return why_waiting(core, core.state_at(now), text, [&](std::uint32_t pc) {
    return cores_.symbols().describe(agent.view.owner(), pc);
  });
}

void CoreWaits::add_waits(CoreAgent& agent, support::Cycle now) {
  const riscv::CoreState state = agent.view.core->state_at(now);
  if (agent.place.is_of_firmware) {
    // A router serves others as long as there is work.
    agent.state = agent.place.is_of_service ? CoreAgent::State::kRuns : CoreAgent::State::kEnded;
    of_firmware_[agent.view.place].push_back(
        agent.view.core->where() + " " + riscv::to_string(state) +
        (agent.place.full.empty() ? "" : " in " + agent.place.full) + ": " + old_text(agent, now));
    return;
  }
  if (state == riscv::CoreState::kRunning) return;
  agent.state = CoreAgent::State::kWaits;
  if (state == riscv::CoreState::kSleepingOnPoll && !agent.view.core->waiting().is_counting())
    agent.conditions = poll_conditions(*agent.view.core);
  Wait wait{.who = agent.view.core->where(), .chip = agent.view.chip, .place = agent.place.text};
  wait.what = old_text(agent, now);
  if (state == riscv::CoreState::kSpinning) wait.what = "spins: " + wait.what;
  if (state == riscv::CoreState::kSpinning || state == riscv::CoreState::kHung)
    wait.reason = Reason::kImpossible;
  agent.wait = graph_.add(wait);
}

/// The call that set up the MOP in progress. It may be the init of another operation.
std::string CoreWaits::mop_text(const CoreAgent& agent, std::uint32_t pc) const {
  const auto at = pc == 0 ? std::nullopt : cores_.symbols().place_of(agent.view.owner(), pc);
  if (!at || at->own() == nullptr) return "";
  const std::string call = at->called();
  return "; its MOP was set up by " + (call.empty() ? "" : call + " in ") + at->own_text() +
         ", so for another operation an init function is missing";
}

void CoreWaits::add_thread(CoreAgent& agent) {
  const CoreView& view = agent.view;
  if (view.kind < TENSIX_VP_CORE_TRISC0 || view.kind > TENSIX_VP_CORE_TRISC2) return;
  const unsigned thread = view.kind - TENSIX_VP_CORE_TRISC0;
  tensix::TensixTile* const tile = cores_.chip(view.chip).tensix_at(view.x, view.y);
  if (tile == nullptr || tile->coprocessor().thread_idle(thread)) return;
  agent.has_thread = true;
  const std::string where = view.core->where();
  Wait wait{.who = where.substr(0, where.rfind('.')) + ".coprocessor.T" + std::to_string(thread),
            .chip = view.chip,
            .is_of_thread = true};
  wait.place = agent.place.is_of_firmware ? cores_.kernel_of(agent) : agent.place.text;
  wait.what = "is stopped at " + tile->coprocessor().issue().inspector().waiting_for(thread);
  if (const std::size_t at = wait.what.find(" waits for "); at != std::string::npos)
    wait.what.replace(at, 1, ", which ");
  wait.what += mop_text(agent, tile->coprocessor().issue().inspector().mop_set_up_at(thread));
  agent.thread_wait = graph_.add(wait);
}

void CoreWaits::explain(const CoreAgent& agent) {
  Wait& wait = graph_[agent.wait];
  if (wait.reason == Reason::kImpossible) return;
  if (agent.conditions.empty()) return explain_blocked(agent, wait);
  std::string text;
  const std::string call = agent.place.called.empty() ? "" : " (" + agent.place.called + ")";
  bool is_first = true;
  for (const PollCondition& condition : agent.conditions) {
    Wait part;
    if (!buffers_.explain(agent, condition, part)) words_.explain(agent, condition, part);
    if (part.what.empty()) continue;
    text += (text.empty() ? "waits for " : ", or for ") + part.what;
    // Any of the conditions ends the wait, so the weakest reason counts.
    if (!part.cause.empty())
      wait.cause = wait.cause.empty() ? part.cause : wait.cause + "; " + part.cause;
    if (!part.gives.empty())
      wait.gives = wait.gives.empty() ? part.gives : wait.gives + "; " + part.gives;
    wait.gave_nothing = part.gave_nothing;
    wait.is_likely_root = part.is_likely_root;
    wait.is_partial = part.is_partial;
    wait.is_unsignalled = part.is_unsignalled;
    wait.reason = is_first ? part.reason : std::max(wait.reason, part.reason);
    is_first = false;
    wait.givers.insert(wait.givers.end(), part.givers.begin(), part.givers.end());
    wait.candidates.insert(wait.candidates.end(), part.candidates.begin(), part.candidates.end());
  }
  if (text.empty()) return explain_blocked(agent, wait);
  wait.what = text;
  const std::size_t at = wait.what.find(';');
  wait.what.insert(at == std::string::npos ? wait.what.size() : at, call);
}

void CoreWaits::explain_blocked(const CoreAgent& agent, Wait& wait) {
  const CoreView& view = agent.view;
  const std::uint32_t address = view.core->blocked_address();
  if (view.core->state() == riscv::CoreState::kBlocked && address >= tile_regs::kMailboxes &&
      address < tile_regs::kMailboxes + 0x4000) {
    const unsigned index = (address - tile_regs::kMailboxes) / 0x1000;
    const unsigned kind =
        index == 0 ? unsigned{TENSIX_VP_CORE_BRISC} : TENSIX_VP_CORE_TRISC0 + index - 1;
    const CoreAgent* const sender = cores_.at(view.chip, view.x, view.y, kind);
    if (sender == nullptr) return;
    wait.what = "is blocked at its mailbox with " + sender->view.core->where();
    const bool alive =
        cores_.add_giver(*sender, wait.givers) || sender->state == CoreAgent::State::kRuns;
    if (!alive) {
      wait.cause = "that core has ended";
      wait.reason = Reason::kGiversEnded;
    }
    return;
  }
  if (agent.has_thread) {
    wait.givers.push_back(agent.thread_wait);
    wait.what.clear();  // its thread has a line
    return;
  }
  if (view.kind < TENSIX_VP_CORE_TRISC0 || view.kind > TENSIX_VP_CORE_TRISC2) return;
  for (unsigned kind = TENSIX_VP_CORE_TRISC0; kind <= TENSIX_VP_CORE_TRISC2; ++kind) {
    const CoreAgent* const other = cores_.at(view.chip, view.x, view.y, kind);
    if (other != nullptr && other != &agent) cores_.add_giver(*other, wait.candidates);
  }
}

void CoreWaits::explain_thread(const CoreAgent& agent) {
  const CoreView& view = agent.view;
  Wait& wait = graph_[agent.thread_wait];
  const unsigned thread = view.kind - TENSIX_VP_CORE_TRISC0;
  const unsigned awaited = cores_.chip(view.chip)
                               .tensix_at(view.x, view.y)
                               ->coprocessor()
                               .issue()
                               .inspector()
                               .awaited_threads(thread);
  std::string ended;
  for (unsigned other = 0; other < kThreads; ++other) {
    if ((awaited >> other & 1U) == 0) continue;
    const CoreAgent* const giver =
        cores_.at(view.chip, view.x, view.y, TENSIX_VP_CORE_TRISC0 + other);
    if (giver == nullptr || cores_.add_giver(*giver, wait.givers) ||
        giver->state == CoreAgent::State::kRuns)
      continue;
    ended = comma(ended, cores_.kernel_name(*giver));
  }
  // Firmware counts the parts of Dst that T1 has filled in semaphore 1.
  const bool dst = wait.what.find("semaphore 1 (") != std::string::npos;
  const bool is_zero = wait.what.find("to become nonzero") != std::string::npos;
  if (dst)
    wait.gives = is_zero ? "T1 raises it at tile_regs_commit" : "T2 lowers it at tile_regs_release";
  if (ended.empty()) return;
  wait.cause = ended + " has ended without " +
               (!dst      ? "doing so"
                : is_zero ? "another tile_regs_commit"
                          : "another tile_regs_release");
  if (thread == 0 && !dst && wait.what.find("unpacker") != std::string::npos)
    wait.cause +=
        ": UNPACK has brought operands that MATH does not use, so they are set up for different "
        "operations. Probably an init function is missing, or it is of another operation";
  if (wait.givers.empty()) wait.reason = Reason::kGiversEnded;
}

}  // namespace tvp::platform
