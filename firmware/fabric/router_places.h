#pragma once
// Compile-time arguments of a router and the channels that follow from them, the actions that a
// header asks of a router, and how a router writes on its chip.

#include <stdint.h>

#include <type_traits>

#include "ethernet/dataflow_api.h"
#include "fabric/fabric_edm_packet_header.hpp"
#include "fabric/stream_credits.h"
#include "firmware/fabric/idle_iteration.h"
#include "foundation/contract/fabric/router.h"

namespace tvp::fabric::router {

using namespace tvp::contract::fabric;
using tt::tt_fabric::HybridMeshPacketHeader;
using tt::tt_fabric::LowLatencyPacketHeader;
using tt::tt_fabric::LowLatencyRoutingFields;

constexpr Direction kDirection =
    static_cast<Direction>(get_compile_time_arg_val(kRouterArgDirection));
constexpr bool kMesh = kDirection != kNoDirection;
constexpr bool kAlongRow = kMesh && along_row(kDirection);
constexpr bool kAlongColumn = kMesh && !along_row(kDirection);
constexpr bool kRings = get_compile_time_arg_val(kRouterArgRings) != 0;
constexpr bool kRing = get_compile_time_arg_val(kRouterArgRing) != 0;
static_assert(!kRing || kRings, "routers of rings acknowledge, and so do all of their fabric");

constexpr RouterShape kShape = {kMesh, kRings, get_compile_time_arg_val(kRouterArgSenderSlots),
                                get_compile_time_arg_val(kRouterArgForwardSlots),
                                get_compile_time_arg_val(kRouterArgReceiverSlots)};
constexpr RouterLayout kLayout =
    router_layout(get_compile_time_arg_val(kRouterArgBase),
                  get_compile_time_arg_val(kRouterArgMaxPayloadBytes), kShape);
constexpr uint32_t kSlotBytes = kLayout.bytes_per_slot;
constexpr uint32_t kQueue = 0;
/// The NoC that slots are given back over. Packets are written over `noc_index`.
constexpr uint8_t kCreditNoc = 1 - noc_index;

using Header = volatile std::conditional_t<kMesh, HybridMeshPacketHeader, LowLatencyPacketHeader>;

// Sender channels. No packet turns to the north or south, so routers there leave two unused.
constexpr uint32_t kSenders = kLayout.forward_slots == 0 ? 1 : 2 + (kAlongRow ? 2 : 0);
// Outputs lead to sender channels of other routers of the chip: straight on first, then the sides.
constexpr uint32_t kStraight = 0;
constexpr uint32_t kSides = kAlongColumn ? 2 : 0;
constexpr uint32_t side_output(uint32_t side) { return 1 + side; }
constexpr uint32_t kOutputs = 1 + kSides;
constexpr uint32_t kNeighbors = kMesh ? kRouterNeighbors : 1;

// Bits of an action, as in LowLatencyRoutingFields. Bit 0 is a write here, bit 1 is straight on. In
// a mesh, bit 2 + i is side i.
constexpr uint32_t kWrite = LowLatencyRoutingFields::WRITE_ONLY;
constexpr uint32_t kForward = LowLatencyRoutingFields::FORWARD_ONLY;
constexpr uint32_t side_bit(uint32_t side) { return 4u << side; }

/// Free slots that the peer must have for a packet of a sender channel.
constexpr uint32_t slots_needed(uint32_t sender) {
  return kRing && sender != kStraightChannel ? kLeastRingSlots : 1;
}

FORCE_INLINE volatile uint32_t& word(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}
FORCE_INLINE uint32_t next_slot(uint32_t slot, uint32_t base, uint32_t slots) {
  slot += kSlotBytes;
  return slot == base + slots * kSlotBytes ? base : slot;
}
FORCE_INLINE constexpr uint32_t packet_bytes(uint32_t payload_bytes) {
  return (kPacketHeaderBytes + payload_bytes + 15) & ~15u;
}

// The same interface to routes of lines and of meshes.
/// Returns the action that the header asks of this router.
FORCE_INLINE uint32_t action_of(volatile LowLatencyPacketHeader* header) { return header->hop(); }
FORCE_INLINE uint32_t action_of(volatile HybridMeshPacketHeader* header) {
  static_assert(kEast == 0 && kWest == 1);
  const uint32_t hop = header->hop();
  return (hop >> kDirection & kWrite) | (hop >> opposite(kDirection) & 1) * kForward |
         (kSides != 0 ? (hop & 3) * side_bit(0) : 0);
}
/// Advances a route to the next chip. A route of a line advances when the packet is forwarded, a
/// route of a mesh when the packet is sent, since copies that turn continue elsewhere in the route.
FORCE_INLINE void consume_hop(volatile LowLatencyPacketHeader* header) { header->consume_hop(); }
FORCE_INLINE void consume_hop(volatile HybridMeshPacketHeader*) {}
template <uint32_t kChannel>
FORCE_INLINE void advance(volatile LowLatencyPacketHeader*) {}
template <uint32_t kChannel>
FORCE_INLINE void advance(volatile HybridMeshPacketHeader* header) {
  auto& route = header->routing_fields;
  if constexpr (kChannel >= turn_channel(0)) {
    route.hop_index = kDirection == kEast ? route.branch_east_offset : route.branch_west_offset;
  } else if constexpr (kChannel != kClientChannel) {
    route.hop_index = static_cast<uint8_t>(route.hop_index + 1);
  }
}

/// Converts the address in a packet for the NoC that this router writes over. Packets carry
/// coordinates of NoC 0 (noc_addr.h). NoC 1 counts untranslated coordinates, such as those of DRAM,
/// from the other end.
FORCE_INLINE uint64_t on_own_noc(uint64_t noc_address) {
  if constexpr (noc_index == 0 || tvp::chip::kFirstTranslated == 0) return noc_address;
  constexpr uint32_t kShift = NOC_ADDR_COORD_SHIFT - 32;
  constexpr uint32_t kTranslated = NOC_XY_ENCODING(tvp::chip::kFirstTranslated, 0) << kShift;
  constexpr uint32_t kLast = NOC_XY_ENCODING(noc_size_x - 1, noc_size_y - 1) << kShift;
  auto high = static_cast<uint32_t>(noc_address >> 32);
  if ((high & kTranslated) == 0) {
    const uint32_t above_32_bits = high & ((1u << kShift) - 1);
    high = (kLast - (high - above_32_bits)) | above_32_bits;
  }
  return (static_cast<uint64_t>(high) << 32) | static_cast<uint32_t>(noc_address);
}
/// Converts an address in L1. Tiles with L1 have translated coordinates if the chip has any.
FORCE_INLINE uint64_t l1_on_own_noc(uint64_t noc_address) {
  if constexpr (COORDINATE_VIRTUALIZATION_ENABLED) return noc_address;
  return on_own_noc(noc_address);
}
/// Executes the increment of a fused packet.
FORCE_INLINE void increment(Header* header) {
  auto& fused = header->command_fields.unicast_seminc_fused;
  noc_semaphore_inc<true>(l1_on_own_noc(fused.semaphore_noc_address), fused.val);
}
/// Writes a delivered payload with a transaction id. Software does not count this write.
FORCE_INLINE void write_here(uint32_t from, uint64_t to, uint32_t bytes, uint32_t trid) {
  noc_async_write_one_packet_with_trid<false>(from, on_own_noc(to), bytes, trid);
}
// These stop the run. The report names the function.
FORCE_INLINE void stop_as_the_route_leads_off_the_end() { asm volatile("ebreak"); }
FORCE_INLINE void stop_as_routers_do_not_have_the_send_type() { asm volatile("ebreak"); }

FORCE_INLINE void scatter(Header* header, uint32_t payload, uint32_t payload_bytes, uint32_t trid) {
  auto& chunks = header->command_fields.unicast_scatter_write;
  const uint32_t count = chunks.chunk_count;
  uint32_t bytes = chunks.chunk_size[0];
  write_here(payload, chunks.noc_address[0], bytes, trid);
  uint32_t done = bytes;
  for (uint32_t i = 1; i + 1 < count; ++i) {
    bytes = chunks.chunk_size[i];
    write_here(payload + done, chunks.noc_address[i], bytes, trid);
    done += bytes;
  }
  write_here(payload + done, chunks.noc_address[count - 1], payload_bytes - done, trid);
}
template <uint32_t kIds>
FORCE_INLINE void flush();
/// Delivers a packet with two parts of payload and an increment.
template <uint32_t kIds>
[[gnu::noinline, gnu::used]] void scatter_and_increment(Header* header) {
  auto& fused = header->command_fields.unicast_scatter_seminc_fused;
  if (header->noc_send_type != tt::tt_fabric::NOC_FUSED_UNICAST_SCATTER_ATOMIC_INC)
    stop_as_routers_do_not_have_the_send_type();
  const uint32_t payload = reinterpret_cast<uintptr_t>(header) + kPacketHeaderBytes;
  const uint32_t bytes = header->payload_size_bytes, first = fused.chunk_size[0];
  // Id 0 belongs to no packet. The writes have landed when this function ends, even without a flush
  // in the header, so nothing of the packet is under way afterwards.
  write_here(payload, fused.noc_address[0], first, 0);
  write_here(payload + first, fused.noc_address[1], bytes - first, 0);
  flush<kIds>();
  noc_semaphore_inc<true>(l1_on_own_noc(fused.semaphore_noc_address), fused.val);
}
/// Calls scatter_and_increment() and preserves all registers. A plain call in the loop of a router
/// changes the register allocation, and with it the time of all other packets by a percent.
template <uint32_t kIds>
FORCE_INLINE void rare_packet(Header* header) {
  asm volatile(
      "addi sp, sp, -64\n\t"
      "sw ra, 0(sp)\n\tsw t0, 4(sp)\n\tsw t1, 8(sp)\n\tsw t2, 12(sp)\n\t"
      "sw t3, 16(sp)\n\tsw t4, 20(sp)\n\tsw t5, 24(sp)\n\tsw t6, 28(sp)\n\t"
      "sw a0, 32(sp)\n\tsw a1, 36(sp)\n\tsw a2, 40(sp)\n\tsw a3, 44(sp)\n\t"
      "sw a4, 48(sp)\n\tsw a5, 52(sp)\n\tsw a6, 56(sp)\n\tsw a7, 60(sp)\n\t"
      "mv a0, %0\n\t"
      "call %1\n\t"
      "lw ra, 0(sp)\n\tlw t0, 4(sp)\n\tlw t1, 8(sp)\n\tlw t2, 12(sp)\n\t"
      "lw t3, 16(sp)\n\tlw t4, 20(sp)\n\tlw t5, 24(sp)\n\tlw t6, 28(sp)\n\t"
      "lw a0, 32(sp)\n\tlw a1, 36(sp)\n\tlw a2, 40(sp)\n\tlw a3, 44(sp)\n\t"
      "lw a4, 48(sp)\n\tlw a5, 52(sp)\n\tlw a6, 56(sp)\n\tlw a7, 60(sp)\n\t"
      "addi sp, sp, 64"
      :
      : "r"(header), "i"(&scatter_and_increment<kIds>)
      : "memory");
}
/// Returns true if all writes of ids 0 to kIds - 1 are acknowledged.
template <uint32_t kIds>
FORCE_INLINE bool all_flushed() {
  bool all = true;
  each<kIds>([&]<uint32_t i>() __attribute__((always_inline)) {
    all &= ncrisc_noc_nonposted_write_with_transaction_id_flushed(noc_index, i);
  });
  return all;
}
template <uint32_t kIds>
FORCE_INLINE void flush() {
  each<kIds>([&]<uint32_t i>() __attribute__((always_inline)) {
    while (!ncrisc_noc_nonposted_write_with_transaction_id_flushed(noc_index, i)) {
    }
  });
}
/// Leaves command buffers and counters in the state that the next kernel expects.
template <uint32_t kIds>
void end() {
  flush<kIds>();
  for (uint32_t noc = 0; noc < NUM_NOCS; ++noc) noc_local_state_init(noc);
  noc_init(MEM_NOC_ATOMIC_RET_VAL_ADDR);
  word(kLayout.status()) = kStatusTerminated;
}

/// Returns true if the router has to end. It writes what is under way only when that changes, so
/// that an idle router only loads here, too.
template <typename F>
FORCE_INLINE bool terminates(uint32_t signal, uint32_t& reported, F&& under_way) {
  if (signal == kTerminateImmediately) return true;
  const uint32_t now = under_way();
  if (signal == kTerminateGracefully) return now == 0;
  if ((now | kReported) != reported) {
    reported = now | kReported;
    word(kLayout.under_way()) = reported;
  }
  return false;
}

}  // namespace tvp::fabric::router
