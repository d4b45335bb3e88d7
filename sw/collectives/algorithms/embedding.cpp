#include "sw/collectives/algorithms/embedding.h"

#include <algorithm>

#include "sw/collectives/schedule/local_order.h"
#include "sw/collectives/schedule/step_access.h"

namespace tvp::collectives {

Embedding::Embedding(ProgramBuilder& builder, const Schedule& group, std::uint32_t scale)
    : builder_(builder), group_(group), scale_(scale) {
  for (const RankProgram& program : group.ranks) {
    group_lanes_ = std::max(group_lanes_, static_cast<std::uint32_t>(program.lanes.size()));
    for (const Lane& lane : program.lanes)
      for (const Step& step : lane.steps) {
        longest_ = std::max(longest_, step.count);
        channels_ = std::max(channels_, static_cast<std::uint16_t>(step.channel + 1));
      }
  }
}

void Embedding::append(const std::vector<std::uint32_t>& ranks, std::uint32_t first_lane,
                       std::uint16_t first_channel,
                       const std::function<Memories(std::uint32_t)>& memories) {
  for (std::uint32_t each = 0; each < group_.size(); ++each)
    append_rank({ranks, each, first_lane, first_channel, memories(each)});
}

void Embedding::append_rank(const Where& where) {
  stored_.assign(group_lanes_, 0);
  const RankProgram& program = group_.ranks[where.group_rank];
  const LocalOrder order(program);
  for (const Dependency& at : order.sequence())
    append_step(where, at.lane, program.lanes[at.lane].steps[at.step]);
}

Place Embedding::place(const Where& where, const Place& of_group) const {
  const std::array<Place, 4> bases{where.memories.input, where.memories.output,
                                   where.memories.scratch, nowhere};
  const Place& base = bases[static_cast<std::size_t>(of_group.memory)];
  if (base.memory == Memory::kNone) return nowhere;
  return {base.memory, base.index + of_group.index * scale_};
}

std::uint32_t Embedding::rank(const Where& where, std::uint32_t of_group) const {
  return of_group < group_.size() ? where.ranks[of_group] : of_group;
}

RankSet Embedding::set(const Where& where, const RankSet& of_group) {
  RankSet made;
  for (const std::uint32_t each : of_group.ranks()) made.add(where.ranks[each]);
  return made;
}

void Embedding::append_step(const Where& where, std::uint32_t lane, Step step) {
  step.source = place(where, step.source);
  step.destination = place(where, step.destination);
  step.count *= scale_;
  step.to = rank(where, step.to);
  step.from = rank(where, step.from);
  step.channel = static_cast<std::uint16_t>(step.channel + where.first_channel);
  step.members = set(where, step.members);
  step.contributors = set(where, step.contributors);
  step.after.clear();
  if (step.kind == StepKind::kCopy && step.source == step.destination) return;
  const std::uint32_t of_lane = where.first_lane + lane;
  const std::uint32_t sending = of_lane + group_lanes_;
  const std::uint32_t rank_number = where.ranks[where.group_rank];
  if (step.count == 1 || !sends(step)) {
    builder_.append(rank_number, of_lane, std::move(step));
    return;
  }
  if (!receives(step)) {
    builder_.append(rank_number, sending, std::move(step));
    return;
  }
  Step onward{.kind = StepKind::kSend, .count = step.count, .to = step.to, .channel = step.channel};
  if (step.destination.memory == Memory::kNone) {
    const std::uint32_t turn = 2 * lane + stored_[lane]++ % 2;
    step.destination = {where.memories.scratch.memory,
                        where.memories.scratch.index + (group_.scratch + turn * longest_) * scale_};
  }
  onward.source = step.destination;
  step.to = kNobody;
  builder_.append(rank_number, of_lane, std::move(step));
  builder_.append(rank_number, sending, std::move(onward));
}

}  // namespace tvp::collectives
