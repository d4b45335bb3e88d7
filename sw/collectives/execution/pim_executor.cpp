#include "sw/collectives/execution/pim_executor.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <numeric>

#include "firmware/collectives/transport/switched_slices.h"
#include "firmware/collectives/transport/unit_slices.h"
#include "foundation/regs/pim.h"
#include "sw/collectives/execution/switch_wiring.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {

namespace binary = contract::collectives;

namespace {

constexpr std::uint32_t kArenaBytes = 57344;
constexpr std::uint32_t kAlignment = 8;  // of DMA
constexpr const char* kArena = "arena";

std::uint32_t u32(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

std::string cpp_type(const std::string& type) {
  if (type == "int32") return "std::int32_t";
  return type == "bf16" ? "BFloat16" : "float";
}
std::string cpp_op(const std::string& redop) {
  if (redop == "max") return "kMax";
  if (redop == "min") return "kMin";
  if (redop == "prod") return "kProd";
  if (redop == "band") return "kBand";
  if (redop == "bor") return "kBor";
  return redop == "bxor" ? "kBxor" : "kSum";
}

/// True if every connection of every rank has channels of its own.
bool counted_by_channels(const Schedule& schedule, const RankPrograms& programs) {
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    const binary::ProgramHeader& header = programs.program(rank, 0).header;
    if (header.ins + header.outs > firmware::collectives::kUnitChannels) return false;
  }
  return true;
}

bool needs_switch(const Schedule& schedule) {
  for (const RankProgram& rank : schedule.ranks)
    for (const Lane& lane : rank.lanes)
      for (const Step& step : lane.steps)
        if (step.to == kSwitch || step.from == kSwitch) return true;
  return false;
}

/// The highest channel of a step at the switch; 0 if there is none.
std::uint32_t most_switch_channel(const Schedule& schedule) {
  std::uint32_t most = 0;
  for (const RankProgram& rank : schedule.ranks)
    for (const Lane& lane : rank.lanes)
      for (const Step& step : lane.steps)
        if (step.to == kSwitch || step.from == kSwitch)
          most = std::max<std::uint32_t>(most, step.channel);
  return most;
}

bool combines_at_switch(const Schedule& schedule) {
  for (const RankProgram& rank : schedule.ranks)
    for (const Lane& lane : rank.lanes)
      for (const Step& step : lane.steps)
        if (!step.contributors.empty()) return true;
  return false;
}

/// The stop's channel for everything that does not come from the switch.
std::uint8_t free_channel(const RankPrograms::Program& program) {
  std::uint32_t used = 0;
  for (const RankPrograms::Connection& in : program.in_peers)
    if (in.peer == kSwitch) used |= 1U << in.channel;
  return static_cast<std::uint8_t>(std::countr_one(used));
}

std::vector<unsigned> all_units(const runtime::PimSystem& system) {
  std::vector<unsigned> units(system.units());
  std::iota(units.begin(), units.end(), 0U);
  return units;
}

}  // namespace

PimExecutor::PimExecutor(runtime::PimSystem& system) : PimExecutor(system, all_units(system)) {}
PimExecutor::PimExecutor(runtime::PimSystem& system, std::vector<unsigned> units)
    : system_(system), units_(std::move(units)) {}

std::uint32_t PimExecutor::ranks() const { return u32(units_.size()); }
double PimExecutor::ns(std::uint64_t cycles) const { return system_.ns(cycles); }

/// Units of consecutive numbers share little with other such pairs; others meet at pins and buses.
bool PimExecutor::one_hop(const Schedule& schedule) const {
  const std::uint32_t n = schedule.size();
  for (std::uint32_t rank = 0; rank < n; ++rank)
    for (const Lane& lane : schedule.ranks[rank].lanes)
      for (const Step& step : lane.steps)
        if (step.to != kNobody && step.to != (rank + 1) % n && rank != (step.to + 1) % n)
          return false;
  return true;
}

