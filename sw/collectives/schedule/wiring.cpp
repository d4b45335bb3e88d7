#include "sw/collectives/schedule/wiring.h"

#include "sw/collectives/schedule/step_access.h"

namespace tvp::collectives {

Wiring::Wiring(const Schedule& schedule) : ranks_(schedule.size()) {
  wires_.resize(schedule.size());
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    const auto& lanes = schedule.ranks[rank].lanes;
    wires_[rank].resize(lanes.size());
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
      wires_[rank][lane].resize(lanes[lane].steps.size());
      for (std::uint32_t number = 0; number < lanes[lane].steps.size(); ++number) {
        const Step& step = lanes[lane].steps[number];
        Wires& wires = wires_[rank][lane][number];
        if (receives(step)) {
          wires.in = step.from == kSwitch ? from_switch(rank, step.channel)
                                          : connection(step.from, rank, step.channel, kNoWire);
          connections_[wires.in].receivers.push_back({rank, lane, number});
        }
        if (sends(step)) {
          wires.out = step.to == kSwitch ? to_switch(rank, step)
                                         : connection(rank, step.to, step.channel, kNoWire);
          connections_[wires.out].senders.push_back({rank, lane, number});
        }
      }
    }
  }
}

std::uint32_t Wiring::connection(std::uint32_t from, std::uint32_t to, std::uint16_t channel,
                                 std::uint32_t group) {
  const auto [entry, fresh] = numbers_.try_emplace({from, to, channel, group},
                                                   static_cast<std::uint32_t>(connections_.size()));
  if (fresh)
    connections_.push_back({.from = from,
                            .to = to,
                            .channel = channel,
                            .group = group,
                            .senders = {},
                            .receivers = {}});
  return entry->second;
}

std::uint32_t Wiring::from_switch(std::uint32_t rank, std::uint16_t channel) {
  return connection(kSwitch, rank, channel, kNoWire);
}

std::uint32_t Wiring::to_switch(std::uint32_t rank, const Step& step) {
  const GroupKey key{step.channel, step.contributors, step.members,
                     step.contributors.empty() ? rank : kNobody};
  const auto [entry, fresh] =
      group_numbers_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
  const std::uint32_t group = entry->second;
  if (fresh) {
    Group made{
        .contributors = step.contributors, .members = step.members, .inward = {}, .outward = {}};
    for (std::uint32_t other = 0; other < ranks_; ++other) {
      if (step.contributors.contains(other))
        made.inward.push_back(connection(other, kSwitch, step.channel, group));
      if (step.members.contains(other)) made.outward.push_back(from_switch(other, step.channel));
    }
    if (step.contributors.empty())
      made.inward.push_back(connection(rank, kSwitch, step.channel, group));
    groups_.push_back(std::move(made));
  }
  return connection(rank, kSwitch, step.channel, group);
}

}  // namespace tvp::collectives
