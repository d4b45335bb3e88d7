#pragma once
// Headers of fabric packets: the action on arrival, and the route (kernel_api 3.2). Also compiles
// on the host.

#include <stddef.h>
#include <stdint.h>

#include <initializer_list>

#include "foundation/contract/fabric/endpoint.h"
#include "foundation/contract/fabric/packet.h"
#include "foundation/contract/fabric/packet_header.h"
#include "foundation/contract/fabric/routing.h"

namespace tt::tt_fabric {

enum EDMStatus : uint32_t {
  STARTED = tvp::contract::fabric::kStatusStarted,
  REMOTE_HANDSHAKE_COMPLETE = tvp::contract::fabric::kStatusRemoteHandshakeComplete,
  LOCAL_HANDSHAKE_COMPLETE = tvp::contract::fabric::kStatusLocalHandshakeComplete,
  READY_FOR_TRAFFIC = tvp::contract::fabric::kStatusReadyForTraffic,
  TERMINATED = tvp::contract::fabric::kStatusTerminated,
};
using FabricMuxStatus = EDMStatus;
using FabricEndpointStatus = EDMStatus;

enum TerminationSignal : uint32_t {
  KEEP_RUNNING = tvp::contract::fabric::kKeepRunning,
  GRACEFULLY_TERMINATE = tvp::contract::fabric::kTerminateGracefully,
  IMMEDIATELY_TERMINATE = tvp::contract::fabric::kTerminateImmediately,
};

enum NocSendType : uint8_t {
  NOC_UNICAST_WRITE = 0,
  NOC_UNICAST_INLINE_WRITE = 1,
  NOC_UNICAST_ATOMIC_INC = 2,
  NOC_FUSED_UNICAST_ATOMIC_INC = 3,
  NOC_UNICAST_SCATTER_WRITE = 4,
  NOC_MULTICAST_WRITE = 5,
  NOC_MULTICAST_ATOMIC_INC = 6,
  NOC_UNICAST_READ = 7,
  /// A command code of ours. tt-metal's router distinguishes it from a scatter write by codes of
  /// the parts.
  NOC_FUSED_UNICAST_SCATTER_ATOMIC_INC = 8,
};
enum ChipSendType : uint8_t { CHIP_UNICAST = 0, CHIP_MULTICAST = 1 };

struct MulticastRoutingCommandHeader {
  uint8_t start_distance_in_hops;
  uint8_t range_hops;
};

/// Bit n - 1: the chip n hops away gets the payload.
template <typename Header>
struct SparseMulticastRoutingCommandHeader {
  uint16_t hop_mask;
};

struct NocUnicastCommandHeader {
  uint64_t noc_address;
};
struct NocUnicastInlineWriteCommandHeader {
  uint64_t noc_address;
  uint32_t value;
};
/// With `flush`, only after all earlier writes of the link have landed.
struct NocUnicastAtomicIncCommandHeader {
  NocUnicastAtomicIncCommandHeader(uint64_t address, uint32_t value, bool wait = true)
      : noc_address(address), val(value), flush(wait) {}
  /// Form of 2025 with a wrap. Increments always wrap at 32 bits.
  template <typename Wrap>
  requires(!std::is_same_v<Wrap, bool>)
      NocUnicastAtomicIncCommandHeader(uint64_t address, uint32_t value, Wrap, bool wait = true)
      : NocUnicastAtomicIncCommandHeader(address, value, wait) {}
  uint64_t noc_address;
  uint32_t val;
  bool flush;
};
/// Writes the payload to `noc_address`, then increments. With `flush`, the increment waits for the
/// write's acknowledgement.
struct NocUnicastAtomicIncFusedCommandHeader {
  NocUnicastAtomicIncFusedCommandHeader(uint64_t address, uint64_t semaphore, uint32_t value,
                                        bool wait = true)
      : noc_address(address), semaphore_noc_address(semaphore), val(value), flush(wait) {}
  /// Form of 2025 with a wrap. Increments always wrap at 32 bits.
  template <typename Wrap>
  requires(!std::is_same_v<Wrap, bool>)
      NocUnicastAtomicIncFusedCommandHeader(uint64_t address, uint64_t semaphore, uint32_t value,
                                            Wrap, bool wait = true)
      : NocUnicastAtomicIncFusedCommandHeader(address, semaphore, value, wait) {}
  uint64_t noc_address;
  uint64_t semaphore_noc_address;
  uint32_t val;
  bool flush;
};
constexpr uint32_t NOC_SCATTER_WRITE_MAX_CHUNKS = 4;
/// Writes the payload in 2 to 4 parts. The size of the last part is the rest.
struct NocUnicastScatterCommandHeader {
  NocUnicastScatterCommandHeader(std::initializer_list<uint64_t> addresses,
                                 std::initializer_list<uint16_t> sizes = {})
      : noc_address{}, chunk_size{}, chunk_count(static_cast<uint8_t>(addresses.size())) {
    uint32_t i = 0;
    for (const uint64_t address : addresses) noc_address[i++] = address;
    i = 0;
    for (const uint16_t size : sizes) chunk_size[i++] = size;
  }

