#include "sw/collectives/execution/rank_programs.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sw/collectives/execution/switch_wiring.h"
#include "sw/collectives/schedule/schedule_text.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace binary = contract::collectives;

namespace {

std::uint32_t up(std::uint32_t value, std::uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

bool overlap(const Place& a, const Place& b, std::uint32_t count_a, std::uint32_t count_b) {
  return a.memory != Memory::kNone && a.memory == b.memory && a.index < b.index + count_b &&
         b.index < a.index + count_a;
}

std::string text(const Place& place) {
  constexpr const char* kNames[] = {"input", "output", "scratch", "nowhere"};
  const std::string name = kNames[static_cast<std::size_t>(place.memory)];
  return place.memory == Memory::kNone ? name : name + " " + std::to_string(place.index);
}

template <typename T>
void append(std::vector<std::uint8_t>& bytes, const std::vector<T>& table) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(table.data());
  bytes.insert(bytes.end(), first, first + table.size() * sizeof(T));
}

/// The connection of a step to a peer.
RankPrograms::Connection connection_of(const Step& step, std::uint32_t peer) {
  const bool to_switch = step.to == kSwitch && peer == kSwitch;
  RankPrograms::Connection connection;
  connection.peer = peer;
  connection.channel = step.channel;
  if (to_switch) {
    connection.members = step.members;
    connection.contributors = step.contributors;
  }
  return connection;
}

bool same(const RankPrograms::Connection& a, const RankPrograms::Connection& b) {
  return a.peer == b.peer && a.channel == b.channel && a.members == b.members &&
         a.contributors == b.contributors;
}

/// Index of a connection in a list, added if it is new.
std::uint32_t index_of(std::vector<RankPrograms::Connection>& list,
                       const RankPrograms::Connection& wanted) {
  for (std::uint32_t i = 0; i < list.size(); ++i)
    if (same(list[i], wanted)) return i;
  list.push_back(wanted);
  return static_cast<std::uint32_t>(list.size() - 1);
}

}  // namespace

std::vector<std::uint8_t> RankPrograms::Program::bytes() const {
  std::vector<std::uint8_t> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  append(bytes, lanes);
  append(bytes, steps);
  append(bytes, afters);
  append(bytes, outs);
  append(bytes, ins);
  return bytes;
}

RankPrograms::RankPrograms(const Schedule& schedule, std::uint32_t chunk_bytes,
                           const RankWorkers& workers, const RankLimits& limits)
    : schedule_(schedule), chunk_bytes_(chunk_bytes), workers_(workers), limits_(limits) {
  connect();
  choose();
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
    for (std::uint32_t worker = 0; worker < workers.count(); ++worker)
      programs_.push_back(make(rank, worker));
}

void RankPrograms::require_room(const Schedule& schedule, std::uint32_t memory_bytes) {
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    std::uint64_t steps = 0;
    std::set<std::tuple<std::uint32_t, std::uint16_t, RankSet, RankSet>> outs;
    std::set<std::pair<std::uint32_t, std::uint16_t>> ins;
    for (const Lane& lane : schedule.ranks[rank].lanes) {
      steps += lane.steps.size();
      for (const Step& step : lane.steps) {
        if (step.to != kNobody)
          outs.emplace(step.to, step.channel, step.members, step.contributors);
        if (step.from != kNobody) ins.emplace(step.from, step.channel);
      }
    }
    const std::uint64_t bytes =
        steps * (sizeof(binary::Step) + sizeof(binary::Stamp)) +
        outs.size() * (sizeof(binary::Connection) + sizeof(binary::OutState)) +
        ins.size() * (sizeof(binary::Connection) + sizeof(binary::InState));
    if (bytes > memory_bytes)
      runtime::bad_use(schedule.name,
                       "has " + std::to_string(steps) + " steps on rank " + std::to_string(rank) +
                           ", which take " + std::to_string(bytes) +
                           " bytes with their connections: expected at most the " +
                           std::to_string(memory_bytes) + " bytes of working memory of a rank");
  }
}

