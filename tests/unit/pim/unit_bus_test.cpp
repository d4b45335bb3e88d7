// Memories that a unit's core reaches: WRAM with any width within its ends, by calls and by direct
// pointer, and registers by words.

#include "models/pim/unit/unit_bus.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <random>
#include <vector>

#include "models/support/bus_access.h"
#include "tests/support/memory_recorder.h"

namespace tvp::pim::unit_bus_test {
namespace {

using regs::pim::kWramBytes;
using support::BusAccess;

struct Device : support::MmioDevice {
  std::vector<support::MmioAccess> seen;
  void access(support::MmioAccess& access) override {
    seen.push_back(access);
    access.unmapped = access.offset == 0x40;
    access.blocked = access.offset == 0x44;
    if (!access.write) access.data = 0xA1B2C3D4 + access.offset;
  }
};

struct Bench : sc_core::sc_module {
  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name) {
    core.bind(bus.core);
    bus.map(UnitBus::Window::kDma, device);
  }
  tlm::tlm_response_status access(bool write, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    fill(payload, write, address, data, bytes);
    last = BusAccess{};
    last.now = 100;
    payload.set_extension(&last);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    core->b_transport(payload, delay);
    payload.clear_extension(&last);
    // 350 MHz: 1e6 / 350 ps a cycle, rounded down.
    EXPECT_EQ(delay.value(), last.latency * 1'000'000ULL / 350);
    direct = payload.is_dmi_allowed();
    return payload.get_response_status();
  }
  std::vector<std::uint8_t> debug_read() {
    std::vector<std::uint8_t> all(kWramBytes);
    tlm::tlm_generic_payload payload;
    fill(payload, false, 0, all.data(), kWramBytes);
    EXPECT_EQ(core->transport_dbg(payload), kWramBytes);
    return all;
  }
  static void fill(tlm::tlm_generic_payload& payload, bool write, std::uint64_t address, void* data,
                   unsigned bytes) {
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
  }

  support::WatchHub hub;
  Wram wram{hub};
  UnitBus bus{"bus", wram, 350};
  Device device;
  tlm_utils::simple_initiator_socket<Bench> core{"core"};
  BusAccess last;
  bool direct = false;
};

Bench& bench() {
  // SystemC creates modules once per process, and binds sockets at elaboration.
  static Bench b("bench");
  static const bool elaborated = (sc_core::sc_start(sc_core::SC_ZERO_TIME), true);
  (void)elaborated;
  b.device.seen.clear();
  return b;
}

TEST(UnitBus, WramTakesEveryWidthWithinItsEnds) {
  Bench& b = bench();
  std::vector<std::uint8_t> shadow = b.debug_read();
  std::mt19937 random(1);
  for (unsigned i = 0; i < 4000; ++i) {
    const unsigned bytes = 1U << random() % 4;
    const std::uint64_t last_address = kWramBytes - bytes;
    const std::uint64_t address = i % 8 == 0   ? last_address
                                  : i % 8 == 1 ? 0
                                               : random() % (last_address + 1);
    std::uint8_t data[8] = {};
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
    if (random() % 2 != 0) {
      ASSERT_EQ(b.access(true, address, data, bytes), tlm::TLM_OK_RESPONSE);
      std::memcpy(shadow.data() + address, data, bytes);
      EXPECT_EQ(b.last.latency, 1U);
    } else {
      ASSERT_EQ(b.access(false, address, data, bytes), tlm::TLM_OK_RESPONSE);
      ASSERT_EQ(std::memcmp(data, shadow.data() + address, bytes), 0);
      EXPECT_EQ(b.last.latency, 3U);
    }
    EXPECT_TRUE(b.direct);
    EXPECT_FALSE(b.last.blocked);
    EXPECT_EQ(b.last.watch, support::Watch::kL1);
  }
  EXPECT_EQ(b.debug_read(), shadow);
  std::uint64_t data = 0;
  for (const unsigned bytes : {2U, 4U, 8U})
    EXPECT_EQ(b.access(true, kWramBytes - 1, &data, bytes), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, kWramBytes, &data, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.debug_read(), shadow);
}

TEST(UnitBus, AnObserverIsToldAndTakesThePointerAway) {
  Bench& b = bench();
  support::MemoryRecorder observer;
  b.bus.set_memory_observer(&observer);
  std::uint32_t word = 7;
  EXPECT_EQ(b.access(true, 0x40, &word, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_FALSE(b.direct);
  EXPECT_EQ(b.access(false, 0x42, &word, 2), tlm::TLM_OK_RESPONSE);
  b.bus.set_memory_observer(nullptr);
  EXPECT_EQ(b.access(false, 0x40, &word, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_TRUE(b.direct);
  EXPECT_EQ(observer.seen.size(), 2U);
}

TEST(UnitBus, RegistersTakeAlignedWords) {
  Bench& b = bench();
  std::uint64_t data = 0x0102030405060708;
  EXPECT_EQ(b.access(true, regs::pim::kDma + 0x10, &data, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.access(false, regs::pim::kDma + 0x14, &data, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(static_cast<std::uint32_t>(data), 0xA1B2C3D4 + 0x14);
  ASSERT_EQ(b.device.seen.size(), 2U);
  EXPECT_TRUE(b.device.seen[0].write);
  EXPECT_EQ(b.device.seen[0].offset, 0x10U);
  EXPECT_EQ(b.device.seen[0].data, 0x05060708U);
  EXPECT_EQ(b.device.seen[0].now, 100U);
  for (const unsigned bytes : {1U, 2U, 8U})
    EXPECT_EQ(b.access(false, regs::pim::kDma, &data, bytes), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, regs::pim::kDma + 2, &data, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, regs::pim::kDma + 0x40, &data, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(false, regs::pim::kDma + 0x44, &data, 4), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_TRUE(b.last.blocked);
  // A window without a device, and addresses before the first and after the last window.
  for (const std::uint64_t address :
       {std::uint64_t{regs::pim::kControl}, std::uint64_t{regs::pim::kControl} - 4,
        regs::pim::kControl + std::uint64_t{4} * regs::pim::kWindowBytes})
    EXPECT_EQ(b.access(false, address, &data, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace
}  // namespace tvp::pim::unit_bus_test
