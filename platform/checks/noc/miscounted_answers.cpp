#include "platform/checks/noc/miscounted_answers.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

Probe::Kinds MiscountedAnswers::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kProgramBegins) | Probe::bit(Kind::kProgramEnds) |
         Probe::bit(Kind::kAnswersCounted) | Probe::bit(Kind::kCommand);
}

void MiscountedAnswers::on(const ProbeEvent& event) {
  if (event.kind == Kind::kAnswersCounted) return note(event);
  if (event.kind == Kind::kCommand) return note_write(event);
  if (event.kind == Kind::kProgramEnds)
    for (const foundation::Fault& fault : found_so_far(false)) tile_.warnings.warn(fault);
  runs_ = event.kind == Kind::kProgramBegins;
  counts_.clear();
  writers_.clear();
}

void MiscountedAnswers::note_write(const ProbeEvent& event) {
  const bool is_write = event.request == ProbeEvent::Request::kWrite ||
                        event.request == ProbeEvent::Request::kInlineWrite;
  if (!is_write || event.is_posted) return;
  if (!writers_.empty() && writers_.back().pc == event.pc && writers_.back().core == event.core)
    return;
  std::erase_if(writers_, [&](const Writer& each) {
    return each.pc == event.pc && each.core == event.core && each.niu == event.agent;
  });
  writers_.push_back(
      {.core = event.core, .niu = event.agent, .pc = event.pc, .multicasts = event.is_broadcast});
}

/// The probable mistake and its places: those of multicasts, if the kernel makes some.
std::string MiscountedAnswers::expected(const Counts& counts, bool more) const {
  std::vector<Writer> places;
  for (const bool multicasts : {true, false}) {
    std::ranges::copy_if(writers_, std::back_inserter(places), [&](const Writer& each) {
      return each.core == counts.core && each.niu == counts.niu && each.multicasts == multicasts;
    });
    if (!places.empty()) break;
  }
  const bool multicasts = !places.empty() && places.front().multicasts;
  std::string text = "Expected one answer for each destination. ";
  if (multicasts)
    text += more ? "The number of destinations of a multicast is too large."
                 : "The number of destinations of a multicast is too small, or its corners are in "
                   "the order of the other NoC.";
  else
    text += more ? "A write is missing, or its command was changed before it was sent."
                 : "A write is not counted.";
  // The latest ones first: a kernel that counts wrong mostly stops soon.
  std::ranges::reverse(places);
  constexpr std::size_t kMostInText = 2, kMost = 4;
  std::vector<std::string> lines, own;
  const TileContext::Core* const core = tile_.core(counts.core);
  for (const Writer& place : places) {
    const std::string line = at(place.core, place.pc);
    if (lines.size() < kMost && std::ranges::count(lines, line) == 0) lines.push_back(line);
    const std::string own_line =
        core == nullptr ? "" : tile_.names.own_line(tile_.owner(*core), place.pc);
    if (own.size() < kMostInText && !own_line.empty() && std::ranges::count(own, own_line) == 0)
      own.push_back(own_line);
  }
  if (!own.empty()) text += multicasts ? " Its last multicasts: in " : " Its last writes: in ";
  for (const std::string& line : own) text += (&line == own.data() ? "" : "; in ") + line;
  for (const std::string& line : lines) text += line;
  return text;
}

void MiscountedAnswers::note(const ProbeEvent& event) {
  if (!runs_) return;
  for (Counts& known : counts_) {
    if (known.core != event.core || known.niu != event.agent) continue;
    known.counted = event.value;
    known.came = event.packets;
    return;
  }
  counts_.push_back({.core = event.core,
                     .niu = event.agent,
                     .before = event.value,
                     .counted = event.value,
                     .came = event.packets});
}

std::vector<foundation::Fault> MiscountedAnswers::found_so_far(bool is_idle) const {
  std::vector<foundation::Fault> found;
  for (const Counts& counts : counts_) {
    // A kernel takes the NIU's count at its begin. The count of a NoC that it does not use stays.
    if (counts.counted == counts.came || counts.counted == counts.before) continue;
    const bool more = static_cast<std::int32_t>(counts.counted - counts.came) > 0;
    if (more && !is_idle) continue;  // some answers may be under way
    const std::string number =
        std::to_string(more ? counts.counted - counts.came : counts.came - counts.counted);
    const TileContext::Core* const core = tile_.core(counts.core);
    found.emplace_back(
        foundation::FaultKind::kFirmware, core == nullptr ? tile_.where : core->where,
        "its kernel has counted " + number + (more ? " more" : " fewer") +
            " answers to its writes on NoC " + (counts.niu == BusMaster::kNoc1 ? "1" : "0") +
            " than the NIU has received, so its barriers " +
            (more ? "wait forever. " : "end early or never. ") + expected(counts, more));
  }
  return found;
}

}  // namespace tvp::checks
