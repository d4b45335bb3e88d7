#include "sw/collectives/execution/collective_executor.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace binary = contract::collectives;

namespace {

/// A table of the state that a worker left, whose places count from its program.
template <typename T>
std::vector<T> table(const std::vector<std::uint8_t>& state, std::uint32_t begin, std::uint32_t at,
                     std::uint32_t count) {
  std::vector<T> entries(count);
  if (count != 0) std::memcpy(entries.data(), state.data() + (at - begin), count * sizeof(T));
  return entries;
}

}  // namespace

CollectiveExecutor::Machine CollectiveExecutor::machine_for(const Schedule& schedule,
                                                            const Demand& demand) {
  if (schedule.size() > ranks())
    runtime::bad_use(demand.where, schedule.name + " needs " + std::to_string(schedule.size()) +
                                       " ranks: the system has " + std::to_string(ranks()));
  Machine made = machine(schedule, demand);
  made.limits.proved_slots = demand.slots;
  return made;
}

std::shared_ptr<CollectiveExecutor::Task> CollectiveExecutor::task(const Schedule& schedule,
                                                                   const Demand& demand,
                                                                   const Machine& how,
                                                                   const Operands& operands) {
  auto made = std::make_shared<Task>(lowered(schedule), demand, operands.chunk_bytes(), how.workers,
                                     how.limits);
  made->chunk_bytes = operands.chunk_bytes();
  made->bytes = operands.bytes();
  made->elements = operands.elements();
  made->scratch_bytes = operands.scratch_bytes();
  return made;
}

std::shared_ptr<CollectiveExecutor::Task> CollectiveExecutor::prepare(const Schedule& schedule,
                                                                      const Demand& demand) {
  const Machine how = machine_for(schedule, demand);
  return task(schedule, demand, how,
              Operands(schedule, demand, how.limits.alignment * how.workers.stripes));
}

CollectiveExecutor::Outcome CollectiveExecutor::run(const Schedule& schedule,
                                                    const Demand& demand) {
  const Machine how = machine_for(schedule, demand);
  const Operands operands(schedule, demand, how.limits.alignment * how.workers.stripes);
  const std::shared_ptr<Task> made = task(schedule, demand, how, operands);
  load(*made, operands);
  execute_written(*made);
  Outcome outcome = this->outcome(*made);
  outcome.bound = operands.bound();
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    const Operands::Verdict verdict = operands.judge(rank, output(rank));
    outcome.wrong += verdict.wrong;
    outcome.max_abs_error = std::max(outcome.max_abs_error, verdict.max_abs_error);
    outcome.max_rel_error = std::max(outcome.max_rel_error, verdict.max_rel_error);
    if (verdict.wrong != 0 && outcome.reason.empty())
      outcome.reason = "rank " + std::to_string(rank) + ": " + std::to_string(verdict.wrong) +
                       " elements are wrong, the first, element " +
                       std::to_string(verdict.first_wrong) + ", " + verdict.first +
                       origin(rank, verdict.first_wrong * operands.element_bytes());
  }
  return outcome;
}

void CollectiveExecutor::execute_written(const Task& task) {
  try {
    execute(task);
  } catch (const runtime::HangError& hang) {
    throw runtime::HangError(std::string(hang.what()) + "\n" + task.schedule.name +
                             " stands still:" + where_ranks_stand(task));
  } catch (const foundation::Fault& fault) {
    if (fault.kind() != foundation::FaultKind::kFirmware || !shows_stopped_programs()) throw;
    const std::string steps = where_ranks_stand(task, rank_of(fault));
    if (steps.empty()) throw;
    throw foundation::Fault(
        fault.kind(), fault.where(),
        fault.message() + "\n" + task.schedule.name + " was stopped by that:" + steps);
  }
}

CollectiveExecutor::Outcome CollectiveExecutor::outcome(const Task& task) {
  Outcome outcome;
  outcome.bytes = task.bytes;
  outcome.elements = task.elements;
  outcome.rounds = task.programs.rounds();
  outcome.slice_bytes = task.programs.slice_bytes();
  outcome.workers = task.programs.workers();
  outcome.stripes = task.programs.stripes();
  read_states(task, outcome);
  return outcome;
}

void CollectiveExecutor::read_states(const Task& task, Outcome& outcome) {
  outcome.begin_ns = std::numeric_limits<double>::max();
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank) {
    for (std::uint32_t worker = 0; worker < task.programs.workers(); ++worker) {
      const Left state = left(task, rank, worker);
      outcome.begin_ns = std::min(outcome.begin_ns, ns(state.begin));
      outcome.end_ns = std::max(outcome.end_ns, ns(state.end));
      add_spans(task.programs.program(rank, worker), state, {.rank = rank, .worker = worker},
                outcome);
      add_traffic(task, state, {.rank = rank, .worker = worker}, outcome);
    }
  }
}

