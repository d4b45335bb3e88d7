#include "models/ethernet/link_end.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "foundation/fault.h"

namespace tvp::ethernet {

using support::Cycle;

namespace {

constexpr unsigned kNumberShift = 18;

/// Length, kind and number of a packet, so that two consecutive values differ.
std::uint64_t packet_value(const EthernetPacket& packet, std::uint64_t number) {
  return number << kNumberShift | static_cast<std::uint64_t>(packet.kind) << 16 | packet.bytes;
}

void copy(EthernetPacket& to, const EthernetPacket& from) {
  std::memcpy(&to, &from, offsetof(EthernetPacket, data) + from.bytes);
}

}  // namespace

LinkEnd::LinkEnd(std::string name, std::uint16_t link_number, unsigned index,
                 const EthernetConfig& config, Wire wire)
    : name_(std::move(name)),
      link_number_(link_number),
      index_(index),
      config_(config),
      wire_(wire) {
  if (wire == Wire::kOwn) errors_.emplace(config, link_number, index);
}

void LinkEnd::attach(support::Calendar& calendar, const foundation::Period& clock,
                     PacketSink& sink) {
  calendar_ = &calendar;
  clock_ = clock;
  sink_ = &sink;
}

Cycle LinkEnd::min_latency_cycles() const {
  const std::uint64_t period = clock_.ps_up();
  // A message with any latency arrives at the next edge of the other end at the earliest.
  return std::max<Cycle>(latency_ps() / period, 1);
}

LinkEnd::Transmission LinkEnd::transmit(const EthernetPacket& packet, Cycle ready) {
  if (to_peer_ == nullptr) {
    throw foundation::Fault(foundation::FaultKind::kInternal, name_, "the end is not connected");
  }
  const double line_bytes = packet.bytes + config_.packet_overhead_bytes.value();
  const auto line_ps =
      static_cast<std::uint64_t>(std::ceil(line_bytes * 1000.0 / config_.line_bytes_per_ns));
  const std::uint64_t start = std::max(clock_.time_ps(ready), line_free_ps_);
  line_free_ps_ = start + line_ps;
  statistics_.busy_ps += line_ps;
  ++statistics_.packets;
  statistics_.payload_bytes += packet.bytes;
  const Transmission line{clock_.edge_at_or_after(start), clock_.edge_at_or_after(line_free_ps_)};
  show(packet, line);

  if (!outages_.empty() && broken(start, line_free_ps_)) {
    ++statistics_.lost;
    return line;
  }
  const LineErrors::Fate fate = errors_ ? errors_->next() : LineErrors::Fate::kWhole;
  if (fate == LineErrors::Fate::kDropped) {
    ++statistics_.dropped;
    return line;
  }
  copy(message_.packet, packet);
  if (fate == LineErrors::Fate::kCorrupt) {
    ++statistics_.corrupted;
    message_.packet.corrupt = true;
  }
  message_.departure_ps = start;
  message_.arrival_ps = line_free_ps_ + latency_ps();
  if (observer_ != nullptr) [[unlikely]]
    observer_->flies(packet, line.start, clock_.edge_at_or_after(message_.arrival_ps));
  to_peer_->send(message_);
  if (stops_) calendar_->cut(clock_.edge_at_or_after(message_.arrival_ps));
  ++message_.sequence;
  return line;
}

bool LinkEnd::broken(std::uint64_t from_ps, std::uint64_t until_ps) const {
  return std::any_of(outages_.begin(), outages_.end(), [&](const Outage& outage) {
    return from_ps < outage.until_ps && until_ps > outage.from_ps;
  });
}

bool LinkEnd::broken_for_good(Cycle now) const {
  return std::any_of(outages_.begin(), outages_.end(), [&](const Outage& outage) {
    return outage.until_ps == Outage::kForEver && clock_.time_ps(now) >= outage.from_ps;
  });
}

void LinkEnd::receive(const LinkMessage& message) {
  if (calendar_ == nullptr) {
    throw foundation::Fault(foundation::FaultKind::kInternal, name_, "the end is not attached");
  }
  const std::uint32_t index = slot();
  copy(arriving_[index], message.packet);
  const support::EventKey key{.phase = static_cast<std::uint8_t>(support::Phase::kLink),
                              .block = link_number_,
                              .port = static_cast<std::uint8_t>(1 - index_),
                              .sequence = message.sequence};
  calendar_->post(clock_.edge_at_or_after(message.arrival_ps), key, *this, index);
}

void LinkEnd::fire(Cycle now, std::uint64_t token) {
  const auto index = static_cast<std::uint32_t>(token);
  ++statistics_.received;
  sink_->packet_arrived(arriving_[index], now);
  free_slots_.push_back(index);
}

std::uint32_t LinkEnd::slot() {
  if (free_slots_.empty()) {
    arriving_.emplace_back();
    return static_cast<std::uint32_t>(arriving_.size() - 1);
  }
  const std::uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  return index;
}

void LinkEnd::show(const EthernetPacket& packet, const Transmission& line) {
  busy_.set(line.start, 1);
  busy_.set(line.end, 0);
  if (!packet_.on()) return;
  packet_.set(line.start, packet_value(packet, statistics_.packets));
  packet_.set(line.end, 0);
}

std::string LinkEnd::packet_text(std::uint64_t value) {
  static constexpr const char* kNames[] = {"raw", "update", "write", "register"};
  if (value == 0) return "";
  return std::string(kNames[value >> 16 & 3]) + " " + std::to_string(value & 0xFFFF) + " B #" +
         std::to_string(value >> kNumberShift);
}

}  // namespace tvp::ethernet
