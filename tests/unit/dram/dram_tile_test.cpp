#include "models/dram/dram_tile.h"

#include <gtest/gtest.h>

#include "tests/support/memory_recorder.h"
#include "tests/unit/noc/noc_bench.h"

namespace tvp::dram::dram_tile_test {
namespace {

using namespace regs::noc;  // register names
using foundation::ChipNode;
using noc::Command;
using noc::NocBench;
using noc::TestTile;
using support::Cycle;

const std::vector<std::pair<unsigned, unsigned>> kPlaces = {{1, 1}, {2, 1}, {1, 2}, {6, 5}};

/// The controller without banks; banked_tile_test.cpp tests the one with banks.
struct ServiceConfig : DramConfig {
  ServiceConfig() { controller.set("service"); }
};

struct Bench : NocBench {
  explicit Bench(const std::string& name) : NocBench(name, "fast", false, kPlaces) {
    for (unsigned group : {0U, 5U}) {
      const std::string tile_name = name + "_dram" + std::to_string(group);
      dram.push_back(std::make_unique<DramTile>(tile_name.c_str(), dram_config,
                                                noc::wormhole_grid(), config, group, calendar,
                                                faults, tile_name));
      for (auto& torus : network) dram.back()->attach(*torus);
    }
  }
  ServiceConfig dram_config;
  std::vector<std::unique_ptr<DramTile>> dram;
};

/// Twelve tiles that write to one endpoint, over routers with buffers.
struct CrowdBench : NocBench {
  static constexpr std::pair<unsigned, unsigned> kPlaces[] = {{9, 4},  {3, 2},  {7, 3}, {1, 1},
                                                              {2, 5},  {6, 7},  {8, 8}, {4, 9},
                                                              {1, 10}, {7, 11}, {3, 8}, {9, 1}};

  CrowdBench()
      : NocBench("crowd", "detailed", false, {std::begin(kPlaces), std::end(kPlaces)}),
        dram("crowd_dram", dram_config, noc::wormhole_grid(), config, 0, calendar, faults,
             "crowd_dram") {
    for (auto& torus : network) dram.attach(*torus);
  }

  /// Bytes per cycle of the first `writers` tiles together. Each has up to 8 packets of 8 KiB in
  /// flight, to the first `channels` in turn; `vc` are flags of CTRL.
  double rate(unsigned writers, std::uint32_t vc, unsigned channels = 1) {
    constexpr Cycle kWarmUp = 30000;
    constexpr Cycle kMeasure = 60000;
    const Cycle start = calendar.now();
    std::uint64_t before = 0;
    while (calendar.now() < start + kWarmUp + kMeasure) {
      for (unsigned i = 0; i < writers; ++i) write_if_ready(i, vc, channels);
      calendar.run_until(calendar.now() + 10);
      if (calendar.now() == start + kWarmUp) before = acknowledged();
    }
    const std::uint64_t bytes = (acknowledged() - before) * kMaxPacketBytes;
    settle(2000000);
    return static_cast<double>(bytes) / kMeasure;
  }

  ServiceConfig dram_config;
  DramTile dram;

