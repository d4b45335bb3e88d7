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

}  // namespace

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
    case Kind::kBuffer:
      buffers_[{tile, event.index}].pages = event.packets;
      buffers_[{tile, event.index}].pushed = 0;
      return;
    case Kind::kStreamRead:
      if (event.index == overlay::kRemoteDestBufStart) ++buffers_[{tile, event.stream}].looks;
      return;
    case Kind::kStreamWritten: {
      Buffer& buffer = buffers_[{tile, event.stream}];
      if (event.index == overlay::kRemoteDestBufSize) {
        buffer.pushed =
            event.pushed == 0
                ? 0
                : buffer.pushed + static_cast<std::uint16_t>(event.pushed - buffer.pushed);
        buffer.most = std::max(buffer.most, buffer.pushed);
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
    case Kind::kWritten:
    case Kind::kServed:
    case Kind::kAnswer:
      return writes(sources, event);
    case Kind::kProgramEnds:
    case Kind::kReset:
      sources.clear();
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

bool Events::has_room_without(const Events& without) const {
  bool is_known = false;
  for (const auto& [place, buffer] : buffers_) {
    const auto other = without.buffers_.find(place);
    if (other != without.buffers_.end() && other->second.looks >= buffer.looks) continue;
    if (buffer.most > buffer.pages) return false;
    is_known = true;
  }
  return is_known;
}

}  // namespace tvp::mutation
