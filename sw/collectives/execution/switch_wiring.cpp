#include "sw/collectives/execution/switch_wiring.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sw/collectives/schedule/schedule_text.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

/// Checks the steps of a schedule that involve the switch, one after the other.
class SwitchSteps {
 public:
  SwitchSteps(const Schedule& schedule, const RankLimits& limits)
      : schedule_(schedule), limits_(limits) {}

  void check() {
    for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank) {
      reducing_lane_.reset();
      for (std::size_t lane = 0; lane < schedule_.ranks[rank].lanes.size(); ++lane)
        for (const Step& step : schedule_.ranks[rank].lanes[lane].steps)
          check_step(rank, lane, step);
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& text) const {
    runtime::bad_use(schedule_.name, text);
  }

  void check_step(std::uint32_t rank, std::size_t lane, const Step& step) {
    if (step.to != kSwitch && step.from != kSwitch) return;
    if (limits_.switch_channels == 0)
      refuse("needs a switch: expected a system that has one, such as pim_star");
    if (step.channel >= limits_.switch_channels)
      refuse(rank_text(rank) + " uses channel " + std::to_string(step.channel) +
             " of the switch: expected one below " + std::to_string(limits_.switch_channels));
    if (step.to == kSwitch && !step.contributors.empty()) check_reduction(rank, lane, step);
  }

  void check_reduction(std::uint32_t rank, std::size_t lane, const Step& step) {
    if (!limits_.switch_reduces) refuse("needs a switch that combines: expected switch.alu=true");
    if (const RankSet others = step.members.without(step.contributors); !others.empty())
      refuse(rank_text(others.ranks().front()) +
             " receives a result of the switch to which it does not contribute");
    if (group_.value_or(step.contributors) != step.contributors)
      refuse("has reductions of different groups of ranks in the switch: expected one group");
    if (reducing_lane_.value_or(lane) != lane)
      refuse(rank_text(rank) +
             " contributes to reductions of the switch in several lanes: expected one");
    group_ = step.contributors;
    reducing_lane_ = lane;
  }

  const Schedule& schedule_;
  const RankLimits& limits_;
  std::optional<RankSet> group_;              ///< contributors of all reductions
  std::optional<std::size_t> reducing_lane_;  ///< lane of the current rank
};

/// Joins what ranks send to the switch with the connections that receive it.
class SwitchConnections {
 public:
  using All = SwitchWiring::Connections;
  SwitchConnections(const Schedule& schedule, const All& outs, All& ins)
      : schedule_(schedule), outs_(outs), ins_(ins), feeders_(ins.size()) {
    for (std::size_t rank = 0; rank < ins.size(); ++rank) feeders_[rank].resize(ins[rank].size());
  }

  void connect() {
    for (std::uint32_t from = 0; from < outs_.size(); ++from)
      for (std::uint32_t i = 0; i < outs_[from].size(); ++i)
        if (outs_[from][i].peer == kSwitch) connect_receivers(from, i);
    require_feeders();
  }

 private:
  [[noreturn]] void refuse(std::uint32_t rank, std::uint16_t channel,
                           const std::string& text) const {
    runtime::bad_use(schedule_.name,
                     rank_text(rank) + text + " on channel " + std::to_string(channel));
  }

  void connect_receivers(std::uint32_t from, std::uint32_t index) {
    const RankPrograms::Connection& out = outs_[from][index];
    for (std::uint32_t rank = 0; rank < ins_.size(); ++rank) {
      // The rank that receives a result is the one that requests it.
      const bool receives = out.contributors.empty() || rank == from;
      if (out.members.contains(rank) && receives) connect_one(rank, from, index);
    }
  }

  void connect_one(std::uint32_t rank, std::uint32_t from, std::uint32_t index) {
    const std::uint16_t channel = outs_[from][index].channel;
    bool receives = false;
    for (std::uint32_t k = 0; k < ins_[rank].size(); ++k) {
      RankPrograms::Connection& in = ins_[rank][k];
      if (in.peer != kSwitch || in.channel != channel) continue;
      receives = true;
      if (++feeders_[rank][k] > 1)
        refuse(rank, channel, " receives data of several groups of ranks from the switch");
      in.source = from;
      in.index_there = index;
    }
    if (!receives) refuse(rank, channel, " never receives the switch's data");
  }

  void require_feeders() const {
    for (std::uint32_t rank = 0; rank < ins_.size(); ++rank)
      for (std::uint32_t k = 0; k < ins_[rank].size(); ++k)
        if (ins_[rank][k].peer == kSwitch && feeders_[rank][k] == 0)
          refuse(rank, ins_[rank][k].channel, " waits for data that no rank sends to the switch");
  }

  const Schedule& schedule_;
  const All& outs_;
  All& ins_;
  std::vector<std::vector<unsigned>>
      feeders_;  ///< feeders of each incoming connection of each rank
};

bool is_for_one(const Step& step) {
  return step.to == kSwitch && step.contributors.empty() && step.members.size() == 1;
}

}  // namespace

Schedule SwitchWiring::with_messages(Schedule schedule) {
  const auto for_each_step = [&](const auto& visit) {
    for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
      for (Lane& lane : schedule.ranks[rank].lanes)
        for (Step& step : lane.steps) visit(rank, step);
  };
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint32_t> senders;  // key: rank, channel
  for_each_step([&](std::uint32_t rank, const Step& step) {
    if (is_for_one(step)) senders.try_emplace({step.members.ranks().front(), step.channel}, rank);
  });
  for_each_step([&](std::uint32_t rank, Step& step) {
    const auto sender = senders.find({rank, step.channel});
    if (step.from == kSwitch && sender != senders.end()) step.from = sender->second;
    if (!is_for_one(step)) return;
    step.to = step.members.ranks().front();
    step.members = {};
  });
  return schedule;
}

void SwitchWiring::check(const Schedule& schedule, const RankLimits& limits) {
  SwitchSteps(schedule, limits).check();
}

void SwitchWiring::connect(const Schedule& schedule, const Connections& outs, Connections& ins) {
  SwitchConnections(schedule, outs, ins).connect();
}

}  // namespace tvp::collectives