  /// Two parts; the first has this size.
  NocUnicastScatterCommandHeader(std::initializer_list<uint64_t> addresses, uint16_t size)
      : NocUnicastScatterCommandHeader(addresses, {size}) {}

  /// `count` addresses and `count` - 1 sizes.
  NocUnicastScatterCommandHeader(const uint64_t* addresses, const uint16_t* sizes, uint8_t count)
      : noc_address{}, chunk_size{}, chunk_count(count) {
    for (uint32_t i = 0; i < count; ++i) noc_address[i] = addresses[i];
    for (uint32_t i = 0; i + 1 < count; ++i) chunk_size[i] = sizes[i];
  }

  uint64_t noc_address[NOC_SCATTER_WRITE_MAX_CHUNKS];
  uint16_t chunk_size[NOC_SCATTER_WRITE_MAX_CHUNKS - 1];
  uint8_t chunk_count;
  uint8_t chunk_encoding = 0;
};

constexpr uint32_t NOC_SCATTER_WRITE_ATOMIC_INC_FUSED_WRITE_CHUNKS = 2;
/// Writes the payload in two parts, then increments. With `flush`, the increment waits until all
/// writes have landed.
struct NocUnicastScatterAtomicIncFusedCommandHeader {
  NocUnicastScatterAtomicIncFusedCommandHeader(std::initializer_list<uint64_t> addresses,
                                               uint64_t semaphore,
                                               std::initializer_list<uint16_t> sizes,
                                               uint16_t value, bool wait = true)
      : noc_address{},
        semaphore_noc_address(semaphore),
        chunk_size{*sizes.begin()},
        val(value),
        flush(wait) {
    uint32_t i = 0;
    for (const uint64_t address : addresses) noc_address[i++] = address;
  }
  uint64_t noc_address[NOC_SCATTER_WRITE_ATOMIC_INC_FUSED_WRITE_CHUNKS];
  uint64_t semaphore_noc_address;
  uint16_t chunk_size[NOC_SCATTER_WRITE_ATOMIC_INC_FUSED_WRITE_CHUNKS - 1];
  uint16_t val;
  bool flush;
};

union NocCommandFields {
  NocUnicastCommandHeader unicast_write;
  NocUnicastInlineWriteCommandHeader unicast_inline_write;
  NocUnicastAtomicIncCommandHeader unicast_seminc;
  NocUnicastAtomicIncFusedCommandHeader unicast_seminc_fused;
  NocUnicastScatterCommandHeader unicast_scatter_write;
  NocUnicastScatterAtomicIncFusedCommandHeader unicast_scatter_seminc_fused;
};
static_assert(sizeof(NocCommandFields) == tvp::contract::fabric::kPacketPayloadOffset);

/// One 2-bit action a hop, the next one in the low bits.
struct LowLatencyRoutingFields {
  static constexpr uint32_t FIELD_WIDTH = 2;
  static constexpr uint32_t FIELD_MASK = 0b11;
  static constexpr uint32_t NOOP = 0b00;
  static constexpr uint32_t WRITE_ONLY = 0b01;
  static constexpr uint32_t FORWARD_ONLY = 0b10;
  static constexpr uint32_t WRITE_AND_FORWARD = 0b11;
  static constexpr uint32_t BASE_HOPS = 16;

  uint32_t value;
};

/// The common part of the headers of all routes, and the functions that set its commands.
template <typename Header>
struct PacketHeaderBase {
  NocCommandFields command_fields;
  uint16_t payload_size_bytes;
  NocSendType noc_send_type;
  uint8_t src_ch_id;  ///< sender channel of the router that sent it over the last link

  PacketHeaderBase() = delete;

