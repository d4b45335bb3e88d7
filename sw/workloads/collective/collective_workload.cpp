#include "sw/workloads/collective/collective_workload.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/algorithms/torus.h"
#include "sw/collectives/execution/chip_executor.h"
#include "sw/collectives/execution/chip_topology.h"
#include "sw/collectives/execution/pim_executor.h"
#include "sw/collectives/execution/switch_wiring.h"
#include "sw/collectives/files/schedule_file.h"
#include "sw/collectives/ideal/figures.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/collectives/schedule/schedule_text.h"
#include "sw/collectives/tool/request_words.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"
#include "sw/workloads/collective/algorithm_comparison.h"
#include "sw/workloads/collective/contention.h"
#include "sw/workloads/collective/link_maps.h"
#include "sw/workloads/collective/message_cost_fit.h"
#include "sw/workloads/collective/size_list.h"

namespace tvp::workloads::collective {

using collectives::Schedule;

namespace {

/// Values of the keys for algorithm and operation besides the names of algorithms and operations.
constexpr const char* kChosen = "auto";
constexpr const char* kEach = "all";

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const auto& algorithm : collectives::all_algorithms()) names.push_back(algorithm->name());
  names.insert(names.end(), {kChosen, kEach});
  return names;
}

bool is_switch(std::uint32_t rank) { return rank == collectives::kSwitch; }
bool is_switch(const std::pair<std::uint32_t, std::uint32_t>&) { return false; }

bool has_units(const runtime::DeviceLibrary& library) {
  const auto system = nlohmann::json::parse(library.system(), nullptr, false);
  return system.is_object() && system.contains("units");
}

/// Adds the compile time to the context, also for a run that ends with a fault or a hang.
class CompileTime {
 public:
  CompileTime(runtime::MeshDevice& mesh, Context& context) : mesh_(mesh), context_(context) {}
  ~CompileTime() { context_.compile_seconds += mesh_.compile_seconds(); }
  CompileTime(const CompileTime&) = delete;
  CompileTime& operator=(const CompileTime&) = delete;

 private:
  runtime::MeshDevice& mesh_;
  Context& context_;
};

constexpr const char* kHead =
    "        size       count   type  redop  root    time(us)   algbw   busbw  #wrong";

/// The largest load of a link between neighbors in one direction, over all workers.
std::uint64_t busiest(const collectives::CollectiveExecutor::LinkLoads& loads) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> bytes;
  std::uint64_t most = 0;
  for (const auto& link : loads.links)
    most = std::max(most, bytes[{link.from, link.to}] += link.bytes);
  return most;
}

}  // namespace