 private:
  std::uint32_t packets_ = 0;
  TestTile& writer(unsigned i) { return at(kPlaces[i].first, kPlaces[i].second); }
  std::uint64_t acknowledged() {
    std::uint64_t packets = 0;
    for (unsigned i = 0; i < std::size(kPlaces); ++i)
      packets += writer(i).niu[0]->counter(kMstWrAckReceived);
    return packets;
  }
  void write_if_ready(unsigned i, std::uint32_t vc, unsigned channels) {
    TestTile& tile = writer(i);
    if (tile.niu[0]->counter(kMstReqsOutstandingId) >= 8) return;
    if (tile.niu[0]->peek(kInitiatorStatus) != 0) return;
    Command command;
    command.ctrl = kCmdWr | kCmdRespMarked | vc;
    command.targ_lo = 0x1000;
    command.targ_mid = mid(0, tile);
    command.ret_lo = i << 16 | (packets_++ % channels) << 30;
    command.ret_mid = mid(0, 0, 0);
    command.at_len_be = kMaxPacketBytes;
    issue(tile, 0, 0, command);
  }
};

/// A controller that moves the bytes of a request in parts, without time.
class PartsBench : public sc_core::sc_module {
 public:
  explicit PartsBench(const sc_core::sc_module_name& name)
      : sc_module(name), controller("controller", calendar), initiator("initiator") {
    initiator.bind(controller.port);
  }
  /// Uses parts of `part_bytes`.
  void transfer(tlm::tlm_generic_payload& payload, std::uint32_t part_bytes) {
    controller.part_bytes = part_bytes;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(initiator->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
  }

  class InParts : public Controller {
   public:
    InParts(const sc_core::sc_module_name& name, support::Calendar& of)
        : Controller(name, 4096, of) {}
    std::uint32_t part_bytes = 0;

   private:
    tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
      const std::uint32_t bytes = payload.get_data_length();
      for (std::uint32_t at = 0; at < bytes; at += part_bytes) {
        move(payload, at, std::min(part_bytes, bytes - at), {});
      }
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
  };
  support::Calendar calendar{{}};
  InParts controller;
  tlm_utils::simple_initiator_socket<PartsBench> initiator;
};

struct Benches {
  PartsBench parts{"parts"};
  CrowdBench crowd;
  Bench main{"main"};
  Bench broken{"broken"};
  Benches() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};
Benches& benches() {
  static Benches all;
  return all;
}

class DramTileTest : public ::testing::Test {
 protected:
  void TearDown() override {
    bench.settle();
    for (auto& network : bench.network) EXPECT_NO_THROW(network->check_conservation());
    for (auto& tile : bench.tiles) EXPECT_EQ(tile->open_transactions(), 0u) << tile->name();
  }
  Command write(const TestTile& from, unsigned x, unsigned y, std::uint32_t source,
                std::uint32_t address, std::uint32_t bytes, std::uint32_t flags = kCmdRespMarked,
                unsigned noc = 0) {
    Command c;
    c.ctrl = kCmdWr | flags;
    c.targ_lo = source;
    c.targ_mid = bench.mid(noc, from);
    c.ret_lo = address;
    c.ret_mid = bench.mid(noc, x, y);
    c.at_len_be = bytes;
    return c;
  }
  Command read(const TestTile& to, unsigned x, unsigned y, std::uint32_t address,
               std::uint32_t destination, std::uint32_t bytes, unsigned noc = 0) {
    Command c;
    c.ctrl = kCmdRd | kCmdRespMarked;
    c.targ_lo = address;
    c.targ_mid = bench.mid(noc, x, y);
    c.ret_lo = destination;
    c.ret_mid = bench.mid(noc, to);
    c.at_len_be = bytes;
    return c;
  }
  Cycle time_of(TestTile& tile, const Command& command, unsigned counter, unsigned noc = 0) {
    const std::uint32_t before = tile.niu[noc]->counter(counter);
    const Cycle start = bench.calendar.now();
    bench.issue(tile, noc, 0, command);
    return bench.run_until([&] { return tile.niu[noc]->counter(counter) != before; }) - start;
  }
  /// Advances to `cycles` after the start of a refresh.
  void after_refresh_began(Cycle cycles) {
    const Cycle interval = bench.dram_config.refresh_interval_cycles;
    const Cycle now = bench.calendar.now();
    bench.calendar.run_until(now + (interval + cycles - now % interval) % interval);
  }
  /// Bytes per cycle if all `tiles` keep transfers of `bytes` in flight to one channel.
  double rate(const std::vector<TestTile*>& tiles, bool reads, std::uint32_t bytes,
              std::uint32_t vc_flags) {
    auto bytes_moved = [&] {
      std::uint64_t sum = 0;
      for (TestTile* tile : tiles) {
        sum += reads ? std::uint64_t{tile->niu[0]->counter(kMstRdDataWordReceived)} * 32
                     : std::uint64_t{tile->niu[0]->counter(kMstWrAckReceived)} * bytes;
      }
      return sum;
    };
    constexpr Cycle kWarmUp = 30000;
    constexpr Cycle kWindow = 60000;
    const Cycle start = bench.calendar.now();
    std::uint32_t address = 0;
    std::uint64_t first = 0;
    while (bench.calendar.now() - start < kWarmUp + kWindow) {
      for (TestTile* tile : tiles) {
        const bool room = tile->niu[0]->counter(kMstReqsOutstandingId) < 8;
        if (!room || tile->niu[0]->peek(kInitiatorStatus) != 0) continue;
        bench.issue(*tile, 0, 0,
                    reads ? read(*tile, 0, 0, address, 0x1000, bytes)
                          : write(*tile, 0, 0, 0x1000, address, bytes, kCmdRespMarked | vc_flags));
        address = (address + bytes) % 0x100000;
      }
      bench.calendar.run_until(bench.calendar.now() + 10);
      if (bench.calendar.now() - start == kWarmUp) first = bytes_moved();
    }
    const double result = static_cast<double>(bytes_moved() - first) / kWindow;
    bench.settle(20000);
    return result;
  }