  size_t get_payload_size_excluding_header() const volatile { return payload_size_bytes; }
  size_t get_payload_size_including_header() const volatile {
    return payload_size_bytes + tvp::contract::fabric::kPacketHeaderBytes;
  }

  volatile Header* to_noc_unicast_write(const NocUnicastCommandHeader& command,
                                        size_t payload_bytes) volatile {
    command_fields.unicast_write.noc_address = command.noc_address;
    return set_type(NOC_UNICAST_WRITE, payload_bytes);
  }
  volatile Header* to_noc_unicast_inline_write(
      const NocUnicastInlineWriteCommandHeader& command) volatile {
    command_fields.unicast_inline_write.noc_address = command.noc_address;
    command_fields.unicast_inline_write.value = command.value;
    return set_type(NOC_UNICAST_INLINE_WRITE, 0);
  }
  volatile Header* to_noc_unicast_atomic_inc(
      const NocUnicastAtomicIncCommandHeader& command) volatile {
    command_fields.unicast_seminc.noc_address = command.noc_address;
    command_fields.unicast_seminc.val = command.val;
    command_fields.unicast_seminc.flush = command.flush;
    return set_type(NOC_UNICAST_ATOMIC_INC, 0);
  }
  volatile Header* to_noc_fused_unicast_write_atomic_inc(
      const NocUnicastAtomicIncFusedCommandHeader& command, size_t payload_bytes) volatile {
    command_fields.unicast_seminc_fused.noc_address = command.noc_address;
    command_fields.unicast_seminc_fused.semaphore_noc_address = command.semaphore_noc_address;
    command_fields.unicast_seminc_fused.val = command.val;
    command_fields.unicast_seminc_fused.flush = command.flush;
    return set_type(NOC_FUSED_UNICAST_ATOMIC_INC, payload_bytes);
  }
  volatile Header* to_noc_unicast_scatter_write(const NocUnicastScatterCommandHeader& command,
                                                size_t payload_bytes) volatile {
    volatile NocUnicastScatterCommandHeader& to = command_fields.unicast_scatter_write;
    to.chunk_count = command.chunk_count;
    for (uint32_t i = 0; i < command.chunk_count; ++i) to.noc_address[i] = command.noc_address[i];
    for (uint32_t i = 0; i + 1 < command.chunk_count; ++i) to.chunk_size[i] = command.chunk_size[i];
    return set_type(NOC_UNICAST_SCATTER_WRITE, payload_bytes);
  }
  volatile Header* to_noc_fused_unicast_scatter_write_atomic_inc(
      const NocUnicastScatterAtomicIncFusedCommandHeader& command, size_t payload_bytes) volatile {
    volatile NocUnicastScatterAtomicIncFusedCommandHeader& to =
        command_fields.unicast_scatter_seminc_fused;
    for (uint32_t i = 0; i < NOC_SCATTER_WRITE_ATOMIC_INC_FUSED_WRITE_CHUNKS; ++i)
      to.noc_address[i] = command.noc_address[i];
    to.semaphore_noc_address = command.semaphore_noc_address;
    to.chunk_size[0] = command.chunk_size[0];
    to.val = command.val;
    to.flush = command.flush;
    return set_type(NOC_FUSED_UNICAST_SCATTER_ATOMIC_INC, payload_bytes);
  }

 private:
  volatile Header* set_type(NocSendType type, size_t payload_bytes) volatile {
    noc_send_type = type;
    payload_size_bytes = static_cast<uint16_t>(payload_bytes);
    return static_cast<volatile Header*>(this);
  }
};

static_assert(sizeof(NocCommandFields) + 4 == tvp::contract::fabric::kPacketRouteOffset);

/// Header of 1D routes. Extension words hold the actions of hops beyond the sixteenth.
template <uint32_t ExtensionWords>
struct LowLatencyPacketHeaderT : PacketHeaderBase<LowLatencyPacketHeaderT<ExtensionWords>> {
  static constexpr uint32_t kWords = 1 + ExtensionWords;
  static constexpr uint32_t kBytes = tvp::contract::fabric::kPacketHeaderBytes;

  LowLatencyRoutingFields routing_fields;
  uint32_t route_buffer[(kBytes - 48) / 4];