CollectiveWorkload::Config::Config()
    : SettingGroup("collective", SetBy::kRun),
      op(*this,
         {"op", "", "collective operation; all: every operation, by algo=all (only with schedule=)",
          "nccl-tests"},
         {.value = "all_reduce",
          .choices = {"broadcast", "reduce", "all_reduce", "reduce_scatter", "all_gather",
                      "all_to_all", "gather", "scatter", "send_recv", kEach}}),
      algo(*this,
           {"algo", "",
            "algorithm that builds the schedule; auto: the library's choice; all: every algorithm, "
            "for the table of the library (only with schedule=)",
            "workload"},
           {.value = "ring", .choices = algorithm_names()}),
      variant(
          *this,
          {"variant", foundation::kNoFile,
           "variant of the algorithm; empty: its default (only with algo!=auto|all)", "workload"},
          ""),
      schedule(*this,
               {"schedule", foundation::kInputFile,
                "file of a schedule (JSON, or XML of MSCCL) that replaces op, algo and their keys",
                "workload"},
               ""),
      slots(
          *this,
          {"slots", "messages",
           "messages as long as the longest by which a sender of schedule= may be ahead, at most; "
           "the run uses the fewest chunks with which the schedule is right",
           "NCCL_STEPS of NCCL"},
          {.value = collectives::kSlotsOfFiles, .min = 1, .max = 1024}),
      bytes(*this,
            {"bytes", foundation::TextUse{"bytes"},
             "size of the whole vector: one size, several (64K,1M), or from:to:step or "
             "from:to:*factor",
             "workload"},
            "64K"),
      type(*this, {"type", "", "type of the elements", "workload"},
           {.value = "fp32", .choices = {"fp32", "bf16", "int32"}}),
      redop(
          *this,
          {"redop", "",
           "operation that combines elements; avg is a sum divided by the number of ranks; band, "
           "bor and bxor are for int32 (only with op=reduce|all_reduce|reduce_scatter|all)",
           "workload"},
          {.value = "sum", .choices = {"sum", "prod", "max", "min", "avg", "band", "bor", "bxor"}}),
      ranks(*this,
            {"ranks", "", "number of devices or units that take part, from the first on; 0: all",
             "workload"},
            {.value = 0, .min = 0, .max = 4096}),
      root(*this,
           {"root", "",
            "rank that has the vector, or receives it (only with "
            "op=broadcast|reduce|gather|scatter|send_recv|all)",
            "workload"},
           {.value = 0, .min = 0, .max = 4095}),
      peer(*this,
           {"peer", "", "rank that receives in send_recv (only with op=send_recv|all)", "workload"},
           {.value = 1, .min = 0, .max = 4095}),
      segments(
          *this,
          {"segments", "", "pieces of a message that follow each other (only with algo!=auto|all)",
           "workload"},
          {.value = 1, .min = 1, .max = 4096}),
      channels(*this,
               {"channels", "",
                "channels that run side by side; segments are dealt out among them (only with "
                "algo!=auto|all)",
                "workload"},
               {.value = 1, .min = 1, .max = 64}),
      both_ways(*this,
                {"both_ways", "",
                 "every second channel goes round in the other direction (only with channels!=1)",
                 "workload"},
                false),
      workers(*this,
              {"workers", "",
               "cores of a chip, each with a stripe of every chunk and one link of each edge; 0: "
               "as many as links",
               "workload"},
              {.value = 0, .min = 0, .max = 4}),
      buffer(
          *this,
          {"buffer", "",
           "chunks that the algorithm may store for other ranks; 0: no limit (only with algo=pat)",
           "workload"},
          {.value = 0, .min = 0, .max = 4096}),
      order(
          *this,
          {"order", foundation::kNoFile,
           "order of the ranks, such as 0,1,3,2. hamiltonian:4x8 is a way over a mesh with hops of "
           "1; empty: the order of the system (only with algo!=auto|all)",
           "workload"},
          ""),
      tiers(*this,
            {"tiers", foundation::kNoFile,
             "sizes of the tiers of algorithm hierarchy, or axes of algorithm torus, the outermost "
             "first, such as 4x8; empty: the axes of the system's torus (only with "
             "algo=hierarchy|torus)",
             "workload"},
            ""),
      inner(
          *this,
          {"inner", foundation::kNoFile,
           "algorithm of each tier, such as ring,pairwise; empty: ring (only with algo=hierarchy)",
           "workload"},
          ""),
      tuning(*this,
             {"tuning", foundation::kInputFile,
              "file of measured costs for algo=auto and algo=all; empty: the system's file in the "
              "cache",
              "workload"},
             "") {}

CollectiveWorkload::CollectiveWorkload()
    : Workload({.name = "collective",
                .summary = "a collective by any algorithm, between chips or PIM units",
                .system = "small_ring",
                .max_time_ns = 10e9},
               config_) {}

Result CollectiveWorkload::run(Context& context) {
  check();
  // Chips take seconds to build, so requests that their links do not allow are refused before.
  std::optional<Schedule> proved;
  if (const auto chips = collectives::ChipTopology::described(
          context.library.has_system() ? context.library.system() : ""))
    proved = schedule(chips->ranks());
  context.library.init();
  if (has_units(context.library)) {
    if (config_.workers != 0)
      runtime::bad_use("collective.workers",
                       "is " + std::to_string(config_.workers) +
                           " and has no effect on PIM units: expected a system of chips");
    runtime::PimSystem system(context.library);
    collectives::PimExecutor executor(system);
    Result result = run_on(executor, context, 1, schedule(executor.shape()));
    context.compile_seconds += system.compile_seconds();
    return result;
  }
  runtime::MeshDevice::Options options;
  options.print = context.print;
  runtime::MeshDevice mesh(context.library, options);
  const CompileTime compile_time(mesh, context);
  collectives::ChipExecutor executor(mesh, {.workers = config_.workers});
  if (!proved) proved = schedule(executor.shape());
  Result result = run_on(executor, context, executor.workers(), std::move(proved));
  executor.finish();
  return result;
}

