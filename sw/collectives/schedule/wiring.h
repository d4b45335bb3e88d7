#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

inline constexpr std::uint32_t kNoWire = 0xFFFF'FFFF;

/// One step of a schedule.
struct StepPlace {
  std::uint32_t rank = 0;
  std::uint32_t lane = 0;
  std::uint32_t step = 0;
  auto operator<=>(const StepPlace&) const = default;
};

/// The connections of a schedule, and the operations of the switch between those that end in it.
class Wiring {
 public:
  explicit Wiring(const Schedule& schedule);

  struct Connection {
    std::uint32_t from = kNobody;
    std::uint32_t to = kNobody;
    std::uint16_t channel = 0;
    std::uint32_t group = kNoWire;   ///< group of the switch at one end
    std::vector<StepPlace> senders;  ///< in the order of ranks, lanes, steps
    std::vector<StepPlace> receivers;
  };
  /// Messages that the switch combines, or takes from one sender, and multicasts.
  struct Group {
    RankSet contributors;  ///< empty for a multicast without combining
    RankSet members;
    std::vector<std::uint32_t> inward;   ///< connections to the switch
    std::vector<std::uint32_t> outward;  ///< connections from it
  };

  const std::vector<Connection>& connections() const { return connections_; }
  const std::vector<Group>& groups() const { return groups_; }
  std::uint32_t in_of(const StepPlace& at) const { return wires_[at.rank][at.lane][at.step].in; }
  std::uint32_t out_of(const StepPlace& at) const { return wires_[at.rank][at.lane][at.step].out; }

 private:
  struct Wires {
    std::uint32_t in = kNoWire;
    std::uint32_t out = kNoWire;
  };
  using GroupKey = std::tuple<std::uint16_t, RankSet, RankSet, std::uint32_t>;
  std::uint32_t connection(std::uint32_t from, std::uint32_t to, std::uint16_t channel,
                           std::uint32_t group);
  std::uint32_t to_switch(std::uint32_t rank, const Step& step);
  std::uint32_t from_switch(std::uint32_t rank, std::uint16_t channel);

  const std::uint32_t ranks_;
  std::vector<Connection> connections_;
  std::vector<Group> groups_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, std::uint32_t>, std::uint32_t>
      numbers_;
  std::map<GroupKey, std::uint32_t> group_numbers_;
  std::vector<std::vector<std::vector<Wires>>> wires_;
};

}  // namespace tvp::collectives
