#include "sw/workloads/pim/prim_workload.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::workloads::pim {

namespace {

namespace prim = firmware::prim;

/// Units whose banks share the beats of the bus follow each other: the chips of a rank, bank by
/// bank.
std::vector<unsigned> in_order_of_beats(const runtime::PimSystem& system, unsigned units) {
  const unsigned banks = system.levels().front().count;
  std::vector<unsigned> list(units);
  std::iota(list.begin(), list.end(), 0U);
  std::stable_sort(list.begin(), list.end(),
                   [&](unsigned a, unsigned b) { return a % banks < b % banks; });
  return list;
}

std::uint32_t aligned(std::size_t bytes) { return static_cast<std::uint32_t>((bytes + 7) / 8 * 8); }

}  // namespace

PrimProblem::Sizes PrimWorkload::sizes(const runtime::PimSystem& system, std::uint64_t seed) const {
  const std::string& program = config_.program.value();
  if (config_.tasklets > system.tasklets()) {
    runtime::bad_use("pim_prim.tasklets",
                     config_.tasklets.text() + ": the units of this system have " +
                         std::to_string(system.tasklets()) +
                         " (pim.tasklets), expected at most as many, as with --system pim_upmem");
  }
  if (config_.units > system.units()) {
    runtime::bad_use("pim_prim.units", config_.units.text() + ": expected at most the " +
                                           std::to_string(system.units()) + " of the system");
  }
  if (!std::has_single_bit(config_.block_bytes.value()))
    runtime::bad_use("pim_prim.block_bytes", "expected a power of two");
  const bool is_long =
      config_.type == "auto" ? PrimProblem::is_long(program) : config_.type == "int64";
  const std::uint32_t unit_of_work = program == "gemv" ? 2 * config_.columns
                                     : program == "add" || program == "copy"
                                         ? config_.block_bytes / (is_long ? 8 : 4)
                                         : 2;
  if (config_.columns % 2 != 0) runtime::bad_use("pim_prim.columns", "expected an even number");
  if (config_.elements % unit_of_work != 0) {
    runtime::bad_use("pim_prim.elements", config_.elements.text() + ": expected a multiple of " +
                                              std::to_string(unit_of_work));
  }
  return {.program = program,
          .units = config_.units == 0 ? system.units() : config_.units.value(),
          .elements = config_.elements,
          .columns = config_.columns,
          .element_bytes = is_long ? 8U : 4U,
          .seed = seed};
}

PrimWorkload::Areas PrimWorkload::areas(const PrimProblem& problem,
                                        const runtime::PimSystem& system) const {
  Areas areas;
  areas.second = aligned(problem.first(0).size());
  areas.output = areas.second + aligned(problem.second(0).size());
  // A program without an output writes transfers of up to 2 KiB there.
  const std::uint64_t end = std::uint64_t{areas.output} + problem.output(0).size() + 2048;
  if (end > system.bank_bytes()) {
    runtime::bad_use("pim_prim.elements", "need " + std::to_string(end) +
                                              " bytes of each bank: expected at most " +
                                              std::to_string(system.bank_bytes()));
  }
  return areas;
}