bool PimExecutor::combines_in_network() const {
  return system_.switch_joins_units() && system_.switch_reduces();
}

std::uint32_t PimExecutor::memory_bytes() const { return kArenaBytes; }

CollectiveExecutor::Machine PimExecutor::machine(const Schedule& schedule, const Demand& demand) {
  if (demand.redop.starts_with("b") && combines_at_switch(schedule))
    runtime::bad_use(demand.where + ".redop",
                     "is " + demand.redop +
                         ", which the switch lacks: expected sum, prod, max, min "
                         "or avg, or an algorithm whose ranks combine");
  Machine machine;
  machine.limits = {.memory_bytes = memory_bytes(),
                    .largest_slice = 2048,
                    .worthy_slice = 512,
                    .smallest_slice = 64,
                    .slices_a_message = 4,
                    .alignment = kAlignment};
  if (system_.switch_joins_units()) {
    machine.limits.switch_channels = firmware::collectives::kUnitChannels;
    machine.limits.switch_reduces = system_.switch_reduces();
  }
  return machine;
}

/// A rank has a window for each channel of the switch. With more channels the senders write into
/// its arena, as those of other algorithms do.
Schedule PimExecutor::lowered(const Schedule& schedule) const {
  const bool fits = most_switch_channel(schedule) < firmware::collectives::kUnitChannels;
  return fits || !system_.switch_joins_units() ? schedule : SwitchWiring::with_messages(schedule);
}

std::vector<unsigned> PimExecutor::units_of(const Task& task) const {
  return {units_.begin(), units_.begin() + task.schedule.size()};
}

bool PimExecutor::orders_have_ranges(std::uint32_t ranks) const {
  return *std::max_element(units_.begin(), units_.begin() + ranks) >= regs::pim::stop::kMaskChips;
}

/// The value for a set of ranks in a register of an order to the switch. There is none for a range
/// if the units of the ranks are not at equal distances.
std::optional<std::uint32_t> PimExecutor::set_of(const RankSet& ranks, bool as_range) const {
  RankSet units;
  for (const std::uint32_t rank : ranks.ranks()) units.add(unit(rank));
  const std::vector<std::uint32_t> each = units.ranks();
  std::uint32_t mask = 0;
  if (!as_range || each.empty()) {
    for (const std::uint32_t unit : each) mask |= 1U << unit;
    return mask;
  }
  const std::uint32_t stride = each.size() > 1 ? each[1] - each[0] : 1;
  for (std::size_t i = 1; i < each.size(); ++i)
    if (each[i] - each[i - 1] != stride) return {};
  return regs::pim::stop::chip_range(each.front(), u32(each.size()), stride);
}

/// Sets the registers of orders of a rank. A multicast to a range leaves out its sender, so the
/// range may have it.
void PimExecutor::set_order(std::uint32_t rank, const RankPrograms::Connection& out, bool as_range,
                            binary::Connection& order) const {
  std::optional<std::uint32_t> members = set_of(out.members, as_range);
  const std::optional<std::uint32_t> contributors = set_of(out.contributors, as_range);
  if (!members && out.contributors.empty()) {
    RankSet with_sender = out.members;
    with_sender.add(rank);
    members = set_of(with_sender, as_range);
  }
  if (!members || !contributors)
    runtime::bad_use("collective",
                     "rank " + std::to_string(rank) + " names " +
                         std::to_string((members ? out.contributors : out.members).size()) +
                         " ranks to the switch: with units from " +
                         std::to_string(regs::pim::stop::kMaskChips) +
                         " on expected units at equal distances");
  order.slots = *members;
  order.there = *contributors;
}

