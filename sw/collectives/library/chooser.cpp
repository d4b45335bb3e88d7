#include "sw/collectives/library/chooser.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

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

/// The sizes with which alpha and beta are measured.
constexpr std::uint64_t kSmallBytes = 4096;
constexpr std::uint64_t kLargeBytes = 64 * 1024;
constexpr std::uint32_t kMostSegments = 64;

struct Probe {
  Primitive primitive;
  const char* algorithm;
  std::uint32_t segments = 1;
};
/// Schedules with different numbers of messages one after the other, and of segments of them.
constexpr Probe kProbes[] = {
    {Primitive::kSendRecv, "pairwise"},      {Primitive::kAllGather, "ring"},
    {Primitive::kBroadcast, "chain", 16},    {Primitive::kBroadcast, "binomial"},
    {Primitive::kBroadcast, "binomial", 16}, {Primitive::kAllToAll, "pairwise"},
    {Primitive::kReduce, "chain"},           {Primitive::kReduce, "chain", 16},
    {Primitive::kAllReduce, "ring"},         {Primitive::kReduce, "binomial"},
    {Primitive::kReduce, "binomial", 16},    {Primitive::kAllReduce, "recursive_doubling"}};

std::shared_ptr<const IdealTopology> links_of(const CollectiveExecutor& executor) {
  return topology_named(executor.links_like(), executor.ranks());
}

IdealMachine ideal_machine(const CollectiveExecutor& executor) {
  IdealMachine machine;
  machine.ports = executor.ports();
  machine.topology = links_of(executor);
  return machine;
}

std::string profile_name(bool combines, bool one_hop, const std::string& type) {
  return std::string(combines ? "combine" : "move") + (one_hop ? " to neighbors, " : ", ") + type;
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
    } else {
      std::snprintf(line, sizeof line, "  n_alpha %.0f, n_beta %.3f, n_gamma %.3f\n", each.n_alpha,
                    each.n_beta, each.n_gamma);
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

CostProfile Chooser::measure(bool combines, bool one_hop, const std::string& type) {
  std::vector<CostSample> samples;
  std::vector<std::uint32_t> order = executor_.ring(executor_.ranks());
  for (const Probe& probe : kProbes) {
    if (reduces(probe.primitive) != combines) continue;
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
    if (executor_.one_hop(schedule) != one_hop) continue;
    question.type = type;
    for (const std::uint64_t bytes : {kSmallBytes, kLargeBytes}) {
      const auto outcome = executor_.run(
          schedule, {.where = "measurement of alpha and beta", .bytes = bytes, .type = type});
      question.bytes = outcome.bytes;
      samples.push_back(costs(question, algorithm_named(probe.algorithm), probe.segments));
      samples.back().ns = outcome.time_ns();
    }
  }
  return fit_cost(samples);
}

CostProfile Chooser::profile(bool combines, bool one_hop, const Question& question) {
  // A collective that combines nothing does not depend on the type.
  const std::string type = combines ? question.type : "fp32";
  const std::string name = profile_name(combines, one_hop, type);
  if (const auto known = file_.profile(name)) return *known;
  CostProfile made = measure(combines, one_hop, type);
  file_.set_profile(name, made);
  file_.write();
  return made;
}

CostSample Chooser::costs(const Question& question, const Algorithm& algorithm,
                          std::uint32_t segments) {
  const IdealMachine machine = ideal_machine(executor_);
  const Schedule schedule = build(question, algorithm, segments);
  CostSample made;
  made.schedule = schedule.name;
  made.bytes = static_cast<double>(question.bytes);
  made.n_alpha = n_alpha(schedule, machine);
  // Ranks forward messages slice by slice, which has the effect of segments.
  std::uint32_t slices = 1;
  if (algorithm.depth(question.request) > 1) {
    const auto task = executor_.prepare(
        schedule, {.bytes = question.bytes, .type = question.type, .redop = question.redop});
    const std::uint32_t stripe = task->chunk_bytes / task->programs.workers();
    slices = std::clamp((stripe + task->programs.slice_bytes() - 1) / task->programs.slice_bytes(),
                        1U, std::max(1U, kMostSegments / segments));
  }
  const Schedule sliced = slices == 1 ? schedule : build(question, algorithm, segments * slices);
  made.n_beta = n_beta(sliced, machine);
  made.n_gamma = n_gamma(sliced, machine);
  return made;
}

Estimate Chooser::estimate(const Question& question, const Algorithm& algorithm,
                           std::uint32_t segments) {
  const Schedule schedule = build(question, algorithm, segments);
  const CostProfile cost =
      profile(reduces(schedule.primitive), executor_.one_hop(schedule), question);
  const CostSample made = costs(question, algorithm, segments);
  Estimate estimate;
  estimate.algorithm = algorithm.name();
  estimate.segments = segments;
  estimate.time_ns = cost.time(made);
  estimate.n_alpha = made.n_alpha;
  estimate.n_beta = made.n_beta;
  estimate.n_gamma = made.n_gamma;
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

void Chooser::measure_size(const Question& question) {
  constexpr double kNear = 2;  // estimates are within this factor
  TimeTable table = *file_.table(table_name(question));
  std::vector<Estimate> all = candidates(question);
  std::erase_if(all, [](const Estimate& each) { return !each.refusal.empty(); });
  double least = std::numeric_limits<double>::max();
  for (Estimate& each : all) {
    if (const auto known = table.time(each.algorithm, question.bytes)) each.time_ns = known->ns;
    least = std::min(least, each.time_ns);
  }
  for (const Estimate& each : all) {
    if (each.time_ns > kNear * least) continue;
    try {
      const auto outcome =
          executor_.run(schedule(question, each), {.where = "measurement for the tuner's table",
                                                   .bytes = question.bytes,
                                                   .type = question.type,
                                                   .redop = question.redop});
      table.points[question.bytes][each.algorithm] = {outcome.time_ns(), each.segments};
    } catch (const foundation::Fault& fault) {
      if (fault.kind() != foundation::FaultKind::kDescription) throw;  // too large for the machine
    }
  }
  file_.set_table(table_name(question), table);
  file_.write();
}

std::vector<Estimate> Chooser::from_table(const Question& question) {
  if (!file_.table(table_name(question))->covers(question.bytes)) measure_size(question);
  std::vector<Estimate> made;
  for (const auto& [algorithm, time] : file_.table(table_name(question))->ranking(question.bytes))
    made.push_back(
        {.algorithm = algorithm, .segments = time.segments, .time_ns = time.ns, .measured = true});
  return made;
}

Choice Chooser::choose(const Question& question) {
  if (Choice before = known(question); !before.algorithm.empty()) return before;
  const ScheduleRequest& request = question.request;
  Choice choice;
  const TimeTable* table = file_.table(table_name(question));
  choice.candidates = table != nullptr ? from_table(question) : candidates(question);
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
  if (table != nullptr) {
    choice.reason += ", tuner table for " + std::to_string(table->points.begin()->first) + " to " +
                     std::to_string(table->points.rbegin()->first) + " bytes";
  } else {
    const bool one_hop = executor_.one_hop(build(question, algorithm_named(first.algorithm), 1));
    const CostProfile cost = profile(reduces(request.primitive), one_hop, question);
    choice.reason += ", cost model " + cost.text();
  }
  if (choice.candidates.size() > 1 && choice.candidates[1].refusal.empty())
    choice.reason +=
        "; " + choice.candidates[1].algorithm + " " + microseconds(choice.candidates[1].time_ns);
  known_[text_of(question)] = choice;
  return choice;
}

}  // namespace tvp::collectives
