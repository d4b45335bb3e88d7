#include "sw/workloads/pim/pim_collective_workload.h"

#include <cstdio>

#include "sw/collectives/execution/collective_executor.h"
#include "sw/collectives/pim/port_cost.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/pim_system.h"

namespace tvp::workloads::pim {

using collectives::BankVectors;
using collectives::HostPath;
using collectives::PimCollective;
using collectives::PimRequest;
using collectives::PimRun;

namespace {

std::string name_of(const PimCollective& collective) { return "pim_" + collective.name; }

}  // namespace

PimCollectiveWorkload::Config::Config(const PimCollective& collective)
    : SettingGroup(name_of(collective), SetBy::kRun),
      nodes(*this,
            {"nodes", "", "number of units that take part, from unit 0 on; 0: all", "workload"},
            {.value = 0, .min = 0, .max = 4096}),
      bytes(*this,
            {"bytes", "bytes", "size of the whole vector, whose chunks are scattered or gathered",
             "workload"},
            {.value = 65536, .min = 0, .max = 1U << 25}),
      type(*this, {"type", "", "type of the elements", "workload"},
           {.value = "fp32", .choices = {"fp32", "int32", "int64"}}),
      algorithm(
          *this,
          {"algorithm", "",
           "order of messages between the units. in_switch: the switch between the chips of a rank "
           "combines and multicasts (hierarchical). host: the units stop, and the host moves all "
           "bytes over the DDR bus",
           "PIM interconnect document"},
          {.value = collective.forms.front(), .choices = collective.forms}),
      form(*this,
           {"form", "",
            "flat: all units are one group; hierarchical: groups inside chips, then across chips, "
            "then across ranks",
            "PIM interconnect document (flat)"},
           {.value = "flat", .choices = {"flat", "hierarchical"}}),
      sync(*this,
           {"sync", "",
            "credits: messages return free slots; barriers: all units meet after every step or "
            "phase of a static schedule; auto: barriers with mesh.flow_control=static, "
            "otherwise credits (only with algorithm!=host)",
            "PIMnet, HPCA 2025 (barriers: no flow control, start when all are ready)"},
           {.value = "auto", .choices = {"auto", "credits", "barriers"}}),
      host(*this) {
  add_own(collective);
}

void PimCollectiveWorkload::Config::add_own(const PimCollective& collective) {
  if (reduces(collective.primitive)) {
    op.emplace(
        *this,
        foundation::SettingBase::Declaration{"op", "",
                                             "operation that combines elements; integers wrap; "
                                             "bitwise operations are for integers only",
                                             "workload"},
        foundation::Choice::Names{.value = "sum",
                                  .choices = {"sum", "max", "min", "prod", "band", "bor", "bxor"}});
  }
  if (collective.has_ring()) {
    order.emplace(
        *this,
        foundation::SettingBase::Declaration{
            "order", "",
            "order of the ring: by unit numbers, or along a "
            "closed way over the mesh with hops of 1 (only with algorithm=ring)",
            "PIM interconnect document (row_major)"},
        foundation::Choice::Names{.value = "row_major", .choices = {"row_major", "hamiltonian"}});
  }
  if (!collective.document_form.empty()) {
    variant.emplace(
        *this,
        foundation::SettingBase::Declaration{
            "variant", "",
            "as_written: the algorithm of the PIM interconnect document word for word; its sums "
            "and products are wrong",
            "workload"},
        foundation::Choice::Names{.value = "standard", .choices = {"standard", "as_written"}});
  }
  if (collective.has_root()) {
    pipelined.emplace(*this,
                      foundation::SettingBase::Declaration{
                          "pipelined", "",
                          "true: forward slice by slice; false: send the whole vector, child by "
                          "child (only with algorithm=heap|binomial)",
                          "workload"},
                      true);
    root.emplace(
        *this,
        foundation::SettingBase::Declaration{"root", "", "rank that has the vector", "workload"},
        foundation::Setting<std::uint32_t>::Range{.value = 0, .min = 0, .max = 4095});
  }
}

PimCollectiveWorkload::PimCollectiveWorkload(const std::string& collective)
    : Workload({.name = name_of(collectives::pim_collective(collective)),
                .summary = collectives::pim_collective(collective).summary,
                .system = "pim_rank",
                .max_time_ns = 10e9},
               config_),
      collective_(collectives::pim_collective(collective)),
      config_(collective_) {}

PimRequest PimCollectiveWorkload::request(std::uint64_t seed) const {
  PimRequest request(collective_);
  request.name = name();
  request.nodes = config_.nodes;
  request.bytes = config_.bytes;
  request.type = config_.type.value();
  request.form = config_.algorithm.value();
  request.hierarchical = config_.form == "hierarchical" || request.form == "in_switch";
  if (config_.op) request.op = config_.op->value();
  if (config_.order) request.order = config_.order->value();
  request.sync = config_.sync.value();
  request.as_written = config_.variant && *config_.variant == "as_written";
  request.pipelined = !config_.pipelined || config_.pipelined->value();
  if (config_.root) request.root = config_.root->value();
  request.seed = seed;
  return request;
}

Result PimCollectiveWorkload::run(Context& context) {
  runtime::PimSystem system(context.library);
  const PimRequest asked = request(context.seed);
  PimRun run(system, asked);
  run.place_operands();
  PimRun::Outcome outcome;
  Result result;
  double time_ns = 0;
  if (asked.form == "host") {
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
    if (collective_.primitive == collectives::Primitive::kAllReduce && !asked.as_written) {
      result.phases.push_back({"reduce-scatter", begin, system.ns(outcome.middle)});
      result.phases.push_back({"all-gather", system.ns(outcome.middle), system.ns(outcome.end)});
    }
    result.phases.push_back({"whole", begin, system.ns(outcome.end)});
  }
  context.compile_seconds += system.compile_seconds();
  run.judge(outcome);
  result.passed = outcome.reason.empty();
  result.reason = outcome.reason;
  result.max_abs_error = outcome.verdict.max_abs_error;
  result.max_rel_error = outcome.verdict.max_rel_error;
  result.error_bound = reduces(collective_.primitive) ? run.vectors().bound() : 0;
  measure(asked, run, time_ns, system, context, result);
  result.metrics.push_back({"wrong", static_cast<double>(outcome.verdict.wrong), "elements"});
  for (unsigned unit = 0; unit < run.plan().ranks && asked.form != "host"; ++unit) {
    const std::string output = system.output(unit);
    if (!output.empty()) context.print("unit " + std::to_string(unit) + ": " + output);
  }
  return result;
}

/// Prints the columns of nccl-tests, and adds the cost in messages and vectors.
void PimCollectiveWorkload::measure(const PimRequest& request, const PimRun& run, double time_ns,
                                    const runtime::PimSystem& system, Context& context,
                                    Result& result) const {
  const BankVectors& vectors = run.vectors();
  const unsigned ranks = run.plan().ranks;
  const double algbw = time_ns > 0 ? static_cast<double>(vectors.bytes()) / time_ns : 0;
  const double busbw = algbw * bus_factor(collective_.primitive, ranks);
  char line[256];
  context.print("        size       count   type  redop  root      time(us)   algbw   busbw");
  std::snprintf(line, sizeof line, "%12llu%12llu%7s%7s%6s%14.2f%8.4f%8.4f",
                static_cast<unsigned long long>(vectors.bytes()),
                static_cast<unsigned long long>(vectors.elements()), request.type.c_str(),
                reduces(collective_.primitive) ? request.op.c_str() : "none",
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
  if (request.form == "host") return;
  const collectives::PortCost spent = port_cost(request, run.plan());
  result.metrics.push_back({"n_alpha", spent.alpha, "messages"});
  result.metrics.push_back({"n_beta", spent.beta, "vectors"});
  if (!config_.order || request.hierarchical) return;
  const collectives::RingHops hops = ring_hops(run.plan(), system.line_units());
  result.metrics.push_back({"longest_hop", static_cast<double>(hops.longest), "links"});
  result.metrics.push_back({"ring_hops", static_cast<double>(hops.sum), "links"});
}

std::vector<std::unique_ptr<Workload>> make_collective_workloads() {
  std::vector<std::unique_ptr<Workload>> all;
  for (const auto& collective : collectives::pim_collectives())
    all.push_back(std::make_unique<PimCollectiveWorkload>(collective.name));
  return all;
}

}  // namespace tvp::workloads::pim
