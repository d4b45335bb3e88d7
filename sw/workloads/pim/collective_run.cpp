#include "sw/workloads/pim/collective_run.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::workloads::pim {

using ::pim::collectives::Arguments;
using ::pim::collectives::Times;
using ::pim::collectives::TreeShape;

namespace {

constexpr std::uint64_t kWordBytes = ::pim::collectives::kWordBytes;

std::vector<unsigned> first_units(unsigned count) {
  std::vector<unsigned> units(count);
  std::iota(units.begin(), units.end(), 0U);
  return units;
}

/// Large enough for a vector whose chunks are all rounded up.
std::uint32_t area(const Request& request, unsigned ranks, std::uint64_t bank_bytes) {
  const std::uint64_t words = (request.bytes + kWordBytes - 1) / kWordBytes + ranks;
  constexpr unsigned kAreas = 4;  // operand, result, two of scratch
  if (words * kWordBytes * kAreas > bank_bytes) {
    runtime::bad_use(request.name + ".bytes",
                     "operand, result and scratch have to fit a bank of " +
                         std::to_string(bank_bytes) + " bytes: expected at most " +
                         std::to_string(bank_bytes / kAreas - ranks * kWordBytes) + ", not " +
                         std::to_string(request.bytes));
  }
  return static_cast<std::uint32_t>(words * kWordBytes);
}

}  // namespace

CollectiveRun::CollectiveRun(runtime::PimSystem& system, const Request& request)
    : system_(system),
      request_(request),
      plan_(request, system),
      area_bytes_(area(request, plan_.ranks, system.bank_bytes())),
      vectors_(request.name, request.type, request.op, plan_.ranks, request.bytes, request.seed),
      units_(first_units(plan_.ranks)) {}

std::vector<std::uint8_t> CollectiveRun::operand(unsigned rank) const {
  const std::vector<std::uint8_t>& all = vectors_.input(rank);
  if (request_.kind == Kind::kBroadcast && rank != request_.root) {
    return std::vector<std::uint8_t>(all.size(), 0xEE);
  }
  if (request_.kind != Kind::kAllGather) return all;
  const Vectors::Chunk chunk = vectors_.chunk(rank);
  return {all.begin() + static_cast<std::ptrdiff_t>(chunk.begin),
          all.begin() + static_cast<std::ptrdiff_t>(chunk.end)};
}

std::uint64_t CollectiveRun::result_bytes(unsigned rank) const {
  const Vectors::Chunk chunk = vectors_.chunk(rank);
  if (request_.kind == Kind::kReduceScatter) return chunk.end - chunk.begin;
  if (request_.kind == Kind::kAllToAll) return (chunk.end - chunk.begin) * plan_.ranks;
  return vectors_.padded_bytes();
}

Arguments CollectiveRun::arguments() const {
  Arguments a;
  a.kind = static_cast<std::uint32_t>(request_.kind);
  a.bytes = static_cast<std::uint32_t>(vectors_.padded_bytes());
  a.input = input_address();
  a.output = output_address();
  a.scratch = 2 * area_bytes_;
  a.root = request_.root;
  a.tree_shape = static_cast<std::uint32_t>(request_.algorithm == "binomial" ? TreeShape::kBinomial
                                                                             : TreeShape::kHeap);
  a.tree_flow = static_cast<std::uint32_t>(plan_.tree_flow);
  a.barriers = plan_.barriers ? 1 : 0;
  a.as_written = request_.as_written ? 1 : 0;
  a.level_count = static_cast<std::uint32_t>(plan_.levels.size());
  if (plan_.switch_level) a.switch_level = static_cast<std::uint32_t>(*plan_.switch_level);
  std::size_t at = 0;
  for (std::size_t l = 0; l < plan_.levels.size(); ++l) {
    a.level_sizes[l] = plan_.levels[l];
    for (const unsigned member : plan_.rings[l]) a.rings[at++] = static_cast<std::uint16_t>(member);
  }
  for (unsigned rank = 0; rank < plan_.ranks; ++rank)
    a.units[rank] = static_cast<std::uint16_t>(units_[rank]);
  return a;
}

void CollectiveRun::set_phases(unsigned rank, Arguments& arguments) const {
  std::size_t at = 0;
  for (std::size_t level = 0; level < plan_.phases.size(); ++level) {
    const Phases& phases = plan_.phases[level];
    arguments.phase_counts[level] = static_cast<std::uint16_t>(phases.size());
    for (const std::vector<Transfer>& phase : phases) {
      ::pim::collectives::Phase& mine = arguments.phases[at++];
      mine = {};
      for (const Transfer& transfer : phase) {
        if (transfer.source == rank) mine.to = static_cast<std::uint16_t>(transfer.destination);
        if (transfer.destination == rank) mine.from = static_cast<std::uint16_t>(transfer.source);
      }
    }
  }
}

