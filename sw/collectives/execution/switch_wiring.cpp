#include "sw/collectives/execution/switch_wiring.h"

#include <bit>
#include <optional>
#include <string>

#include "sw/collectives/schedule/schedule_text.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

namespace {

bool has(std::uint64_t set, std::uint32_t rank) { return rank < 64 && (set >> rank & 1) != 0; }

}  // namespace

void SwitchWiring::check(const Schedule& schedule, const RankLimits& limits) {
  const auto refuse = [&](const std::string& text) { runtime::bad_use(schedule.name, text); };
  std::optional<std::uint64_t> group;
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
    std::optional<std::size_t> reducing;
    for (std::size_t lane = 0; lane < schedule.ranks[rank].lanes.size(); ++lane) {
      for (const Step& step : schedule.ranks[rank].lanes[lane].steps) {
        if (step.to != kSwitch && step.from != kSwitch) continue;
        if (limits.switch_channels == 0)
          refuse("needs a switch: expected a system that has one, as pim_star");
        if (schedule.size() > limits.switch_ranks)
          refuse("has " + std::to_string(schedule.size()) +
                 " ranks at a switch: expected at most " + std::to_string(limits.switch_ranks));
        if (step.channel >= limits.switch_channels)
          refuse(rank_text(rank) + " uses channel " + std::to_string(step.channel) +
                 " of the switch: expected one below " + std::to_string(limits.switch_channels));
        if (step.to != kSwitch || step.contributors == 0) continue;
        if (!limits.switch_reduces)
          refuse("needs a switch that combines: expected switch.alu=true");
        if ((step.members & ~step.contributors) != 0)
          refuse(rank_text(static_cast<std::uint32_t>(
                     std::countr_zero(step.members & ~step.contributors))) +
                 " gets a result of the switch to which it does not contribute");
        if (group.value_or(step.contributors) != step.contributors)
          refuse("has reductions of different groups of ranks in the switch: expected one group");
        if (reducing.value_or(lane) != lane)
          refuse(rank_text(rank) +
                 " contributes to reductions of the switch in several lanes: "
                 "expected one");
        group = step.contributors;
        reducing = lane;
      }
    }
  }
}

void SwitchWiring::connect(const Schedule& schedule, const Connections& outs, Connections& ins) {
  const auto refuse = [&](std::uint32_t rank, std::uint16_t channel, const std::string& text) {
    runtime::bad_use(schedule.name,
                     rank_text(rank) + text + " on channel " + std::to_string(channel));
  };
  std::vector<std::vector<unsigned>> found(schedule.size());
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) found[rank].resize(ins[rank].size());
  for (std::uint32_t from = 0; from < schedule.size(); ++from) {
    for (std::uint32_t i = 0; i < outs[from].size(); ++i) {
      const RankPrograms::Connection& out = outs[from][i];
      if (out.peer != kSwitch) continue;
      for (std::uint32_t rank = 0; rank < schedule.size(); ++rank) {
        // A result is asked for by whom it comes to.
        if (!has(out.members, rank) || (out.contributors != 0 && rank != from)) continue;
        bool receives = false;
        for (std::uint32_t k = 0; k < ins[rank].size(); ++k) {
          RankPrograms::Connection& in = ins[rank][k];
          if (in.peer != kSwitch || in.channel != out.channel) continue;
          receives = true;
          if (++found[rank][k] > 1)
            refuse(rank, in.channel, " gets from the switch what several groups of ranks send");
          in.source = from;
          in.index_there = i;
        }
        if (!receives) refuse(rank, out.channel, " never receives what the switch has for it");
      }
    }
  }
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
    for (std::uint32_t k = 0; k < ins[rank].size(); ++k)
      if (ins[rank][k].peer == kSwitch && found[rank][k] == 0)
        refuse(rank, ins[rank][k].channel, " waits for what nobody gives the switch");
}

}  // namespace tvp::collectives
