#include "sw/runtime/fabric/fabric_layout.h"

#include <span>
#include <string>

#include "foundation/contract/fabric/worker_connection.h"
#include "foundation/contract/memory_map.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

using contract::fabric::router_layout;

namespace {

constexpr std::uint32_t kL1Bytes = contract::kEthUnreservedEnd - contract::kEthUnreservedBase;

/// A router writes a payload, or a packet that it forwards, in one request of the NoC.
std::uint32_t largest_payload(const contract::fabric::RouterShape& shape) {
  constexpr std::uint32_t kLargestRequest = 8192;
  return shape.forward_slots == 0 ? kLargestRequest
                                  : kLargestRequest - contract::fabric::kPacketHeaderBytes;
}

bool fits_in_l1(std::uint32_t max_payload_bytes, const contract::fabric::RouterShape& shape) {
  return router_layout(contract::kEthUnreservedBase, max_payload_bytes, shape).end() <=
         contract::kEthUnreservedEnd;
}

}  // namespace

contract::fabric::RouterLayout router_layout_in_l1(std::uint32_t max_payload_bytes,
                                                   const contract::fabric::RouterShape& shape) {
  if (shape.rings && shape.receiver_slots < contract::fabric::kLeastRingSlots)
    bad_use("fabric", "receiver channels of " + std::to_string(shape.receiver_slots) +
                          " slots: expected " + std::to_string(contract::fabric::kLeastRingSlots) +
                          " or more where links close rings, since a packet that enters a ring "
                          "leaves one free");
  const std::uint32_t largest = largest_payload(shape);
  if (max_payload_bytes == 0 || max_payload_bytes > largest ||
      !fits_in_l1(max_payload_bytes, shape))
    bad_use("fabric", "slots for payloads of " + std::to_string(max_payload_bytes) +
                          " bytes: expected 1 to " + std::to_string(largest) +
                          " bytes, as many as fit into the " + std::to_string(kL1Bytes) +
                          " bytes of an ethernet tile's L1, " +
                          std::to_string(contract::fabric::kDefaultMaxPayloadBytes) +
                          " by default");
  return router_layout(contract::kEthUnreservedBase, max_payload_bytes, shape);
}

// The first of tt-metal's choices of slots for all sender channels and for the receiver channel
// that fits (fabric_static_sized_channels_allocator.cpp). The available L1 is that of an ethernet
// tile with routing base firmware, as on a T3000 (eth_l1_address_map.h). The memory before the
// channels of tt-metal's routers is not available (erisc_datamover_builder.cpp).
contract::fabric::RouterShape published_shape(contract::fabric::RouterShape shape,
                                              std::uint32_t max_payload_bytes) {
  struct Slots {
    std::uint32_t sender, receiver;
  };
  static constexpr Slots kOnLines[] = {{16, 16}, {8, 16}, {8, 8}, {4, 8}, {4, 4},
                                       {2, 4},   {2, 2},  {1, 2}, {1, 1}};
  static constexpr Slots kInMeshes[] = {{7, 11}, {4, 8}, {4, 4}, {2, 4}, {2, 2}, {1, 2}, {1, 1}};
  constexpr std::uint32_t kSpace = 0x3DC00 - 0x18000 - 2048;
  constexpr std::uint32_t kLineHeader = 48;
  constexpr std::uint32_t kMeshHeader = 80;
  const std::uint32_t slot = max_payload_bytes + (shape.mesh ? kMeshHeader : kLineHeader);
  const auto choices = shape.mesh ? std::span<const Slots>(kInMeshes) : std::span(kOnLines);
  const std::uint32_t senders = shape.sender_channels();
  for (const auto& [sender, receiver] : choices) {
    shape.sender_slots = sender;
    if (shape.forward_slots != 0) shape.forward_slots = sender;
    shape.receiver_slots = receiver;
    if (std::uint64_t{slot} * (senders * sender + receiver) <= kSpace &&
        fits_in_l1(max_payload_bytes, shape))
      break;
  }
  return shape;
}

std::vector<std::uint32_t> router_compile_args(const contract::fabric::RouterLayout& layout,
                                               std::uint32_t max_payload_bytes,
                                               contract::fabric::Direction direction,
                                               bool on_ring) {
  using namespace contract::fabric;
  std::vector<std::uint32_t> args(kRouterCompileArgs);
  args[kRouterArgBase] = layout.base;
  args[kRouterArgMaxPayloadBytes] = max_payload_bytes;
  args[kRouterArgSenderSlots] = layout.slots;
  args[kRouterArgForwardSlots] = layout.forward_slots;
  args[kRouterArgReceiverSlots] = layout.receiver_slots;
  args[kRouterArgRings] = layout.rings ? 1 : 0;
  args[kRouterArgRing] = on_ring ? 1 : 0;
  args[kRouterArgDirection] = direction;
  return args;
}

std::vector<std::uint32_t> connection_args(const contract::fabric::RouterLayout& layout,
                                           CoreCoord router, std::uint32_t semaphores,
                                           contract::fabric::Direction direction) {
  using namespace contract::fabric;
  std::vector<std::uint32_t> args(kConnectionRuntimeArgs);
  args[kConnectionArgX] = connection_x(router.x, direction);
  args[kConnectionArgY] = router.y;
  args[kConnectionArgChannelBase] = layout.channel_base(kClientChannel);
  args[kConnectionArgSlots] = layout.slots;
  args[kConnectionArgHandshake] = layout.connection_handshake(kClientChannel);
  args[kConnectionArgInfo] = layout.connection_info(kClientChannel);
  args[kConnectionArgSlotBytes] = layout.bytes_per_slot;
  args[kConnectionArgBufferIndex] = layout.buffer_index(kClientChannel);
  args[kConnectionArgStream] = stream_sender_free_slots(kClientChannel);
  args[kConnectionArgCounterSemaphore] = semaphores;
  args[kConnectionArgTeardownSemaphore] = semaphores + 1;
  args[kConnectionArgBufferIndexSemaphore] = semaphores + 2;
  return args;
}

void leave_routing_table(Device& device, const contract::fabric::RoutingTable& table) {
  const CoreCoord grid = device.layout().grid_size();
  for (std::uint32_t y = 0; y < grid.y; ++y)
    for (std::uint32_t x = 0; x < grid.x; ++x)
      device.write_l1({x, y}, contract::kRoutingTableBase, &table, sizeof table);
}

}  // namespace tvp::runtime
