#include "models/pim/network/tier_credits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "foundation/fault.h"

namespace tvp::pim {

using support::Cycle;

TierCredits::TierCredits(const PimConfig& config, const TierGeometry& geometry, unsigned units,
                         Client& client)
    : config_(config),
      geometry_(geometry),
      client_(client),
      gateways_(geometry.chip_of(units)),
      buffers_(geometry.rank_of_unit(units)),
      senders_(units) {
  for (Gateway& gateway : gateways_) gateway.out = gateway.in.free = config.gateway_packets;
  for (Credits& buffer : buffers_) buffer.free = config.buffer_packets;
}

bool TierCredits::reserve(const Packet& packet) {
  Sender& sender = senders_[packet.source];
  if (packet.order.kind == SwitchOrder::Kind::kReduce) {
    sender.waits_to_combine = sender.reductions >= config_.gateway_reductions;
    return !sender.waits_to_combine;
  }
  if (sender.has_credit) return true;
  Gateway& gateway = gateways_[geometry_.chip_of(packet.source)];
  if (gateway.out > 0) {
    --gateway.out;
    sender.has_credit = true;
    return true;
  }
  if (!sender.waits_to_leave) gateway.units_wait.push_back(packet.source);
  sender.waits_to_leave = true;
  return false;
}

void TierCredits::take(const Packet& packet) {
  Sender& sender = senders_[packet.source];
  if (packet.order.kind == SwitchOrder::Kind::kReduce) {
    ++sender.reductions;
    return;
  }
  if (std::exchange(sender.has_credit, false)) return;
  Gateway& gateway = gateways_[geometry_.chip_of(packet.source)];
  if (gateway.out == 0) {
    throw foundation::Fault(foundation::FaultKind::kInternal, "pim",
                            "packet of unit " + std::to_string(packet.source) +
                                " without a credit for the gateway of its chip");
  }
  --gateway.out;
}

/// Returns a credit to the request that has waited longest.
void TierCredits::return_out(unsigned chip, Cycle now) {
  Gateway& gateway = gateways_[chip];
  if (gateway.units_wait.empty()) {
    ++gateway.out;
    return;
  }
  const std::uint32_t unit = gateway.units_wait.front();
  gateway.units_wait.pop_front();
  senders_[unit].waits_to_leave = false;
  senders_[unit].has_credit = true;
  client_.may_inject_again(unit, now + 1);
}

void TierCredits::return_to_combine(unsigned unit, Cycle now) {
  Sender& sender = senders_[unit];
  --sender.reductions;
  if (!std::exchange(sender.waits_to_combine, false)) return;
  client_.may_inject_again(unit, now + 1);
}

void TierCredits::ask(Request request, Cycle now) {
  const Ticket ticket = next_ticket_++;
  for_all_wanted(request, [&](Credits& credits) { credits.waiting.push_back(ticket); });
  requests_.emplace(ticket, std::move(request));
  note_if_ready(ticket);
  grant(now);
}

void TierCredits::return_in(unsigned chip, unsigned count, Cycle now) {
  give_back(gateways_[chip].in, count, now);
}

void TierCredits::return_buffer(unsigned rank, Cycle now) { give_back(buffers_[rank], 1, now); }

/// True if the request is among the first ones, for which there are credits.
bool TierCredits::Credits::reach(Ticket ticket) const {
  const auto end = waiting.begin() + std::min<std::ptrdiff_t>(free, std::ssize(waiting));
  return std::find(waiting.begin(), end, ticket) != end;
}

void TierCredits::Credits::take(Ticket ticket) {
  waiting.erase(std::ranges::find(waiting, ticket));
  --free;
}

void TierCredits::for_all_wanted(const Request& request, auto&& f) {
  for (const unsigned chip : request.chips) f(gateways_[chip].in);
  if (request.buffer != kNoBuffer) f(buffers_[request.buffer]);
}

/// The returned credits reach a limited number of requests. Only these can now be complete, since a
/// granted request takes one credit and one place in the queue.
void TierCredits::give_back(Credits& credits, std::uint32_t count, Cycle now) {
  const std::uint32_t first = credits.free;
  credits.free += count;
  for (std::size_t i = first; i < credits.free && i < credits.waiting.size(); ++i) {
    note_if_ready(credits.waiting[i]);
  }
  grant(now);
}

void TierCredits::note_if_ready(Ticket ticket) {
  bool ready = true;
  for_all_wanted(requests_.at(ticket),
                 [&](const Credits& credits) { ready = ready && credits.reach(ticket); });
  if (ready) ready_.push_back(ticket);
}

/// Grants ready requests. A granted client may ask again at once, so all requests that were ready
/// before are granted first.
void TierCredits::grant(Cycle now) {
  while (!ready_.empty()) {
    const auto first = std::ranges::min_element(ready_);
    const Ticket ticket = *first;
    ready_.erase(first);
    const Request request = std::move(requests_.extract(ticket).mapped());
    for_all_wanted(request, [&](Credits& credits) { credits.take(ticket); });
    client_.granted(request, now);
  }
}

}  // namespace tvp::pim