/// Numbers every (peer, channel) of the lanes of a set, and stores each end's number at the other
/// end. Both ends are in the same set.
void RankPrograms::connect() {
  SwitchWiring::check(schedule_, limits_);
  outs_.resize(at(schedule_.size(), 0));
  ins_.resize(at(schedule_.size(), 0));
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank) {
    const std::vector<Lane>& lanes = schedule_.ranks[rank].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const std::size_t here = at(rank, set_of(lane));
      for (const Step& step : lanes[lane].steps) {
        if (step.to != kNobody) index_of(outs_[here], connection_of(step, step.to));
        if (step.from != kNobody)
          index_of(ins_[here], {.peer = step.from, .channel = step.channel});
      }
    }
  }
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t set = 0; set < workers_.lane_sets; ++set)
      for (std::uint32_t i = 0; i < outs_[at(rank, set)].size(); ++i)
        if (outs_[at(rank, set)][i].peer != kSwitch) connect_receiver(rank, set, i);
  SwitchWiring::connect(schedule_, outs_, ins_);
}

void RankPrograms::connect_receiver(std::uint32_t rank, std::uint32_t set, std::uint32_t index) {
  Connection& out = outs_[at(rank, set)][index];
  if (out.peer >= schedule_.size() || out.peer == rank)
    runtime::bad_use(schedule_.name, "rank " + std::to_string(rank) + " sends to rank " +
                                         std::to_string(out.peer) + ": expected another rank");
  std::vector<Connection>& there = ins_[at(out.peer, set)];
  const std::size_t known = there.size();
  out.index_there = index_of(there, {.peer = rank, .channel = out.channel});
  if (there.size() != known)
    runtime::bad_use(schedule_.name, "rank " + std::to_string(out.peer) +
                                         " never receives what rank " + std::to_string(rank) +
                                         " sends on channel " + std::to_string(out.channel));
  there[out.index_there].index_there = index;
}

std::uint32_t RankPrograms::merged(const Step& step) const {
  return merges_ && rounds_ == 1 && workers_.stripes == 1 ? step.count : 1;
}

std::uint32_t RankPrograms::slices_of(const Step& step, std::uint32_t slice,
                                      std::uint32_t part) const {
  const std::uint32_t m = merged(step);
  return step.count / m * ((part * m + slice - 1) / slice);
}

/// Selects the largest slices that leave each connection more slots than its longest message has
/// slices. With the smallest slices, it selects enough rounds to make messages short enough.
void RankPrograms::choose() {
  const std::uint32_t stripe = stripe_bytes();
  const std::uint32_t longest = schedule_.longest_message();
  part_ = stripe;
  // A multiple of the smallest, so that halving ends there.
  const std::uint32_t wanted =
      up(std::max(1U, longest * stripe / limits_.slices_a_message), limits_.smallest_slice);
  std::uint32_t slice = std::clamp(wanted, limits_.worthy_slice, limits_.largest_slice);
  for (;; slice = std::max(up(slice / 2, limits_.smallest_slice), limits_.smallest_slice)) {
    if (fits(slice)) return;
    if (slice == limits_.smallest_slice) break;
  }
  const std::uint32_t finest = limits_.finest_slice != 0 ? limits_.finest_slice : slice;
  for (;; slice = std::max(up(slice / 2, finest), finest)) {
    if (fits_as_proved(slice)) return;
    if (slice == finest) break;
  }
  const Room room = room_for_slots();
  runtime::bad_use(schedule_.name,
                   "does not fit the " + std::to_string(limits_.memory_bytes) +
                       " bytes of working memory of a rank: steps and scratch take " +
                       std::to_string(room.fixed) + " bytes, and " +
                       std::to_string(room.connections) + " connections need " +
                       std::to_string(limits_.proved_slots + 1) + " slots of " +
                       std::to_string(slice) + " bytes each");
}

RankPrograms::Room RankPrograms::room_for_slots() const {
  Room room;
  for (const std::vector<Connection>& ins : ins_)
    room.connections = std::max(room.connections, static_cast<std::uint32_t>(ins.size()));
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t set = 0; set < workers_.lane_sets; ++set)
      room.fixed = std::max(room.fixed, make(rank, set).end);
  return room;
}

std::uint32_t RankPrograms::most_slots(std::uint32_t slice) const {
  const Room room = room_for_slots();
  if (room.fixed >= limits_.memory_bytes) return 0;
  return std::min((limits_.memory_bytes - room.fixed) / room.connections / slice,
                  limits_.most_slots);
}