Result CollectiveWorkload::run_on(Executor& executor, Context& context, std::uint32_t workers,
                                  std::optional<Schedule> proved) {
  if (config_.algo == kEach) return compare(executor, context, workers);
  if (proved)
    return run_sizes(executor, context,
                     [schedule = std::move(*proved)](std::uint64_t) { return schedule; });
  collectives::Chooser choosing = chooser(executor, context, workers);
  return run_sizes(executor, context, [&](std::uint64_t bytes) {
    const auto about = question(executor, collectives::primitive_named(config_.op.value()), bytes);
    const collectives::Choice choice = choosing.choose(about);
    context.print(choice.text());
    return choosing.schedule(about, choice.candidates.front());
  });
}

void CollectiveWorkload::check() const {
  collectives::require_redop(
      {.where = "collective", .type = config_.type.value(), .redop = config_.redop.value()});
  for (const std::uint64_t size : parse_sizes("collective.bytes", config_.bytes.value()))
    collectives::require_bytes(
        {.where = "collective", .bytes = size, .type = config_.type.value()});
  if (config_.slots != collectives::kSlotsOfFiles && config_.schedule.value().empty())
    runtime::bad_use("collective.slots", "has no effect: expected collective.schedule with it");
  const foundation::SettingBase* const builders[] = {
      &config_.variant, &config_.segments, &config_.channels, &config_.both_ways,
      &config_.buffer,  &config_.order,    &config_.tiers,    &config_.inner};
  for (const foundation::SettingBase* const key : builders)
    if (!config_.schedule.value().empty() && !key->is_default())
      runtime::bad_use("collective." + key->info().name,
                       "has no effect with collective.schedule, whose file has all steps");
  const bool each = config_.algo.value() == kEach;
  if (config_.op.value() == kEach && !each)
    runtime::bad_use("collective.op", "is all: expected collective.algo=all with it");
  if (each && !config_.schedule.value().empty())
    runtime::bad_use("collective.schedule",
                     "cannot be combined with collective.algo=all: expected one of the two");
  const bool asks = each || (config_.algo == kChosen && config_.schedule.value().empty());
  if (!config_.tuning.value().empty() && !asks)
    runtime::bad_use("collective.tuning",
                     "has no effect: expected collective.algo=auto or all with it");
  if (each && config_.redop == "avg")
    runtime::bad_use("collective.redop", "is avg: expected sum, prod, max or min with algo=all");
}

std::optional<Schedule> CollectiveWorkload::schedule(const collectives::RankShape& shape) {
  // This check precedes the schedule, whose memory grows with the square of the ranks.
  if (config_.ranks > shape.ranks)
    runtime::bad_use("collective.ranks", "is " + std::to_string(config_.ranks) +
                                             ", the system has " + std::to_string(shape.ranks));
  const bool from_file = !config_.schedule.value().empty();
  if (!from_file && (config_.algo == kEach || config_.algo == kChosen)) return {};
  Schedule made = from_file ? read() : built(shape);
  if (shape.links_like != "crossbar") collectives::SwitchWiring::check(made, {});
  collectives::RankPrograms::require_room(made, shape.memory_bytes);
  if (!from_file)
    collectives::require_right(made);
  else
    proved_slots_ = collectives::slots_that_suffice(made, config_.slots);
  return made;
}

collectives::Chooser CollectiveWorkload::chooser(Executor& executor, Context& context,
                                                 std::uint32_t workers) const {
  using collectives::Chooser;
  const std::string key = Chooser::system_key(context.library, workers);
  const std::string path =
      config_.tuning.value().empty() ? Chooser::default_path(key) : config_.tuning.value();
  return {executor, collectives::TuningFile(path, key, executor.topology())};
}

collectives::Chooser::Question CollectiveWorkload::question(const Executor& executor,
                                                            collectives::Primitive primitive,
                                                            std::uint64_t bytes) const {
  collectives::Chooser::Question made;
  made.request.primitive = primitive;
  made.request.ranks = config_.ranks == 0 ? executor.ranks() : config_.ranks.value();
  made.request.root = config_.root;
  made.request.peer = config_.peer;
  made.request.average = config_.redop == "avg" && collectives::reduces(primitive);
  made.bytes = bytes;
  made.type = config_.type.value();
  made.redop = config_.redop.value();
  return made;
}

