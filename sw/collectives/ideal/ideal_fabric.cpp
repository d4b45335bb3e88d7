#include "sw/collectives/ideal/ideal_fabric.h"

#include <algorithm>

#include "sw/collectives/schedule/schedule_text.h"
#include "sw/collectives/schedule/step_access.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

IdealFabric::IdealFabric(const Schedule& schedule, IdealMachine machine)
    : schedule_(schedule),
      machine_(std::move(machine)),
      wiring_(schedule),
      lanes_(schedule.size()),
      connections_(wiring_.connections().size()),
      sending_(schedule.size()),
      receiving_(schedule.size()),
      link_busy_(machine_.topology ? machine_.topology->links() : 0) {
  for (std::uint32_t rank = 0; rank < schedule.size(); ++rank)
    lanes_[rank].resize(schedule.ranks[rank].lanes.size());
  result_.sent.resize(schedule.size());
  result_.received.resize(schedule.size());
  result_.carried.resize(link_busy_.size());
}

FabricResult IdealFabric::run() {
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank) try_lanes(rank);
  start_what_fits();
  while (!events_.empty()) {
    // All messages that end at a time end before any begins.
    now_ = events_.top().time;
    while (!events_.empty() && events_.top().time == now_) {
      const Event event = events_.top();
      events_.pop();
      if (event.arrival)
        arrive(event.request);
      else
        leave(requests_[event.request]);
    }
    start_what_fits();
  }
  require_end();
  result_.time = now_;
  return std::move(result_);
}

void IdealFabric::require_end() const {
  for (std::uint32_t rank = 0; rank < schedule_.size(); ++rank)
    for (std::uint32_t lane = 0; lane < lanes_[rank].size(); ++lane) {
      const std::vector<Step>& steps = schedule_.ranks[rank].lanes[lane].steps;
      const std::uint32_t step = lanes_[rank][lane].step;
      if (step < steps.size())
        runtime::bad_use("schedule " + schedule_.name,
                         place_text({rank, lane, step}) + " (" + step_text(steps[step]) +
                             ") never ends with " + std::to_string(machine_.slots) +
                             " slots for each connection");
    }
}

void IdealFabric::try_lanes(std::uint32_t rank) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::uint32_t lane = 0; lane < lanes_[rank].size(); ++lane)
      while (try_lane({rank, lane, lanes_[rank][lane].step})) moved = true;
  }
}

bool IdealFabric::try_lane(const StepPlace& at) {
  LaneState& state = lanes_[at.rank][at.lane];
  const std::vector<Step>& steps = schedule_.ranks[at.rank].lanes[at.lane].steps;
  if (state.busy || state.step == steps.size()) return false;
  const Step& step = steps[state.step];
  if (!may_begin(at.rank, step)) return false;
  if (step.kind == StepKind::kSend) {
    offer(at, step, kNoWire);
    return false;
  }
  if (receives(step)) return take(at, step);
  ++state.step;
  return true;
}

/// A step that waits for a relay needs what the relay stores, which is there before the relay has
/// forwarded it. Messages of one connection still keep their order.
bool IdealFabric::may_begin(std::uint32_t rank, const Step& step) const {
  return std::ranges::all_of(step.after, [&](const Dependency& each) {
    const LaneState& lane = lanes_[rank][each.lane];
    if (lane.step != each.step || !lane.busy) return lane.step > each.step;
    const Step& before = schedule_.ranks[rank].lanes[each.lane].steps[each.step];
    const bool one_connection = step.to == before.to && step.channel == before.channel;
    return receives(before) && before.destination.memory != Memory::kNone && !one_connection;
  });
}

bool IdealFabric::take(const StepPlace& at, const Step& step) {
  const std::uint32_t in = wiring_.in_of(at);
  if (connections_[in].arrived == 0) return false;
  --connections_[in].arrived;
  if (step.to != kNobody) {
    offer(at, step, in);
    return true;  // other lanes may use what it has stored
  }
  --connections_[in].reserved;
  ++lanes_[at.rank][at.lane].step;
  return true;
}

void IdealFabric::offer(const StepPlace& at, const Step& step, std::uint32_t held) {
  lanes_[at.rank][at.lane].busy = true;
  const std::uint32_t out = wiring_.out_of(at);
  if (step.to == kSwitch) {
    offer_to_switch(at, step, out);
    return;
  }
  Request request{.chunks = step.count,
                  .senders = {at.rank},
                  .receivers = {step.to},
                  .connections = {out},
                  .links = {},
                  .steps = {at},
                  .held = held,
                  .combined = will_combine(out)};
  if (machine_.topology) request.links = machine_.topology->route(at.rank, step.to);
  wait(std::move(request));
}