/// Sets slice, slots, rounds and part for slices of this size. Returns true if there are enough
/// slots.
bool RankPrograms::fits(std::uint32_t slice) {
  const std::uint32_t stripe = stripe_bytes();
  begin_choice(slice);
  std::uint32_t most = most_slots(slice);
  const auto longest = [&](std::uint32_t part) {
    std::uint32_t slices = 0;
    for (const RankProgram& rank : schedule_.ranks)
      for (const Lane& lane : rank.lanes)
        for (const Step& step : lane.steps)
          if (step.to != kNobody) slices = std::max(slices, slices_of(step, slice, part));
    return slices;
  };
  part_ = stripe;
  // Slots for two messages, for which schedules are checked (Checker): a forwarded message holds
  // its slots until the next rank has free ones. Slots not yet returned are added.
  const auto needed = [&] {
    return std::max(2 * longest(part_), limits_.proved_slots * ((part_ + slice - 1) / slice));
  };
  const auto enough = [&](std::uint32_t batch) { return needed() + batch <= most; };
  batch_ = limits_.credit_batch;
  if (!enough(batch_)) batch_ = 1;
  if (!enough(batch_)) {
    rounds_ = 2;  // from now on chunks are not merged
    most = most_slots(slice);
    const std::uint32_t chunks = std::max(2 * longest(slice), limits_.proved_slots);
    if (chunks + 1 > most) return false;
    part_ = std::min(stripe, (most - 1) / chunks * slice);
    rounds_ = (stripe + part_ - 1) / part_;
  }
  slots_ = needed() + batch_;
  return true;
}

void RankPrograms::begin_choice(std::uint32_t slice) {
  slice_ = slice;
  slots_ = 0;
  rounds_ = 1;
  merges_ = true;
}

/// The checker moves messages chunk by chunk, so its slots are enough for messages of any length.
bool RankPrograms::fits_as_proved(std::uint32_t slice) {
  const std::uint32_t stripe = stripe_bytes();
  begin_choice(slice);
  merges_ = false;
  batch_ = 1;
  const std::uint32_t most = most_slots(slice);
  if (limits_.proved_slots + 1 > most) return false;
  part_ = std::min(stripe, (most - 1) / limits_.proved_slots * slice);
  rounds_ = (stripe + part_ - 1) / part_;
  slots_ = limits_.proved_slots * ((part_ + slice - 1) / slice) + batch_;
  return true;
}

binary::Step RankPrograms::lower(std::uint32_t rank, const Step& step, std::uint32_t worker) const {
  binary::Step lowered;
  lowered.kind = static_cast<binary::StepKind>(step.kind);
  const std::uint32_t offset = worker / workers_.lane_sets * stripe_bytes();
  const auto byte_at = [&](const Place& place) {
    return place.memory == Memory::kNone ? 0 : place.index * chunk_bytes_ + offset;
  };
  lowered.source = byte_at(step.source);
  lowered.destination = byte_at(step.destination);
  lowered.merged = static_cast<std::uint16_t>(merged(step));
  lowered.pieces = static_cast<std::uint16_t>(step.count / merged(step));
  lowered.flags = static_cast<std::uint8_t>(
      static_cast<unsigned>(step.source.memory) << binary::kSourceMemoryShift |
      static_cast<unsigned>(step.destination.memory) << binary::kDestinationMemoryShift);
  const auto find = [](const std::vector<Connection>& list, const Connection& wanted) {
    const auto it =
        std::ranges::find_if(list, [&](const Connection& c) { return same(c, wanted); });
    return static_cast<std::uint16_t>(it - list.begin());
  };
  const std::size_t here = of_worker(rank, worker);
  if (step.to != kNobody) lowered.to = find(outs_[here], connection_of(step, step.to));
  if (step.from != kNobody)
    lowered.from = find(ins_[here], {.peer = step.from, .channel = step.channel});
  return lowered;
}

bool RankPrograms::reads_what(const Step& step, const Step& writer) {
  const bool reduces = step.kind == StepKind::kReduce;
  return overlap(step.source, writer.destination, step.count, writer.count) ||
         (reduces && overlap(step.destination, writer.destination, step.count, writer.count));
}

