// Register accesses through a socket, and their responses.
#include "models/support/socket_device.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <vector>

namespace tvp::support::socket_device_test {
namespace {

/// A block of four registers that records accesses and answers as the test sets.
struct Block : sc_core::sc_module {
  tlm_utils::simple_target_socket<Block> socket{"socket"};

  explicit Block(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.register_b_transport(this, &Block::b_transport);
    socket.register_transport_dbg(this, &Block::transport_dbg);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    auto* const bus = payload.get_extension<BusAccess>();
    asked.push_back({payload.is_write(), payload.get_address(), *bus});
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(payload.get_data_length(), 4U);
    EXPECT_EQ(payload.get_streaming_width(), 4U);
    EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
    EXPECT_FALSE(payload.is_dmi_allowed());
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(bus->latency, 0U);
    EXPECT_FALSE(bus->blocked);
    EXPECT_EQ(bus->watch, Watch::kNone);
    payload.set_dmi_allowed(true);  // not to be found by the next access
    payload.set_response_status(response);
    bus->latency = latency;
    bus->blocked = blocked;
    bus->watch = watch;
    if (response == tlm::TLM_OK_RESPONSE) move(payload);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    if (payload.get_address() >= sizeof registers) return 0;
    move(payload);
    return payload.get_data_length();
  }
  void move(tlm::tlm_generic_payload& payload) {
    std::uint32_t& word = registers[payload.get_address() / 4];
    if (payload.is_write())
      std::memcpy(&word, payload.get_data_ptr(), 4);
    else
      std::memcpy(payload.get_data_ptr(), &word, 4);
  }

  struct Asked {
    bool write;
    std::uint64_t address;
    BusAccess bus;
  };
  std::vector<Asked> asked;
  std::uint32_t registers[4] = {};
  tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE;
  std::uint32_t latency = 0;
  bool blocked = false;
  Watch watch = Watch::kNone;
};

TEST(SocketDevice, CarriesAnAccessAndItsAnswer) {
  SocketDevice device("device");
  Block block("block");
  device.socket.bind(block.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  MmioAccess write;
  write.write = true;
  write.offset = 8;
  write.data = 0xCAFEF00D;
  write.now = 1234;
  write.master = BusMaster::kT1;
  write.order = 7;
  block.latency = 3;
  device.access(write);
  ASSERT_EQ(block.asked.size(), 1U);
  EXPECT_TRUE(block.asked[0].write);
  EXPECT_EQ(block.asked[0].address, 8U);
  EXPECT_EQ(block.asked[0].bus.now, 1234U);
  EXPECT_EQ(block.asked[0].bus.master, BusMaster::kT1);
  EXPECT_EQ(block.asked[0].bus.order, 7U);
  EXPECT_EQ(block.registers[2], 0xCAFEF00DU);
  EXPECT_EQ(write.latency, 3U);
  EXPECT_FALSE(write.blocked);
  EXPECT_FALSE(write.unmapped);
  EXPECT_EQ(write.data, 0xCAFEF00DU);

  MmioAccess read;
  read.offset = 8;
  block.latency = 7;
  block.watch = Watch::kTileControl;
  device.access(read);
  EXPECT_FALSE(block.asked[1].write);
  EXPECT_EQ(read.data, 0xCAFEF00DU);
  EXPECT_EQ(read.latency, 7U);
  EXPECT_EQ(read.watch, Watch::kTileControl);

  // Blocked is no error; the pending value belongs to the caller.
  block.blocked = true;
  block.watch = Watch::kMailbox;
  block.response = tlm::TLM_INCOMPLETE_RESPONSE;
  write.data = 5;
  device.access(write);
  EXPECT_TRUE(write.blocked);
  EXPECT_EQ(write.watch, Watch::kMailbox);
  EXPECT_FALSE(write.unmapped);
  EXPECT_EQ(block.registers[2], 0xCAFEF00DU);

  block.blocked = false;
  block.response = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  device.access(read);
  EXPECT_TRUE(read.unmapped);
  EXPECT_FALSE(read.blocked);

  const std::size_t before = block.asked.size();
  MmioAccess look;
  look.offset = 8;
  EXPECT_TRUE(device.peek(look));
  EXPECT_EQ(look.data, 0xCAFEF00DU);
  look.offset = 16;
  EXPECT_FALSE(device.peek(look));
  EXPECT_EQ(block.asked.size(), before) << "looking is no access";
}

}  // namespace
}  // namespace tvp::support::socket_device_test
