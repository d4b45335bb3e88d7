#include "platform/checks/noc/miscounted_answers.h"

#include <string>

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

Probe::Kinds MiscountedAnswers::kinds() const {
  if (!tile_.is_tensix()) return 0;
  return Probe::bit(Kind::kProgramBegins) | Probe::bit(Kind::kProgramEnds) |
         Probe::bit(Kind::kAnswersCounted);
}

void MiscountedAnswers::on(const ProbeEvent& event) {
  if (event.kind == Kind::kAnswersCounted) return note(event);
  if (event.kind == Kind::kProgramEnds)
    for (const foundation::Fault& fault : found_so_far(false)) tile_.warnings.warn(fault);
  runs_ = event.kind == Kind::kProgramBegins;
  counts_.clear();
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
            (more ? "wait forever. Expected one answer for each destination. The "
                    "number of destinations of a multicast is too large."
                  : "end early or never. Expected one answer for each destination. "
                    "The number of destinations of a multicast is too small, or its "
                    "corners are in the order of the other NoC."));
  }
  return found;
}

}  // namespace tvp::checks