Result CollectiveWorkload::compare(Executor& executor, Context& context, std::uint32_t workers) {
  const std::vector<std::uint64_t> sizes = parse_sizes("collective.bytes", config_.bytes.value());
  collectives::Chooser choosing = chooser(executor, context, workers);
  AlgorithmComparison comparison(executor, choosing, context.seed, context.print);
  Result result;
  result.passed = true;
  std::vector<std::string> names{config_.op.value()};
  if (names[0] == kEach)
    names = {"broadcast",  "reduce", "all_reduce", "reduce_scatter", "all_gather",
             "all_to_all", "gather", "scatter",    "send_recv"};
  for (const std::string& name : names)
    comparison.run(question(executor, collectives::primitive_named(name), 0), sizes, result);
  choosing.file().write();
  result.remarks.push_back("written to " + choosing.file().path());
  return result;
}

Schedule CollectiveWorkload::built(const collectives::RankShape& shape) const {
  collectives::ScheduleRequest request;
  request.primitive = collectives::primitive_named(config_.op.value());
  request.ranks = config_.ranks == 0 ? shape.ranks : config_.ranks.value();
  request.root = config_.root;
  request.peer = config_.peer;
  request.segments = std::max(config_.segments.value(), config_.channels.value());
  request.channels = config_.channels;
  request.both_ways = config_.both_ways;
  request.variant = config_.variant.value();
  request.buffer = config_.buffer;
  const bool has_order = !config_.order.value().empty();
  if (has_order)
    request.order = collectives::order_of("collective.order", config_.order.value(), request.ranks);
  else if (request.ranks == shape.ranks)
    request.order = shape.ring;
  if (!config_.tiers.value().empty())
    request.tiers = collectives::tiers_of("collective.tiers", config_.tiers.value(),
                                          "collective.inner", config_.inner.value());
  if (config_.algo == "torus") request.tiers = torus_axes(shape, request);
  request.average = config_.redop == "avg" && collectives::reduces(request.primitive);
  const collectives::Algorithm& algorithm = collectives::algorithm_named(config_.algo.value());
  if (!has_order && !algorithm.refusal(request).empty())
    request.order.clear();  // some algorithms have no order
  return algorithm.schedule(request);
}

/// A switch joins the ranks in any shape. Links that form no such torus are refused.
std::vector<collectives::Tier> CollectiveWorkload::torus_axes(
    const collectives::RankShape& shape, const collectives::ScheduleRequest& request) const {
  if (shape.links_like == "crossbar") return request.tiers;
  const auto sizes = [](const std::vector<collectives::Tier>& axes) {
    std::vector<std::uint32_t> made;
    for (const collectives::Tier& axis : axes) made.push_back(axis.size);
    return made;
  };
  std::vector<collectives::Tier> axes = collectives::Torus::axes(shape.links_like, shape.ranks);
  if (axes.empty() || request.ranks != shape.ranks)
    runtime::bad_use("collective.algo", "is torus for " + std::to_string(request.ranks) +
                                            " ranks of a " + shape.topology +
                                            ": expected all ranks of a ring or torus");
  if (!request.tiers.empty() && sizes(request.tiers) != sizes(axes))
    runtime::bad_use("collective.tiers", "is " + config_.tiers.value() + ": the system is a " +
                                             shape.topology + ", expected its axes");
  return axes;
}

Schedule CollectiveWorkload::read() const {
  Schedule made = collectives::read_schedule(config_.schedule.value());
  if (config_.ranks != 0 && config_.ranks != made.size())
    runtime::bad_use("collective.ranks", "is " + std::to_string(config_.ranks) + ", the schedule " +
                                             config_.schedule.value() + " is for " +
                                             std::to_string(made.size()));
  const bool average = config_.redop == "avg" && collectives::reduces(made.primitive);
  if (average != made.average)
    runtime::bad_use("collective.redop",
                     "is " + config_.redop.value() + ", the schedule " + config_.schedule.value() +
                         (made.average ? " makes an average: expected avg" : " makes no average"));
  return made;
}

