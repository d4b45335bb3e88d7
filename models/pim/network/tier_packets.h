#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/timing/dram_time.h"
#include "models/pim/network/network.h"

namespace tvp::pim {

/// The packets in flight in a TieredNetwork, by slots.
class TierPackets {
 public:
  explicit TierPackets(unsigned flit_bytes) : flit_bytes_(flit_bytes) {}

  unsigned flit_bytes() const { return flit_bytes_; }
  std::uint32_t keep(const Packet& packet);
  /// Removes the packet and frees its slot.
  Packet take(std::uint32_t slot);
  Packet& operator[](std::uint32_t slot) { return packets_[slot].packet; }
  const Packet& operator[](std::uint32_t slot) const { return packets_[slot].packet; }
  /// The time at which it can leave the place where it is stored.
  dram::MemCycle& ready(std::uint32_t slot) { return packets_[slot].ready; }

  std::uint16_t flits_of(std::uint32_t slot) const;
  /// Bytes on the pins, header included.
  std::uint64_t bytes_of(std::uint32_t slot) const {
    return std::uint64_t{flit_bytes_} * flits_of(slot);
  }

  std::uint64_t kept() const { return packets_.size() - free_.size(); }
  /// Number of these packets that are outside of chips.
  std::uint64_t outside() const { return outside_; }
  void leave_chip(std::uint64_t count = 1) { outside_ += count; }
  void enter_chip() { --outside_; }

 private:
  struct Slot {
    Packet packet;
    dram::MemCycle ready = 0;
  };
  unsigned flit_bytes_;
  std::vector<Slot> packets_;
  std::vector<std::uint32_t> free_;
  std::uint64_t outside_ = 0;
};

}  // namespace tvp::pim
