#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "firmware/api/fabric/fabric_edm_packet_header.hpp"
#include "foundation/contract/fabric/mux.h"
#include "foundation/contract/fabric/router.h"
#include "foundation/contract/fabric/worker_connection.h"
#include "tests/unit/ethernet/fabric_system.h"
#include "tests/unit/ethernet/firmware/bare_map.h"

namespace tvp::ethernet::test {

using namespace tt::tt_fabric;
namespace fabric = tvp::contract::fabric;

constexpr std::uint32_t kSource = 0x20000;  // a client's packets
constexpr std::uint32_t kTo = 0x28000;      // in the target's tile
constexpr std::uint32_t kSemaphore = 0x2F000;
constexpr std::uint32_t kPayload = 4352;

struct PacketPlan {
  NocSendType kind = NOC_FUSED_UNICAST_ATOMIC_INC;
  std::uint32_t hops = 1;
  std::uint32_t range = 0;
  std::uint32_t bytes = kPayload;
  std::uint32_t source = kSource;
  std::uint32_t to = kTo;
  std::uint32_t semaphore = kSemaphore;
  std::uint32_t value = 1;
  bool flush = true;
  TileUse semaphore_tile = kTarget;
  TileUse to_tile = kTarget;
};

/// The traffic of fabric tests on the cores of a FabricSystem.
class FabricTraffic : public ::testing::Test {
 protected:
  static fabric::RouterLayout router() {
    return fabric::router_layout(bare::kFabricBase, kPayload);
  }
  static fabric::MuxLayout mux() { return fabric::mux_layout(bare::kFabricBase, kPayload, 4, 4); }

  /// Arguments of a client on `chip` for channel `channel` of an endpoint.
  static std::vector<std::uint32_t> client(FabricSystem& s, unsigned chip, TileUse endpoint,
                                           const fabric::EndpointLayout& layout,
                                           std::uint32_t channel, std::uint32_t stream,
                                           const std::vector<PacketPlan>& packets,
                                           bool terminate = false) {
    std::vector<std::uint32_t> args(std::size_t{fabric::kConnectionRuntimeArgs} +
                                    bare::kClientArgs);
    args[fabric::kConnectionArgX] = s.x(chip, endpoint);
    args[fabric::kConnectionArgY] = s.y(chip, endpoint);
    args[fabric::kConnectionArgChannelBase] = layout.channel_base(channel);
    args[fabric::kConnectionArgSlots] = layout.slots;
    args[fabric::kConnectionArgHandshake] = layout.connection_handshake(channel);
    args[fabric::kConnectionArgInfo] = layout.connection_info(channel);
    args[fabric::kConnectionArgSlotBytes] = layout.bytes_per_slot;
    args[fabric::kConnectionArgBufferIndex] = layout.buffer_index(channel);
    args[fabric::kConnectionArgStream] = stream;
    args[fabric::kConnectionArgCounterSemaphore] = bare::kCounterSemaphore;
    args[fabric::kConnectionArgTeardownSemaphore] = bare::kTeardownSemaphore;
    args[fabric::kConnectionArgBufferIndexSemaphore] = bare::kBufferIndexSemaphore;
    std::uint32_t* rest = args.data() + fabric::kConnectionRuntimeArgs;
    rest[bare::kClientStatusAddress] = layout.status();
    rest[bare::kClientTerminationAddress] = terminate ? layout.termination_signal() : 0;
    rest[bare::kClientPackets] = static_cast<std::uint32_t>(packets.size());
    for (const PacketPlan& p : packets) {
      // Coordinates are the same on every chip.
      const std::uint64_t to = s.noc_address(0, p.to_tile, p.to);
      const std::uint64_t semaphore = s.noc_address(0, p.semaphore_tile, p.semaphore);
      const std::uint32_t words[bare::kPacketArgs] = {p.kind,
                                                      p.hops,
                                                      p.range,
                                                      p.source,
                                                      p.bytes,
                                                      static_cast<std::uint32_t>(to),
                                                      static_cast<std::uint32_t>(to >> 32),
                                                      static_cast<std::uint32_t>(semaphore),
                                                      static_cast<std::uint32_t>(semaphore >> 32),
                                                      p.value,
                                                      p.flush ? 1U : 0U};
      args.insert(args.end(), std::begin(words), std::end(words));
    }
    return args;
  }
  static std::vector<std::uint32_t> router_client(FabricSystem& s, unsigned chip, TileUse endpoint,
                                                  const std::vector<PacketPlan>& packets) {
    return client(s, chip, endpoint, router(), 0, fabric::stream_sender_free_slots(0), packets);
  }

  static void fill(FabricSystem& s, unsigned chip, TileUse use, std::uint32_t address,
                   std::uint32_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    for (std::uint32_t i = 0; i < bytes; ++i) {
      s.tile(chip, use).l1_bytes()[address + i] = static_cast<std::uint8_t>(random());
    }
  }
  static bool equal(FabricSystem& s, unsigned from_chip, TileUse from, std::uint32_t source,
                    unsigned to_chip, TileUse to, std::uint32_t destination, std::uint32_t bytes) {
    return std::memcmp(s.tile(from_chip, from).l1_bytes() + source,
                       s.tile(to_chip, to).l1_bytes() + destination, bytes) == 0;
  }
};

}  // namespace tvp::ethernet::test
