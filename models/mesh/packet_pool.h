#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/mesh_packet.h"
#include "models/support/time.h"

namespace tvp::mesh {

inline constexpr std::uint32_t kNoPacket = 0xFFFFFFFF;

/// A packet between its injection and its delivery.
struct PacketState {
  MeshPacket packet;
  std::uint32_t next = kNoPacket;  ///< the packet behind it in the injection queue
  std::uint16_t sent = 0;          ///< flits that have left the injection queue
  std::uint16_t arrived = 0;       ///< flits that have reached the destination
  enum class State : std::uint8_t { kFree, kQueued, kMoving, kComingBack };
  State state = State::kFree;
  bool holds_credit = true;      ///< a credit of the injection queue
  bool damaged = false;          ///< the destination's check will detect it
  std::uint32_t damaged_by = 0;  ///< the damaging link, node * kPorts + port
};

/// All packets in flight, by the numbers that their flits carry.
class PacketPool {
 public:
  PacketState& operator[](std::uint32_t number) { return packets_[number]; }
  const PacketState& operator[](std::uint32_t number) const { return packets_[number]; }

  /// Counts a router that the head of a packet has passed. Every hop updates the count, so these
  /// counts are stored contiguously and apart from other data.
  void pass_router(std::uint32_t number) { ++routers_[number]; }
  std::uint16_t routers(std::uint32_t number) const { return routers_[number]; }

  /// Adds a queued packet; returns its number.
  std::uint32_t add(const MeshPacket& packet, support::Cycle created);
  /// Removes a delivered or lost packet.
  void release(std::uint32_t number);
  /// Resets the packet to the state before its first flit left, with one more retry.
  void rewind(std::uint32_t number);
  /// Packets that have left their injection queue at least partly, youngest first. The network
  /// sends them again after it was emptied.
  std::vector<std::uint32_t> departed() const;

  std::uint64_t in_flight() const { return in_flight_; }
  /// Throws Fault(kInternal) in the name of `who` if a packet is neither delivered, lost nor in
  /// flight.
  void check_conservation(const std::string& who) const;

 private:
  std::vector<PacketState> packets_;
  std::vector<std::uint16_t> routers_;  ///< index: packet number
  std::vector<std::uint32_t> free_;
  std::uint64_t in_flight_ = 0;
  std::uint64_t added_ = 0;     ///< since power-on
  std::uint64_t released_ = 0;  ///< since power-on
};

}  // namespace tvp::mesh
