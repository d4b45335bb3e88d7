#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "firmware/api/fabric/fabric_edm_packet_header.hpp"
#include "foundation/contract/fabric/mux.h"
#include "foundation/contract/fabric/packet.h"
#include "foundation/contract/fabric/router.h"
#include "foundation/contract/memory_map.h"

namespace {

using namespace tt::tt_fabric;
using namespace tvp::contract::fabric;

struct HeaderBytes {
  HeaderBytes() { std::memset(bytes, 0xEE, sizeof bytes); }
  volatile LowLatencyPacketHeader* header() {
    return reinterpret_cast<volatile LowLatencyPacketHeader*>(bytes);
  }
  std::uint32_t word(unsigned offset) const {
    std::uint32_t value;
    std::memcpy(&value, bytes + offset, 4);
    return value;
  }
  alignas(16) std::uint8_t bytes[sizeof(LowLatencyPacketHeader)];
};

/// The action of each router on the way: 1 write, 2 forward, 3 both. The list ends where no router
/// forwards.
std::vector<std::uint32_t> actions(volatile LowLatencyPacketHeader* header) {
  std::vector<std::uint32_t> result;
  do {
    result.push_back(header->hop());
    header->consume_hop();
  } while ((result.back() & 2U) != 0 && result.size() < 100);
  return result;
}

TEST(PacketHeader, UnicastForwardsUntilTheLastHop) {
  for (unsigned hops : {1U, 2U, 3U, 15U, 16U, 17U, 31U, 32U}) {
    HeaderBytes h;
    h.header()->to_chip_unicast(static_cast<std::uint8_t>(hops));
    std::vector<std::uint32_t> expected(hops, 2);
    expected.back() = 1;
    EXPECT_EQ(actions(h.header()), expected) << hops;
  }
}

TEST(PacketHeader, MulticastWritesAtEveryChipOfItsRange) {
  HeaderBytes h;
  h.header()->to_chip_multicast({3, 4});
  EXPECT_EQ(actions(h.header()), (std::vector<std::uint32_t>{2, 2, 3, 3, 3, 1}));
  h.header()->to_chip_multicast({1, 1});
  EXPECT_EQ(actions(h.header()), (std::vector<std::uint32_t>{1}));
  h.header()->to_chip_multicast({15, 4});
  std::vector<std::uint32_t> expected(14, 2);
  expected.insert(expected.end(), {3, 3, 3, 1});
  EXPECT_EQ(actions(h.header()), expected);
}

// Offsets of the public header: command at 0, size at 40, type at 42, channel at 43, route at 44.
TEST(PacketHeader, FieldsLieWhereRoutersReadThem) {
  HeaderBytes h;
  h.header()->to_noc_fused_unicast_write_atomic_inc(
      NocUnicastAtomicIncFusedCommandHeader{0x1234500000678ULL, 0x9876500000ABCULL, 7, true}, 4352);
  h.header()->to_chip_unicast(1);
  EXPECT_EQ(h.word(0), 0x00000678u);
  EXPECT_EQ(h.word(4), 0x12345u);
  EXPECT_EQ(h.word(8), 0x00000ABCu);
  EXPECT_EQ(h.word(12), 0x98765u);
  EXPECT_EQ(h.word(16), 7u);
  EXPECT_EQ(h.bytes[20], 1);
  EXPECT_EQ(h.word(40) & 0xFFFFFFu, 3u << 16 | 4352u);
  EXPECT_EQ(h.word(44), 1u);
  EXPECT_EQ(sizeof(LowLatencyPacketHeader), 64u);

  h.header()->to_noc_unicast_atomic_inc(NocUnicastAtomicIncCommandHeader{0x42, 5, false});
  EXPECT_EQ(h.word(40) & 0xFFFFFFu, 2u << 16);
  EXPECT_EQ(h.word(8), 5u);
  EXPECT_EQ(h.bytes[12], 0);
  h.header()->to_noc_unicast_write(NocUnicastCommandHeader{0x99}, 96);
  EXPECT_EQ(h.word(0), 0x99u);
  EXPECT_EQ(h.word(40) & 0xFFFFFFu, 96u);
}

TEST(FabricConfig, RouterFitsBetweenTheFirmwaresRegionsOfAnEthernetTile) {
  const RouterLayout layout =
      router_layout(tvp::contract::kEthUnreservedBase, kDefaultMaxPayloadBytes);
  EXPECT_LE(layout.end(), tvp::contract::kEthUnreservedEnd);
  EXPECT_EQ(layout.bytes_per_slot, 64u + 4352u);
}

TEST(FabricConfig, PartsOfALayoutDoNotOverlapAndAreAligned) {
  for (std::uint32_t clients : {1U, 2U, 4U, 8U}) {
    const MuxLayout m = mux_layout(0x60000, 4352, clients, 8);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;  // address, bytes
    for (std::uint32_t a :
         {m.status(), m.termination_signal(), m.remote_hello(), m.hello(), m.neighbor_ready(0),
          m.client_status(), m.client_counter(), m.client_teardown(), m.client_buffer_index()}) {
      parts.emplace_back(a, 16);
    }
    for (std::uint32_t c = 0; c < clients; ++c) {
      parts.emplace_back(m.connection_info(c), sizeof(ConnectionInfo));
      parts.emplace_back(m.connection_handshake(c), 16);
      parts.emplace_back(m.buffer_index(c), 16);
      parts.emplace_back(m.flow_control(c), 16);
      parts.emplace_back(m.channel_base(c), m.slots * m.bytes_per_slot);
    }
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(parts[i].first % 16, 0u);
      EXPECT_GE(parts[i].first, m.base);
      EXPECT_LE(parts[i].first + parts[i].second, m.end());
      total += parts[i].second;
      for (std::size_t j = 0; j < i; ++j) {
        const bool apart = parts[i].first + parts[i].second <= parts[j].first ||
                           parts[j].first + parts[j].second <= parts[i].first;
        EXPECT_TRUE(apart) << i << " " << j;
      }
    }
    EXPECT_EQ(total, m.end() - m.base);  // no gaps between the parts
  }
}

}  // namespace
