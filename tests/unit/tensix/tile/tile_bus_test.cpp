#include "models/tensix/tile/tile_bus.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <vector>

#include "foundation/regs/tensix_tile.h"
#include "platform/checks/record/l1_in_flight.h"
#include "tests/support/described_chips.h"

namespace tvp::tensix::tile_bus_test {
namespace {

namespace regs = tvp::regs::tensix_tile;
using support::BusAccess;
using support::BusMaster;
using support::MmioAccess;

struct FakeDevice : support::MmioDevice {
  std::vector<MmioAccess> seen;
  std::uint32_t answer = 0xA1B2C3D4;
  bool block = false;
  void access(MmioAccess& access) override {
    seen.push_back(access);
    access.blocked = block;
    access.watch = support::Watch::kOverlay;
    if (!access.write) access.data = answer;
  }
};

struct Bench : sc_core::sc_module {
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Bench>> cores;
  support::WatchHub hub;
  foundation::StopOnFault faults;
  L1 l1{tests::wormhole().memories.tensix_l1_bytes, hub};
  TileBus bus{"bus", "tile", l1, sc_core::sc_time(1, sc_core::SC_NS), faults};
  FakeDevice device[static_cast<unsigned>(TileBus::Window::kCount)];

  explicit Bench(const sc_core::sc_module_name& name)
      : sc_module(name), cores("core", TileBus::kMasters) {
    for (unsigned i = 0; i < TileBus::kMasters; ++i) cores[i].bind(bus.masters[i]);
    for (unsigned w = 0; w < static_cast<unsigned>(TileBus::Window::kCount); ++w) {
      bus.map(static_cast<TileBus::Window>(w), device[w]);
    }
  }