void IdealFabric::offer_to_switch(const StepPlace& at, const Step& step, std::uint32_t connection) {
  connections_[connection].offered.push_back(at);
  const std::uint32_t number = wiring_.connections()[connection].group;
  const Wiring::Group& group = wiring_.groups()[number];
  const auto ready = [&](std::uint32_t each) { return !connections_[each].offered.empty(); };
  if (!std::ranges::all_of(group.inward, ready)) return;
  Request request{.chunks = step.count,
                  .group = number,
                  .senders = {},
                  .receivers = {},
                  .connections = group.outward,
                  .links = {},
                  .steps = {},
                  .combined = false};
  for (const std::uint32_t each : group.inward) {
    ConnectionState& state = connections_[each];
    request.senders.push_back(wiring_.connections()[each].from);
    request.steps.push_back(state.offered.front());
    state.offered.pop_front();
  }
  for (const std::uint32_t each : group.outward)
    request.receivers.push_back(wiring_.connections()[each].to);
  wait(std::move(request));
}

/// True if the receiver of a connection's next message combines it: the n-th receive takes the n-th
/// message.
bool IdealFabric::will_combine(std::uint32_t connection) {
  const std::vector<StepPlace>& receivers = wiring_.connections()[connection].receivers;
  const StepPlace& at = receivers[connections_[connection].offers++ % receivers.size()];
  return schedule_.ranks[at.rank].lanes[at.lane].steps[at.step].kind == StepKind::kReceiveReduce;
}

void IdealFabric::wait(Request request) {
  std::size_t place = requests_.size();
  if (free_requests_.empty()) {
    requests_.push_back(std::move(request));
  } else {
    place = free_requests_.back();
    free_requests_.pop_back();
    requests_[place] = std::move(request);
  }
  waiting_.push_back(place);
}

bool IdealFabric::fits(const Request& request) const {
  if (machine_.ports > 0) {
    const auto no_port = [&](const std::vector<std::uint32_t>& used) {
      return [&used, this](std::uint32_t rank) { return used[rank] >= machine_.ports; };
    };
    if (std::ranges::any_of(request.senders, no_port(sending_)) ||
        std::ranges::any_of(request.receivers, no_port(receiving_)))
      return false;
  }
  return std::ranges::none_of(request.links,
                              [&](std::uint32_t link) { return link_busy_[link]; }) &&
         std::ranges::all_of(request.connections, [&](std::uint32_t each) {
           return machine_.slots > 0 ? connections_[each].reserved < machine_.slots
                                     : is_awaited(each);
         });
}

bool IdealFabric::is_awaited(std::uint32_t connection) const {
  if (connections_[connection].reserved > 0) return false;
  const std::uint32_t rank = wiring_.connections()[connection].to;
  for (std::uint32_t lane = 0; lane < lanes_[rank].size(); ++lane) {
    const LaneState& state = lanes_[rank][lane];
    const std::vector<Step>& steps = schedule_.ranks[rank].lanes[lane].steps;
    if (state.busy || state.step == steps.size()) continue;
    if (wiring_.in_of({rank, lane, state.step}) == connection && may_begin(rank, steps[state.step]))
      return true;
  }
  return false;
}

void IdealFabric::start_what_fits() {
  std::erase_if(waiting_, [&](std::size_t number) {
    if (!fits(requests_[number])) return false;
    start(number);
    return true;
  });
}

void IdealFabric::start(std::size_t number) {
  const Request& request = requests_[number];
  for (const std::uint32_t rank : request.senders) {
    ++sending_[rank];
    result_.sent[rank] += request.chunks;
  }
  for (const std::uint32_t rank : request.receivers) {
    ++receiving_[rank];
    result_.received[rank] += request.chunks;
  }
  for (const std::uint32_t link : request.links) {
    link_busy_[link] = true;
    result_.carried[link] += request.chunks;
  }
  for (const std::uint32_t each : request.connections) ++connections_[each].reserved;
  const bool switched = request.group != kNoWire;
  const std::uint64_t chunk = machine_.chunk + (request.combined ? machine_.combine : 0);
  const std::uint64_t kept = (switched ? 0 : machine_.alpha) + request.chunks * chunk;
  const std::uint64_t hops = request.links.size() > 1 ? request.links.size() - 1 : 0;
  const std::uint64_t late = switched
                                 ? std::uint64_t{2} * machine_.switch_levels * machine_.switch_alpha
                                 : hops * machine_.hop;
  for (const std::uint32_t to : request.receivers)
    result_.journeys.push_back(
        {request.senders.front(), to, request.chunks, now_, now_ + kept + late});
  events_.push({now_ + kept, count_++, false, number});
  events_.push({now_ + kept + late, count_++, true, number});
}

void IdealFabric::leave(const Request& request) {
  for (const std::uint32_t rank : request.senders) --sending_[rank];
  for (const std::uint32_t rank : request.receivers) --receiving_[rank];
  for (const std::uint32_t link : request.links) link_busy_[link] = false;
  if (request.held != kNoWire) --connections_[request.held].reserved;
  for (const StepPlace& at : request.steps) finish_step(at);
}

void IdealFabric::finish_step(const StepPlace& at) {
  LaneState& state = lanes_[at.rank][at.lane];
  state.busy = false;
  ++state.step;
  try_lanes(at.rank);
}

void IdealFabric::arrive(std::size_t number) {
  const Request request = std::move(requests_[number]);
  free_requests_.push_back(number);
  for (const std::uint32_t each : request.connections) ++connections_[each].arrived;
  for (const std::uint32_t rank : request.receivers) try_lanes(rank);
}

}  // namespace tvp::collectives
