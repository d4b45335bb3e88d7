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
  std::uint32_t next = kNoPacket;  ///< behind it in the injection queue
  std::uint16_t sent = 0;          ///< flits that have left the injection queue
  std::uint16_t arrived = 0;       ///< flits that are at the destination
  enum class State : std::uint8_t { kFree, kQueued, kMoving, kComingBack };
  State state = State::kFree;
  bool holds_credit = true;      ///< of the injection queue
  bool damaged = false;          ///< a check of its bytes will tell
  std::uint32_t damaged_by = 0;  ///< link, node * kPorts + port
};

/// All packets under way, by the numbers that their flits carry.
class PacketPool {
 public:
  PacketState& operator[](std::uint32_t number) { return packets_[number]; }
  const PacketState& operator[](std::uint32_t number) const { return packets_[number]; }

  /// Routers that the head of a packet has been through. Every hop counts, so they are kept apart
  /// from all else, close together.
  void pass_router(std::uint32_t number) { ++routers_[number]; }
  std::uint16_t routers(std::uint32_t number) const { return routers_[number]; }

  /// A new packet, queued; its number.
  std::uint32_t add(const MeshPacket& packet, support::Cycle created);
  /// It is delivered or lost.
  void release(std::uint32_t number);
  /// As before its first flit left, one try later.
  void rewind(std::uint32_t number);
  /// Those that have left their injection queue, if in part: what an emptied network has to send
  /// again, the youngest first.
  std::vector<std::uint32_t> departed() const;

  std::uint64_t in_flight() const { return in_flight_; }
  /// Throws Fault(kInternal) in the name of `who` when a packet is neither delivered nor lost nor
  /// under way.
  void check_conservation(const std::string& who) const;

 private:
  std::vector<PacketState> packets_;
  std::vector<std::uint16_t> routers_;  ///< by packet
  std::vector<std::uint32_t> free_;
  std::uint64_t in_flight_ = 0;
  std::uint64_t added_ = 0;     ///< since the beginning
  std::uint64_t released_ = 0;  ///< since the beginning
};

}  // namespace tvp::mesh
