#include "sw/collectives/algorithms/chain.h"

#include <algorithm>

namespace tvp::collectives {

std::vector<Primitive> Chain::primitives() const {
  return {Primitive::kBroadcast, Primitive::kReduce};
}

std::string Chain::refusal(const ScheduleRequest& request) const {
  return request.channels > 1 ? "has one channel only: expected channels=1" : "";
}

std::vector<Chain::Arm> Chain::arms_of(const ScheduleRequest& request) {
  const RankOrder order(request, false);
  const std::uint32_t root = order.position(request.root);
  Arm up{{}, 0};
  for (std::uint32_t position = root + 1; position < order.size(); ++position)
    up.ranks.push_back(order.at(position));
  Arm down{{}, up.ranks.empty() ? 0U : 1U};
  for (std::uint32_t position = root; position-- > 0;) down.ranks.push_back(order.at(position));
  std::vector<Arm> arms;
  for (Arm* arm : {&up, &down})
    if (!arm->ranks.empty()) arms.push_back(std::move(*arm));
  return arms;
}

std::uint32_t Chain::depth(const ScheduleRequest& request) const {
  std::size_t longest = 0;
  for (const Arm& arm : arms_of(request)) longest = std::max(longest, arm.ranks.size());
  return static_cast<std::uint32_t>(longest);
}

Schedule Chain::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_root(request.root);
  builder.set_average(request.average);
  const std::vector<Arm> arms = arms_of(request);
  for (const Arm& arm : arms) {
    if (request.primitive == Primitive::kBroadcast)
      spread(builder, request, arm);
    else
      collect(builder, request, arm);
  }
  auto beside = builder.at(request.root, static_cast<std::uint32_t>(arms.size()));
  for (std::uint32_t segment = 0; segment < request.segments; ++segment) {
    if (request.primitive == Primitive::kBroadcast)
      beside.copy(input(segment), output(segment));
    else if (request.average)
      beside.scale(output(segment), output(segment));
  }
  return builder.finish(title(request));
}

void Chain::spread(ProgramBuilder& builder, const ScheduleRequest& request, const Arm& arm) {
  auto root = builder.at(request.root, arm.lane);
  for (std::uint32_t segment = 0; segment < request.segments; ++segment)
    root.send(arm.ranks.front(), input(segment));
  for (std::size_t at = 0; at < arm.ranks.size(); ++at) {
    const std::uint32_t before = at == 0 ? request.root : arm.ranks[at - 1];
    const std::uint32_t next = at + 1 < arm.ranks.size() ? arm.ranks[at + 1] : kNobody;
    auto lane = builder.at(arm.ranks[at]);
    for (std::uint32_t segment = 0; segment < request.segments; ++segment)
      lane.relay(before, next, output(segment));
  }
}

void Chain::collect(ProgramBuilder& builder, const ScheduleRequest& request, const Arm& arm) {
  for (std::size_t at = 0; at < arm.ranks.size(); ++at) {
    const std::uint32_t next = at == 0 ? request.root : arm.ranks[at - 1];
    auto lane = builder.at(arm.ranks[at]);
    for (std::uint32_t segment = 0; segment < request.segments; ++segment) {
      if (at + 1 < arm.ranks.size())
        lane.reduce_relay(arm.ranks[at + 1], next, input(segment), nowhere);
      else
        lane.send(next, input(segment));
    }
  }
  // The second arm adds to the result of the first one.
  auto root = builder.at(request.root, arm.lane);
  for (std::uint32_t segment = 0; segment < request.segments; ++segment)
    root.receive_reduce(arm.ranks.front(), arm.lane == 0 ? input(segment) : output(segment),
                        output(segment));
}

}  // namespace tvp::collectives