  volatile LowLatencyPacketHeaderT* to_chip_unicast(uint8_t hops) volatile {
    set_route(hops, hops);
    return this;
  }
  LowLatencyPacketHeaderT& to_chip_unicast(uint8_t hops) {
    set_route(hops, hops);
    return *this;
  }
  /// Sends to `range_hops` chips from `start_distance_in_hops` on.
  volatile LowLatencyPacketHeaderT* to_chip_multicast(
      const MulticastRoutingCommandHeader& command) volatile {
    const uint32_t start = command.start_distance_in_hops;
    set_route(start, start + command.range_hops - 1);
    return this;
  }
  LowLatencyPacketHeaderT& to_chip_multicast(const MulticastRoutingCommandHeader& command) {
    static_cast<volatile LowLatencyPacketHeaderT*>(this)->to_chip_multicast(command);
    return *this;
  }

  /// Sends to the chips of a mask of up to 16. The packet ends at the last of them.
  volatile LowLatencyPacketHeaderT* to_chip_sparse_multicast(
      const SparseMulticastRoutingCommandHeader<LowLatencyPacketHeaderT>& command) volatile {
    uint32_t value = 0;
    uint32_t hop = 0;
    for (uint32_t left = command.hop_mask; left != 0; left >>= 1, ++hop) {
      const uint32_t write = left & 1 ? LowLatencyRoutingFields::WRITE_ONLY : 0;
      const uint32_t forward = left > 1 ? LowLatencyRoutingFields::FORWARD_ONLY : 0;
      value |= (write | forward) << (hop * LowLatencyRoutingFields::FIELD_WIDTH);
    }
    routing_fields.value = value;
    for (uint32_t i = 0; i < ExtensionWords; ++i) route_buffer[i] = 0;
    return this;
  }

  /// Action of this hop.
  uint32_t hop() const volatile {
    return routing_fields.value & LowLatencyRoutingFields::FIELD_MASK;
  }
  /// Moves the route on by one hop.
  void consume_hop() volatile {
    uint32_t word = routing_fields.value;
    for (uint32_t i = 0; i < ExtensionWords; ++i) {
      const uint32_t next = route_buffer[i];
      const uint32_t shifted = word >> 2 | next << 30;
      if (i == 0) {
        routing_fields.value = shifted;
      } else {
        route_buffer[i - 1] = shifted;
      }
      word = next;
    }
    route_buffer[ExtensionWords - 1] = word >> 2;
  }

 private:
  /// Low bit of the actions of the first `hops` hops of a word.
  static constexpr uint32_t first_hops(int32_t hops) {
    if (hops <= 0) return 0;
    return hops >= 16 ? 0x55555555 : 0x55555555 & ((1u << 2 * hops) - 1);
  }
  /// Hops are counted from 1. The packet is forwarded up to `first` - 1, then written and
  /// forwarded, then written at `last`.
  void set_route(uint32_t first, uint32_t last) volatile {
    auto from = static_cast<int32_t>(first) - 1;
    auto to = static_cast<int32_t>(last);
    for (uint32_t word = 0; word < kWords; ++word, from -= 16, to -= 16) {
      const uint32_t value = (first_hops(to) & ~first_hops(from)) | first_hops(to - 1) << 1;
      if (word == 0) {
        routing_fields.value = value;
      } else {
        route_buffer[word - 1] = value;
      }
    }
  }
};

/// Current position of a packet on a 2D route.
struct MeshRoutingFields {
  uint8_t hop_index;           ///< index of the action at the next arrival
  uint8_t branch_east_offset;  ///< index of the first action behind a turn to the east
  uint8_t branch_west_offset;
  uint8_t reserved;
};

/// Header of 2D routes: an action of 4 bits for each chip on the route, one bit for each direction
/// (contract::fabric::Direction). The packet continues in these directions. The direction that it
/// comes from means a write on this chip. The actions of a multicast are those of its spine, north
/// or south, then those of each branch to the east, then to the west.
struct HybridMeshPacketHeader : PacketHeaderBase<HybridMeshPacketHeader> {
  using Direction = tvp::contract::fabric::Direction;
  static constexpr uint32_t kWords = tvp::contract::fabric::kMaxMeshHops / 8;

  MeshRoutingFields routing_fields;
  uint32_t route_buffer[kWords];

