#include "models/ethernet/link.h"

#include <algorithm>
#include <cmath>

#include "foundation/fault.h"

namespace tvp::ethernet {

using support::Cycle;

namespace {

constexpr unsigned kNumberShift = 18;

/// Length, kind and number of a packet, so that two in a row differ.
std::uint64_t packet_value(const Packet& packet, std::uint64_t number) {
  return number << kNumberShift | static_cast<std::uint64_t>(packet.kind) << 16 | packet.bytes;
}

}  // namespace

Link::Link(std::string name, std::uint16_t number, const Config& config)
    : name_(std::move(name)), number_(number), config_(config) {
  for (unsigned from = 0; from < 2; ++from) {
    direction_[from].link = this;
    direction_[from].from = from;
    direction_[from].random_state =
        config.error_seed + 0x632BE59BD9B4E019ULL * (2U * number + from);
  }
}

void Link::attach(unsigned end, support::Calendar& calendar, const ClockRatio& clock,
                  PacketSink& sink) {
  end_.at(end) = {&calendar, clock, &sink};
}

Cycle Link::min_latency_cycles() const {
  Cycle least = support::kNever;
  for (const End& end : end_) {
    const auto period =
        (end.clock.numerator_ps + end.clock.denominator - 1) / end.clock.denominator;
    least = std::min(least, config_.link_latency_ps.value() / period);
  }
  // What takes any time at all is at the other end at its next edge, not at this one.
  return std::max<Cycle>(least, 1);
}

double Link::draw(Direction& direction) {
  // splitmix64 (Steele, Lea, Flood 2014).
  direction.random_state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = direction.random_state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1.0p-53;
}

std::uint32_t Link::store(Direction& direction, const Packet& packet) {
  if (direction.free.empty()) {
    direction.free.push_back(static_cast<std::uint32_t>(direction.pool.size()));
    direction.pool.emplace_back();
  }
  const std::uint32_t index = direction.free.back();
  direction.free.pop_back();
  direction.pool[index] = packet;
  return index;
}

std::string Link::packet_text(std::uint64_t value) {
  static constexpr const char* kNames[] = {"raw", "update", "write", "register"};
  if (value == 0) return "";
  return std::string(kNames[value >> 16 & 3]) + " " + std::to_string(value & 0xFFFF) + " B #" +
         std::to_string(value >> kNumberShift);
}

Link::Transmission Link::transmit(unsigned end, const Packet& packet, Cycle ready) {
  const End& near = end_[end];
  const End& far = end_[1 - end];
  if (near.calendar == nullptr || far.calendar == nullptr) {
    throw foundation::Fault(foundation::FaultKind::kInternal, name_, "an end is not attached");
  }
  Direction& direction = direction_[end];
  const double line_bytes = packet.bytes + config_.packet_overhead_bytes.value();
  const auto line_ps =
      static_cast<std::uint64_t>(std::ceil(line_bytes * 1000.0 / config_.line_bytes_per_ns));
  const std::uint64_t start = std::max(near.clock.time_ps(ready), direction.line_free_ps);
  direction.line_free_ps = start + line_ps;
  direction.statistics.busy_ps += line_ps;
  ++direction.statistics.packets;
  direction.statistics.payload_bytes += packet.bytes;
  const Transmission result{near.clock.edge_at_or_after(start),
                            near.clock.edge_at_or_after(start + line_ps)};

  direction.busy.set(result.start, 1);
  direction.busy.set(result.end, 0);
  if (direction.packet.on()) {
    direction.packet.set(result.start, packet_value(packet, direction.statistics.packets));
    direction.packet.set(result.end, 0);
  }

  // Drawn only when asked for, so that a run without errors does not depend on the seed.
  if (config_.drop_rate > 0.0 && draw(direction) < config_.drop_rate) {
    ++direction.statistics.dropped;
    return result;
  }
  const std::uint32_t token = store(direction, packet);
  if (config_.corrupt_rate > 0.0 && draw(direction) < config_.corrupt_rate) {
    ++direction.statistics.corrupted;
    direction.pool[token].corrupt = true;
  }
  const Cycle arrival =
      far.clock.edge_at_or_after(start + line_ps + config_.link_latency_ps.value());
  const support::EventKey key{.phase = static_cast<std::uint8_t>(support::Phase::kLink),
                              .block = number_,
                              .port = static_cast<std::uint8_t>(end),
                              .sequence = direction.sequence++};
  far.calendar->post(arrival, key, direction, token);
  return result;
}

void Link::Direction::fire(Cycle now, std::uint64_t token) {
  const auto index = static_cast<std::uint32_t>(token);
  ++statistics.delivered;
  link->end_[1 - from].sink->packet_arrived(pool[index], now);
  free.push_back(index);
}

}  // namespace tvp::ethernet
