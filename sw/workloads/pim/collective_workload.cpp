#include "sw/workloads/pim/collective_workload.h"

#include <cstdio>

#include "sw/collectives/registry.h"
#include "sw/collectives/ring_schedule.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/pim_system.h"

namespace tvp::workloads::pim {

using collectives::Collective;
using collectives::CollectiveRun;
using collectives::HostPath;
using collectives::Request;
using collectives::Vectors;

namespace {

std::string name_of(const Collective& collective) { return "pim_" + collective.name(); }

}  // namespace

CollectiveWorkload::Config::Config(const Collective& collective)
    : SettingGroup(name_of(collective), SetBy::kRun),
      nodes(*this, {"nodes", "", "units that take part, from unit 0 on; 0 for all", "workload"},
            {.value = 0, .min = 0, .max = 4096}),
      bytes(*this,
            {"bytes", "bytes", "the whole vector, whose chunks are scattered or gathered",
             "workload"},
            {.value = 65536, .min = 0, .max = 1U << 25}),
      type(*this, {"type", "", "of the elements", "workload"},
           {.value = "fp32", .choices = {"fp32", "int32", "int64"}}),
      algorithm(*this,
                {"algorithm", "",
                 "what the units do, in_switch: hierarchical, and the switch between the chips of "
                 "a rank combines and multicasts, or host: they stop, and the host moves "
                 "everything over the "
                 "DDR bus as today's hardware has to",
                 "PIM interconnect document"},
                {.value = collective.algorithms().front(), .choices = collective.algorithms()}),
      form(*this,
           {"form", "",
            "flat: one group of all ranks; hierarchical: inside chips, then across chips, then "
            "across ranks",
            "PIM interconnect document (flat)"},
           {.value = "flat", .choices = {"flat", "hierarchical"}}),
      sync(*this,
           {"sync", "",
            "credits, which are messages; barriers: all meet after every step, and messages that "
            "would meet on a link of a static schedule are sent in phases with a barrier behind "
            "each; auto: barriers with mesh.flow_control=static, else credits",
            "PIMnet, HPCA 2025 (barriers: no flow control, start when all are ready)"},
           {.value = "auto", .choices = {"auto", "credits", "barriers"}}),
      host(*this) {
  add_own(collective);
}

void CollectiveWorkload::Config::add_own(const Collective& collective) {
  if (collective.reduces()) {
    op.emplace(
        *this,
        foundation::SettingBase::Declaration{
            "op", "", "what combines the elements; integers wrap, bitwise ones are for integers",
            "workload"},
        foundation::Choice::Names{.value = "sum",
                                  .choices = {"sum", "max", "min", "prod", "band", "bor", "bxor"}});
  }
  if (collective.has_ring()) {
    order.emplace(
        *this,
        foundation::SettingBase::Declaration{
            "order", "",
            "ring in the order of units, or along a closed way over the mesh whose hops are all 1",
            "PIM interconnect document (row_major)"},
        foundation::Choice::Names{.value = "row_major", .choices = {"row_major", "hamiltonian"}});
  }
  if (!collective.document_algorithm().empty()) {
    variant.emplace(
        *this,
        foundation::SettingBase::Declaration{
            "variant", "",
            "as_written: what the PIM interconnect document says word for word; its "
            "sums and products are wrong",
            "workload"},
        foundation::Choice::Names{.value = "standard", .choices = {"standard", "as_written"}});
  }
  if (collective.has_root()) {
    pipelined.emplace(
        *this,
        foundation::SettingBase::Declaration{
            "pipelined", "", "forward slice by slice; otherwise the whole vector, child by child",
            "workload"},
        true);
    root.emplace(
        *this,
        foundation::SettingBase::Declaration{"root", "", "rank that has the vector", "workload"},
        foundation::Setting<std::uint32_t>::Range{.value = 0, .min = 0, .max = 4095});
  }
}

CollectiveWorkload::CollectiveWorkload(const std::string& collective)
    : Workload({.name = name_of(collectives::find_collective(collective)),
                .summary = collectives::find_collective(collective).summary(),
                .system = "pim_rank",
                .max_time_ns = 10e9},
               config_),
      collective_(collectives::find_collective(collective)),
      config_(collective_) {}

Request CollectiveWorkload::request(std::uint64_t seed) const {
  Request request(collective_);
  request.name = name();
  request.nodes = config_.nodes;
  request.bytes = config_.bytes;
  request.type = config_.type.value();
  request.algorithm = config_.algorithm.value();
  request.hierarchical = config_.form == "hierarchical" || request.algorithm == "in_switch";
  if (config_.op) request.op = config_.op->value();
  if (config_.order) request.order = config_.order->value();
  request.sync = config_.sync.value();
  request.as_written = config_.variant && *config_.variant == "as_written";
  request.pipelined = !config_.pipelined || config_.pipelined->value();
  if (config_.root) request.root = config_.root->value();
  request.seed = seed;
  return request;
}

Result CollectiveWorkload::run(Context& context) {
  runtime::PimSystem system(context.library);
  const Request asked = request(context.seed);
  CollectiveRun run(system, asked);
  run.place_operands();
  CollectiveRun::Outcome outcome;
  Result result;
  double time_ns = 0;
  if (asked.algorithm == "host") {
    const double from = static_cast<double>(context.library.time_ps()) / 1000.0;
    const HostPath::Times t = HostPath(config_.host, system, context.library).run(asked, run);
    time_ns = t.whole_ns();
    result.phases = {{"banks to host", from, from + t.read_ns},
                     {"reduce on host", from + t.read_ns, from + t.read_ns + t.reduce_ns},
                     {"host to banks", from + t.read_ns + t.reduce_ns, from + time_ns},
                     {"whole", from, from + time_ns}};
  } else {
    run.run_units(outcome);
    time_ns = system.ns(outcome.end - outcome.begin);
    const double begin = system.ns(outcome.begin);
    if (const auto halves = collective_.halves(asked); !halves.empty()) {
      result.phases.push_back({halves[0], begin, system.ns(outcome.middle)});
      result.phases.push_back({halves[1], system.ns(outcome.middle), system.ns(outcome.end)});
    }
    result.phases.push_back({"whole", begin, system.ns(outcome.end)});
  }
  context.compile_seconds += system.compile_seconds();
  run.judge(outcome);
  result.passed = outcome.reason.empty();
  result.reason = outcome.reason;
  result.max_abs_error = outcome.verdict.max_abs_error;
  result.max_rel_error = outcome.verdict.max_rel_error;
  result.error_bound = collective_.reduces() ? run.vectors().bound() : 0;
  measure(asked, run, time_ns, system, context, result);
  result.metrics.push_back({"wrong", static_cast<double>(outcome.verdict.wrong), "elements"});
  for (unsigned unit = 0; unit < run.plan().ranks && asked.algorithm != "host"; ++unit) {
    const std::string output = system.output(unit);
    if (!output.empty()) context.print("unit " + std::to_string(unit) + ": " + output);
  }
  return result;
}

/// The columns of nccl-tests, and what the algorithm costs in messages and vectors.
void CollectiveWorkload::measure(const Request& request, const CollectiveRun& run, double time_ns,
                                 const runtime::PimSystem& system, Context& context,
                                 Result& result) const {
  const Vectors& vectors = run.vectors();
  const unsigned ranks = run.plan().ranks;
  const double algbw = time_ns > 0 ? static_cast<double>(vectors.bytes()) / time_ns : 0;
  const double busbw = algbw * collective_.bus_factor(ranks);
  char line[256];
  context.print("        size       count   type  redop  root      time(us)   algbw   busbw");
  std::snprintf(line, sizeof line, "%12llu%12llu%7s%7s%6s%14.2f%8.4f%8.4f",
                static_cast<unsigned long long>(vectors.bytes()),
                static_cast<unsigned long long>(vectors.elements()), request.type.c_str(),
                collective_.reduces() ? request.op.c_str() : "none",
                collective_.has_root() ? std::to_string(request.root).c_str() : "-1",
                time_ns / 1000, algbw, busbw);
  context.print(line);
  result.metrics = {
      {"nodes", static_cast<double>(ranks), ""},
      {"size", static_cast<double>(vectors.bytes()), "bytes"},
      {"count", static_cast<double>(vectors.elements()), "elements"},
      {"time", time_ns / 1000, "us"},
      {"kernel_cycles", time_ns * static_cast<double>(system.clock_mhz()) / 1000, "cycles"},
      {"algbw", algbw, "GB/s"},
      {"busbw", busbw, "GB/s"}};
  if (request.algorithm == "host") return;
  const collectives::Cost spent = collective_.cost(request, run.plan());
  result.metrics.push_back({"n_alpha", spent.alpha, "messages"});
  result.metrics.push_back({"n_beta", spent.beta, "vectors"});
  if (!config_.order || request.hierarchical) return;
  const collectives::RingHops hops = ring_hops(run.plan(), system.mesh_width());
  result.metrics.push_back({"longest_hop", static_cast<double>(hops.longest), "links"});
  result.metrics.push_back({"ring_hops", static_cast<double>(hops.sum), "links"});
}

std::vector<std::unique_ptr<Workload>> make_collective_workloads() {
  std::vector<std::unique_ptr<Workload>> all;
  for (const auto& collective : collectives::make_collectives())
    all.push_back(std::make_unique<CollectiveWorkload>(collective->name()));
  return all;
}

}  // namespace tvp::workloads::pim
