#include "models/pim/tier_credits.h"

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
      buffers_(geometry.rank_of_unit(units), config.buffer_packets),
      senders_(units) {
  for (Gateway& gateway : gateways_) gateway.out = gateway.in = config.gateway_packets;
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

/// Who has waited longest gets it.
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
  requests_.push_back(std::move(request));
  grant(now);
}

void TierCredits::return_in(unsigned chip, unsigned count, Cycle now) {
  gateways_[chip].in += count;
  if (!requests_.empty()) grant(now);
}

void TierCredits::return_buffer(unsigned rank, Cycle now) {
  ++buffers_[rank];
  if (!requests_.empty()) grant(now);
}

/// Nobody gets a credit that somebody wants who has waited longer, so two who want several never
/// hold what the other one waits for.
bool TierCredits::can_have(std::size_t number) const {
  const Request& request = requests_[number];
  const auto wanted = [&](auto&& wants) {
    return static_cast<std::uint32_t>(std::count_if(
        requests_.begin(), requests_.begin() + static_cast<std::ptrdiff_t>(number), wants));
  };
  for (const unsigned chip : request.chips) {
    const auto wants = [&](const Request& r) { return std::ranges::count(r.chips, chip) != 0; };
    if (gateways_[chip].in <= wanted(wants)) return false;
  }
  if (request.buffer == kNoBuffer) return true;
  const auto wants = [&](const Request& r) { return r.buffer == request.buffer; };
  return buffers_[request.buffer] > wanted(wants);
}

void TierCredits::grant(Cycle now) {
  for (std::size_t i = 0; i < requests_.size();) {
    if (!can_have(i)) {
      ++i;
      continue;
    }
    const Request request = std::move(requests_[i]);
    requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(i));
    for (const unsigned chip : request.chips) --gateways_[chip].in;
    if (request.buffer != kNoBuffer) --buffers_[request.buffer];
    client_.granted(request, now);
  }
}

}  // namespace tvp::pim