void CollectiveExecutor::add_spans(const RankPrograms::Program& program, const Left& state,
                                   Span span, Outcome& outcome) const {
  const auto stamps = table<binary::Stamp>(state.state, program.state_begin, program.header.stamps,
                                           program.header.steps);
  // Stamps are low words, less than 2^32 cycles after the begin.
  const auto whole = [&](std::uint32_t low) {
    return ns(state.begin +
              static_cast<std::uint32_t>(low - static_cast<std::uint32_t>(state.begin)));
  };
  for (std::uint32_t lane = 0; lane < program.header.lanes; ++lane) {
    span.lane = program.schedule_lanes[lane];
    for (span.step = 0; span.step < program.lanes[lane].steps; ++span.step) {
      const binary::Stamp& stamp = stamps[program.lanes[lane].first + span.step];
      span.begin_ns = whole(stamp.begin);
      span.end_ns = whole(stamp.end);
      outcome.spans.push_back(span);
    }
  }
}

void CollectiveExecutor::add_traffic(const Task& task, const Left& state, const Span& of,
                                     Outcome& outcome) {
  const RankPrograms::Program& program = task.programs.program(of.rank, of.worker);
  const auto outs = table<binary::OutState>(state.state, program.state_begin,
                                            program.header.out_states, program.header.outs);
  for (std::uint32_t i = 0; i < program.header.outs; ++i) {
    const RankPrograms::Connection& out = program.out_peers[i];
    const auto add = [&](std::uint32_t from, std::uint32_t to) {
      outcome.traffic.push_back(
          {from, to, out.channel, outs[i].messages, outs[i].slices, outs[i].bytes});
    };
    add(of.rank, out.peer);
    if (out.peer != kSwitch) continue;
    // The switch sends results that this rank requested, or copies of what it sent.
    for (std::uint32_t member = 0; member < task.schedule.size(); ++member)
      if (out.members.contains(member) && (out.contributors.empty() || member == of.rank))
        add(kSwitch, member);
  }
}

std::string CollectiveExecutor::where_ranks_stand(const Task& task,
                                                  std::optional<std::uint32_t> first) {
  std::vector<RankLine> lines;
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank)
    for (std::uint32_t worker = 0; worker < task.programs.workers(); ++worker)
      add_lines(task, rank, worker, lines);
  // The other ranks only wait for these.
  std::stable_partition(lines.begin(), lines.end(), [&](const RankLine& line) {
    return line.rank == first || line.text.find("broken") != std::string::npos;
  });
  constexpr std::size_t kMost = 16;
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMost; ++i) text += lines[i].text;
  if (lines.size() > kMost) text += "\n  and " + std::to_string(lines.size() - kMost) + " more";
  return text;
}

/// Adds a line for each lane of a worker that has not ended.
void CollectiveExecutor::add_lines(const Task& task, std::uint32_t rank, std::uint32_t worker,
                                   std::vector<RankLine>& lines) {
  const RankPrograms& programs = task.programs;
  const RankPrograms::Program& program = programs.program(rank, worker);
  const std::vector<std::uint8_t> now = state_now(task, rank, worker);
  if (now.empty()) return;
  const auto states = table<binary::LaneState>(now, program.state_begin, program.header.lane_states,
                                               program.header.lanes);
  for (std::uint32_t lane = 0; lane < program.header.lanes; ++lane) {
    const std::uint32_t steps = program.lanes[lane].steps;
    if (steps == 0 || states[lane].over >= steps * program.header.rounds) continue;
    const std::uint32_t step = states[lane].over % steps;
    std::string text = "\n  rank " + std::to_string(rank);
    if (programs.workers() > 1) text += ", worker " + std::to_string(worker);
    const std::uint32_t scheduled = program.schedule_lanes[lane];
    text += ": " + RankPrograms::describe(task.schedule, rank, scheduled, step);
    text += links_of(task.schedule.ranks[rank].lanes[scheduled].steps[step], rank,
                     worker / programs.lane_sets());
    if (program.header.rounds > 1) text += " of round " + std::to_string(states[lane].over / steps);
    lines.push_back({rank, text});
  }
}

/// The links over which a step's message arrives, and over which it leaves.
std::string CollectiveExecutor::links_of(const Step& step, std::uint32_t rank,
                                         std::uint32_t stripe) const {
  std::string text;
  if (step.from != kNobody)
    if (const std::string name = link(step.from, rank, stripe); !name.empty())
      text += ", in over " + name;
  if (step.to != kNobody)
    if (const std::string name = link(rank, step.to, stripe); !name.empty())
      text += ", out over " + name;
  return text;
}

CollectiveExecutor::LinkLoads CollectiveExecutor::link_loads(const Outcome& outcome) const {
  LinkLoads loads;
  for (const Traffic& each : outcome.traffic)
    if (each.from != kSwitch && each.to != kSwitch)
      loads.links.push_back({each.from, each.to, each.bytes});
  return loads;
}

double bus_factor(Primitive primitive, std::uint32_t ranks) {
  const double n = ranks;
  switch (primitive) {
    case Primitive::kAllReduce:
      return 2 * (n - 1) / n;
    case Primitive::kReduceScatter:
    case Primitive::kAllGather:
    case Primitive::kAllToAll:
    case Primitive::kGather:
    case Primitive::kScatter:
      return (n - 1) / n;
    default:
      return 1;
  }
}

}  // namespace tvp::collectives
