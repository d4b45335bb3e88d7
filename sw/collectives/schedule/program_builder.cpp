#include "sw/collectives/schedule/program_builder.h"

#include <algorithm>

#include "sw/collectives/schedule/step_access.h"

namespace tvp::collectives {

namespace {

void merge(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& other) {
  into.resize(std::max(into.size(), other.size()));
  for (std::size_t lane = 0; lane < other.size(); ++lane)
    into[lane] = std::max(into[lane], other[lane]);
}

bool covers(const std::vector<std::uint32_t>& clock, std::uint32_t lane, std::uint32_t step) {
  return lane < clock.size() && clock[lane] > step;
}

}  // namespace

ProgramBuilder::ProgramBuilder(Primitive primitive, std::uint32_t ranks, std::uint32_t share)
    : state_(ranks) {
  schedule_.primitive = primitive;
  schedule_.share = share;
  schedule_.ranks.resize(ranks);
}

std::uint64_t ProgramBuilder::key(Place place, std::uint32_t offset) {
  return (std::uint64_t{static_cast<std::uint8_t>(place.memory)} << 32) | (place.index + offset);
}

std::uint64_t ProgramBuilder::connection_key(std::uint32_t other, std::uint16_t channel,
                                             bool outward) {
  return (std::uint64_t{1} << 63) | (std::uint64_t{outward} << 62) |
         (std::uint64_t{channel} << 32) | other;
}

void ProgramBuilder::touch(std::uint32_t rank, std::uint64_t what, bool writes, Position who,
                           std::vector<Position>& waits_for) {
  Trace& trace = state_[rank].traces[what];
  waits_for.insert(waits_for.end(), trace.writer.begin(), trace.writer.end());
  if (!writes) {
    trace.readers.push_back(who);
    return;
  }
  waits_for.insert(waits_for.end(), trace.readers.begin(), trace.readers.end());
  trace.writer.assign(1, who);
  trace.readers.clear();
}

std::vector<Dependency> ProgramBuilder::needed(RankState& state, std::uint32_t lane,
                                               const std::vector<Position>& waits_for,
                                               Clock& clock) const {
  // Keeps the latest step of each lane, and of these the steps that no other one implies.
  std::map<std::uint32_t, std::uint32_t> latest;
  for (const auto& [of, step] : waits_for) {
    if (of == lane) continue;
    std::uint32_t& found = latest[of];
    found = std::max(found, step + 1);
  }
  std::vector<Dependency> dependencies;
  for (const auto& [of, count] : latest) {
    const std::uint32_t step = count - 1;
    const bool implied =
        covers(clock, of, step) || std::ranges::any_of(latest, [&, of = of](const auto& other) {
          return other.first != of && covers(state.clocks[other.first][other.second - 1], of, step);
        });
    if (!implied) dependencies.push_back({of, step});
  }
  for (const Dependency& each : dependencies) {
    Clock before = state.clocks[each.lane][each.step];
    before.resize(std::max<std::size_t>(before.size(), each.lane + 1));
    before[each.lane] = each.step + 1;
    merge(clock, before);
  }
  return dependencies;
}

void ProgramBuilder::append(std::uint32_t rank, std::uint32_t lane, Step step) {
  RankState& state = state_[rank];
  std::vector<Lane>& lanes = schedule_.ranks[rank].lanes;
  if (lanes.size() <= lane) lanes.resize(lane + 1);
  if (state.clocks.size() <= lane) state.clocks.resize(lane + 1);
  const Position who{lane, static_cast<std::uint32_t>(lanes[lane].steps.size())};

  std::vector<Position> waits_for;
  const Accesses touched = accesses(step);
  for (std::uint32_t offset = 0; offset < step.count; ++offset) {
    for (const Place& place : touched.reads)
      if (place.memory != Memory::kNone) touch(rank, key(place, offset), false, who, waits_for);
    if (touched.write.memory != Memory::kNone)
      touch(rank, key(touched.write, offset), true, who, waits_for);
  }
  if (receives(step))
    touch(rank, connection_key(step.from, step.channel, false), true, who, waits_for);
  if (sends(step)) touch(rank, connection_key(step.to, step.channel, true), true, who, waits_for);

  Clock clock(lane + 1);
  if (who.second > 0) clock = state.clocks[lane].back();
  clock.resize(std::max<std::size_t>(clock.size(), lane + 1));
  clock[lane] = who.second;
  std::erase(waits_for, who);
  step.after = needed(state, lane, waits_for, clock);
  state.clocks[lane].push_back(std::move(clock));

  for (const Place& place : {step.source, step.destination})
    if (place.memory == Memory::kScratch)
      schedule_.scratch = std::max(schedule_.scratch, place.index + step.count);
  lanes[lane].steps.push_back(std::move(step));
}

Schedule ProgramBuilder::finish(std::string name) {
  schedule_.name = std::move(name);
  return std::move(schedule_);
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::append(Step step) {
  step.channel = channel_;
  builder_.append(rank_, lane_, std::move(step));
  return *this;
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::send(std::uint32_t to, Place source,
                                                             std::uint32_t count) {
  return append({.kind = StepKind::kSend, .source = source, .count = count, .to = to});
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::receive(std::uint32_t from,
                                                                Place destination,
                                                                std::uint32_t count) {
  return relay(from, kNobody, destination, count);
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::relay(std::uint32_t from, std::uint32_t to,
                                                              Place destination,
                                                              std::uint32_t count) {
  return append({.kind = StepKind::kReceive,
                 .destination = destination,
                 .count = count,
                 .to = to,
                 .from = from});
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::receive_reduce(std::uint32_t from,
                                                                       Place source,
                                                                       Place destination,
                                                                       std::uint32_t count) {
  return reduce_relay(from, kNobody, source, destination, count);
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::reduce_relay(std::uint32_t from,
                                                                     std::uint32_t to, Place source,
                                                                     Place destination,
                                                                     std::uint32_t count) {
  return append({.kind = StepKind::kReceiveReduce,
                 .source = source,
                 .destination = destination,
                 .count = count,
                 .to = to,
                 .from = from});
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::copy(Place source, Place destination,
                                                             std::uint32_t count) {
  return append(
      {.kind = StepKind::kCopy, .source = source, .destination = destination, .count = count});
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::reduce(Place source, Place destination,
                                                               std::uint32_t count) {
  return append(
      {.kind = StepKind::kReduce, .source = source, .destination = destination, .count = count});
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::scale(Place source, Place destination,
                                                              std::uint32_t count) {
  return append(
      {.kind = StepKind::kScale, .source = source, .destination = destination, .count = count});
}

ProgramBuilder::LaneOfRank& ProgramBuilder::LaneOfRank::send_to_switch(const RankSet& contributors,
                                                                       const RankSet& members,
                                                                       Place source,
                                                                       std::uint32_t count) {
  return append({.kind = StepKind::kSend,
                 .source = source,
                 .count = count,
                 .to = kSwitch,
                 .members = members,
                 .contributors = contributors});
}

}  // namespace tvp::collectives