  /// Sets `column` hops to the north or south, then `row` hops to the east or west; at least one in
  /// total.
  volatile HybridMeshPacketHeader* set_unicast(uint32_t column, Direction along_column,
                                               uint32_t row, Direction along_row) volatile {
    Route route;
    // The chip at a turn sends the packet along the row, the chip before it along the column.
    const uint32_t straight = column != 0 ? column - 1 : 0;
    const uint32_t last = column + row - 1;
    route.put(0, straight, bit(along_column));
    route.put(straight, last, bit(along_row));
    route.put(last, last + 1, came_from(row != 0 ? along_row : along_column));
    return start(route, column, column);
  }
  /// Sends to `column` chips in a row to the north or south, and for each of them to `east` and
  /// `west` chips in its row. With `column` 0, sends to `east` or `west` chips.
  volatile HybridMeshPacketHeader* set_multicast(uint32_t column, Direction along_column,
                                                 uint32_t east, uint32_t west) volatile {
    Route route;
    const uint32_t branches =
        (east != 0 ? bit(Direction::kEast) : 0) | (west != 0 ? bit(Direction::kWest) : 0);
    route.line(0, column, along_column, branches);
    route.line(column, east, Direction::kEast, 0);
    route.line(column + east, west, Direction::kWest, 0);
    return start(route, column, column + east);
  }

  /// Has no effect: kernels for both kinds of routes set 2D routes by chip
  /// (fabric_set_unicast_route, fabric_set_mcast_route).
  volatile HybridMeshPacketHeader* to_chip_unicast(uint8_t) volatile { return this; }
  volatile HybridMeshPacketHeader* to_chip_multicast(
      const MulticastRoutingCommandHeader&) volatile {
    return this;
  }

  /// Action at the current position.
  uint32_t hop() const volatile {
    const uint32_t index = routing_fields.hop_index;
    return route_buffer[index / 8] >> (index % 8 * 4) & 0xF;
  }

  static constexpr uint32_t bit(Direction direction) { return 1u << direction; }
  static constexpr uint32_t came_from(Direction direction) {
    return bit(tvp::contract::fabric::opposite(direction));
  }

 private:
  struct Route {
    uint32_t words[kWords] = {};
    /// Sets the action at the positions [first, end).
    void put(uint32_t first, uint32_t end, uint32_t action) {
      for (uint32_t word = 0; word < kWords; ++word)
        words[word] |= (places(end, word) & ~places(first, word)) * action;
    }
    void line(uint32_t first, uint32_t hops, Direction direction, uint32_t branches) {
      if (hops == 0) return;
      put(first, first + hops - 1, bit(direction));
      put(first, first + hops, came_from(direction) | branches);
    }
    /// Low bit of the actions before `end` in a word.
    static constexpr uint32_t places(uint32_t end, uint32_t word) {
      if (end <= 8 * word) return 0;
      const uint32_t count = end - 8 * word;
      return count >= 8 ? 0x11111111 : 0x11111111 & ((1u << 4 * count) - 1);
    }
  };
  volatile HybridMeshPacketHeader* start(const Route& route, uint32_t east,
                                         uint32_t west) volatile {
    routing_fields.hop_index = 0;
    routing_fields.branch_east_offset = static_cast<uint8_t>(east);
    routing_fields.branch_west_offset = static_cast<uint8_t>(west);
    for (uint32_t i = 0; i < kWords; ++i) route_buffer[i] = route.words[i];
    return this;
  }
};

/// A header with the address for a response, as in kernels of May 2026. Our routers do not support
/// it.
struct UDMHybridMeshPacketHeader : HybridMeshPacketHeader {
  uint32_t udm_control[4];
};
static_assert(sizeof(HybridMeshPacketHeader) == tvp::contract::fabric::kPacketHeaderBytes);
// Names of 2025, which had one kind with routes in the packet and one with routes in the routers.
using LowLatencyMeshPacketHeader = HybridMeshPacketHeader;
using MeshPacketHeader = HybridMeshPacketHeader;

using LowLatencyPacketHeader =
    LowLatencyPacketHeaderT<tvp::contract::fabric::kHeaderExtensionWords>;
static_assert(sizeof(LowLatencyPacketHeader) == tvp::contract::fabric::kPacketHeaderBytes);

}  // namespace tt::tt_fabric

#if !defined(PACKET_HEADER_TYPE)
#if defined(FABRIC_2D)
#define PACKET_HEADER_TYPE tt::tt_fabric::HybridMeshPacketHeader
#else
#define PACKET_HEADER_TYPE tt::tt_fabric::LowLatencyPacketHeader
#endif
#endif
