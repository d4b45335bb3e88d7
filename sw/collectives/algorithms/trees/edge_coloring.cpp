#include "sw/collectives/algorithms/trees/edge_coloring.h"

#include <algorithm>

namespace tvp::collectives {

namespace {

constexpr std::uint32_t kFree = 0xFFFF'FFFF;

/// Which message a rank sends and receives at each turn.
class TurnTable {
 public:
  TurnTable(const std::vector<PeriodicMessage>& messages, std::uint32_t ranks)
      : messages_(messages), turns_of_(messages.size(), kFree) {
    std::vector<std::uint32_t> sends(ranks);
    std::vector<std::uint32_t> receives(ranks);
    std::uint32_t most = 0;
    for (const PeriodicMessage& each : messages)
      most = std::max({most, ++sends[each.from], ++receives[each.to]});
    sending_.assign(ranks, std::vector<std::uint32_t>(most, kFree));
    receiving_ = sending_;
  }

  void add(std::uint32_t message) {
    const PeriodicMessage& added = messages_[message];
    const std::uint32_t free_there = free_turn(sending_[added.from]);
    const std::uint32_t free_here = free_turn(receiving_[added.to]);
    // Swaps the two turns along the path of messages that have one of them, from the receiver on.
    // The path cannot end at the sender, which has no message at its free turn.
    if (free_there != free_here) swap_from(added.to, free_there, free_here);
    put(message, free_there);
  }

  std::vector<std::uint32_t> take() { return std::move(turns_of_); }

 private:
  static std::uint32_t free_turn(const std::vector<std::uint32_t>& table) {
    return static_cast<std::uint32_t>(std::ranges::find(table, kFree) - table.begin());
  }
  void put(std::uint32_t message, std::uint32_t turn) {
    turns_of_[message] = turn;
    sending_[messages_[message].from][turn] = message;
    receiving_[messages_[message].to][turn] = message;
  }
  void swap_from(std::uint32_t receiver, std::uint32_t taken, std::uint32_t other) {
    std::vector<std::uint32_t> path;
    std::uint32_t rank = receiver;
    bool at_receiver = true;
    for (std::uint32_t turn = taken;;) {
      const std::uint32_t message = (at_receiver ? receiving_ : sending_)[rank][turn];
      if (message == kFree) break;
      path.push_back(message);
      rank = at_receiver ? messages_[message].from : messages_[message].to;
      at_receiver = !at_receiver;
      turn = turn == taken ? other : taken;
    }
    for (const std::uint32_t message : path) {
      sending_[messages_[message].from][turns_of_[message]] = kFree;
      receiving_[messages_[message].to][turns_of_[message]] = kFree;
    }
    for (const std::uint32_t message : path)
      put(message, turns_of_[message] == taken ? other : taken);
  }

  const std::vector<PeriodicMessage>& messages_;
  std::vector<std::uint32_t> turns_of_;
  std::vector<std::vector<std::uint32_t>> sending_;  ///< rank, turn
  std::vector<std::vector<std::uint32_t>> receiving_;
};

}  // namespace

std::vector<std::uint32_t> turns(const std::vector<PeriodicMessage>& messages,
                                 std::uint32_t ranks) {
  TurnTable table(messages, ranks);
  for (std::uint32_t message = 0; message < messages.size(); ++message) table.add(message);
  return table.take();
}

}  // namespace tvp::collectives
