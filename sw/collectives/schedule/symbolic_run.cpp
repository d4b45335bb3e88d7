#include "sw/collectives/schedule/symbolic_run.h"

#include <algorithm>

#include "sw/collectives/schedule/schedule_text.h"
#include "sw/collectives/schedule/step_access.h"

namespace tvp::collectives {

SymbolicRun::SymbolicRun(const Schedule& schedule, const Wiring& wiring, std::uint32_t slots)
    : schedule_(schedule),
      wiring_(wiring),
      slots_(slots),
      ranks_(schedule.size()),
      fifos_(wiring.connections().size()) {
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    RankState& state = ranks_[rank];
    state.memories = {std::vector<Symbol>(schedule.input_chunks()),
                      std::vector<Symbol>(schedule.output_chunks()),
                      std::vector<Symbol>(schedule.scratch)};
    for (std::uint32_t chunk = 0; chunk < schedule.input_chunks(); ++chunk)
      state.memories[0][chunk] = Symbol::contribution(rank, chunk);
    state.lanes.resize(schedule.ranks[rank].lanes.size());
  }
}

void SymbolicRun::run() {
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (std::uint32_t lane = 0; lane < ranks_[rank].lanes.size(); ++lane)
        while (advance(rank, lane)) moved = true;
    for (const Wiring::Group& group : wiring_.groups())
      while (serve(group)) moved = true;
  }
}

bool SymbolicRun::may_begin(std::uint32_t rank, const Step& step) const {
  return std::ranges::all_of(step.after, [&](const Dependency& each) {
    return ranks_[rank].lanes[each.lane].step > each.step;
  });
}

bool SymbolicRun::advance(std::uint32_t rank, std::uint32_t lane) {
  LaneState& state = ranks_[rank].lanes[lane];
  const std::vector<Step>& steps = schedule_.ranks[rank].lanes[lane].steps;
  if (state.step == steps.size()) return false;
  const Step& step = steps[state.step];
  if (state.chunk == 0 && !may_begin(rank, step)) return false;
  if (step.kind != StepKind::kNothing && !do_chunk({rank, lane, state.step}, step, state.chunk))
    return false;
  if (++state.chunk >= step.count || step.kind == StepKind::kNothing) {
    ++state.step;
    state.chunk = 0;
  }
  return true;
}

bool SymbolicRun::do_chunk(const StepPlace& at, const Step& step, std::uint32_t chunk) {
  const std::uint32_t in = wiring_.in_of(at);
  const std::uint32_t out = wiring_.out_of(at);
  if (in != kNoWire && fifos_[in].empty()) return false;
  if (out != kNoWire && full(out)) return false;
  Symbol made;
  switch (step.kind) {
    case StepKind::kSend:
    case StepKind::kCopy:
      made = read(at.rank, step.source, chunk);
      break;
    case StepKind::kReceive:
      made = pop(in);
      break;
    case StepKind::kReceiveReduce:
      made = read(at.rank, step.source, chunk).combined_with(pop(in));
      break;
    case StepKind::kReduce:
      made =
          read(at.rank, step.destination, chunk).combined_with(read(at.rank, step.source, chunk));
      break;
    case StepKind::kScale:
      made = read(at.rank, step.source, chunk).scaled(schedule_.size());
      break;
    case StepKind::kNothing:
      break;
  }
  if (step.kind != StepKind::kSend) write(at.rank, step.destination, chunk, made);
  if (out != kNoWire) push(out, std::move(made));
  return true;
}

bool SymbolicRun::serve(const Wiring::Group& group) {
  const auto empty = [&](std::uint32_t each) { return fifos_[each].empty(); };
  const auto is_full = [&](std::uint32_t each) { return full(each); };
  if (std::ranges::any_of(group.inward, empty) || std::ranges::any_of(group.outward, is_full))
    return false;
  Symbol made = pop(group.inward.front());
  for (std::size_t other = 1; other < group.inward.size(); ++other)
    made = made.combined_with(pop(group.inward[other]));
  for (const std::uint32_t each : group.outward) push(each, made);
  return true;
}

void SymbolicRun::push(std::uint32_t connection, Symbol symbol) {
  fifos_[connection].push_back(std::move(symbol));
  const std::uint32_t to = wiring_.connections()[connection].to;
  if (to == kSwitch) return;
  peak_slots_ = std::max(peak_slots_, ++ranks_[to].slots_in_use);
}

Symbol SymbolicRun::pop(std::uint32_t connection) {
  Symbol symbol = std::move(fifos_[connection].front());
  fifos_[connection].pop_front();
  const std::uint32_t to = wiring_.connections()[connection].to;
  if (to != kSwitch) --ranks_[to].slots_in_use;
  return symbol;
}

Symbol SymbolicRun::read(std::uint32_t rank, const Place& place, std::uint32_t chunk) const {
  return at(rank, place.memory, place.index + chunk);
}

void SymbolicRun::write(std::uint32_t rank, const Place& place, std::uint32_t chunk,
                        Symbol symbol) {
  if (place.memory == Memory::kNone) return;
  ranks_[rank].memories[static_cast<std::size_t>(place.memory)][place.index + chunk] =
      std::move(symbol);
}

std::size_t SymbolicRun::waiting_lanes() const {
  std::size_t count = 0;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
    for (std::uint32_t lane = 0; lane < ranks_[rank].lanes.size(); ++lane)
      count += ranks_[rank].lanes[lane].step < schedule_.ranks[rank].lanes[lane].steps.size();
  return count;
}

std::string SymbolicRun::why(std::uint32_t rank, std::uint32_t lane) const {
  const LaneState& state = ranks_[rank].lanes[lane];
  const StepPlace at{rank, lane, state.step};
  const Step& step = schedule_.ranks[rank].lanes[lane].steps[state.step];
  for (const Dependency& each : step.after)
    if (state.chunk == 0 && ranks_[rank].lanes[each.lane].step <= each.step)
      return "waits for its lane " + std::to_string(each.lane) + " step " +
             std::to_string(each.step);
  const std::uint32_t in = wiring_.in_of(at);
  if (in != kNoWire && fifos_[in].empty())
    return "waits for a message from " + rank_text(step.from);
  return "waits for one of " + std::to_string(slots_) + " slots at " + rank_text(step.to);
}

std::vector<std::string> SymbolicRun::waits() const {
  std::vector<std::string> lines;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
    for (std::uint32_t lane = 0; lane < ranks_[rank].lanes.size(); ++lane) {
      const LaneState& state = ranks_[rank].lanes[lane];
      const std::vector<Step>& steps = schedule_.ranks[rank].lanes[lane].steps;
      if (state.step < steps.size())
        lines.push_back(place_text({rank, lane, state.step}) + " (" + step_text(steps[state.step]) +
                        ") " + why(rank, lane));
    }
  return lines;
}

}  // namespace tvp::collectives