  tlm::tlm_response_status access(BusMaster master, bool write, std::uint64_t address, void* data,
                                  unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    last.latency = 0;
    last.now = 100;
    payload.set_extension(&last);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    cores[static_cast<unsigned>(master)]->b_transport(payload, delay);
    payload.clear_extension(&last);
    EXPECT_EQ(delay, sc_core::sc_time(last.latency, sc_core::SC_NS));
    return payload.get_response_status();
  }
  FakeDevice& of(TileBus::Window w) { return device[static_cast<unsigned>(w)]; }
  BusAccess last;
};

Bench& bench() {
  // SystemC creates modules once per process, and binds sockets at elaboration.
  static Bench b("bench");
  static const bool elaborated = (sc_core::sc_start(sc_core::SC_ZERO_TIME), true);
  (void)elaborated;
  for (FakeDevice& d : b.device) d = FakeDevice{};
  return b;
}

TEST(TileBus, RegionsByAddressAndMaster) {
  using W = TileBus::Window;
  struct Row {
    BusMaster master;
    std::uint32_t address;
    W window;
    std::uint32_t offset;
    std::uint32_t latency;
  };
  const Row rows[] = {
      {BusMaster::kB, regs::kTdma + 0x14, W::kTdma, 0x14, 7},
      {BusMaster::kNoc0, regs::kControl + 0x1B0, W::kControl, 0x1B0, 7},
      {BusMaster::kNc, regs::kNiu0 + 0x200, W::kNiu0, 0x200, 7},
      {BusMaster::kNc, regs::kNiu1 + 0x28, W::kNiu1, 0x28, 7},
      {BusMaster::kNoc1, 0xFFB7F008, W::kOverlay, 0x3F008, 7},
      {BusMaster::kT1, regs::kMopConfig + 0x20, W::kMopConfig, 0x20, 4},
      {BusMaster::kB, regs::kGprs + 0x2FC, W::kGprs, 0x2FC, 4},
      {BusMaster::kT2, regs::kPushT0, W::kPush, 0xE40000, 1},
      {BusMaster::kB, regs::kPushT2, W::kPush, 0xE60000, 1},
      {BusMaster::kT0, regs::kCoprocessorDone, W::kPcBuf, 0xE80004, 3},
      {BusMaster::kB, regs::kPcBuf2, W::kPcBuf, 0xEA0000, 3},
      {BusMaster::kT2, regs::kMailboxes + 0x3004, W::kMailbox, 0x3004, 3},
      {BusMaster::kT0, regs::kConfig + 0x1C, W::kConfig, 0x1C, 4},
  };
  Bench& b = bench();
  for (const Row& row : rows) {
    std::uint32_t data = 0;
    EXPECT_EQ(b.access(row.master, false, row.address, &data, 4), tlm::TLM_OK_RESPONSE);
    FakeDevice& device = b.of(row.window);
    ASSERT_FALSE(device.seen.empty()) << std::hex << row.address;
    EXPECT_EQ(device.seen.back().offset, row.offset);
    EXPECT_EQ(device.seen.back().master, row.master);
    EXPECT_EQ(device.seen.back().now, 100u);
    EXPECT_EQ(b.last.latency, row.latency) << std::hex << row.address;
    EXPECT_EQ(data, device.answer);
  }
}

TEST(TileBus, WhatAMasterDoesNotHaveIsUnmapped) {
  Bench& b = bench();
  std::uint32_t data = 0;
  const std::pair<BusMaster, std::uint32_t> rows[] = {
      {BusMaster::kNc, regs::kMailboxes},
      {BusMaster::kNc, regs::kGprs},
      {BusMaster::kNoc0, regs::kConfig},
      {BusMaster::kB, regs::kMopConfig},
      {BusMaster::kT0, regs::kPushT1},
      {BusMaster::kT1, regs::kPcBuf1},
      {BusMaster::kThcon, regs::kPcBuf0},
      {BusMaster::kB, regs::kIram},
      {BusMaster::kB, 0x00170000},
      {BusMaster::kB, regs::kPic},
      {BusMaster::kT0, regs::kMopConfig + 0x24},
  };
  for (const auto& [master, address] : rows) {
    EXPECT_EQ(b.access(master, false, address, &data, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE)
        << std::hex << address;
  }
  for (const FakeDevice& d : b.device) EXPECT_TRUE(d.seen.empty());
}

TEST(TileBus, RegistersTakeNarrowLoadsAndWholeStores) {
  Bench& b = bench();
  std::uint8_t byte = 0;
  EXPECT_EQ(b.access(BusMaster::kB, false, regs::kNiu0 + 2, &byte, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(byte, 0xB2);
  EXPECT_EQ(b.access(BusMaster::kB, true, regs::kNiu0 + 2, &byte, 1),
            tlm::TLM_BURST_ERROR_RESPONSE);
  std::uint64_t wide = 0;
  EXPECT_EQ(b.access(BusMaster::kNoc0, false, regs::kNiu0, &wide, 8),
            tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(TileBus, ABlockedRegisterIsIncomplete) {
  Bench& b = bench();
  b.of(TileBus::Window::kMailbox).block = true;
  std::uint32_t data = 7;
  EXPECT_EQ(b.access(BusMaster::kB, false, regs::kMailboxes, &data, 4),
            tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_TRUE(b.last.blocked);
  EXPECT_EQ(b.last.watch, support::Watch::kOverlay);
  EXPECT_EQ(data, 7u);
}

TEST(TileBus, L1MovesBytesAndEndsWhereTheMemoryEnds) {
  Bench& b = bench();
  std::vector<std::uint8_t> out(40), in(40);
  for (unsigned i = 0; i < 40; ++i) out[i] = static_cast<std::uint8_t>(i + 1);
  EXPECT_EQ(b.access(BusMaster::kNoc0, true, 0x1000, out.data(), 40), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.access(BusMaster::kNoc1, false, 0x1000, in.data(), 40), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(in, out);
  EXPECT_EQ(b.access(BusMaster::kNoc0, false, 0x16DFF0, in.data(), 16), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.access(BusMaster::kNoc0, false, 0x16DFF0, in.data(), 17),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.access(BusMaster::kNoc0, false, 0x16E000, in.data(), 4),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// Data that counts as arrived may be used, since the transfer has ended.
TEST(TileBus, APacketIsWrittenWhenItsTailHasCome) {
  using Transfer = checks::L1InFlight::Transfer;
  struct : checks::L1InFlight::Listener, support::Probe::Listener {
    void too_early(const Transfer&, const Transfer&) override { ++found; }
    void on(const support::ProbeEvent& event) override { l1.on(event); }
    unsigned found = 0;
    support::Probe probe;
    checks::L1InFlight l1{probe};
  } listener;
  Bench& b = bench();
  listener.l1.set_listener(&listener);
  listener.probe.listen(listener, checks::L1InFlight::kinds());
  b.l1.set_probe(&listener.probe);
  std::vector<std::uint8_t> data(2048);
  const auto found_by_unpacker = [&](support::Cycle now) {
    listener.found = 0;
    b.l1.was_read({.agent = BusMaster::kUnpacker0,
                   .address = 0x2000,
                   .bytes = 2048,
                   .now = now,
                   .done = now});
    return listener.found;
  };
  ASSERT_EQ(b.access(BusMaster::kNoc1, true, 0x2000, data.data(), 2048), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.last.latency, 64u);  // its other 63 flits took 63 cycles to arrive
  EXPECT_EQ(found_by_unpacker(100), 0u);
  // A packet at the same time finds the ports occupied, and so do later accesses.
  ASSERT_EQ(b.access(BusMaster::kNoc1, true, 0x2000, data.data(), 2048), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.last.latency, 128u);
  EXPECT_EQ(found_by_unpacker(100), 0u);
  // A core that reads until this time was too early.
  b.l1.was_read(
      {.agent = BusMaster::kUnpacker0, .address = 0x2000, .bytes = 2048, .now = 100, .done = 150});
  listener.found = 0;
  ASSERT_EQ(b.access(BusMaster::kNoc1, true, 0x2000, data.data(), 2048), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(listener.found, 1u);
  b.l1.set_probe(nullptr);
}

TEST(TileBus, DebugAccessDoesWhatTheNocWouldSee) {
  Bench& b = bench();
  std::uint32_t word = 0x12345678;
  EXPECT_TRUE(b.bus.debug_access(0x2000, reinterpret_cast<std::uint8_t*>(&word), 4, true, 0));
  std::uint32_t back = 0;
  EXPECT_TRUE(b.bus.debug_access(0x2000, reinterpret_cast<std::uint8_t*>(&back), 4, false, 0));
  EXPECT_EQ(back, word);
  EXPECT_TRUE(
      b.bus.debug_access(regs::kControl, reinterpret_cast<std::uint8_t*>(&back), 4, false, 0));
  EXPECT_EQ(back, 0xA1B2C3D4u);
  EXPECT_FALSE(
      b.bus.debug_access(regs::kMailboxes, reinterpret_cast<std::uint8_t*>(&back), 4, false, 0));
}

TEST(TileBus, DmiCoversL1) {
  Bench& b = bench();
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  payload.set_address(0x100);
  ASSERT_TRUE(b.cores[0]->get_direct_mem_ptr(payload, dmi));
  EXPECT_EQ(dmi.get_dmi_ptr(), b.l1.bytes());
  EXPECT_EQ(dmi.get_end_address(), tests::wormhole().memories.tensix_l1_bytes - 1);
  payload.set_address(regs::kNiu0);
  EXPECT_FALSE(b.cores[0]->get_direct_mem_ptr(payload, dmi));
}

}  // namespace
}  // namespace tvp::tensix::tile_bus_test