RankPrograms::Program RankPrograms::make(std::uint32_t rank, std::uint32_t worker) const {
  Program program;
  add_steps(program, rank, worker);
  if (rounds_ > 1) keep_rounds_apart(program);
  if (program.steps.size() > 0x7FFF || program.afters.size() > 0xFFFF)
    runtime::bad_use(schedule_.name,
                     "rank " + std::to_string(rank) + " has " +
                         std::to_string(program.steps.size()) +
                         " steps, which does not fit a program: expected at most 32767");
  const std::size_t here = of_worker(rank, worker);
  program.out_peers = outs_[here];
  program.in_peers = ins_[here];
  program.outs.resize(outs_[here].size());
  program.ins.resize(ins_[here].size());
  place(program);
  return program;
}

void RankPrograms::add_steps(Program& program, std::uint32_t rank, std::uint32_t worker) const {
  const std::vector<Lane>& lanes = schedule_.ranks[rank].lanes;
  std::vector<std::uint16_t> number(lanes.size());  // number of the lane in the program
  for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
    if (set_of(lane) != worker % workers_.lane_sets) continue;
    number[lane] = static_cast<std::uint16_t>(program.schedule_lanes.size());
    program.schedule_lanes.push_back(lane);
  }
  for (const std::uint32_t lane : program.schedule_lanes) {
    const std::vector<Step>& steps = lanes[lane].steps;
    program.lanes.push_back({static_cast<std::uint16_t>(program.steps.size()),
                             static_cast<std::uint16_t>(steps.size())});
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const Step& step = steps[s];
      binary::Step lowered = lower(rank, step, worker);
      lowered.first_after = static_cast<std::uint16_t>(program.afters.size());
      lowered.afters = static_cast<std::uint16_t>(step.after.size());
      for (const Dependency& dependency : step.after)
        program.afters.push_back(
            {number[dependency.lane], static_cast<std::int16_t>(dependency.step)});
      // Every step has a slice, so at most these are still in progress.
      for (std::size_t back = 1; back <= std::min<std::size_t>(s, binary::kStaging); ++back)
        if (reads_what(step, steps[s - back])) lowered.flags |= binary::kAfterLane;
      program.steps.push_back(lowered);
    }
  }
}

/// A lane may be a round ahead of others. Where they share a connection it would then take or send
/// their messages: its first step there waits for the last ones of the others in the round before.
void RankPrograms::keep_rounds_apart(Program& program) {
  struct Use {
    std::size_t first;
    std::size_t last;
  };
  using Uses = std::map<std::uint16_t, Use>;  // by lane
  std::map<std::pair<bool, std::uint16_t>, Uses> connections;
  const auto lanes = static_cast<std::uint16_t>(program.lanes.size());
  for (std::uint16_t lane = 0; lane < lanes; ++lane) {
    for (std::uint16_t s = 0; s < program.lanes[lane].steps; ++s) {
      const binary::Step& step = program.steps[program.lanes[lane].first + s];
      for (const auto& [out, number] : {std::pair{true, step.to}, std::pair{false, step.from}}) {
        if (number == binary::kNoConnection) continue;
        const auto [use, is_new] = connections[{out, number}].try_emplace(lane, Use{s, s});
        use->second.last = s;
      }
    }
  }
  std::map<std::size_t, std::vector<binary::After>> added;  // key: step of the table
  for (const auto& [connection, uses] : connections)
    for (const auto& [lane, use] : uses)
      for (const auto& [other, others] : uses)
        if (other != lane)
          added[program.lanes[lane].first + use.first].push_back(
              {other, static_cast<std::int16_t>(static_cast<int>(others.last) -
                                                program.lanes[other].steps)});
  std::vector<binary::After> afters;
  for (std::size_t s = 0; s < program.steps.size(); ++s) {
    binary::Step& step = program.steps[s];
    const auto begin = program.afters.begin() + step.first_after;
    const auto at = static_cast<std::uint16_t>(afters.size());
    afters.insert(afters.end(), begin, begin + step.afters);
    if (const auto more = added.find(s); more != added.end())
      afters.insert(afters.end(), more->second.begin(), more->second.end());
    step.first_after = at;
    step.afters = static_cast<std::uint16_t>(afters.size() - at);
  }
  program.afters = std::move(afters);
}