void PimExecutor::place(Task& task, const Memories& memories) {
  RankPrograms& programs = task.programs;
  const bool counted = counted_by_channels(task.schedule, programs);
  const bool switched = needs_switch(task.schedule);
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank) {
    for (std::uint32_t m = 0; m < binary::kMemories; ++m)
      programs.program(rank, 0).header.memories[m] = u32(memories.at[m]);
    if (switched) {
      connect_switched(programs, rank);
    } else {
      connect(programs, rank, counted);
    }
  }
  task.images.clear();
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank) {
    const RankPrograms::Program& program = programs.program(rank, 0);
    Task::Image image;
    image.program = program.bytes();
    image.program.resize(program.state_end, 0);
    image.state = program.state_begin;
    image.state_bytes = program.state_end - program.state_begin;
    task.images.push_back(std::move(image));
  }
}

std::string PimExecutor::slices_of(const Schedule& schedule) const {
  if (!needs_switch(schedule)) return "UnitSlices";
  return orders_have_ranges(schedule.size()) ? "RangedSlices" : "SwitchedSlices";
}

void PimExecutor::write(const Task& task) {
  system_.load(units_of(task), "firmware/collectives/scheduled.cpp",
               {{"PIM_OP", cpp_op(task.demand.redop)},
                {"PIM_TYPE", cpp_type(task.demand.type)},
                {"PIM_SLICES", slices_of(task.schedule)}});
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank)
    system_.write_variable(unit(rank), kArena, 0, task.images[rank].program);
}

void PimExecutor::load(Task& task, const Operands& operands) {
  const std::uint64_t needed =
      operands.input_bytes() + operands.output_bytes() + operands.scratch_bytes();
  if (needed > system_.bank_bytes())
    runtime::bad_use(task.demand.where + ".bytes",
                     "input, output and scratch of a rank take " + std::to_string(needed) +
                         " bytes: expected at most those of its bank, " +
                         std::to_string(system_.bank_bytes()));
  output_at_ = operands.input_bytes();
  output_bytes_ = operands.output_bytes();
  place(task, {.at = {0, output_at_, output_at_ + output_bytes_}});
  write(task);
  for (std::uint32_t rank = 0; rank < task.schedule.size(); ++rank) {
    system_.own_by_host(unit(rank));
    system_.write_bank(unit(rank), 0, operands.input(rank));
    // A result that was not written must not look right.
    system_.write_bank(unit(rank), output_at_, std::vector<std::uint8_t>(output_bytes_, 0xA5));
    system_.own_by_processor(unit(rank));
  }
}

/// Channels 0, 1, … of a unit are those of incoming slices, then those of credits; or counts in its
/// arena.
void PimExecutor::connect(RankPrograms& programs, std::uint32_t rank, bool counted) const {
  const auto arrivals = [&](const RankPrograms::Program& at, std::uint32_t in) {
    return counted ? in : at.header.counts + in * binary::kCountBytes;
  };
  const auto credits = [&](const RankPrograms::Program& at, std::uint32_t out) {
    const std::uint32_t index = at.header.ins + out;
    return counted ? index : at.header.counts + index * binary::kCountBytes;
  };
  RankPrograms::Program& mine = programs.program(rank, 0);
  for (std::uint32_t i = 0; i < mine.header.outs; ++i) {
    const RankPrograms::Connection& out = mine.out_peers[i];
    const RankPrograms::Program& there = programs.program(out.peer, 0);
    mine.outs[i] = {.peer = peer(out.peer),
                    .slots = there.slots_of(out.index_there),
                    .there = arrivals(there, out.index_there),
                    .here = credits(mine, i)};
  }
  for (std::uint32_t i = 0; i < mine.header.ins; ++i) {
    const RankPrograms::Connection& in = mine.in_peers[i];
    mine.ins[i] = {.peer = peer(in.peer),
                   .slots = mine.slots_of(i),
                   .there = credits(programs.program(in.peer, 0), in.index_there),
                   .here = arrivals(mine, i)};
  }
}