  Bench& bench = benches().main;
  TestTile& a = bench.at(1, 1);
  TestTile& b = bench.at(2, 1);
};

// An endpoint's NIU passes a read request in 6.8 cycles, for any sender and length. NIUs do not
// wait for each other.
TEST_F(DramTileTest, AnEndpointPassesReadRequestsOnOneByOne) {
  constexpr unsigned kReads = 40;
  const auto cycles_of = [&](unsigned nocs) {
    const Cycle start = bench.calendar.now();
    const auto answers = [&](unsigned noc) {
      return bench.at(1, 1).niu[noc]->counter(kMstRdRespReceived) +
             bench.at(2, 1).niu[noc]->counter(kMstRdRespReceived);
    };
    const std::uint32_t before[] = {answers(0), answers(1)};
    for (unsigned i = 0; i < kReads; ++i) {
      for (unsigned noc = 0; noc < nocs; ++noc) {
        TestTile& tile = i % 2 == 0 ? bench.at(1, 1) : bench.at(2, 1);
        bench.run_until([&] { return tile.niu[noc]->peek(kInitiatorStatus) == 0; });
        bench.issue(tile, noc, 0, read(tile, 0, 0, i * 32, 0x2000, 32, noc));
      }
    }
    for (unsigned noc = 0; noc < nocs; ++noc)
      bench.run_until([&] { return answers(noc) - before[noc] == kReads; });
    return bench.calendar.now() - start;
  };
  const double interval = bench.config.dram_request_cycles;
  const Cycle one = cycles_of(1);
  EXPECT_GE(static_cast<double>(one), (kReads - 1) * interval);
  EXPECT_LE(static_cast<double>(one), (kReads - 1) * interval + 450);
  EXPECT_LE(cycles_of(2), one + 60);
}

TEST_F(DramTileTest, AllEndpointsOfAGroupSeeTheSameChannels) {
  a.fill(0x1000, 4096, 1);
  bench.issue(a, 0, 0, write(a, 0, 0, 0x1000, 0x2000, 4096));
  bench.settle();
  unsigned to = 0x4000;
  for (const auto& [x, y] : {std::pair{0u, 0u}, {0u, 1u}, {0u, 11u}}) {
    for (unsigned noc = 0; noc < 2; ++noc) {
      bench.issue(b, noc, 0, read(b, x, y, 0x2000, to, 4096, noc));
      bench.settle();
      EXPECT_EQ(std::memcmp(&a.memory_bytes[0x1000], &b.memory_bytes[to], 4096), 0)
          << x << y << noc;
      to += 0x1000;
    }
  }
}

TEST_F(DramTileTest, ChannelsAreOneGibibyteEach) {
  a.set_word(0x100, 0xC0FFEE);
  bench.issue(a, 0, 0, write(a, 0, 0, 0x100, 0x40000100, 4));
  bench.settle();
  std::uint32_t value = 0;
  bench.dram[0]->channel(1).storage().read(0x100, reinterpret_cast<std::uint8_t*>(&value), 4);
  EXPECT_EQ(value, 0xC0FFEEu);
  EXPECT_TRUE(bench.dram[0]->debug_read(0x40000100, reinterpret_cast<std::uint8_t*>(&value), 4));
  EXPECT_EQ(value, 0xC0FFEEu);
}

TEST_F(DramTileTest, AnObserverSeesEveryAccessAndMovesNothing) {
  using support::BusMaster;
  DramTile& dram = *bench.dram[0];
  // Starts after a refresh, so that none comes between.
  const auto wait = [&] {
    const Cycle interval = bench.dram_config.refresh_interval_cycles;
    bench.calendar.run_until((bench.calendar.now() / interval + 1) * interval + 300);
  };
  const auto traffic = [&] {
    wait();
    bench.issue(a, 0, 0, write(a, 0, 0, 0x100, 0x40000100, 64));
    bench.settle();
    wait();
    bench.issue(b, 1, 0, read(b, 0, 0, 0x1000, 0x2000, 96, 1));
    bench.settle();
    std::uint8_t byte = 0;
    dram.debug_read(0x40000100, &byte, 1);
  };
  support::MemoryRecorder observer;
  dram.observe(&observer);
  traffic();
  dram.observe(nullptr);
  traffic();
  ASSERT_EQ(observer.seen.size(), 3U);
  const Cycle wrote = observer.seen[0].cycle;
  const Cycle read = observer.seen[1].cycle;
  const Cycle looked = observer.seen[2].cycle;
  EXPECT_GT(wrote, 300U);
  EXPECT_GT(read, wrote);
  // 64 B at 23.7 B a cycle, of which a flit is there a cycle before the last, and 96 B at 24.
  EXPECT_EQ(observer.seen[0],
            (support::ProbeEvent{.kind = support::ProbeEvent::Kind::kWritten,
                                 .agent = BusMaster::kNoc0,
                                 .memory = support::MemoryKind::kDram,
                                 .bytes = 64,
                                 .address = 0x100,  // in its channel
                                 .cycle = wrote,
                                 .done = wrote + 2 + bench.dram_config.write_latency_cycles}));
  EXPECT_EQ(observer.seen[1],
            (support::ProbeEvent{.kind = support::ProbeEvent::Kind::kRead,
                                 .agent = BusMaster::kNoc1,
                                 .memory = support::MemoryKind::kDram,
                                 .bytes = 96,
                                 .address = 0x1000,
                                 .cycle = read,
                                 .done = read + 4 + bench.dram_config.read_latency_cycles}));
  EXPECT_EQ(observer.seen[2], (support::ProbeEvent{.kind = support::ProbeEvent::Kind::kRead,
                                                   .agent = BusMaster::kDebug,
                                                   .memory = support::MemoryKind::kDram,
                                                   .bytes = 1,
                                                   .address = 0x100,
                                                   .cycle = looked,
                                                   .done = looked}));
}

TEST_F(DramTileTest, HostAccessCrossesTheBorderOfChannelsAndNothingElse) {
  std::vector<std::uint8_t> out(256), in(256);
  for (unsigned i = 0; i < 256; ++i) out[i] = static_cast<std::uint8_t>(i * 7);
  EXPECT_TRUE(bench.dram[1]->debug_write(0x40000000 - 100, out.data(), out.size()));
  EXPECT_TRUE(bench.dram[1]->debug_read(0x40000000 - 100, in.data(), in.size()));
  EXPECT_EQ(in, out);
  EXPECT_FALSE(bench.dram[1]->debug_write(0x80000000 - 100, out.data(), out.size()));
  EXPECT_FALSE(bench.dram[1]->debug_read(0x100000000, in.data(), 1));
}

TEST_F(DramTileTest, ByteEnablesSelectBytes) {
  for (unsigned i = 0; i < 32; i += 4) a.set_word(0x200 + i, 0x22222222);
  for (unsigned i = 0; i < 32; i += 4) a.set_word(0x300 + i, 0x33333333);
  bench.issue(a, 0, 0, write(a, 0, 0, 0x200, 0x3000, 32));
  bench.settle();
  bench.issue(a, 0, 0, write(a, 0, 0, 0x300, 0x3000, 0x0000FF01, kCmdWrBe | kCmdRespMarked));
  bench.settle();
  std::uint32_t words[8];
  bench.dram[0]->debug_read(0x3000, reinterpret_cast<std::uint8_t*>(words), 32);
  EXPECT_EQ(words[0], 0x22222233u);
  EXPECT_EQ(words[1], 0x22222222u);
  EXPECT_EQ(words[2], 0x33333333u);
  EXPECT_EQ(words[3], 0x33333333u);
}

// IEEE 1666-2011, 14.8: enables repeat over the data, also if a target moves parts.
TEST(ControllerParts, ByteEnablesGoOnFromPartToPart) {
  PartsBench& bench = benches().parts;
  constexpr std::uint32_t kBytes = 200;
  std::uint8_t enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED,
                            TLM_BYTE_DISABLED, TLM_BYTE_DISABLED};
  for (const std::uint32_t part_bytes : {16U, 70U, 200U}) {
    for (const bool write : {false, true}) {
      std::vector<std::uint8_t> memory(kBytes), data(kBytes), back(kBytes);
      for (std::uint32_t i = 0; i < kBytes; ++i) {
        memory[i] = static_cast<std::uint8_t>(i);
        data[i] = static_cast<std::uint8_t>(i + 100);
      }
      std::vector<std::uint8_t> expected = write ? memory : data;
      for (std::uint32_t i = 0; i < kBytes; ++i) {
        if (enables[i % 5] == TLM_BYTE_ENABLED) expected[i] = write ? data[i] : memory[i];
      }
      bench.controller.debug_write(1000, memory.data(), kBytes);
      tlm::tlm_generic_payload payload;
      payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(1000);
      payload.set_data_ptr(data.data());
      payload.set_data_length(kBytes);
      payload.set_streaming_width(kBytes);
      payload.set_byte_enable_ptr(enables);
      payload.set_byte_enable_length(5);
      bench.transfer(payload, part_bytes);
      EXPECT_TRUE(payload.is_response_ok());
      bench.controller.debug_read(1000, back.data(), kBytes);
      EXPECT_EQ(write ? back : data, expected) << part_bytes;
      EXPECT_TRUE(write || back == memory);
    }
  }
}

TEST_F(DramTileTest, LatencyOfSmallTransfers) {
  // Around both axes: 10 + 12 hops of 9, four ends of 5; NIU parts 2 + 1 + 1 + 1 + 1.
  constexpr Cycle kAround = 22 * 9 + 20;
  after_refresh_began(200);
  const Cycle read_latency = bench.dram_config.read_latency_cycles;
  const Cycle write_latency = bench.dram_config.write_latency_cycles;
  // Two cycles of bus for 32 B, the service, one flit, 2 into L1.
  EXPECT_EQ(time_of(a, read(a, 0, 0, 0, 0x400, 32), kMstRdRespReceived),
            2u + 1 + 1 + (2 + read_latency - 1) + 1 + 1 + 1 + 2 + kAround);
  // One cycle for source bytes beyond the flit, one flit, two of bus, the service.
  EXPECT_EQ(time_of(a, write(a, 0, 0, 0x400, 0, 32), kMstWrAckReceived),
            2u + 1 + 1 + 1 + 1 + (2 + write_latency) + 1 + 1 + kAround);
}

TEST_F(DramTileTest, LongTransfersAddBusTimeNotFlitTime) {
  after_refresh_began(200);
  const Cycle read32 = time_of(a, read(a, 0, 0, 0, 0x400, 32), kMstRdRespReceived);
  after_refresh_began(200);
  const Cycle read8k = time_of(a, read(a, 0, 0, 0, 0x2000, 8192), kMstRdRespReceived);
  // 8160 B more at 24 B per cycle.
  EXPECT_NEAR(static_cast<double>(read8k - read32), 8160 / 24.0, 2.0);
  after_refresh_began(200);
  const Cycle write32 = time_of(a, write(a, 0, 0, 0x400, 0, 32), kMstWrAckReceived);
  after_refresh_began(200);
  const Cycle write8k = time_of(a, write(a, 0, 0, 0x2000, 0, 8192), kMstWrAckReceived);
  EXPECT_NEAR(static_cast<double>(write8k - write32), 8160 / (24 * 0.986), 4.0);
}

TEST_F(DramTileTest, ATransferWaitsForTheRefreshThatItMeets) {
  constexpr Cycle kInterval = 1900, kRefresh = 131;
  constexpr Cycle kToBus = 2 + 1 + 5 + 20 * 9 + 5 + 1;  // request over 9 + 11 hops
  constexpr Cycle kOnBus = 8192 / 24 + 1;
  const auto time_from = [&](Cycle after) {
    after_refresh_began(after);
    return time_of(a, read(a, 0, 0, 0, 0x2000, 8192), kMstRdRespReceived);
  };
  const Cycle alone = time_from(200);
  EXPECT_EQ(time_from(kInterval - kToBus + 27), alone + kRefresh - 27);
  EXPECT_EQ(time_from(kInterval - kToBus - 100), alone + kRefresh);
  EXPECT_EQ(time_from(kInterval - kToBus - kOnBus - 5), alone);
  EXPECT_EQ(time_from(kInterval - kToBus - kOnBus + 5), alone + kRefresh);
  EXPECT_EQ(time_from(kInterval - kToBus + kRefresh + 1), alone);
}

// ISA DRAMTile/README.md: 21.8 to 22.0 GB/s with static channels, and from one tile with any; 6.7
// to 8.0 GB/s if many tiles use dynamic ones. The pool of 1.5 KiB is full; three waiting packets
// hold 480 B each. A packet moves its own 32 B and the remaining 96 B per hop of 9 cycles and
// return of credits: 8 B per cycle, after a first burst.
TEST(Crowd, WritersWithDynamicChannelsBlockEachOther) {
  CrowdBench& bench = benches().crowd;
  EXPECT_NEAR(bench.rate(1, 0), 22.0, 0.3);
  EXPECT_NEAR(bench.rate(1, static_vc(1)), 22.0, 0.3);
  EXPECT_NEAR(bench.rate(12, static_vc(1)), 22.0, 0.3);
  const double crowded = bench.rate(12, 0);
  EXPECT_GE(crowded, 6.7);
  EXPECT_LE(crowded, 8.0);
}

// ISA DRAMTile/README.md: data leaves L1 at 32 GB/s, but DRAM ingests it at 24 GB/s. Both channels
// of the tile together could take more. A packet of 8 KiB has 257 flits.
TEST(Crowd, OneEndpointTakesWritesAsFastAsOneChannelThoughItHasTwo) {
  EXPECT_NEAR(benches().crowd.rate(1, static_vc(1), 2), 24.0 * 256 / 257, 0.3);
}

// ISA DRAMTile/README.md: 22.2 to 22.3 GB/s of reads, 21.9 to 22.0 of writes, at 1 GHz.
TEST_F(DramTileTest, ReadsOfOneChannelReachTheDocumentedRate) {
  EXPECT_NEAR(rate({&a}, true, 8192, 0), 22.3, 0.3);
  EXPECT_NEAR(rate({&a, &b, &bench.at(1, 2), &bench.at(6, 5)}, true, 8192, 0), 22.3, 0.3);
  EXPECT_NEAR(rate({&a, &b, &bench.at(1, 2), &bench.at(6, 5)}, true, 1024, 0), 22.3, 0.3);
}

TEST_F(DramTileTest, WritesOnOneStaticChannelReachTheDocumentedRate) {
  EXPECT_NEAR(rate({&a}, false, 8192, static_vc(1)), 22.0, 0.4);
  EXPECT_NEAR(rate({&a, &b, &bench.at(1, 2), &bench.at(6, 5)}, false, 8192, static_vc(1)), 22.0,
              0.4);
}

TEST_F(DramTileTest, FullQueueHoldsUpTheWriter) {
  // Far more data than queue and buffers hold, so the channel limits the source.
  a.fill(0x1000, 0x8000, 3);
  const Cycle start = bench.calendar.now();
  bench.issue(a, 0, 0, write(a, 0, 0, 0x1000, 0, 0x8000, kCmdRespMarked | static_vc(1)));
  bench.run_until([&] { return a.niu[0]->peek(kInitiatorStatus) == 0; });
  bench.issue(a, 0, 1, write(a, 0, 0, 0x1000, 0x8000, 0x4000, kCmdRespMarked | static_vc(1)));
  bench.run_until([&] { return a.niu[0]->peek(kInitiatorStatus) == 0; });
  // Six packets; the last one is assigned when the fourth has left.
  EXPECT_GT(bench.calendar.now() - start, 3 * 257u);
  bench.settle();
  std::vector<std::uint8_t> in(0x8000);
  bench.dram[0]->debug_read(0, in.data(), in.size());
  EXPECT_EQ(std::memcmp(in.data(), &a.memory_bytes[0x1000], in.size()), 0);
}

TEST_F(DramTileTest, ReadBehindAWriteOnItsVirtualChannelWaits) {
  a.set_word(0x500, 0x1234);
  bench.issue(a, 0, 0, write(a, 0, 0, 0x500, 0x7000, 4, static_vc(0)));
  bench.run_until([&] { return a.niu[0]->peek(kInitiatorStatus) == 0; });
  Command c = read(a, 0, 0, 0x7000, 0x600, 4);
  c.ctrl |= static_vc(0);
  const std::uint32_t before = a.niu[0]->counter(kMstRdRespReceived);
  const Cycle start = bench.calendar.now();
  bench.issue(a, 0, 1, c);
  const Cycle took =
      bench.run_until([&] { return a.niu[0]->counter(kMstRdRespReceived) != before; }) - start;
  EXPECT_EQ(a.word(0x600), 0x1234u);
  bench.settle();
  EXPECT_GT(took, time_of(a, c, kMstRdRespReceived) + 90) << "the write's own latency comes first";
}

TEST_F(DramTileTest, RegistersOfTheEndpointAreInItsAddressSpace) {
  Command c = read(a, 0, 11, 0xFFB2002C, 0x60C, 4);
  c.targ_mid |= 0xF;
  bench.issue(a, 0, 0, c);
  bench.settle();
  EXPECT_EQ(a.word(0x60C) & 0xFFF, 0u | 11u << 6);
}

// ISA DRAMTile/README.md, "APB Peripherals"; the order of the NIUs is that of the chip's file.
TEST_F(DramTileTest, AnyEndpointReachesTheRegistersOfAllNiusOfItsGroup) {
  const ChipNode order[] = {{0, 1}, {0, 11}, {0, 0}};
  constexpr std::uint32_t kNodeId = 0x2C;
  for (std::uint32_t number = 0; number < 6; ++number) {
    const std::uint32_t address = 0x80000 + number * 0x8000 + kNodeId;
    Command c = read(a, 0, 11, address, 0x60C, 4);
    c.targ_mid |= 1;  // address bits 35:32
    c.at_len_be = 4;
    time_of(a, c, kMstReqsOutstandingId);
    bench.settle();
    const ChipNode at = order[number / 2];
    const ChipNode seen = number % 2 == 0 ? at : ChipNode{9 - at.x, 11 - at.y};
    EXPECT_EQ(a.word(0x60C) & 0xFFF, seen.x | seen.y << 6) << number;
    std::uint32_t word = 0;
    auto* bytes = reinterpret_cast<std::uint8_t*>(&word);
    EXPECT_TRUE(bench.dram[0]->debug_registers(2, 1, 0x1'0000'0000 | address, bytes, 4, false));
    EXPECT_EQ(word, a.word(0x60C)) << number;
  }
  std::uint32_t word = 0;
  auto* bytes = reinterpret_cast<std::uint8_t*>(&word);
  for (const std::uint64_t nothing : {0x1'0007'FFFCULL, 0x1'000B'002CULL, 0x1'0010'0000ULL}) {
    EXPECT_FALSE(bench.dram[0]->debug_registers(0, 0, nothing, bytes, 4, false)) << nothing;
  }
  EXPECT_FALSE(bench.dram[0]->debug_registers(0, 0, 0x1'0008'002E, bytes, 4, false));
  EXPECT_FALSE(bench.dram[0]->debug_registers(0, 0, 0x1'0008'002C, bytes, 3, false));
  EXPECT_TRUE(bench.dram[0]->debug_registers(1, 1, 0xF'FFB3'002C, bytes, 4, false));
  EXPECT_EQ(word & 0xFFF, 9u | 10u << 6);
}

TEST_F(DramTileTest, ReservedAddressesAreAFault) {
  Bench& broken = benches().broken;
  TestTile& tile = broken.at(1, 1);
  broken.issue(tile, 0, 0, read(tile, 0, 0, 0x80000000, 0x400, 32));
  EXPECT_THROW(broken.settle(), foundation::Fault);
}

TEST(Storage, UntouchedBytesAreZeroAndPagesAreSparse) {
  Storage storage(std::uint64_t{1} << 30);
  std::vector<std::uint8_t> data(200000, 0xAA), back(200000, 1);
  storage.read(12345, back.data(), back.size());
  EXPECT_EQ(back, std::vector<std::uint8_t>(200000, 0));
  EXPECT_EQ(storage.pages_in_use(), 0u);
  storage.write(65536 * 3 - 10, data.data(), data.size());
  storage.read(65536 * 3 - 10, back.data(), back.size());
  EXPECT_EQ(back, data);
  EXPECT_EQ(storage.pages_in_use(), 5u);
}

}  // namespace
}  // namespace tvp::dram::dram_tile_test