void RankPrograms::place(Program& program) const {
  binary::ProgramHeader& header = program.header;
  const auto u32 = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
  header.lanes = u32(program.lanes.size());
  header.steps = u32(program.steps.size());
  header.afters = u32(program.afters.size());
  header.outs = u32(program.outs.size());
  header.ins = u32(program.ins.size());
  header.rounds = rounds_;
  header.part_bytes = part_;
  header.last_part_bytes = stripe_bytes() - (rounds_ - 1) * part_;
  header.stride = chunk_bytes_;
  header.slice_bytes = slice_;
  header.slots = slots_;
  header.credit_batch = batch_;
  header.ranks = schedule_.size();
  std::uint32_t at = up(binary::layout_of(header).end, 16);
  const auto take = [&](std::uint32_t bytes) {
    const std::uint32_t begin = at;
    at = up(at + bytes, 32);
    return begin;
  };
  program.state_begin = at;
  header.lane_states = take(header.lanes * u32(sizeof(binary::LaneState)));
  header.out_states = take(header.outs * u32(sizeof(binary::OutState)));
  header.in_states = take(header.ins * u32(sizeof(binary::InState)));
  header.stamps = take(header.steps * u32(sizeof(binary::Stamp)));
  std::uint32_t counts = header.ins;
  for (const Connection& out : program.out_peers) {
    program.out_counts.push_back(counts);
    const bool multicast = out.peer == kSwitch && out.contributors.empty();
    counts += multicast ? out.members.size() : 1;
  }
  header.counts = take(counts * binary::kCountBytes);
  program.state_end = at;
  header.lane_runs = take(header.lanes * binary::kLaneRunBytes);
  at = up(at, limits_.alignment);
  header.staging = take(header.lanes * binary::kStaging * slice_);
  program.slots = take(header.ins * slots_ * slice_);
  program.end = at;
}

RankPrograms::Work RankPrograms::most_work() const {
  Work most;
  for (const Program& program : programs_) {
    const binary::ProgramHeader& header = program.header;
    Work work{.lanes = program.lanes.size()};
    for (const binary::Step& step : program.steps) {
      if (step.kind == binary::StepKind::kNothing) continue;
      const bool combines =
          step.kind == binary::StepKind::kReceiveReduce || step.kind == binary::StepKind::kReduce;
      for (std::uint32_t round = 0; round < header.rounds; ++round) {
        const bool last = round + 1 == header.rounds;
        const std::uint32_t piece =
            (last ? header.last_part_bytes : header.part_bytes) * step.merged;
        work.slices +=
            std::uint64_t{step.pieces} * ((piece + header.slice_bytes - 1) / header.slice_bytes);
        work.bytes += std::uint64_t{step.pieces} * piece;
        if (combines) work.combined += std::uint64_t{step.pieces} * piece;
      }
    }
    most.lanes = std::max(most.lanes, work.lanes);
    most.slices = std::max(most.slices, work.slices);
    most.bytes = std::max(most.bytes, work.bytes);
    most.combined = std::max(most.combined, work.combined);
  }
  return most;
}

std::string RankPrograms::describe(const Schedule& schedule, std::uint32_t rank, std::uint32_t lane,
                                   std::uint32_t step) {
  constexpr const char* kNames[] = {"send",  "receive", "receive and reduce", "copy", "reduce",
                                    "scale", "nothing"};
  const Step& s = schedule.ranks[rank].lanes[lane].steps[step];
  std::string line = "lane " + std::to_string(lane) + ", step " + std::to_string(step) + " (" +
                     kNames[static_cast<std::size_t>(s.kind)] + " " + std::to_string(s.count) +
                     (s.count == 1 ? " chunk" : " chunks");
  if (s.source.memory != Memory::kNone) line += ", source " + text(s.source);
  if (s.destination.memory != Memory::kNone) line += ", destination " + text(s.destination);
  if (s.from != kNobody) line += ", from " + rank_text(s.from);
  if (s.to != kNobody) line += ", to " + rank_text(s.to);
  return line + ")";
}

}  // namespace tvp::collectives
