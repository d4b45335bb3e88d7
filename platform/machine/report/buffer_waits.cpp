#include "platform/machine/report/buffer_waits.h"

#include <algorithm>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "platform/machine/report/stream_address.h"

namespace tvp::platform {

namespace {

using Relation = PollCondition::Relation;
using Reason = WaitGraph::Reason;
namespace overlay = regs::overlay;

constexpr unsigned kCircularBuffers = 32;  // circular buffers per tile

/// "1 page", "2 pages".
std::string pages_text(std::uint32_t pages) {
  return std::to_string(pages) + (pages == 1 ? " page" : " pages");
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

bool BufferWaits::has_role(const CoreAgent& agent, bool pushes) const {
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  for (unsigned buffer = 0; buffer < kCircularBuffers; ++buffer) {
    const auto& party = record->hand_overs().party(buffer, agent.view.kind);
    if ((pushes ? party.pushes : party.pops).pages != 0 || reserves(agent, buffer, pushes))
      return true;
  }
  return false;
}

bool BufferWaits::reserves(const CoreAgent& agent, unsigned buffer, bool pushes) const {
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  const auto& looks = record->hand_overs().party(buffer, agent.view.kind).looks;
  if (agent.view.kind > TENSIX_VP_CORE_NCRISC)
    return looks[0] != 0 &&
           agent.view.kind == (pushes ? TENSIX_VP_CORE_TRISC2 : TENSIX_VP_CORE_TRISC0);
  const std::vector<std::string> names =
      pushes ? std::vector<std::string>{"cb_reserve_back", "cb_pages_reservable_at_back"}
             : std::vector<std::string>{"cb_wait_front", "cb_pages_available_at_front"};
  return std::any_of(looks.begin(), looks.end(), [&](std::uint32_t pc) {
    return pc != 0 && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
             return cores_.symbols().is_of(name, agent.view.owner(), pc);
           });
  });
}

void BufferWaits::find_givers(const CoreAgent& agent, unsigned buffer, bool pushes,
                              std::uint32_t missing, Wait& wait) const {
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  if (record == nullptr) return;
  const std::string did = pushes ? "pushed" : "popped";
  std::vector<const CoreAgent*> known, about, others;
  for (unsigned kind = 0; kind < checks::HandOvers::kCores; ++kind) {
    const CoreAgent* const other = cores_.at(agent.view.chip, agent.view.x, agent.view.y, kind);
    if (other == nullptr) continue;
    const auto& party = record->hand_overs().party(buffer, kind);
    // PACK pushes, and UNPACK pops.
    const bool may_give = kind <= TENSIX_VP_CORE_NCRISC ||
                          kind == (pushes ? TENSIX_VP_CORE_TRISC2 : TENSIX_VP_CORE_TRISC0);
    if ((pushes ? party.pushes : party.pops).pages != 0)
      known.push_back(other);
    else if (other != &agent && reserves(*other, buffer, pushes))
      about.push_back(other);
    else if (other != &agent && may_give && cores_.in_kernel(*other) &&
             (has_role(*other, pushes) || !has_role(*other, !pushes)))
      others.push_back(other);
  }
  // Kernels that have only pushed, or only popped, other buffers so far may do both.
  if (known.empty() && about.empty() && others.empty())
    for (unsigned kind = 0; kind <= TENSIX_VP_CORE_NCRISC; ++kind) {
      const CoreAgent* const other = cores_.at(agent.view.chip, agent.view.x, agent.view.y, kind);
      if (other != nullptr && other != &agent && cores_.in_kernel(*other) &&
          other->state == CoreAgent::State::kWaits)
        others.push_back(other);
    }
  const std::vector<const CoreAgent*>& givers = !known.empty()   ? known
                                                : !about.empty() ? about
                                                                 : others;
  std::string text;
  bool all_ended = true;
  for (const CoreAgent* const giver : givers) {
    const auto& party = record->hand_overs().party(buffer, giver->view.kind);
    const checks::HandOvers::Steps& steps = pushes ? party.pushes : party.pops;
    const bool alive =
        cores_.add_giver(*giver, &givers == &others ? wait.candidates : wait.givers) ||
        giver->state == CoreAgent::State::kRuns;
    all_ended = all_ended && !alive;
    std::string name = cores_.kernel_name(*giver);
    if (!known.empty()) {
      name += " has " + did + " " + std::to_string(steps.pages) +
              (missing != 0 ? " of " : " page") +
              (missing != 0 ? std::to_string(steps.pages + missing) + " pages"
                            : (steps.pages == 1 ? "" : "s")) +
              ", the last" + cores_.line_of(giver->view, steps.pc, steps.cycle);
    } else if (!about.empty()) {
      name +=
          pushes ? " has reserved pages and pushed none" : " has waited for pages and popped none";
    }
    if (!alive && &givers != &others) name += ", and has ended";
    if (!alive || &givers != &others) text = comma(text, name);
  }
  wait.gave_nothing = known.empty() && !about.empty();
  if (&givers == &others) {
    std::string waiting;
    for (const CoreAgent* const other : others)
      if (other->state == CoreAgent::State::kWaits)
        waiting = comma(waiting, cores_.kernel_name(*other));
    wait.cause = "no core has " + did + " a page" +
                 (waiting.empty() ? ""
                                  : "; these may " + std::string(pushes ? "push" : "pop") +
                                        " some, but wait: " + waiting) +
                 (text.empty() ? "" : ", and these have ended: " + text);
    wait.gives = wait.cause;
    // A consumer may come later. A producer reserves pages before others wait for them.
    wait.is_likely_root = pushes;
    if (all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
    return;
  }
  wait.cause = wait.gives = text;
  if (all_ended && wait.reason == Reason::kFollows) wait.reason = Reason::kGiversEnded;
}

bool BufferWaits::explain(const CoreAgent& agent, const PollCondition& condition,
                          Wait& wait) const {
  unsigned buffer = 0;
  bool rises = true;
  if (agent.view.kind == TENSIX_VP_CORE_ERISC || !is_of_buffer(condition, buffer, rises))
    return false;
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  const std::uint32_t pages = record != nullptr && record->page_uses.has(buffer)
                                  ? record->page_uses.buffer(buffer).pages
                                  : 0;
  const std::string name = "circular buffer " + std::to_string(buffer);
  if (!condition.is_sum || condition.relation == Relation::kEqual) {
    wait.what = "the pages of " + name;
    return true;
  }
  const BufferWait of = buffer_wait(condition, buffer, rises, pages);
  // Kernels that wait for pages know the other count themselves and wait for at least one page.
  if (condition.loads.size() == 1 && of.awaited <= 0) {
    explain_count(agent, condition, buffer, wait);
    return true;
  }
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
  wait.is_partial = of.for_pages && of.there > 0 && of.there < of.awaited;
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

/// A kernel may compare one of the counts with a number of its own. The counts have 16 bits.
void BufferWaits::explain_count(const CoreAgent& agent, const PollCondition& compared,
                                unsigned buffer, Wait& wait) const {
  const PollCondition condition = by_loads(compared);
  const bool pushes = stream_index(condition.loads[0].address) == overlay::kRemoteDestBufSize;
  wait.what = std::string("the pages ") + (pushes ? "pushed to" : "popped from") +
              " circular buffer " + std::to_string(buffer);
  if (condition.is_sum)
    wait.what += relation_text(condition) + "; there are " + std::to_string(condition.now);
  else
    wait.what += "; there are " + std::to_string(condition.loads[0].value & 0xFFFF);
  find_givers(agent, buffer, pushes, 0, wait);
}

/// The core itself may have popped, or pushed, too much before it waits.
std::string BufferWaits::own_steps(const CoreAgent& agent, unsigned buffer, bool pops) const {
  const checks::TileRecord* const record = cores_.record_of(agent.view);
  if (record == nullptr) return "";
  const auto& party = record->hand_overs().party(buffer, agent.view.kind);
  const checks::HandOvers::Steps& steps = pops ? party.pops : party.pushes;
  if (steps.pages == 0) return "";
  return std::string("; it has ") + (pops ? "popped " : "pushed ") + pages_text(steps.pages) +
         ", the last" + cores_.line_of(agent.view, steps.pc, steps.cycle);
}

std::uint32_t BufferWaits::core_reads(const CoreAgent& agent, unsigned buffer, unsigned index) {
  std::uint32_t value = 0;
  agent.view.core->debug_read(overlay::stream_reg(buffer, index), &value, sizeof value);
  return value & 0xFFFF;
}

}  // namespace tvp::platform
