#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "sw/collectives/ideal/ideal_machine.h"
#include "sw/collectives/schedule/schedule.h"
#include "sw/collectives/schedule/wiring.h"

namespace tvp::collectives {

/// The begin and end of a message.
struct Journey {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t chunks = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< arrival
};

/// The results of a run.
struct FabricResult {
  std::uint64_t time = 0;
  std::vector<std::uint64_t> sent;  ///< chunks, by rank
  std::vector<std::uint64_t> received;
  std::vector<std::uint64_t> carried;  ///< chunks, by link of the topology
  std::vector<Journey> journeys;       ///< in the order of their ends
};

/// Executes a schedule on an alpha-beta machine, event by event. Messages that need the same port
/// or link get it in the order in which they are ready. Ties go by rank and lane. Local steps take
/// no time. Messages have a size but no numbers: the Checker proves which chunks they combine.
class IdealFabric {
 public:
  /// The schedule must be right (Checker) and must not change.
  IdealFabric(const Schedule& schedule, IdealMachine machine);

  /// Throws Fault(kDescription) when the schedule cannot end with these slots.
  FabricResult run();

 private:
  struct LaneState {
    std::uint32_t step = 0;
    bool busy = false;  ///< its message is waiting or on its way
  };
  struct ConnectionState {
    std::uint32_t reserved = 0;     ///< slots
    std::size_t offers = 0;         ///< so far
    std::size_t arrived = 0;        ///< messages that no step has taken
    std::deque<StepPlace> offered;  ///< to the switch, by these steps
  };
  /// A message that is ready to be sent: to one rank, or through the switch.
  struct Request {
    std::uint32_t chunks = 0;
    std::uint32_t group = kNoWire;
    std::vector<std::uint32_t> senders;
    std::vector<std::uint32_t> receivers;
    std::vector<std::uint32_t> connections;  ///< that it ends in
    std::vector<std::uint32_t> links;
    std::vector<StepPlace> steps;  ///< steps that are complete when it has left
    std::uint32_t held = kNoWire;  ///< connection whose slot it holds until then
    bool combined = false;         ///< the receiver has combined it
  };
  struct Event {
    std::uint64_t time;
    std::uint64_t number;
    bool arrival;
    std::size_t request;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };

  void try_lanes(std::uint32_t rank);
  bool try_lane(const StepPlace& at);
  bool may_begin(std::uint32_t rank, const Step& step) const;
  bool take(const StepPlace& at, const Step& step);
  void offer(const StepPlace& at, const Step& step, std::uint32_t held);
  void offer_to_switch(const StepPlace& at, const Step& step, std::uint32_t connection);
  bool will_combine(std::uint32_t connection);
  void wait(Request request);
  void finish_step(const StepPlace& at);
  void start_what_fits();
  bool fits(const Request& request) const;
  bool is_awaited(std::uint32_t connection) const;
  void start(std::size_t number);
  void leave(const Request& request);
  void arrive(std::size_t number);
  void require_end() const;

  const Schedule& schedule_;
  const IdealMachine machine_;
  const Wiring wiring_;

  std::uint64_t now_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::vector<LaneState>> lanes_;
  std::vector<ConnectionState> connections_;
  std::vector<std::uint32_t> sending_;  ///< ports in use, by rank
  std::vector<std::uint32_t> receiving_;
  std::vector<bool> link_busy_;
  std::deque<Request> requests_;
  std::vector<std::size_t> free_requests_;
  std::vector<std::size_t> waiting_;  ///< requests in the order in which they were ready
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  FabricResult result_;
};

}  // namespace tvp::collectives