/// Fills in connections to the switch in the format of
/// firmware/collectives/transport/switched_slices.h.
void PimExecutor::connect_switched(RankPrograms& programs, std::uint32_t rank) const {
  using firmware::collectives::kFromSwitch;
  using firmware::collectives::kSwitchPeer;
  RankPrograms::Program& mine = programs.program(rank, 0);
  const auto u8 = [](std::uint32_t value) { return static_cast<std::uint8_t>(value); };
  const bool as_range = orders_have_ranges(programs.ranks());
  if (free_channel(mine) >= firmware::collectives::kUnitChannels)
    runtime::bad_use("collective",
                     "rank " + std::to_string(rank) +
                         " receives from the switch on all channels: expected one free channel");
  for (std::uint32_t i = 0; i < mine.header.outs; ++i) {
    const RankPrograms::Connection& out = mine.out_peers[i];
    const std::uint32_t here = mine.count_at(mine.out_counts[i]);
    if (out.peer == kSwitch) {
      const bool comes_back = out.members.contains(rank);
      const std::uint32_t counts = out.contributors.empty() ? out.members.size() : comes_back;
      mine.outs[i] = {.peer = kSwitchPeer,
                      .port = u8(out.channel | (counts >> 8) << 4),
                      .hops = u8(counts),
                      .here = here};
      set_order(rank, out, as_range, mine.outs[i]);
      continue;
    }
    const RankPrograms::Program& there = programs.program(out.peer, 0);
    mine.outs[i] = {.peer = peer(out.peer),
                    .port = free_channel(there),
                    .slots = there.slots_of(out.index_there),
                    .there = there.count_at(out.index_there),
                    .here = here};
  }
  for (std::uint32_t i = 0; i < mine.header.ins; ++i) {
    const RankPrograms::Connection& in = mine.in_peers[i];
    const bool from_switch = in.peer == kSwitch;
    const std::uint32_t source = from_switch ? in.source : in.peer;
    const RankPrograms::Program& there = programs.program(source, 0);
    const RankPrograms::Connection& out = there.out_peers[in.index_there];
    std::uint32_t count = there.out_counts[in.index_there];
    if (from_switch && out.contributors.empty()) count += out.members.below(rank);
    mine.ins[i] = {.peer = peer(source),
                   .port = free_channel(there),
                   .hops = from_switch ? kFromSwitch : std::uint8_t{0},
                   .slots = mine.slots_of(i),
                   .there = there.count_at(count),
                   .here = from_switch ? in.channel : mine.count_at(i)};
  }
}

void PimExecutor::execute(const Task& task) { system_.run(units_of(task)); }

CollectiveExecutor::Left PimExecutor::left(const Task& task, std::uint32_t rank, std::uint32_t) {
  struct Marks {
    std::uint64_t begin;
    std::uint64_t end;
  };
  const auto times = system_.get<Marks>(unit(rank), "times");
  const Task::Image& image = task.image(rank, 0);
  return {system_.read_variable(unit(rank), kArena, image.state, image.state_bytes), times.begin,
          times.end};
}

std::vector<std::uint8_t> PimExecutor::state_now(const Task& task, std::uint32_t rank,
                                                 std::uint32_t) {
  const Task::Image& image = task.image(rank, 0);
  return system_.peek_variable(unit(rank), kArena, image.state, image.state_bytes);
}

/// The text of a fault begins with its place, "unit11 (chip1.bank3)".
std::optional<std::uint32_t> PimExecutor::rank_of(const foundation::Fault& fault) const {
  unsigned stopped = 0;
  if (std::sscanf(fault.what(), "unit%u", &stopped) != 1) return {};
  const auto found = std::ranges::find(units_, stopped);
  if (found == units_.end()) return {};
  return static_cast<std::uint32_t>(found - units_.begin());
}

std::vector<std::uint8_t> PimExecutor::output(std::uint32_t rank) {
  system_.own_by_host(unit(rank));
  return system_.read_bank(unit(rank), output_at_, output_bytes_);
}

std::string PimExecutor::origin(std::uint32_t rank, std::uint64_t byte) {
  return system_.origin(unit(rank), output_at_ + byte);
}

}  // namespace tvp::collectives
