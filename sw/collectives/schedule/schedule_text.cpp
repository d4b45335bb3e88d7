#include "sw/collectives/schedule/schedule_text.h"

#include "sw/collectives/schedule/step_access.h"

namespace tvp::collectives {

namespace {

std::string text(const Place& place, std::uint32_t count) {
  static constexpr const char* kNames[] = {"input", "output", "scratch", "nowhere"};
  std::string made = kNames[static_cast<std::size_t>(place.memory)];
  if (place.memory == Memory::kNone) return made;
  made += "[" + std::to_string(place.index);
  if (count > 1) made += ".." + std::to_string(place.index + count - 1);
  return made + "]";
}

/// "{0,2,3}"; with more ranks "{0-71}".
std::string set_text(const RankSet& members) {
  constexpr std::size_t kMostNamed = 8;
  const std::vector<std::uint32_t> ranks = members.ranks();
  std::string made;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    made += (made.empty() ? "" : ",") + std::to_string(ranks[i]);
    const std::size_t first = i;
    while (ranks.size() > kMostNamed && i + 1 < ranks.size() && ranks[i + 1] == ranks[i] + 1) ++i;
    if (i != first) made += "-" + std::to_string(ranks[i]);
  }
  return "{" + made + "}";
}

std::string verb(const Step& step) {
  const std::string source = text(step.source, step.count);
  const std::string destination = text(step.destination, step.count);
  switch (step.kind) {
    case StepKind::kSend:
      return "send " + source;
    case StepKind::kReceive:
      return "receive " + destination + " from " + rank_text(step.from);
    case StepKind::kReceiveReduce:
      return "receive-reduce " + destination + " = " + source + " + message from " +
             rank_text(step.from);
    case StepKind::kCopy:
      return "copy " + destination + " = " + source;
    case StepKind::kReduce:
      return "reduce " + destination + " += " + source;
    case StepKind::kScale:
      return "scale " + destination + " = " + source + " / N";
    case StepKind::kNothing:
      break;
  }
  return "nothing";
}

}  // namespace

std::string rank_text(std::uint32_t rank) {
  if (rank == kSwitch) return "the switch";
  return "rank " + std::to_string(rank);
}

std::string place_text(const StepPlace& at) {
  return "rank " + std::to_string(at.rank) + " lane " + std::to_string(at.lane) + " step " +
         std::to_string(at.step);
}

std::string step_text(const Step& step) {
  std::string made = verb(step);
  if (sends(step)) made += (receives(step) ? ", on to " : " to ") + rank_text(step.to);
  if (step.to == kSwitch) {
    if (!step.contributors.empty()) made += ", combined of " + set_text(step.contributors);
    made += ", for " + set_text(step.members);
  }
  if ((sends(step) || receives(step)) && step.channel)
    made += " on channel " + std::to_string(step.channel);
  for (const Dependency& each : step.after)
    made += ", after " + std::to_string(each.lane) + "." + std::to_string(each.step);
  return made;
}

std::string schedule_text(const Schedule& schedule) {
  std::string made;
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
    for (std::uint32_t lane = 0; lane < schedule.ranks[rank].lanes.size(); ++lane) {
      const std::vector<Step>& steps = schedule.ranks[rank].lanes[lane].steps;
      for (std::uint32_t step = 0; step < steps.size(); ++step)
        made += place_text({rank, lane, step}) + ": " + step_text(steps[step]) + "\n";
    }
  return made;
}

}  // namespace tvp::collectives
