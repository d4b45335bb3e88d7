#include "sw/workloads/pim/all_reduce.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"
#include "sw/workloads/pim/reduction.h"

namespace tvp::workloads::pim {

using runtime::PimSystem;

namespace {

constexpr std::uint32_t kAddress = 0;  // of the vector in the bank

/// As in firmware/kernels/pim/ring_all_reduce.cpp.
struct Arguments {
  std::uint32_t rank;
  std::uint32_t nodes;
  std::uint32_t next;
  std::uint32_t previous;
  std::uint32_t address;
  std::uint32_t bytes;
};

/// A closed way over a mesh along its links: out along the first row, back and forth through the
/// others, column by column. There is one when a side is even.
std::vector<unsigned> closed_way(unsigned width, unsigned height) {
  std::vector<unsigned> way;
  const bool turned = width % 2 != 0;  // then the other side has to be even
  const unsigned columns = turned ? height : width;
  const unsigned rows = turned ? width : height;
  if (columns % 2 != 0 || rows < 2) {
    runtime::bad_use("pim_allreduce.ring",
                     "hamiltonian needs a mesh with an even side and two rows, not " +
                         std::to_string(width) + " x " + std::to_string(height));
  }
  const auto number = [&](unsigned column, unsigned row) {
    return turned ? column * width + row : row * width + column;
  };
  for (unsigned column = 0; column < columns; ++column) way.push_back(number(column, 0));
  for (unsigned column = columns; column-- > 0;) {
    for (unsigned i = 1; i < rows; ++i) {
      way.push_back(number(column, (columns - 1 - column) % 2 == 0 ? i : rows - i));
    }
  }
  return way;
}

}  // namespace

std::vector<unsigned> AllReduce::ring(const PimSystem& system) const {
  const unsigned nodes = config_.nodes == 0 ? system.units() : config_.nodes.value();
  if (nodes > system.units()) {
    runtime::bad_use("pim_allreduce.nodes",
                     "expected at most the " + std::to_string(system.units()) +
                         " units of the system, not " + config_.nodes.text());
  }
  std::vector<unsigned> units(nodes);
  for (unsigned i = 0; i < nodes; ++i) units[i] = i;
  if (config_.ring == "row_major") return units;
  if (nodes != system.units()) {
    runtime::bad_use("pim_allreduce.ring", "hamiltonian needs all units to take part");
  }
  return closed_way(system.mesh_width(), system.mesh_height());
}

Result AllReduce::run(Context& context) {
  if (config_.bytes % 8 != 0) {
    runtime::bad_use("pim_allreduce.bytes",
                     "expected a multiple of 8, not " + config_.bytes.text());
  }
  PimSystem system(context.library);
  if (config_.bytes > system.bank_bytes()) {
    runtime::bad_use("pim_allreduce.bytes", "expected at most the " +
                                                std::to_string(system.bank_bytes()) +
                                                " bytes of a bank, not " + config_.bytes.text());
  }
  const std::vector<unsigned> units = ring(system);
  const auto nodes = static_cast<unsigned>(units.size());
  const Reduction reduction(config_.type.value(), config_.op.value(), nodes, config_.bytes,
                            context.seed);
  system.load(units, "firmware/kernels/pim/ring_all_reduce.cpp",
              {{"TVP_TYPE", reduction.cpp_type()}, {"TVP_OP", reduction.cpp_op()}});
  context.compile_seconds += system.compile_seconds();
  for (unsigned rank = 0; rank < nodes; ++rank) {
    system.write_bank(units[rank], kAddress, reduction.input(rank));
    system.own_by_processor(units[rank]);
    system.set(units[rank], "arguments",
               Arguments{.rank = rank,
                         .nodes = nodes,
                         .next = units[(rank + 1) % nodes],
                         .previous = units[(rank + nodes - 1) % nodes],
                         .address = kAddress,
                         .bytes = config_.bytes});
  }
  system.run(units);

  Result result;
  check(system, units, reduction, result);
  measure(system, units, result);
  for (const unsigned unit : units) {
    const std::string output = system.output(unit);
    if (!output.empty()) context.print("unit " + std::to_string(unit) + ": " + output);
  }
  return result;
}

/// Each result against the golden one, and all of them bit for bit against the first.
void AllReduce::check(PimSystem& system, const std::vector<unsigned>& units,
                      const Reduction& reduction, Result& result) const {
  result.passed = true;
  result.error_bound = reduction.bound();
  std::vector<std::uint8_t> first;
  for (const unsigned unit : units) {
    system.own_by_host(unit);
    const std::vector<std::uint8_t> found = system.read_bank(unit, kAddress, config_.bytes);
    if (first.empty()) first = found;
    const Reduction::Verdict verdict = reduction.judge(found);
    result.max_abs_error = std::max(result.max_abs_error, verdict.max_abs_error);
    result.max_rel_error = std::max(result.max_rel_error, verdict.max_rel_error);
    if (!result.passed) continue;
    if (verdict.wrong != 0) {
      result.passed = false;
      result.reason = "unit " + std::to_string(unit) + ": " + std::to_string(verdict.wrong) +
                      " elements are wrong, the first is element " +
                      std::to_string(verdict.first_wrong);
    } else if (found != first) {
      result.passed = false;
      result.reason = "units " + std::to_string(units[0]) + " and " + std::to_string(unit) +
                      " have different results";
    }
  }
}

void AllReduce::measure(PimSystem& system, const std::vector<unsigned>& units,
                        Result& result) const {
  std::array<std::uint64_t, 3> first;
  first.fill(std::numeric_limits<std::uint64_t>::max());
  std::array<std::uint64_t, 3> last{};
  for (const unsigned unit : units) {
    const auto stamps = system.get<std::array<std::uint64_t, 3>>(unit, "stamps");
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      first[i] = std::min(first[i], stamps[i]);
      last[i] = std::max(last[i], stamps[i]);
    }
  }
  result.phases = {{"reduce-scatter", system.ns(first[0]), system.ns(last[1])},
                   {"all-gather", system.ns(first[1]), system.ns(last[2])},
                   {"whole", system.ns(first[0]), system.ns(last[2])}};
  const double cycles = static_cast<double>(last[2] - first[0]);
  const double ns = system.ns(last[2] - first[0]);
  const double algbw = config_.bytes / ns;
  const auto nodes = static_cast<double>(units.size());
  result.metrics = {{"nodes", nodes, ""},
                    {"kernel_cycles", cycles, "cycles"},
                    {"algbw", algbw, "GB/s"},
                    {"busbw", algbw * 2 * (nodes - 1) / nodes, "GB/s"}};
}

}  // namespace tvp::workloads::pim