Result PrimWorkload::run(Context& context) {
  runtime::PimSystem system(context.library);
  const PrimProblem::Sizes sizes = this->sizes(system, context.seed);
  // One unit shows the areas of all, and whether they fit, without the data of the others.
  PrimProblem::Sizes of_one = sizes;
  of_one.units = 1;
  const Areas at = areas(PrimProblem(of_one), system);
  const PrimProblem problem(sizes);
  const std::vector<unsigned> units = in_order_of_beats(system, sizes.units);
  const auto now_ns = [&] { return static_cast<double>(context.library.time_ps()) / 1000.0; };

  Times times;
  double begin = now_ns();
  for (const unsigned unit : units) {
    system.own_by_host(unit);
    system.write_bank(unit, at.first, problem.first(unit));
  }
  for (const unsigned unit : units)
    if (!problem.second(unit).empty()) system.write_bank(unit, at.second, problem.second(unit));
  times.to_banks_ns = now_ns() - begin;

  std::vector<Results> results(sizes.units);
  prim::Arguments arguments{.elements = sizes.elements,
                            .columns = problem.columns(),
                            .first = at.first,
                            .second = at.second,
                            .output = at.output};
  Result result;
  std::vector<std::int64_t> bases(sizes.units, 0);
  for (arguments.pass = 0; arguments.pass <= (problem.has_second_pass() ? 1U : 0U);
       ++arguments.pass) {
    system.load(units, problem.source(),
                {{"PIM_TASKLETS", config_.tasklets.text()},
                 {"PRIM_TYPE", sizes.element_bytes == 8 ? "std::int64_t" : "std::int32_t"},
                 {"PRIM_BLOCK", config_.block_bytes.text()}});
    for (const unsigned unit : units) {
      arguments.base = bases[unit];
      system.set(unit, "arguments", arguments);
      system.own_by_processor(unit);
    }
    begin = now_ns();
    system.run(units);
    std::uint64_t first = ~std::uint64_t{0};
    std::uint64_t last = 0;
    for (const unsigned unit : units) {
      const auto state = system.state(unit);
      first = std::min(first, state.started_cycle);
      last = std::max(last, state.ended_cycle);
      if (arguments.pass == 0) results[unit] = system.get<Results>(unit, "results");
    }
    times.units_ns += system.ns(last - first);
    for (unsigned unit = 1; unit < sizes.units; ++unit)
      bases[unit] = bases[unit - 1] + results[unit - 1].value;
  }

  begin = now_ns();
  for (const unsigned unit : units) {
    system.own_by_host(unit);
    if (problem.output(unit).empty()) continue;
    const auto found = system.read_bank(unit, at.output, problem.output(unit).size());
    if (found == problem.output(unit) || !result.reason.empty()) continue;
    const auto wrong = std::ranges::mismatch(found, problem.output(unit)).in1 - found.begin();
    result.reason = "unit " + std::to_string(unit) + " has a wrong byte " + std::to_string(wrong) +
                    " of its output" +
                    system.origin(unit, at.output + static_cast<std::uint64_t>(wrong));
  }
  times.from_banks_ns = now_ns() - begin;
  for (unsigned unit = 0; unit < sizes.units; ++unit) {
    if (results[unit].value != problem.value(unit) && result.reason.empty())
      result.reason =
          "unit " + std::to_string(unit) + " has a wrong sum" + system.origin(unit, "results");
  }
  result.passed = result.reason.empty();
  context.compile_seconds += system.compile_seconds();
  add_metrics(sizes, problem, times, results, system.ns(1), result);
  return result;
}

void PrimWorkload::add_metrics(const PrimProblem::Sizes& sizes, const PrimProblem& problem,
                               const Times& times, const std::vector<Results>& results,
                               double cycle_ns, Result& result) const {
  const auto add = [&](const std::string& name, double value, const char* unit) {
    result.metrics.push_back({name, value, unit});
  };
  add("units_time", times.units_ns / 1000, "us");
  add("to_banks_time", times.to_banks_ns / 1000, "us");
  add("from_banks_time", times.from_banks_ns / 1000, "us");
  add("whole_time", (times.to_banks_ns + times.units_ns + times.from_banks_ns) / 1000, "us");
  add("time_per_element", times.units_ns / sizes.elements, "ns");
  const double to = static_cast<double>(problem.first(0).size() + problem.second(0).size());
  const double from = static_cast<double>(problem.output(0).size());
  if (times.to_banks_ns > 0) add("to_banks_rate", to * sizes.units / times.to_banks_ns, "GB/s");
  if (times.from_banks_ns > 0 && from > 0)
    add("from_banks_rate", from * sizes.units / times.from_banks_ns, "GB/s");
  const double cycles = static_cast<double>(results[0].cycles);
  if (sizes.program == "add") add("cycles_per_element", cycles / sizes.elements, "cycles");
  // Each byte is read and written.
  if (sizes.program == "copy") add("copy_rate", 2000 * from / (cycles * cycle_ns), "MB/s");
  if (sizes.program != "dma") return;
  // The instruction that reads the clock takes the rest.
  constexpr unsigned kClock = 11;
  for (std::size_t i = 0; i < std::size(prim::kDmaSizes); ++i) {
    const std::string bytes = std::to_string(prim::kDmaSizes[i]);
    add("read_" + bytes, results[0].reads[i] - kClock, "cycles");
    add("write_" + bytes, results[0].writes[i] - kClock, "cycles");
  }
}

}  // namespace tvp::workloads::pim
