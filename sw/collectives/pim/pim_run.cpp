#include "sw/collectives/pim/pim_run.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {

using firmware::collectives::Arguments;
using firmware::collectives::Times;

namespace {

constexpr std::uint64_t kWordBytes = firmware::collectives::kWordBytes;

std::vector<unsigned> first_units(unsigned count) {
  std::vector<unsigned> units(count);
  std::iota(units.begin(), units.end(), 0U);
  return units;
}

/// Bytes of a vector whose chunks are all rounded up to whole words.
std::uint32_t area(const PimRequest& request, unsigned ranks, std::uint64_t bank_bytes) {
  const std::uint64_t words = (request.bytes + kWordBytes - 1) / kWordBytes + ranks;
  constexpr unsigned kAreas = 4;  // operand, result, two of scratch
  if (words * kWordBytes * kAreas > bank_bytes) {
    runtime::bad_use(request.name + ".bytes",
                     "operand, result and scratch do not fit a bank of " +
                         std::to_string(bank_bytes) + " bytes: expected at most " +
                         std::to_string(bank_bytes / kAreas - ranks * kWordBytes) + ", not " +
                         std::to_string(request.bytes));
  }
  return static_cast<std::uint32_t>(words * kWordBytes);
}

/// Throws Fault(kInternal) for a primitive that the program does not have.
firmware::collectives::Kind kind_of(Primitive primitive) {
  using firmware::collectives::Kind;
  switch (primitive) {
    case Primitive::kAllReduce:
      return Kind::kAllReduce;
    case Primitive::kBroadcast:
      return Kind::kBroadcast;
    case Primitive::kReduceScatter:
      return Kind::kReduceScatter;
    case Primitive::kAllGather:
      return Kind::kAllGather;
    case Primitive::kAllToAll:
      return Kind::kAllToAll;
    default:
      throw foundation::Fault(foundation::FaultKind::kInternal, "collectives",
                              "no compiled program has " + name_of(primitive));
  }
}

}  // namespace

PimRun::PimRun(runtime::PimSystem& system, const PimRequest& request)
    : system_(system),
      request_(request),
      plan_(request, system),
      area_bytes_(area(request, plan_.ranks, system.bank_bytes())),
      vectors_(request.name, request.type, request.op, plan_.ranks, request.bytes, request.seed),
      contents_(request_, vectors_),
      units_(first_units(plan_.ranks)) {}

Arguments PimRun::arguments() const {
  Arguments a;
  a.kind = static_cast<std::uint32_t>(kind_of(request_.collective->primitive));
  a.bytes = static_cast<std::uint32_t>(vectors_.padded_bytes());
  a.input = input_address();
  a.output = output_address();
  a.scratch = 2 * area_bytes_;
  a.root = request_.root;
  a.tree_shape = static_cast<std::uint32_t>(tree_shape(request_));
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

void PimRun::set_phases(unsigned rank, Arguments& arguments) const {
  std::size_t at = 0;
  for (std::size_t level = 0; level < plan_.phases.size(); ++level) {
    const Phases& phases = plan_.phases[level];
    arguments.phase_counts[level] = static_cast<std::uint16_t>(phases.size());
    for (const std::vector<Transfer>& phase : phases) {
      firmware::collectives::Phase& mine = arguments.phases[at++];
      mine = {};
      for (const Transfer& transfer : phase) {
        if (transfer.source == rank) mine.to = static_cast<std::uint16_t>(transfer.destination);
        if (transfer.destination == rank) mine.from = static_cast<std::uint16_t>(transfer.source);
      }
    }
  }
}

void PimRun::place_operands() {
  for (unsigned rank = 0; rank < plan_.ranks; ++rank) {
    system_.own_by_host(units_[rank]);
    system_.write_bank(units_[rank], input_address(), contents_.operand(rank));
    // A result that no unit writes must be wrong.
    system_.write_bank(units_[rank], output_address(),
                       std::vector<std::uint8_t>(area_bytes_, 0xA5));
  }
}

void PimRun::run_units(Outcome& outcome) {
  std::map<std::string, std::string> defines = {{"PIM_OP", vectors_.cpp_op()},
                                                {"PIM_TYPE", vectors_.cpp_type()}};
  if (plan_.switch_level && plan_.barriers) defines["PIM_SWITCH_PHASES"] = "1";
  if (plan_.switch_level && plan_.levels.at(*plan_.switch_level) >= regs::pim::stop::kMaskChips)
    defines["PIM_SWITCH_RANGES"] = "1";
  system_.load(units_, "firmware/collectives/collective.cpp", defines);
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

void PimRun::judge(Outcome& outcome) {
  const PimCollective& what = *request_.collective;
  Bytes first;
  for (unsigned rank = 0; rank < plan_.ranks; ++rank) {
    system_.own_by_host(units_[rank]);
    const Bytes found =
        system_.read_bank(units_[rank], output_address(), contents_.result_bytes(rank));
    const BankVectors::Verdict verdict = contents_.judge(rank, found);
    outcome.verdict.add(verdict);
    if (first.empty()) first = found;
    if (!outcome.reason.empty()) continue;
    if (verdict.wrong != 0) {
      outcome.reason =
          "rank " + std::to_string(rank) + ": " + std::to_string(verdict.wrong) +
          " elements are wrong, the first is element " + std::to_string(verdict.first_wrong) +
          contents_.explain(rank, verdict, found) +
          system_.origin(units_[rank],
                         output_address() + verdict.first_wrong * vectors_.element_bytes());
    } else if (reduces(what.primitive) && what.same_everywhere() && found != first) {
      // Two results of floats can both be within the bound and differ.
      outcome.reason = "ranks 0 and " + std::to_string(rank) + " have different results";
    }
  }
}

}  // namespace tvp::collectives