Result CollectiveWorkload::run_sizes(Executor& executor, Context& context,
                                     const ScheduleOf& schedule_of) {
  const std::vector<std::uint64_t> sizes = parse_sizes("collective.bytes", config_.bytes.value());
  Schedule what;
  Result result;
  result.passed = true;
  std::vector<double> bytes;
  std::vector<double> times;
  Executor::Outcome last;
  for (const std::uint64_t size : sizes) {
    Schedule next = schedule_of(size);
    if (next.name != what.name) {
      context.print(next.name + " on a " + executor.topology());
      context.print(kHead);
    }
    what = std::move(next);
    last = executor.run(what, {.where = "collective",
                               .bytes = size,
                               .type = config_.type.value(),
                               .redop = config_.redop.value(),
                               .seed = context.seed,
                               .slots = proved_slots_});
    context.print(row(last, what));
    bytes.push_back(static_cast<double>(last.bytes));
    times.push_back(last.time_ns());
    result.max_abs_error = std::max(result.max_abs_error, last.max_abs_error);
    result.max_rel_error = std::max(result.max_rel_error, last.max_rel_error);
    result.error_bound = last.bound;
    if (result.passed) result.reason = last.reason;
    result.passed = result.passed && last.reason.empty();
  }
  measure(what, last, port_rate(context.library, last.stripes), result);
  const Executor::LinkLoads loads = executor.link_loads(last);
  result.metrics.push_back({"busiest_link",
                            static_cast<double>(busiest(loads)) / static_cast<double>(last.bytes),
                            "vectors"});
  if (sizes.size() > 1) {
    const MessageCost cost = fit_message_cost(bytes, times);
    result.metrics.push_back({"fitted_alpha", cost.alpha_ns / 1000, "us"});
    result.metrics.push_back({"fitted_rate", cost.bytes_per_ns, "GB/s"});
    result.metrics.push_back({"fit_deviation", 100 * cost.worst_deviation, "%"});
    Curve curve;
    curve.name = "algbw over size";
    curve.x_label = "bytes";
    curve.y_label = "GB/s";
    curve.log_x = true;
    curve.series.push_back({what.name, bytes, {}});
    for (std::size_t i = 0; i < bytes.size(); ++i)
      curve.series.back().y.push_back(bytes[i] / times[i]);
    result.curves.push_back(curve);
  }
  if (what.primitive == collectives::Primitive::kCustom)
    result.remarks.push_back(
        "a custom collective has no golden result: the checker has proved that it has no deadlock, "
        "race or unread data");
  show(what, last, context, result);
  add_link_maps(loads, result);
  return result;
}

std::string CollectiveWorkload::row(const Executor::Outcome& outcome, const Schedule& what) const {
  const double algbw = static_cast<double>(outcome.bytes) / outcome.time_ns();
  const bool combines = collectives::reduces(what.primitive);
  const bool rooted = what.primitive == collectives::Primitive::kBroadcast ||
                      what.primitive == collectives::Primitive::kReduce ||
                      what.primitive == collectives::Primitive::kGather ||
                      what.primitive == collectives::Primitive::kScatter ||
                      what.primitive == collectives::Primitive::kSendRecv;
  char line[160];
  std::snprintf(line, sizeof line, "%12llu%12llu%7s%7s%6s%12.2f%8.3f%8.3f%8llu",
                static_cast<unsigned long long>(outcome.bytes),
                static_cast<unsigned long long>(outcome.elements), config_.type.value().c_str(),
                combines ? config_.redop.value().c_str() : "none",
                rooted ? std::to_string(what.root).c_str() : "-1", outcome.time_ns() / 1000, algbw,
                algbw * collectives::bus_factor(what.primitive, what.size()),
                static_cast<unsigned long long>(outcome.wrong));
  return line;
}

