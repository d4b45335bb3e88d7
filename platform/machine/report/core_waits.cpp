#include "platform/machine/report/core_waits.h"

#include <algorithm>
#include <set>
#include <utility>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/hex.h"
#include "foundation/regs/noc.h"
#include "foundation/regs/overlay.h"
#include "foundation/regs/tensix_tile.h"
#include "platform/machine/report/why_waiting.h"

namespace tvp::platform {

namespace {

using Relation = PollCondition::Relation;
using Reason = WaitGraph::Reason;
namespace overlay = regs::overlay;
namespace tile_regs = regs::tensix_tile;

constexpr unsigned kThreads = 3;
constexpr unsigned kCircularBuffers = 32;  // circular buffers per tile

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

bool is_stream(std::uint32_t address) {
  return address >= tile_regs::kOverlay && address < tile_regs::kOverlayEnd;
}
unsigned stream_of(std::uint32_t address) {
  return (address - tile_regs::kOverlay) / overlay::kStreamStride;
}
unsigned stream_index(std::uint32_t address) {
  return (address - tile_regs::kOverlay) % overlay::kStreamStride / 4;
}
bool is_register(std::uint32_t address) { return address >= 0xFF000000; }

/// "1 page", "2 pages".
std::string pages_text(std::uint32_t pages) {
  return std::to_string(pages) + (pages == 1 ? " page" : " pages");
}

std::string comma(const std::string& text, const std::string& more) {
  return text.empty() ? more : text + ", " + more;
}

/// The place without the arguments of templates.
std::string text_of(const riscv::SourceLocation& place) {
  riscv::SourceLocation copy = place;
  const std::size_t at = copy.function.find('<');
  if (at != 0 && at != std::string::npos && !copy.function.starts_with("operator"))
    copy.function.resize(at);
  return copy.place_text();
}

/// " to be at least 3".
std::string relation_text(const PollCondition& condition) {
  const std::string value = std::to_string(static_cast<std::int32_t>(condition.awaited));
  switch (condition.relation) {
    case Relation::kEqual:
      return " to be " + value;
    case Relation::kNotEqual:
      return condition.awaited == 0 ? " to be at least 1" : " to be other than " + value;
    case Relation::kAtLeast:
      return " to be at least " + value;
    case Relation::kAtMost:
      return condition.awaited == 0 ? " to be 0" : " to be at most " + value;
  }
  return "";
}

/// True if further signals, which only count up, cannot end the wait.
bool is_passed(const PollCondition& condition) {
  return condition.relation == Relation::kEqual && condition.awaited != 0 &&
         condition.now > condition.awaited;
}

/// The condition for the sum of its loads, without a constant, and with a positive first load.
PollCondition by_loads(PollCondition condition) {
  if (!condition.is_sum || condition.loads.empty()) return condition;
  std::uint32_t total = 0;
  for (const PollCondition::Load& load : condition.loads)
    total += load.sign > 0 ? load.value : 0U - load.value;
  std::uint32_t missing = condition.awaited - condition.now;
  if (condition.loads[0].sign < 0) {
    for (PollCondition::Load& load : condition.loads) load.sign = -load.sign;
    total = 0U - total;
    missing = 0U - missing;
    if (condition.relation == Relation::kAtLeast)
      condition.relation = Relation::kAtMost;
    else if (condition.relation == Relation::kAtMost)
      condition.relation = Relation::kAtLeast;
  }
  condition.now = total;
  condition.awaited = total + missing;
  return condition;
}

/// How the compared value of a circular buffer's counts stands to its pages.
struct BufferWait {
  unsigned buffer = 0;
  bool for_pages = true;  ///< else for room
  std::int64_t there = 0;
  std::int64_t awaited = 0;
};

/// True if the condition compares the counts of a circular buffer.
bool is_of_buffer(const PollCondition& condition, unsigned& buffer, bool& rises_with_pages) {
  bool is_first = true;
  for (const PollCondition::Load& load : condition.loads) {
    if (!is_stream(load.address)) return false;
    const unsigned index = stream_index(load.address), stream = stream_of(load.address);
    const bool received = index == overlay::kRemoteDestBufSize;
    if ((!received && index != overlay::kRemoteDestBufStart) || stream >= kCircularBuffers)
      return false;
    if (!is_first && stream != buffer) return false;
    buffer = stream;
    rises_with_pages = received == (load.sign > 0);
    is_first = false;
  }
  return !is_first;
}

BufferWait buffer_wait(const PollCondition& condition, unsigned buffer, bool rises,
                       std::uint32_t pages) {
  BufferWait wait{.buffer = buffer};
  const auto now = static_cast<std::int32_t>(condition.now),
             awaited = static_cast<std::int32_t>(condition.awaited);
  const bool at_least =
      condition.relation == Relation::kAtLeast || condition.relation == Relation::kNotEqual;
  wait.for_pages = rises == at_least;
  if (condition.relation == Relation::kNotEqual) {
    // The compiler compares the two counts.
    wait.there = 0;
    wait.awaited = 1;
  } else if (at_least) {
    wait.there = now;
    wait.awaited = awaited;
  } else {
    // The other way round: at most so many pages, or so much room, may be left.
    wait.there = static_cast<std::int64_t>(pages) - now;
    wait.awaited = static_cast<std::int64_t>(pages) - awaited;
  }
  return wait;
}

}  // namespace

std::vector<CoreView> all_cores(const std::vector<std::unique_ptr<Chip>>& chips) {
  std::vector<CoreView> cores;
  for (const auto& chip : chips) {
    const foundation::ChipSpec::Memories& memories = chip->spec().memories;
    const std::uint32_t local = std::min(memories.compute_local_bytes, memories.data_local_bytes);
    for (const auto& tile : chip->tensix_tiles()) {
      for (unsigned i = 0; i < tensix::kTileCores; ++i) {
        cores.push_back({&tile->core(static_cast<tensix::TileCore>(i)), chip->id(), tile->x(),
                         tile->y(), TENSIX_VP_CORE_BRISC + i, local});
      }
    }
    for (unsigned channel = 0; channel < chip->ethernet_tiles().size(); ++channel) {
      const auto [x, y] = chip->spec().ethernet[channel];
      cores.push_back({&chip->ethernet_tiles()[channel]->core(), chip->id(), x, y,
                       TENSIX_VP_CORE_ERISC, local});
    }
  }
  return cores;
}

CoreWaits::CoreWaits(const std::vector<std::unique_ptr<Chip>>& chips,
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
  // All agents get their numbers before any of them is explained by others.
  for (Agent& agent : agents_) add_waits(agent, now);
  for (Agent& agent : agents_) add_thread(agent);
  for (const Agent& agent : agents_) {
    if (agent.state == State::kWaits) explain(agent);
    if (agent.has_thread) explain_thread(agent);
  }
}

const checks::TileRecord* CoreWaits::record_of(const CoreView& view) const {
  const checks::TileChecks* const tile = checks_[view.chip]->at(view.x, view.y);
  return tile == nullptr ? nullptr : tile->record();
}

CoreWaits::Agent* CoreWaits::agent_at(unsigned chip, unsigned x, unsigned y, unsigned kind) {
  const auto found = numbers_.find({chip, x, y, kind});
  return found == numbers_.end() ? nullptr : &agents_[found->second];
}

// ---- Places ---------------------------------------------------------------------------------

/// The place in the kernel that has called a library function which is not inlined. It comes from
/// the return address in ra, or from the innermost one on the stack.
std::optional<riscv::SourceLocation> CoreWaits::caller_of(const Agent& agent) const {
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

void CoreWaits::locate(Agent& agent) const {
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

bool CoreWaits::in_kernel(const Agent& agent) const {
  const checks::TileRecord* const record = record_of(agent.view);
  const bool moves_data = agent.view.kind <= TENSIX_VP_CORE_NCRISC;
  return record != nullptr && moves_data && record->hand_overs().knows_kernels()
             ? record->hand_overs().starts_kernel(agent.view.kind)
             : !kernel_of(agent).empty();
}

const std::string& CoreWaits::kernel_of(const Agent& agent) const {
  if (!agent.kernel) {
    const auto kernel = symbols_.kernel_of(agent.view.owner());
    agent.kernel = kernel ? kernel->file : std::string();
  }
  return *agent.kernel;
}

bool CoreWaits::signals(const Agent& agent) const {
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

bool CoreWaits::stores_signals(const Agent& agent) const {
  return symbols_.kernel_calls(agent.view.owner(), {"noc_semaphore_set"});
}

bool CoreWaits::has_role(const Agent& agent, bool pushes) const {
  const checks::TileRecord* const record = record_of(agent.view);
  for (unsigned buffer = 0; buffer < kCircularBuffers; ++buffer) {
    const auto& party = record->hand_overs().party(buffer, agent.view.kind);
    if ((pushes ? party.pushes : party.pops).pages != 0 || reserves(agent, buffer, pushes))
      return true;
  }
  return false;
}

std::string CoreWaits::line_of(const CoreView& view, std::uint32_t pc, support::Cycle cycle) const {
  const auto at = pc == 0 ? std::nullopt : symbols_.place_of(view.owner(), pc, cycle);
  if (!at) return "";
  const riscv::SourceLocation* const own = at->own();
  return " in " + text_of(own != nullptr ? *own : *at);
}

std::string CoreWaits::kernel_name(const Agent& agent) const {
  const std::string& kernel = kernel_of(agent);
  if (kernel.empty()) return agent.view.core->where();
  return agent.view.core->where() + " (" + kernel.substr(kernel.rfind('/') + 1) + ")";
}

// ---- Waits ----------------------------------------------------------------------------------

/// The text without conditions: the locations that must change before the core continues.
std::string CoreWaits::old_text(const Agent& agent, support::Cycle now) const {
  const riscv::Core& core = *agent.view.core;
  std::string text;
  for (const auto& range : core.waiting().ranges())
    text = comma(text, "L1 " + foundation::hex(range.first));
  const std::uint32_t mask = core.waiting().mask();
  for (unsigned bit = 1; bit < std::size(kWatchNames); ++bit)
    if (((mask >> bit) & 1U) != 0) text = comma(text, kWatchNames[bit]);
  if (core.state() == riscv::CoreState::kBlocked)
    text = comma(text, "access of " + foundation::hex(core.blocked_address()));
  return why_waiting(core, core.state_at(now), text,
                     [&](std::uint32_t pc) { return symbols_.describe(agent.view.owner(), pc); });
}

void CoreWaits::add_waits(Agent& agent, support::Cycle now) {
  const riscv::CoreState state = agent.view.core->state_at(now);
  if (agent.place.is_of_firmware) {
    // A router serves others as long as there is work.
    agent.state = agent.place.is_of_service ? State::kRuns : State::kEnded;
    of_firmware_.push_back(agent.view.core->where() + " " + riscv::to_string(state) +
                           (agent.place.full.empty() ? "" : " in " + agent.place.full) + ": " +
                           old_text(agent, now));
    return;
  }
  if (state == riscv::CoreState::kRunning) return;
  agent.state = State::kWaits;
  if (state == riscv::CoreState::kSleepingOnPoll && !agent.view.core->waiting().is_counting())
    agent.conditions = poll_conditions(*agent.view.core);
  Wait wait{.who = agent.view.core->where(), .place = agent.place.text};
  wait.what = old_text(agent, now);
  if (state == riscv::CoreState::kSpinning) wait.what = "spins: " + wait.what;
  if (state == riscv::CoreState::kSpinning || state == riscv::CoreState::kHung)
    wait.reason = Reason::kImpossible;
  agent.wait = graph_.add(wait);
}

/// The call that set up the MOP in progress. It may be the init of another operation.
std::string CoreWaits::mop_text(const Agent& agent, std::uint32_t pc) const {
  const auto at = pc == 0 ? std::nullopt : symbols_.place_of(agent.view.owner(), pc);
  const riscv::SourceLocation* const own = at ? at->own() : nullptr;
  if (own == nullptr) return "";
  const std::string call = at->called();
  return "; its MOP was set up by " + (call.empty() ? "" : call + " in ") + text_of(*own) +
         ", so for another operation an init function is missing";
}

void CoreWaits::add_thread(Agent& agent) {
  const CoreView& view = agent.view;
  if (view.kind < TENSIX_VP_CORE_TRISC0 || view.kind > TENSIX_VP_CORE_TRISC2) return;
  const unsigned thread = view.kind - TENSIX_VP_CORE_TRISC0;
  tensix::TensixTile* const tile = chips_[view.chip]->tensix_at(view.x, view.y);
  if (tile == nullptr || tile->coprocessor().thread_idle(thread)) return;
  agent.has_thread = true;
  const std::string where = view.core->where();
  Wait wait{.who = where.substr(0, where.rfind('.')) + ".coprocessor.T" + std::to_string(thread)};
  wait.place = agent.place.is_of_firmware ? kernel_of(agent) : agent.place.text;
  wait.what = "is stopped at " + tile->coprocessor().issue().inspector().waiting_for(thread);
  if (const std::size_t at = wait.what.find(" waits for "); at != std::string::npos)
    wait.what.replace(at, 1, ", which ");
  wait.what += mop_text(agent, tile->coprocessor().issue().inspector().mop_set_up_at(thread));
  agent.thread_wait = graph_.add(wait);
}

bool CoreWaits::add_giver(const Agent& giver, std::vector<std::size_t>& givers) const {
  if (giver.has_thread)
    givers.push_back(giver.thread_wait);
  else if (giver.state == State::kWaits)
    givers.push_back(giver.wait);
  else
    return false;
  return true;
}

void CoreWaits::explain(const Agent& agent) {
  Wait& wait = graph_[agent.wait];
  if (wait.reason == Reason::kImpossible) return;
  if (agent.conditions.empty()) return explain_blocked(agent, wait);
  std::string text;
  const std::string call = agent.place.called.empty() ? "" : " (" + agent.place.called + ")";
  for (const PollCondition& condition : agent.conditions) {
    Wait part;
    if (!explain_buffer(agent, condition, part)) explain_word(agent, condition, part);
    if (part.what.empty()) continue;
    text += (text.empty() ? "waits for " : ", or for ") + part.what;
    wait.cause = part.cause;
    wait.gives = part.gives;
    wait.gave_nothing = part.gave_nothing;
    wait.is_likely_root = part.is_likely_root;
    wait.is_unsignalled = part.is_unsignalled;
    wait.reason = part.reason;
    wait.givers.insert(wait.givers.end(), part.givers.begin(), part.givers.end());
    wait.candidates.insert(wait.candidates.end(), part.candidates.begin(), part.candidates.end());
  }
  if (text.empty()) return explain_blocked(agent, wait);
  wait.what = text;
  const std::size_t at = wait.what.find(';');
  wait.what.insert(at == std::string::npos ? wait.what.size() : at, call);
}

bool CoreWaits::reserves(const Agent& agent, unsigned buffer, bool pushes) const {
  const checks::TileRecord* const record = record_of(agent.view);
  const auto& looks = record->hand_overs().party(buffer, agent.view.kind).looks;
  if (agent.view.kind > TENSIX_VP_CORE_NCRISC)
    return looks[0] != 0 &&
           agent.view.kind == (pushes ? TENSIX_VP_CORE_TRISC2 : TENSIX_VP_CORE_TRISC0);
  const std::vector<std::string> names =
      pushes ? std::vector<std::string>{"cb_reserve_back", "cb_pages_reservable_at_back"}
             : std::vector<std::string>{"cb_wait_front", "cb_pages_available_at_front"};
  return std::any_of(looks.begin(), looks.end(), [&](std::uint32_t pc) {
    return pc != 0 && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
             return symbols_.is_of(name, agent.view.owner(), pc);
           });
  });
}

void CoreWaits::find_givers(const Agent& agent, unsigned buffer, bool pushes, std::uint32_t missing,
                            Wait& wait) {
  const checks::TileRecord* const record = record_of(agent.view);
  if (record == nullptr) return;
  const std::string did = pushes ? "pushed" : "popped";
  std::vector<const Agent*> known, about, others;
  for (unsigned kind = 0; kind < checks::HandOvers::kCores; ++kind) {
    const Agent* const other = agent_at(agent.view.chip, agent.view.x, agent.view.y, kind);
    if (other == nullptr) continue;
    const auto& party = record->hand_overs().party(buffer, kind);
    // PACK pushes, and UNPACK pops.
    const bool may_give = kind <= TENSIX_VP_CORE_NCRISC ||
                          kind == (pushes ? TENSIX_VP_CORE_TRISC2 : TENSIX_VP_CORE_TRISC0);
    if ((pushes ? party.pushes : party.pops).pages != 0)
      known.push_back(other);
    else if (other != &agent && reserves(*other, buffer, pushes))
      about.push_back(other);
    else if (other != &agent && may_give && in_kernel(*other) &&
             (has_role(*other, pushes) || !has_role(*other, !pushes)))
      others.push_back(other);
  }
  // Kernels that have only pushed, or only popped, other buffers so far may do both.
  if (known.empty() && about.empty() && others.empty())
    for (unsigned kind = 0; kind <= TENSIX_VP_CORE_NCRISC; ++kind) {
      const Agent* const other = agent_at(agent.view.chip, agent.view.x, agent.view.y, kind);
      if (other != nullptr && other != &agent && in_kernel(*other) && other->state == State::kWaits)
        others.push_back(other);
    }
  const std::vector<const Agent*>& givers = !known.empty()   ? known
                                            : !about.empty() ? about
                                                             : others;
  std::string text;
  bool all_ended = true;
  for (const Agent* const giver : givers) {
    const auto& party = record->hand_overs().party(buffer, giver->view.kind);
    const checks::HandOvers::Steps& steps = pushes ? party.pushes : party.pops;
    const bool alive = add_giver(*giver, &givers == &others ? wait.candidates : wait.givers) ||
                       giver->state == State::kRuns;
    all_ended = all_ended && !alive;
    std::string name = kernel_name(*giver);
    if (!known.empty()) {
      name += " has " + did + " " + std::to_string(steps.pages) +
              (missing != 0 ? " of " : " page") +
              (missing != 0 ? std::to_string(steps.pages + missing) + " pages"
                            : (steps.pages == 1 ? "" : "s")) +
              ", the last" + line_of(giver->view, steps.pc, steps.cycle);
    } else if (!about.empty()) {
      name +=
          pushes ? " has reserved pages and pushed none" : " has waited for pages and popped none";
    }
    if (!alive && &givers != &others) name += ", and has ended";
    if (!alive || &givers != &others) text = comma(text, name);
  }
  wait.gave_nothing = known.empty() && !about.empty();
  if (&givers == &others) {
    wait.cause =
        "no core has " + did + " a page" + (text.empty() ? "" : ", and these have ended: " + text);
    wait.gives = wait.cause;
    // A consumer may come later. A producer reserves pages before others wait for them.
    wait.is_likely_root = pushes;
    if (all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
    return;
  }
  wait.cause = wait.gives = text;
  if (all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
}

bool CoreWaits::explain_buffer(const Agent& agent, const PollCondition& condition, Wait& wait) {
  unsigned buffer = 0;
  bool rises = true;
  if (agent.view.kind == TENSIX_VP_CORE_ERISC || !is_of_buffer(condition, buffer, rises))
    return false;
  const checks::TileRecord* const record = record_of(agent.view);
  const std::uint32_t pages = record != nullptr && record->page_uses.has(buffer)
                                  ? record->page_uses.buffer(buffer).pages
                                  : 0;
  const std::string name = "circular buffer " + std::to_string(buffer);
  if (!condition.is_sum || condition.relation == Relation::kEqual) {
    wait.what = "the pages of " + name;
    return true;
  }
  const BufferWait of = buffer_wait(condition, buffer, rises, pages);
  wait.what =
      (of.for_pages ? pages_text(static_cast<std::uint32_t>(of.awaited)) + " of "
                    : "room for " + pages_text(static_cast<std::uint32_t>(of.awaited)) + " in ") +
      name;
  // The host registers all buffers but those that kernels lay over remote ones.
  const bool is_known = pages != 0;
  if (!is_known && record != nullptr && record->page_uses.on()) {
    wait.what += "; its program has no such buffer";
    wait.reason = Reason::kImpossible;
    return true;
  }
  const bool is_negative = is_known && (of.there < 0 || of.there > 0x7FFF);
  if (is_negative) {
    const auto pushed = core_reads(agent, buffer, overlay::kRemoteDestBufSize),
               popped = core_reads(agent, buffer, overlay::kRemoteDestBufStart);
    wait.what +=
        "; " + std::to_string(pushed) + " were pushed and " + std::to_string(popped) + " popped";
    find_givers(agent, buffer, false, 0, wait);
    wait.cause += ": it has popped pages that no core had pushed";
    wait.reason = Reason::kImpossible;
    return true;
  }
  wait.what += of.for_pages
                   ? "; " + std::to_string(of.there) + (of.there == 1 ? " is" : " are") + " there"
                   : (is_known ? "; it has " + pages_text(pages) + ", and " : "; ") +
                         std::to_string(of.there) + (of.there == 1 ? " is" : " are") + " free";
  if (is_known && of.awaited > static_cast<std::int64_t>(pages)) {
    wait.what += of.for_pages ? ", and it has only " + pages_text(pages) : "";
    wait.cause = "the core waits for more than the buffer holds";
    wait.reason = Reason::kImpossible;
    return true;
  }
  find_givers(agent, buffer, of.for_pages, static_cast<std::uint32_t>(of.awaited - of.there), wait);
  wait.cause += own_steps(agent, buffer, of.for_pages);
  return true;
}

/// The core itself may have popped, or pushed, too much before it waits.
std::string CoreWaits::own_steps(const Agent& agent, unsigned buffer, bool pops) const {
  const checks::TileRecord* const record = record_of(agent.view);
  if (record == nullptr) return "";
  const auto& party = record->hand_overs().party(buffer, agent.view.kind);
  const checks::HandOvers::Steps& steps = pops ? party.pops : party.pushes;
  if (steps.pages == 0) return "";
  return std::string("; it has ") + (pops ? "popped " : "pushed ") + pages_text(steps.pages) +
         ", the last" + line_of(agent.view, steps.pc, steps.cycle);
}

std::uint32_t CoreWaits::core_reads(const Agent& agent, unsigned buffer, unsigned index) {
  std::uint32_t value = 0;
  agent.view.core->debug_read(overlay::stream_reg(buffer, index), &value, sizeof value);
  return value & 0xFFFF;
}

void CoreWaits::explain_word(const Agent& agent, const PollCondition& compared, Wait& wait) {
  const PollCondition condition = by_loads(compared);
  std::string places;
  bool in_l1 = true;
  unsigned niu = 2;
  for (const PollCondition::Load& load : condition.loads) {
    const std::uint32_t address = load.address;
    std::string place = "L1 " + foundation::hex(address);
    if (is_stream(address)) {
      place = "register " + std::to_string(stream_index(address)) + " of stream " +
              std::to_string(stream_of(address));
    } else if (address >= tile_regs::kNiu0 && address < tile_regs::kOverlay) {
      niu = address < tile_regs::kNiu1 ? 0 : 1;
      place = "NoC " + std::to_string(niu) + " NIU";
    } else if (is_register(address)) {
      place = "register " + foundation::hex(address);
    }
    in_l1 = in_l1 && !is_register(address);
    if (!condition.is_sum && places.find(place) != std::string::npos) continue;
    if (!places.empty()) places += !condition.is_sum ? ", " : load.sign > 0 ? " plus " : " minus ";
    places += place;
  }
  if (places.empty()) return;
  wait.what = places;
  if (condition.is_sum) {
    wait.what += relation_text(condition) + "; it is " +
                 std::to_string(static_cast<std::int32_t>(condition.now));
    if (in_l1 && condition.loads.size() == 1 && is_passed(condition)) {
      wait.what += " and has passed it";
      wait.reason = Reason::kImpossible;
    }
  }
  if (niu < 2) {
    wait.cause = "no further answer comes";
    wait.reason = Reason::kImpossible;
  }
  if (in_l1) find_signallers(agent, condition, wait);
}

void CoreWaits::find_signallers(const Agent& agent, const PollCondition& condition, Wait& wait) {
  const checks::TileRecord* const record = record_of(agent.view);
  const CoreView& view = agent.view;
  std::string known;
  bool all_ended = true, any = false;
  std::vector<std::string> kernels;  // kernels of the signallers
  std::vector<const Agent*> signalled;
  if (record != nullptr) {
    for (const PollCondition::Load& load : condition.loads) {
      for (const auto& each : record->hand_overs().signallers(load.address & ~3U)) {
        const Agent* const giver =
            agent_at(view.chip, each.x, each.y, static_cast<unsigned>(each.core));
        if (giver == nullptr) continue;
        any = true;
        signalled.push_back(giver);
        const std::string& kernel = kernel_of(*giver);
        if (!kernel.empty() && !giver->place.is_of_service) kernels.push_back(kernel);
        const bool alive = add_giver(*giver, wait.givers) || giver->state == State::kRuns;
        all_ended = all_ended && !alive;
        const std::string by =
            each.increment > 1 ? " by " + std::to_string(each.increment) : std::string();
        const std::string times = each.count == 1
                                      ? " once" + by
                                      : " " + std::to_string(each.count) + " times" + by +
                                            (by.empty() ? "" : " each") + ", the last";
        known = kernel_name(*giver) +
                (alive ? " has signalled it" : " has ended after signalling it") + times +
                line_of(giver->view, each.pc, each.cycle) + " (cycle " +
                std::to_string(each.cycle) + ")";
      }
    }
  }
  std::string others;
  if (signalled.size() == 2) others = ", and so has 1 other";
  if (signalled.size() > 2)
    others = ", and so have " + std::to_string(signalled.size() - 1) + " others";
  // A core with the kernel of a signaller that has not signalled.
  std::string peer;
  std::size_t peers = 0;
  std::set<std::string> ended, waiting;  // kernels
  std::vector<std::pair<int, std::size_t>> ranked;
  for (const Agent& other : agents_) {
    if (&other == &agent ||
        std::find(signalled.begin(), signalled.end(), &other) != signalled.end())
      continue;
    const bool is_of_tile = other.view.chip == view.chip && other.view.x == view.x &&
                            other.view.y == view.y && other.view.kind <= TENSIX_VP_CORE_NCRISC;
    if (any) {
      if (!in_kernel(other)) continue;
      if (std::find(kernels.begin(), kernels.end(), kernel_of(other)) == kernels.end()) continue;
      if (peers++ == 0) peer = other.view.core->where();
      if (add_giver(other, wait.givers) || other.state == State::kRuns) all_ended = false;
    } else if (other.state == State::kEnded && in_kernel(other)) {
      const std::string& kernel = kernel_of(other);
      if (!kernel.empty()) ended.insert(kernel.substr(kernel.rfind('/') + 1));
    } else if (other.state == State::kWaits && other.place.text != agent.place.text &&
               (is_of_tile ? stores_signals(other) : signals(other))) {
      // Cores with the same kernel come first, then the same core of other tiles.
      const bool is_same = kernel_of(other) == kernel_of(agent);
      ranked.emplace_back(is_same ? 0 : other.view.kind == view.kind ? 1 : 2, other.wait);
    } else if (other.state == State::kWaits && !is_of_tile && in_kernel(other) &&
               other.view.kind <= TENSIX_VP_CORE_NCRISC && kernel_of(other) != kernel_of(agent)) {
      const std::string& kernel = kernel_of(other);
      waiting.insert(kernel.substr(kernel.rfind('/') + 1));
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  constexpr std::size_t kMostCandidates = 16;
  for (std::size_t i = 0; i < std::min(ranked.size(), kMostCandidates); ++i)
    wait.candidates.push_back(ranked[i].second);
  std::set<std::string> able;  // kernels of the candidates
  for (const Agent& other : agents_)
    if (std::ranges::count(wait.candidates, other.wait) != 0 && other.state == State::kWaits)
      able.insert(kernel_of(other).substr(kernel_of(other).rfind('/') + 1));
  if (any) {
    wait.gives = known + others;
    if (peers != 0)
      wait.gives += "; " + peer + (peers > 1 ? " and " + std::to_string(peers - 1) + " more" : "") +
                    " with the same kernel " + (peers > 1 ? "have" : "has") + " not";
  } else {
    wait.gives = "no core of another tile has signalled it";
    wait.is_unsignalled = true;
    if (!able.empty()) {
      std::string names;
      for (const std::string& name : able) names = comma(names, name);
      wait.gives += "; these signal semaphores, but wait: " + names;
    }
    if (wait.candidates.empty()) {
      wait.gives += ", and no other kernel that waits signals semaphores";
      std::string names;
      for (const std::string& name : waiting) names = comma(names, name);
      if (!names.empty()) wait.gives += "; these wait without a noc_semaphore_inc before: " + names;
      names.clear();
      for (const std::string& name : ended) names = comma(names, name);
      if (!names.empty()) wait.gives += "; these have ended without signalling it: " + names;
      if (agent.place.called.starts_with("fabric_client_disconnect") ||
          agent.place.called.starts_with("close"))
        wait.gives += "; the router has never answered " + kernel_name(agent) +
                      ", so the open of its connection is missing";
      wait.reason = wait.reason == Reason::kFollows ? Reason::kGiversEnded : wait.reason;
    }
    wait.gives += strayed_signal(agent, condition);
  }
  if (any && all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
  wait.cause = wait.gives;
}

/// A signal to the same address of a tile without a kernel probably has a wrong coordinate.
std::string CoreWaits::strayed_signal(const Agent& agent, const PollCondition& condition) const {
  const unsigned chip = agent.view.chip;
  for (const auto& tile : chips_[chip]->tensix_tiles()) {
    const checks::TileChecks* const of_tile = checks_[chip]->at(tile->x(), tile->y());
    if (of_tile == nullptr || of_tile->record() == nullptr) continue;
    const checks::HandOvers& there = of_tile->record()->hand_overs();
    if (there.knows_kernels()) continue;
    for (const PollCondition::Load& load : condition.loads) {
      for (const auto& each : there.signallers(load.address & ~3U)) {
        const auto number = numbers_.find({chip, each.x, each.y, static_cast<unsigned>(each.core)});
        if (number == numbers_.end()) continue;
        const Agent& sender = agents_[number->second];
        return "; instead " + kernel_name(sender) + " has signalled this address of tile (" +
               std::to_string(tile->x()) + "," + std::to_string(tile->y()) +
               "), which runs no kernel," + line_of(sender.view, each.pc, each.cycle);
      }
    }
  }
  return "";
}

void CoreWaits::explain_blocked(const Agent& agent, Wait& wait) {
  const CoreView& view = agent.view;
  const std::uint32_t address = view.core->blocked_address();
  if (view.core->state() == riscv::CoreState::kBlocked && address >= tile_regs::kMailboxes &&
      address < tile_regs::kMailboxes + 0x4000) {
    const unsigned index = (address - tile_regs::kMailboxes) / 0x1000;
    const unsigned kind =
        index == 0 ? unsigned{TENSIX_VP_CORE_BRISC} : TENSIX_VP_CORE_TRISC0 + index - 1;
    const Agent* const sender = agent_at(view.chip, view.x, view.y, kind);
    if (sender == nullptr) return;
    wait.what = "is blocked at its mailbox with " + sender->view.core->where();
    const bool alive = add_giver(*sender, wait.givers) || sender->state == State::kRuns;
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
    const Agent* const other = agent_at(view.chip, view.x, view.y, kind);
    if (other != nullptr && other != &agent) add_giver(*other, wait.candidates);
  }
}

void CoreWaits::explain_thread(const Agent& agent) {
  const CoreView& view = agent.view;
  Wait& wait = graph_[agent.thread_wait];
  const unsigned thread = view.kind - TENSIX_VP_CORE_TRISC0;
  const unsigned awaited = chips_[view.chip]
                               ->tensix_at(view.x, view.y)
                               ->coprocessor()
                               .issue()
                               .inspector()
                               .awaited_threads(thread);
  std::string ended;
  for (unsigned other = 0; other < kThreads; ++other) {
    if ((awaited >> other & 1U) == 0) continue;
    const Agent* const giver = agent_at(view.chip, view.x, view.y, TENSIX_VP_CORE_TRISC0 + other);
    if (giver == nullptr || add_giver(*giver, wait.givers) || giver->state == State::kRuns)
      continue;
    ended = comma(ended, kernel_name(*giver));
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
