#include "models/ddr/dq_lanes.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::ddr {

namespace {

constexpr unsigned kBeatsACycle = 2;  // double data rate

[[noreturn]] void refuse(const std::string& where, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, where, text);
}

}  // namespace

DqLanes::DqLanes(const dram::Timing& timing, unsigned pins, unsigned channels, bool split_halves,
                 const std::string& where)
    : timing_(timing), split_(split_halves), pins_a_direction_(0) {
  if (channels == 0 || pins % channels != 0) {
    refuse(where, std::to_string(pins) + " DQ pins cannot be divided into " +
                      std::to_string(channels) + " channels: expected a divisor of the pins");
  }
  const unsigned width = pins / channels;
  if (split_halves && width % 2 != 0) {
    refuse(where, "channels of " + std::to_string(width) +
                      " DQ pins have no transmit and receive halves: expected an even number");
  }
  pins_a_direction_ = split_halves ? width / 2 : width;
  channels_.resize(channels);
}

MemCycle DqLanes::ready(unsigned channel, Direction direction, MemCycle earliest) const {
  const Half& h = channels_[channel].halves[half_of(direction)];
  const bool turns = h.used && h.last != direction;
  return std::max(earliest, h.free + (turns ? timing_.trtw_gap : 0));
}

MemCycle DqLanes::cycles_of(std::uint64_t bytes) const {
  const std::uint64_t bits_a_cycle = std::uint64_t{pins_a_direction_} * kBeatsACycle;
  return (bytes * 8 + bits_a_cycle - 1) / bits_a_cycle;
}

void DqLanes::occupy(unsigned channel, Direction direction, MemCycle begin, MemCycle end) {
  Half& h = channels_[channel].halves[half_of(direction)];
  if (h.used && h.last != direction) ++channels_[channel].stats.turnarounds;
  h.used = true;
  h.last = direction;
  h.free = end;
  channels_[channel].stats.busy += end - begin;
}

DqLanes::Span DqLanes::take(unsigned channel, Direction direction, std::uint64_t bytes,
                            MemCycle begin) {
  const MemCycle end = begin + cycles_of(bytes);
  occupy(channel, direction, begin, end);
  channels_[channel].stats.bytes += bytes;
  return {begin, end};
}

/// With split halves a burst of the host needs both halves, since its data are as wide as the bus.
MemCycle DqLanes::burst_ready(Direction direction, MemCycle earliest) const {
  MemCycle begin = earliest;
  for (unsigned c = 0; c < channels(); ++c) {
    begin = std::max(begin, ready(c, direction, earliest));
    if (split_) begin = std::max(begin, channels_[c].halves[0].free);
    if (split_) begin = std::max(begin, channels_[c].halves[1].free);
  }
  return begin;
}

DqLanes::Span DqLanes::take_burst(Direction direction, MemCycle earliest) {
  const MemCycle begin = burst_ready(direction, earliest);
  const MemCycle end = begin + timing_.bl;
  const std::uint64_t bytes =
      std::uint64_t{timing_.bl} * kBeatsACycle * pins_a_direction_ * (split_ ? 2 : 1) / 8;
  for (unsigned c = 0; c < channels(); ++c) {
    occupy(c, direction, begin, end);
    if (split_) channels_[c].halves[0].free = channels_[c].halves[1].free = end;
    channels_[c].stats.bytes += bytes;
  }
  return {begin, end};
}

}  // namespace tvp::ddr
