#include "tests/mutation/equivalence.h"

#include <algorithm>
#include <fstream>

#include "foundation/regs/noc.h"
#include "foundation/regs/overlay.h"
#include "platform/checks/event_line.h"

namespace tvp::mutation {

namespace {

using support::BusMaster;
using support::ProbeEvent;
using Kind = ProbeEvent::Kind;
using Request = ProbeEvent::Request;

/// Counters that show all writes of a NIU.
bool counts_all(const ProbeEvent& event) {
  namespace noc = regs::noc;
  return event.index == noc::kMstWrAckReceived || event.index == noc::kMstNonpostedWrReqSent ||
         event.index == noc::kMstPostedWrReqSent;
}

/// The first argument of the call that begins there: its object.
std::string object_of(const std::string& text, const std::string& call) {
  const std::size_t open = text.find('(', text.find(call));
  return open == std::string::npos ? "" : text.substr(open, text.find_first_of(",)", open) - open);
}

bool is_set_up(const std::string& call) {
  return call.find("_init") != std::string::npos || call.find("reconfig") != std::string::npos ||
         call.find("hw_startup") != std::string::npos;
}
bool waits_for_pages(const std::string& call) {
  return call.ends_with("cb_wait_front") || call.ends_with("cb_reserve_back");
}
bool waits(const std::string& call) {
  return waits_for_pages(call) || call.starts_with("noc_semaphore_wait") ||
         call.find("barrier") != std::string::npos || call.find("flushed") != std::string::npos;
}
/// The call stores to words of its own core only, which no other agent reads before the program
/// ends.
bool keeps_own_record(const std::string& call) {
  return call == "noc_count_writes" || call.ends_with("update_remote_cb_config_in_l1");
}
/// The thread that alone executes the call in a compute kernel; -1: not known.
int thread_of(const std::string& call) {
  if (call == "tile_regs_acquire" || call == "tile_regs_commit") return 1;
  if (call == "tile_regs_wait" || call == "tile_regs_release" || call == "cb_reserve_back" ||
      call == "cb_push_back" || call.starts_with("pack_"))
    return 2;
  return call == "cb_wait_front" || call == "cb_pop_front" ? 0 : -1;
}
/// The calls belong to a compute kernel, in which another thread executes each of them.
bool are_of_two_threads(const std::string& one, const std::string& other) {
  const bool computes = one.starts_with("tile_regs_") || other.starts_with("tile_regs_");
  return computes && thread_of(one) >= 0 && thread_of(other) >= 0 &&
         thread_of(one) != thread_of(other);
}
/// The calls are no commands of a NIU, which a barrier would cover.
bool hands_over(const std::string& call) {
  return call == "cb_push_back" || call == "cb_pop_front";
}

}  // namespace

std::string order_proof(const KernelMutation& change) {
  const std::string &one = change.call, &other = change.other, &rule = change.change.rule;
  const bool keeps_dst = (is_set_up(one) && other.starts_with("tile_regs_")) ||
                         (is_set_up(other) && one.starts_with("tile_regs_"));
  if ((is_set_up(one) && (rule != "swap" || is_set_up(other))) || keeps_dst)
    return "set-up: a thread's units take their configuration in its order";
  if (rule == "swap" &&
      ((is_set_up(one) && waits_for_pages(other)) || (is_set_up(other) && waits_for_pages(one))))
    return "set-up: it touches no page, and all instructions that use it come after both calls";
  if (rule == "swap" && are_of_two_threads(one, other))
    return "order: another thread executes each call";
  if (rule == "swap" && ((keeps_own_record(one) && !keeps_own_record(other)) ||
                         (keeps_own_record(other) && !keeps_own_record(one))))
    return "order: one call stores only to words that no other agent reads before the end";
  if (rule != "swap" || object_of(change.change.from, one) == object_of(change.change.from, other))
    return "";
  if ((waits(one) && waits(other)) || (hands_over(one) && hands_over(other)))
    return "order: neither call covers what the other one does";
  const bool ends_alike = waits_for_pages(other) || !other.starts_with("noc_semaphore");
  if (hands_over(one) && waits(other) && ends_alike)
    return "order: the core waits before it hands over, so what was ordered still is";
  return "";
}

Events::Events(const std::filesystem::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (const std::size_t at = line.find(" {"); at != std::string::npos)
      add(line.substr(0, at), checks::from_line(line.substr(at + 1)));
}

void Events::add(const std::string& tile, const ProbeEvent& event) {
  namespace overlay = regs::overlay;
  std::vector<Source>& sources = sources_[tile];
  switch (event.kind) {
    case Kind::kBuffer: {
      Buffer& buffer = buffers_[{tile, event.index}];
      buffer.was_short = buffer.is_short();
      buffer.pages = event.packets;
      buffer.pushed = buffer.most = buffer.popped = 0;
      return;
    }
    case Kind::kStreamRead: {
      Buffer& buffer = buffers_[{tile, event.stream}];
      if (event.index == overlay::kRemoteDestBufStart) ++buffer.looks;
      if (event.index == overlay::kRemoteDestBufSize && buffer.popped != 0)
        buffer.is_used_after_pop = true;
      return;
    }
    case Kind::kStreamWritten: {
      Buffer& buffer = buffers_[{tile, event.stream}];
      if (event.index == overlay::kRemoteDestBufSize) {
        buffer.pushed =
            event.pushed == 0
                ? 0
                : buffer.pushed + static_cast<std::uint16_t>(event.pushed - buffer.pushed);
        buffer.most = std::max(buffer.most, buffer.pushed);
      } else if (event.index == overlay::kRemoteDestBufStart) {
        if (event.popped != 0)
          buffer.pops += static_cast<std::uint16_t>(event.popped - buffer.popped);
        buffer.popped = event.popped;
      }
      for (Source& each : sources) each.is_given_away = true;
      return;
    }
    case Kind::kCommand:
      return sends(sources, event);
    case Kind::kCounterRead:
      if (counts_all(event))
        std::erase_if(sources, [&](const Source& each) {
          return each.engine == event.agent && !each.is_given_away;
        });
      return;
    case Kind::kRequest:
      return serves(tile, event);
    case Kind::kWritten:
    case Kind::kServed:
    case Kind::kAnswer:
      return writes(sources, event);
    case Kind::kProgramEnds:
    case Kind::kReset:
      sources.clear();
      targets_.erase(tile);
      return;
    default:
      return;
  }
}

void Events::sends(std::vector<Source>& sources, const ProbeEvent& event) {
  if (event.request != Request::kRead) {
    // A write or a message may let another agent go on.
    for (Source& each : sources) each.is_given_away = true;
  } else {
    writes(sources, event);
  }
  if (event.request != Request::kWrite || event.bytes == 0 || !event.is_local) return;
  sources.push_back({.engine = event.agent,
                     .core = event.core,
                     .begin = event.address,
                     .end = event.address + event.bytes});
}

void Events::writes(const std::vector<Source>& sources, const ProbeEvent& event) {
  if (event.bytes == 0 || (event.kind == Kind::kAnswer && event.request != Request::kRead)) return;
  if (std::ranges::any_of(sources, [&](const Source& each) {
        return event.address < each.end && each.begin < event.address + event.bytes;
      }))
    keeps_sources_ = false;
}

/// Writes of the size of a signal may come again.
void Events::serves(const std::string& tile, const ProbeEvent& event) {
  constexpr std::uint32_t kMostOfSignal = 16;
  if (event.request != Request::kWrite || event.is_own || event.bytes <= kMostOfSignal) return;
  const Target target{event.x0, event.y0, event.address, event.address + event.bytes};
  std::vector<Target>& known = targets_[tile];
  if (std::ranges::any_of(known, [&](const Target& each) {
        return each.x == target.x && each.y == target.y && each.begin < target.end &&
               target.begin < each.end;
      }))
    writes_targets_once_ = false;
  known.push_back(target);
}

bool Events::has_idle_pops(const Events& without) const {
  bool is_known = false;
  for (const auto& [place, buffer] : buffers_) {
    const auto other = without.buffers_.find(place);
    if (other != without.buffers_.end() && other->second.pops >= buffer.pops) continue;
    if (buffer.is_short() || buffer.is_used_after_pop) return false;
    is_known = true;
  }
  return is_known;
}

bool Events::has_room_without(const Events& without) const {
  bool is_known = false;
  for (const auto& [place, buffer] : buffers_) {
    const auto other = without.buffers_.find(place);
    if (other != without.buffers_.end() && other->second.looks >= buffer.looks) continue;
    if (buffer.is_short()) return false;
    is_known = true;
  }
  return is_known;
}

}  // namespace tvp::mutation
