// Places in the gateways and buffers of a TieredNetwork: who gets one, and who waits.

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "foundation/fault.h"
#include "models/pim/tiered_network.h"

namespace tvp::pim {

using support::Cycle;

bool TieredNetwork::leaves_chip(const Packet& packet) const {
  return packet.order.kind != SwitchOrder::Kind::kPass ||
         packet.destination / banks_ != packet.source / banks_;
}

bool TieredNetwork::may_inject(const Packet& packet) {
  if (mesh(packet.source / banks_).injection_credits(packet.source % banks_) == 0) return false;
  if (!leaves_chip(packet)) return true;
  Sender& sender = senders_[packet.source];
  if (packet.order.kind == SwitchOrder::Kind::kReduce) {
    sender.waits_to_combine = sender.reductions >= config_.gateway_reductions;
    return !sender.waits_to_combine;
  }
  if (sender.has_place) return true;
  Gateway& gateway = chips_[packet.source / banks_]->gateway;
  if (gateway.places_out > 0) {
    --gateway.places_out;
    sender.has_place = true;
    return true;
  }
  if (!sender.waits_to_leave) gateway.units_wait.push_back(packet.source);
  sender.waits_to_leave = true;
  return false;
}

/// The place that may_inject() has kept for it, or one that is free.
void TieredNetwork::take_place(const Packet& packet) {
  Sender& sender = senders_[packet.source];
  if (packet.order.kind == SwitchOrder::Kind::kReduce) {
    ++sender.reductions;
    return;
  }
  if (std::exchange(sender.has_place, false)) return;
  Gateway& gateway = chips_[packet.source / banks_]->gateway;
  if (gateway.places_out == 0) {
    throw foundation::Fault(foundation::FaultKind::kInternal, "pim",
                            "packet of unit " + std::to_string(packet.source) +
                                " without a place at the gateway of its chip");
  }
  --gateway.places_out;
}

/// Who has waited longest gets it.
void TieredNetwork::free_place_out(unsigned chip, Cycle now) {
  Gateway& gateway = chips_[chip]->gateway;
  if (gateway.units_wait.empty()) {
    ++gateway.places_out;
    return;
  }
  const std::uint32_t unit = gateway.units_wait.front();
  gateway.units_wait.pop_front();
  senders_[unit].waits_to_leave = false;
  senders_[unit].has_place = true;
  endpoint_of(unit).injection_credit(now + 1);
}

void TieredNetwork::free_place_to_combine(unsigned unit, Cycle now) {
  Sender& sender = senders_[unit];
  --sender.reductions;
  if (!std::exchange(sender.waits_to_combine, false)) return;
  endpoint_of(unit).injection_credit(now + 1);
}

void TieredNetwork::ask_places(Waiter waiter, Cycle now) {
  waiters_.push_back(std::move(waiter));
  give_places(now);
}

/// Nobody gets a place that somebody wants who has waited longer, so two who want several places
/// never hold what the other one waits for.
bool TieredNetwork::can_have(std::size_t number) const {
  const Waiter& waiter = waiters_[number];
  const auto wanted = [&](auto&& wants) {
    return static_cast<std::uint32_t>(std::count_if(
        waiters_.begin(), waiters_.begin() + static_cast<std::ptrdiff_t>(number), wants));
  };
  for (const unsigned chip : waiter.chips) {
    const auto wants = [&](const Waiter& w) { return std::ranges::count(w.chips, chip) != 0; };
    if (chips_[chip]->gateway.places_in <= wanted(wants)) return false;
  }
  if (waiter.buffer == kNoBuffer) return true;
  const auto wants = [&](const Waiter& w) { return w.buffer == waiter.buffer; };
  return buffers_[waiter.buffer].places > wanted(wants);
}

void TieredNetwork::give_places(Cycle now) {
  for (std::size_t i = 0; i < waiters_.size();) {
    if (!can_have(i)) {
      ++i;
      continue;
    }
    const Waiter waiter = std::move(waiters_[i]);
    waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(i));
    for (const unsigned chip : waiter.chips) --chips_[chip]->gateway.places_in;
    if (waiter.buffer != kNoBuffer) --buffers_[waiter.buffer].places;
    go_on(waiter, now);
  }
}

void TieredNetwork::go_on(const Waiter& waiter, Cycle now) {
  switch (waiter.who) {
    case Waiter::Who::kGateway:
      return depart_now(waiter.number, now);
    case Waiter::Who::kBuffer:
      return send_now(waiter.number, now);
    case Waiter::Who::kCombiner:
      return combine_now(waiter.number, now);
    case Waiter::Who::kHost:
      return offer(waiter.number, now);
  }
}

/// Chips that get a packet which stays in its rank.
std::vector<unsigned> TieredNetwork::receivers(const Packet& packet) const {
  if (packet.order.kind == SwitchOrder::Kind::kPass) return {packet.destination / banks_};
  std::vector<unsigned> list;
  for (std::uint32_t left = packet.order.to_chips; left != 0; left &= left - 1)
    list.push_back(peer(packet.source, static_cast<unsigned>(std::countr_zero(left))) / banks_);
  return list;
}

}  // namespace tvp::pim