void CollectiveRun::place_operands() {
  for (unsigned rank = 0; rank < plan_.ranks; ++rank) {
    system_.own_by_host(units_[rank]);
    system_.write_bank(units_[rank], input_address(), operand(rank));
    // A result that was not written must not look right.
    system_.write_bank(units_[rank], output_address(),
                       std::vector<std::uint8_t>(area_bytes_, 0xA5));
  }
}

void CollectiveRun::run_units(Outcome& outcome) {
  system_.load(units_, "firmware/kernels/pim/collectives/collective.cpp",
               {{"PIM_OP", vectors_.cpp_op()}, {"PIM_TYPE", vectors_.cpp_type()}});
  Arguments all = arguments();
  for (unsigned rank = 0; rank < plan_.ranks; ++rank) {
    set_phases(rank, all);
    system_.set(units_[rank], "arguments", all);
    system_.own_by_processor(units_[rank]);
  }
  system_.run(units_);
  outcome.begin = std::numeric_limits<std::uint64_t>::max();
  for (const unsigned unit : units_) {
    const auto times = system_.get<Times>(unit, "times");
    outcome.begin = std::min(outcome.begin, times.begin);
    outcome.middle = std::max(outcome.middle, times.scattered);
    outcome.end = std::max(outcome.end, times.end);
    outcome.instructions += system_.state(unit).instructions;
  }
}

Vectors::Verdict CollectiveRun::judge(unsigned rank, const std::vector<std::uint8_t>& found) const {
  Vectors::Verdict verdict;
  const Vectors::Chunk own = vectors_.chunk(rank);
  const auto part = [&](std::uint64_t begin, std::uint64_t end) {
    return std::vector<std::uint8_t>(found.begin() + static_cast<std::ptrdiff_t>(begin),
                                     found.begin() + static_cast<std::ptrdiff_t>(end));
  };
  switch (request_.kind) {
    case Kind::kAllReduce:
      return vectors_.judge_reduced(found, 0);
    case Kind::kReduceScatter:
      return vectors_.judge_reduced(found, own.begin);
    case Kind::kBroadcast:
      return vectors_.judge_copied(found, request_.root, 0);
    case Kind::kAllGather:
      for (unsigned source = 0; source < plan_.ranks; ++source) {
        const Vectors::Chunk chunk = vectors_.chunk(source);
        verdict.add(vectors_.judge_copied(part(chunk.begin, chunk.end), source, chunk.begin));
      }
      break;
    case Kind::kAllToAll:
      for (unsigned source = 0; source < plan_.ranks; ++source) {
        const std::uint64_t size = own.end - own.begin;
        verdict.add(
            vectors_.judge_copied(part(source * size, (source + 1) * size), source, own.begin));
      }
      break;
  }
  return verdict;
}

void CollectiveRun::judge(Outcome& outcome) {
  std::vector<std::uint8_t> first;
  for (unsigned rank = 0; rank < plan_.ranks; ++rank) {
    system_.own_by_host(units_[rank]);
    const std::vector<std::uint8_t> found =
        system_.read_bank(units_[rank], output_address(), result_bytes(rank));
    const Vectors::Verdict verdict = judge(rank, found);
    outcome.verdict.add(verdict);
    if (first.empty()) first = found;
    if (!outcome.reason.empty()) continue;
    if (verdict.wrong != 0) {
      outcome.reason = explain(rank, verdict, found);
    } else if (request_.kind == Kind::kAllReduce && found != first) {
      outcome.reason = "ranks 0 and " + std::to_string(rank) + " have different results";
    }
  }
}

std::string CollectiveRun::explain(unsigned rank, const Vectors::Verdict& verdict,
                                   const std::vector<std::uint8_t>& found) const {
  std::string text = "rank " + std::to_string(rank) + ": " + std::to_string(verdict.wrong) +
                     " elements are wrong, the first is element " +
                     std::to_string(verdict.first_wrong);
  if (!request_.as_written || request_.kind != Kind::kAllReduce) return text;
  std::vector<std::vector<std::uint8_t>> all;
  for (unsigned r = 0; r < plan_.ranks; ++r) all.push_back(vectors_.input(r));
  const std::uint64_t i = verdict.first_wrong;
  text += ": " + vectors_.text(found, i) + " instead of " + vectors_.text(vectors_.reduce(all), i) +
          ". The algorithm is at fault, not the machine: every step sends on the accumulator that "
          "the step before has reduced into, so after N-1 steps the contribution k ranks back "
          "counts C(N-1, k) times instead of once";
  if (request_.type != "fp32") {
    const std::int64_t derived = vectors_.as_written(rank, i);
    text +=
        "; those weights give " + std::to_string(derived) +
        (derived == vectors_.integer(found, i) ? ", as found" : ", which is not what was found");
  }
  return text + ". Forward what was received, or reduce chunk by chunk (variant=standard)";
}

}  // namespace tvp::workloads::pim