/// Adds the figures of the last size: the columns of nccl-tests and the ranks' counts.
void CollectiveWorkload::measure(const Schedule& what, const Executor::Outcome& outcome,
                                 double port_rate, Result& result) const {
  const double algbw = static_cast<double>(outcome.bytes) / outcome.time_ns();
  std::map<std::uint32_t, std::uint64_t> sent;
  std::map<std::uint32_t, std::uint64_t> received;
  std::map<std::uint32_t, std::uint64_t> messages;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> edges;
  for (const Executor::Traffic& traffic : outcome.traffic) {
    sent[traffic.from] += traffic.bytes;
    received[traffic.to] += traffic.bytes;
    messages[traffic.from] += traffic.messages;  // each worker sends its stripe
    edges[{traffic.from, traffic.to}] += traffic.bytes;
  }
  const auto most = [](const auto& counts) {
    std::uint64_t value = 0;
    for (const auto& [who, count] : counts)
      if (!is_switch(who)) value = std::max(value, count);
    return static_cast<double>(value);
  };
  const double whole = static_cast<double>(outcome.bytes);
  result.metrics = {{"ranks", static_cast<double>(what.size()), ""},
                    {"size", whole, "bytes"},
                    {"count", static_cast<double>(outcome.elements), "elements"},
                    {"time", outcome.time_ns() / 1000, "us"},
                    {"algbw", algbw, "GB/s"},
                    {"busbw", algbw * collectives::bus_factor(what.primitive, what.size()), "GB/s"},
                    {"wrong", static_cast<double>(outcome.wrong), "elements"},
                    {"most_messages_sent", most(messages) / outcome.stripes, "messages"},
                    {"most_sent", most(sent) / whole, "vectors"},
                    {"most_received", most(received) / whole, "vectors"},
                    {"busiest_pair", most(edges), "bytes"},
                    {"slice", static_cast<double>(outcome.slice_bytes), "bytes"},
                    {"rounds", static_cast<double>(outcome.rounds), ""},
                    {"workers", static_cast<double>(outcome.workers), "a rank"}};
  if (what.primitive == collectives::Primitive::kBroadcast)
    result.metrics.push_back({"busbw_of_shares", algbw * (what.size() - 1) / what.size(), "GB/s"});
  // Adds the cost of the schedule on an ideal fabric. Each set of lanes has a core and so a port.
  const collectives::IdealMachine ports{.ports = outcome.workers / outcome.stripes, .slots = 8};
  const double n_alpha = collectives::n_alpha(what, ports);
  const double n_beta = collectives::n_beta(what, ports);
  result.metrics.push_back({"ports_ideal", static_cast<double>(ports.ports), "a rank"});
  result.metrics.push_back({"n_alpha_ideal", n_alpha, "messages"});
  result.metrics.push_back({"n_beta_ideal", n_beta, "vectors"});
  result.metrics.push_back({"busiest_port_ideal", collectives::busiest_port(what), "vectors"});
  if (port_rate <= 0) return;
  const Contention found = contention(what, outcome, n_alpha, n_beta, port_rate);
  result.metrics.push_back({"alpha_least", found.alpha_ns / 1000, "us"});
  result.metrics.push_back({"port_rate", found.bytes_per_ns, "GB/s"});
  result.metrics.push_back({"eta_alpha", found.eta_alpha, ""});
  if (found.eta_beta)
    result.metrics.push_back({"eta_beta", *found.eta_beta, ""});
  else
    result.remarks.push_back(
        "no eta_beta: messages overlap, so the run is shorter than n_alpha alpha alone");
}

/// Rows of the timeline: a rank and lane each, a span a step.
void CollectiveWorkload::show(const Schedule& what, const Executor::Outcome& outcome,
                              Context& context, Result& result) {
  result.phases.push_back({"whole", outcome.begin_ns, outcome.end_ns});
  for (const Executor::Span& span : outcome.spans) {
    const collectives::Step& step = what.ranks[span.rank].lanes[span.lane].steps[span.step];
    std::string row_name = "rank" + std::to_string(span.rank);
    if (outcome.workers > 1) row_name += ".worker" + std::to_string(span.worker);
    if (what.ranks[span.rank].lanes.size() > 1) row_name += ".lane" + std::to_string(span.lane);
    const std::string name = collectives::step_text(step);
    context.library.span(row_name, name, static_cast<std::uint64_t>(span.begin_ns),
                         static_cast<std::uint64_t>(span.end_ns));
    const collectives::Place& place =
        step.source.memory != collectives::Memory::kNone ? step.source : step.destination;
    const std::string group =
        place.memory == collectives::Memory::kNone
            ? "no chunk"
            : (place.memory == collectives::Memory::kScratch ? "scratch " : "chunk ") +
                  std::to_string(place.index);
    result.timeline.push_back({row_name, name, span.begin_ns, span.end_ns, group});
  }
}

}  // namespace tvp::workloads::collective
