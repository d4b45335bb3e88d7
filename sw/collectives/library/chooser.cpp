#include "sw/collectives/library/chooser.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string_view>

#include "foundation/content_hash.h"
#include "foundation/fault.h"
#include "foundation/read_file.h"
#include "sw/collectives/algorithms/torus.h"
#include "sw/collectives/ideal/figures.h"
#include "sw/collectives/ideal/ideal_fabric.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/runtime/compiler/compile_cache.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/open_library.h"

namespace tvp::collectives {

namespace {

/// The sizes with which costs are measured, until slices are the longest.
constexpr std::uint64_t kProbeBytes[] = {256, 4096, 64 * 1024, Chooser::kMostMeasuredBytes};
constexpr std::uint32_t kMostSegments = 64;

struct Probe {
  Primitive primitive;
  const char* algorithm;
  std::uint32_t segments = 1;
};
/// Schedules with different numbers of messages one after the other, of segments of them, and of
/// lanes. If the links do not close a torus, there is no torus. Those of a torus also measure ranks
/// with several cores, and those of `inc` a switch.
constexpr Probe kProbes[] = {{Primitive::kSendRecv, "pairwise"},
                             {Primitive::kAllGather, "ring"},
                             {Primitive::kBroadcast, "chain", 16},
                             {Primitive::kBroadcast, "binomial"},
                             {Primitive::kBroadcast, "binomial", 16},
                             {Primitive::kAllToAll, "pairwise"},
                             {Primitive::kReduce, "chain"},
                             {Primitive::kReduce, "chain", 16},
                             {Primitive::kAllReduce, "ring"},
                             {Primitive::kReduce, "binomial"},
                             {Primitive::kReduce, "binomial", 16},
                             {Primitive::kAllReduce, "recursive_doubling"},
                             {Primitive::kAllGather, "pat"},
                             {Primitive::kAllReduce, "double_binary_tree"},
                             {Primitive::kAllGather, "torus"},
                             {Primitive::kAllReduce, "torus"},
                             {Primitive::kAllGather, "torus", 4},
                             {Primitive::kReduceScatter, "torus"},
                             {Primitive::kAllReduce, "torus", 4},
                             {Primitive::kBroadcast, "inc"},
                             {Primitive::kAllReduce, "inc"},
                             {Primitive::kAllReduce, "inc", 4},
                             {Primitive::kReduceScatter, "inc"},
                             {Primitive::kAllGather, "inc"},
                             {Primitive::kAllToAll, "inc"}};

bool passes_switch(const Schedule& schedule) {
  for (const RankProgram& rank : schedule.ranks)
    for (const Lane& lane : rank.lanes)
      for (const Step& step : lane.steps)
        if (step.to == kSwitch) return true;
  return false;
}

std::string microseconds(double ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f us", ns / 1000);
  return text;
}

bool by_time(const Estimate& a, const Estimate& b) {
  if (a.refusal.empty() != b.refusal.empty()) return a.refusal.empty();
  return a.time_ns < b.time_ns;
}

double least_ns(const Estimate& of) { return of.time_ns / (of.measured ? 1 : of.worst_factor); }
double most_ns(const Estimate& of) { return of.time_ns * (of.measured ? 1 : of.worst_factor); }

/// Those that may be the fastest.
std::vector<Estimate*> contenders(std::vector<Estimate>& all) {
  double bound = std::numeric_limits<double>::max();
  for (const Estimate& each : all)
    if (each.refusal.empty()) bound = std::min(bound, most_ns(each));
  std::vector<Estimate*> found;
  for (Estimate& each : all)
    if (each.refusal.empty() && least_ns(each) <= bound) found.push_back(&each);
  return found;
}

std::string reason_of(const foundation::Fault& fault) {
  const std::string text = fault.what();
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string Choice::text() const {
  std::string made = reason + "\n";
  for (const Estimate& each : candidates) {
    char line[200];
    std::string name = each.algorithm;
    if (each.segments > 1) name += " P=" + std::to_string(each.segments);
    if (!each.refusal.empty()) {
      made += "  " + name + ": " + each.refusal + "\n";
      continue;
    }
    std::snprintf(line, sizeof line, "  %-24s %10.2f us", name.c_str(), each.time_ns / 1000);
    made += line;
    if (each.measured) {
      made += "  measured\n";
    } else if (each.work.slices == 0) {
      made += "  between measured sizes\n";
    } else {
      const CostWork& work = each.work;
      std::snprintf(line, sizeof line,
                    "  %.0f messages in a row, %.0f lanes, %.0f slices, %.0f bytes a core\n",
                    work.messages, work.lanes, work.slices, work.moved);
      made += line;
    }
  }
  return made;
}

Chooser::Chooser(CollectiveExecutor& executor, TuningFile file)
    : executor_(executor), file_(std::move(file)) {}

std::string Chooser::table_name(const Question& question) {
  return name_of(question.request.primitive) + " of " + std::to_string(question.request.ranks) +
         " ranks, " + question.type;
}

std::string Chooser::system_key(runtime::DeviceLibrary& library, std::uint32_t workers) {
  foundation::ContentHash hash;
  hash.add(library.system()).add(library.settings()).add(std::to_string(workers));
  hash.add(std::to_string(TuningFile::kSchema));
  namespace fs = std::filesystem;
  const fs::path root = runtime::firmware_root(library);
  std::vector<fs::path> files;
  for (const char* folder : {"firmware", "foundation/contract"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && entry.path().extension() != ".md")
        files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files)
    hash.add(file.lexically_relative(root).string()).add(foundation::read_file(file));
  // Measurements of another build of the models do not apply.
  if (const fs::path models = library.file(); fs::is_regular_file(models))
    hash.add(foundation::read_file(models));
  return hash.hex();
}

std::string Chooser::default_path(const std::string& key) {
  return runtime::CompileCache::default_folder() + "/collectives/" + key + ".json";
}

Schedule Chooser::build(const Question& question, const Algorithm& algorithm,
                        std::uint32_t segments) const {
  ScheduleRequest request = question.request;
  request.segments = segments;
  if (algorithm.name() == "torus" && request.ranks == executor_.ranks())
    request.tiers = Torus::axes(executor_.links_like(), request.ranks);
  if (request.order.empty()) request.order = executor_.ring(request.ranks);
  if (!algorithm.refusal(request).empty()) request.order.clear();  // some algorithms have no order
  return algorithm.schedule(request);
}

Schedule Chooser::schedule(const Question& question, const Estimate& candidate) const {
  Schedule made =
      build(question, algorithm_named(candidate.algorithm), std::max(1U, candidate.segments));
  require_right(made);
  return made;
}

std::string Chooser::CostClass::name(const std::string& type) const {
  if (through_switch) return "through the switch, " + type;
  return std::string(combines ? "combine" : "move") + (one_hop ? " to neighbors" : "") +
         (splits_lanes ? " from several cores, " : ", ") + type;
}

Chooser::CostClass Chooser::class_of(const Schedule& schedule) const {
  if (passes_switch(schedule)) return {.through_switch = true};
  return {.combines = reduces(schedule.primitive),
          .one_hop = executor_.one_hop(schedule),
          .splits_lanes = executor_.splits_lanes(schedule)};
}

CostProfile Chooser::measure(const CostClass& of, const std::string& type) {
  std::vector<CostSample> samples;
  std::vector<std::uint32_t> order = executor_.ring(executor_.ranks());
  for (const Probe& probe : kProbes) {
    const bool at_switch = std::string_view(probe.algorithm) == "inc";
    if (at_switch != of.through_switch) continue;
    if (!at_switch && reduces(probe.primitive) != of.combines) continue;
    Question question;
    question.request.primitive = probe.primitive;
    question.request.ranks = executor_.ranks();
    if (!order.empty()) {
      question.request.root = order[0];
      question.request.peer = order[1];
    }
    Schedule schedule;
    try {
      schedule = build(question, algorithm_named(probe.algorithm), probe.segments);
    } catch (const foundation::Fault&) {
      continue;  // too many ranks for the algorithm
    }
    if (class_of(schedule) != of) continue;
    question.type = type;
    measure(question, schedule, samples);
  }
  return fit_cost(samples);
}

void Chooser::measure(const Question& question, const Schedule& schedule,
                      std::vector<CostSample>& samples) {
  Question sized = question;
  for (const std::uint64_t bytes : kProbeBytes) {
    const Demand demand{
        .where = "measurement of costs", .bytes = bytes, .type = question.type, .redop = "sum"};
    sized.bytes = bytes;
    try {
      const bool is_last = executor_.prepare(schedule, demand)->programs.slices_are_longest();
      const double ns = executor_.run(schedule, demand).time_ns();
      samples.push_back({.schedule = schedule.name, .work = work(sized, schedule), .ns = ns});
      if (is_last) return;
    } catch (const foundation::Fault& fault) {
      if (fault.kind() != foundation::FaultKind::kDescription) throw;  // too large for the machine
      return;
    }
  }
}

CostProfile Chooser::profile(const CostClass& of, const Question& question) {
  // The time of a core that combines nothing does not depend on the type.
  const std::string type = of.combines ? question.type : "fp32";
  const std::string name = of.name(type);
  if (const auto known = file_.profile(name)) return *known;
  CostProfile made = measure(of, type);
  file_.set_profile(name, made);
  file_.write();
  return made;
}

/// A rank has as many ports in this model as cores for its sets of lanes, since a core sends and
/// receives one message after the other.
CostWork Chooser::work(const Question& question, const Schedule& schedule) {
  const auto task = executor_.prepare(
      schedule, {.bytes = question.bytes, .type = question.type, .redop = question.redop});
  // A message through the switch crosses it up and down, and counts as one.
  constexpr std::uint32_t kCrossings = 2;
  const IdealMachine machine{.alpha = kCrossings,
                             .chunk = 0,
                             .hop = kCrossings,
                             .switch_alpha = 1,
                             .ports = task->programs.lane_sets(),
                             .topology = topology_named(executor_.links_like(), executor_.ranks())};
  const RankPrograms::Work most = task->programs.most_work();
  return {.messages = static_cast<double>(IdealFabric(schedule, machine).run().time) / kCrossings,
          .lanes = static_cast<double>(most.lanes),
          .slices = static_cast<double>(most.slices),
          .moved = static_cast<double>(most.bytes),
          .combined = static_cast<double>(most.combined)};
}

Estimate Chooser::estimate(const Question& question, const Algorithm& algorithm,
                           std::uint32_t segments) {
  const Schedule schedule = build(question, algorithm, segments);
  const CostProfile cost = profile(class_of(schedule), question);
  Estimate estimate;
  estimate.algorithm = algorithm.name();
  estimate.segments = segments;
  estimate.work = work(question, schedule);
  estimate.time_ns = cost.time(estimate.work);
  estimate.worst_factor = cost.worst_factor;
  return estimate;
}

Estimate Chooser::estimate(const Question& question, const Algorithm& algorithm) {
  Estimate best;
  best.algorithm = algorithm.name();
  if (best.algorithm == "inc" && !executor_.combines_in_network()) {
    best.refusal = "no switch here combines and multicasts";
    return best;
  }
  try {
    best = estimate(question, algorithm, 1);
    if (algorithm.depth(question.request) < 2) return best;
    for (std::uint32_t segments = 4; segments <= kMostSegments; segments *= 4) {
      const Estimate cut = estimate(question, algorithm, segments);
      if (cut.time_ns < best.time_ns) best = cut;
    }
  } catch (const foundation::Fault& fault) {
    best = {};
    best.algorithm = algorithm.name();
    best.refusal = reason_of(fault);
  }
  return best;
}

std::vector<Estimate> Chooser::candidates(const Question& question) {
  std::vector<Estimate> made;
  for (const auto& algorithm : all_algorithms()) {
    const std::vector<Primitive> able = algorithm->primitives();
    if (std::ranges::find(able, question.request.primitive) == able.end()) continue;
    if (algorithm->name() == "hierarchy") continue;  // the caller must name the tiers
    made.push_back(estimate(question, *algorithm));
  }
  std::ranges::stable_sort(made, by_time);
  return made;
}

std::string Chooser::text_of(const Question& question) {
  return table_name(question) + ", " + std::to_string(question.bytes) + ", " + question.redop +
         ", " + question.request.variant + ", " + std::to_string(question.request.root) + ", " +
         std::to_string(question.request.peer);
}

Choice Chooser::known(const Question& question) const {
  const auto found = known_.find(text_of(question));
  return found == known_.end() ? Choice() : found->second;
}

std::vector<Estimate> Chooser::compared(const Question& question) {
  const TimeTable* known = file_.table(table_name(question));
  const bool covered = known != nullptr && known->covers(question.bytes);
  std::vector<Estimate> all = covered ? from_table(question) : candidates(question);
  if (question.bytes > kMostMeasuredBytes) return all;
  TimeTable table = known == nullptr ? TimeTable() : *known;
  if (const auto point = table.points.find(question.bytes); point != table.points.end())
    for (Estimate& each : all)
      if (const auto found = point->second.find(each.algorithm); found != point->second.end()) {
        each.time_ns = found->second.ns;
        each.segments = found->second.segments;
        each.measured = true;
      }
  measure_contenders(question, all, table);
  std::ranges::stable_sort(all, by_time);
  return all;
}

void Chooser::measure_contenders(const Question& question, std::vector<Estimate>& all,
                                 TimeTable& table) {
  std::vector<Estimate*> open = contenders(all);
  while (open.size() > 1) {
    std::erase_if(open, [](const Estimate* each) { return each->measured; });
    if (open.empty()) return;
    for (Estimate* const each : open) measure_size(question, *each, table);
    file_.set_table(table_name(question), table);
    file_.write();
    open = contenders(all);
  }
}

void Chooser::measure_size(const Question& question, Estimate& candidate, TimeTable& table) {
  try {
    const auto outcome =
        executor_.run(schedule(question, candidate), {.where = "measurement for the tuner's table",
                                                      .bytes = question.bytes,
                                                      .type = question.type,
                                                      .redop = question.redop});
    candidate.time_ns = outcome.time_ns();
    candidate.measured = true;
    table.points[question.bytes][candidate.algorithm] = {outcome.time_ns(), candidate.segments};
  } catch (const foundation::Fault& fault) {
    if (fault.kind() != foundation::FaultKind::kDescription) throw;  // too large for the machine
    candidate.refusal = reason_of(fault);
  }
}

std::vector<Estimate> Chooser::from_table(const Question& question) const {
  std::vector<Estimate> made;
  const TimeTable& table = *file_.table(table_name(question));
  const double error = table.error();
  const auto point = table.points.find(question.bytes);
  for (const auto& [algorithm, time] : table.ranking(question.bytes))
    made.push_back({.algorithm = algorithm,
                    .segments = time.segments,
                    .time_ns = time.ns,
                    .measured = point != table.points.end() && point->second.contains(algorithm),
                    .worst_factor = error});
  return made;
}

Choice Chooser::choose(const Question& question) {
  if (Choice before = known(question); !before.algorithm.empty()) return before;
  const ScheduleRequest& request = question.request;
  Choice choice;
  const TimeTable* table = file_.table(table_name(question));
  const bool covered = table != nullptr && table->covers(question.bytes);
  const bool has_size = covered && table->points.contains(question.bytes);
  choice.candidates = compared(question);
  if (choice.candidates.empty() || !choice.candidates.front().refusal.empty())
    throw foundation::Fault(foundation::FaultKind::kDescription, table_name(question),
                            "no algorithm has it here:\n" + choice.text());
  const Estimate& first = choice.candidates.front();
  choice.algorithm = first.algorithm;
  choice.segments = first.segments;
  choice.reason = name_of(request.primitive) + " of " + std::to_string(question.bytes) +
                  " bytes by " + first.algorithm;
  if (first.segments > 1) choice.reason += " in " + std::to_string(first.segments) + " segments";
  choice.reason += ": " + microseconds(first.time_ns);
  if (covered) {
    choice.reason += ", tuner table for " + std::to_string(table->points.begin()->first) + " to " +
                     std::to_string(table->points.rbegin()->first) + " bytes";
    if (first.measured && !has_size) choice.reason += ", measured, since its times are near";
  } else {
    const CostProfile cost =
        profile(class_of(build(question, algorithm_named(first.algorithm), 1)), question);
    choice.reason +=
        (first.measured ? ", measured, since estimates are near; cost model " : ", cost model ") +
        cost.text();
  }
  if (choice.candidates.size() > 1 && choice.candidates[1].refusal.empty())
    choice.reason +=
        "; " + choice.candidates[1].algorithm + " " + microseconds(choice.candidates[1].time_ns);
  known_[text_of(question)] = choice;
  return choice;
}

}  // namespace tvp::collectives
