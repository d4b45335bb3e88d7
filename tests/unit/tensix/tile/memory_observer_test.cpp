// A program on two tiles, one of them observed. The observer sees every access of L1 and of local
// memory, and both tiles have equal results and times.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <ostream>
#include <vector>

#include "foundation/regs/noc.h"
#include "foundation/regs/tensix_opcodes.h"
#include "foundation/regs/tensix_tile.h"
#include "models/noc/boot.h"
#include "models/noc/torus/make_torus.h"
#include "models/tensix/tile/tensix_tile.h"
#include "tests/unit/noc/wormhole_grid.h"
#include "tests/unit/riscv/assembler.h"
#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::memory_observer_test {

namespace {

namespace op = regs::tensix;
using namespace riscv::assembler;
using support::BusMaster;
using support::MemoryKind;
using support::ProbeEvent;

class Recorder : public support::Probe::Listener {
 public:
  void on(const ProbeEvent& access) override { seen.push_back(access); }
  bool wants_polls() const override { return polls; }

  std::vector<ProbeEvent> of(BusMaster agent, MemoryKind memory = MemoryKind::kL1) const {
    std::vector<ProbeEvent> some;
    for (const ProbeEvent& access : seen) {
      if (access.agent == agent && access.memory == memory) some.push_back(access);
    }
    return some;
  }

  std::vector<ProbeEvent> seen;
  bool polls = false;
};

constexpr std::uint32_t kSource = 0x2000, kTarget = 0x3000, kNocSource = 0x4000,
                        kNocTarget = 0x5000;
constexpr std::uint32_t kNocBytes = 4096;  // long enough to fall asleep
constexpr std::uint32_t kAwaited = kNocTarget + kNocBytes - 4, kFlag = 0x6000;
constexpr unsigned kDatums = 256;
constexpr std::size_t kManyTurns = 12;  ///< more iterations than prove a poll

/// Two tiles on both NoCs.
class Bench : public sc_core::sc_module {
 public:
  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name) {
    riscv_config.instruction_cache.set("off");  // an instruction a cycle from the first one on
    for (unsigned noc = 0; noc < 2; ++noc) {
      tori[noc] = noc::make_torus(noc == 0 ? "noc0" : "noc1", noc_config, noc::wormhole_grid(), noc,
                                  calendar);
    }
    const TileEnvironment environment{noc::wormhole_grid(),
                                      noc_config,
                                      riscv_config,
                                      coprocessor_config,
                                      movement_config,
                                      sc_core::sc_time(1, sc_core::SC_NS),
                                      calendar,
                                      faults};
    for (unsigned i = 0; i < 2; ++i) {
      const std::string tile = "tile" + std::to_string(i);
      tiles[i] = std::make_unique<TensixTile>(tile.c_str(), tile, 1 + i, 1, i, environment);
      for (unsigned noc = 0; noc < 2; ++noc) {
        tori[noc]->attach(tiles[i]->niu(noc));
        noc::boot_niu(tiles[i]->niu(noc), true);
      }
    }
  }

  noc::NocConfig noc_config;
  riscv::CoreConfig riscv_config;
  coprocessor::CoprocessorConfig coprocessor_config;
  coprocessor::MovementConfig movement_config;
  foundation::StopOnFault faults;
  support::Calendar calendar{noc::lookahead(noc_config)};
  std::unique_ptr<noc::Torus> tori[2];
  std::unique_ptr<TensixTile> tiles[2];
};

Bench& bench() {
  // SystemC creates modules once per process, and binds sockets at elaboration.
  static Bench b("bench");
  static const bool elaborated = (sc_core::sc_start(sc_core::SC_ZERO_TIME), true);
  (void)elaborated;
  return b;
}

void set_word(TensixTile& tile, std::uint32_t address, std::uint32_t word) {
  std::memcpy(tile.l1().bytes() + address, &word, sizeof word);
}

/// Loads `value` into register `rd`, always with two instructions.
void constant(std::vector<std::uint32_t>& code, std::uint32_t rd, std::uint32_t value) {
  code.push_back(lui(rd, value + 0x800));
  code.push_back(addi(rd, rd, static_cast<std::int32_t>(value << 20) >> 20));
}
/// Stores `value` at `address` in five instructions; the last one is the store.
void store(std::vector<std::uint32_t>& code, std::uint32_t address, std::uint32_t value) {
  constant(code, 10, address);
  constant(code, 11, value);
  code.push_back(sw(11, 0, 10));
}

/// B loads and stores in both memories, and issues an UNPACR and a PACR of thread 0. It then starts
/// a NoC write within the tile, waits for its last word, and ends with a store.
std::vector<std::uint32_t> program(const TensixTile& tile) {
  std::vector<std::uint32_t> code;
  constant(code, 5, 0x1000);
  constant(code, 6, riscv::Core::kLocalBase);
  code.push_back(lw(7, 0x10, 5));  // number 4
  code.push_back(sh(0, 0x22, 5));
  code.push_back(sw(0, 8, 6));
  code.push_back(lbu(8, 9, 6));
  const std::uint32_t unpack = op::encode_unpacr(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
  store(code, riscv::Core::kPushAddress, unpack);
  store(code, riscv::Core::kPushAddress, op::encode_pacr(0, 0, 1, 0, 0, 0, 1));
  const std::uint32_t here = regs::noc::mid_unicast(tile.x(), tile.y());
  const auto niu = [&](std::uint32_t offset, std::uint32_t value) {
    store(code, regs::noc::kNiu0Base + offset, value);
  };
  niu(regs::noc::kTargAddrLo, kNocSource);
  niu(regs::noc::kTargAddrMid, here);
  niu(regs::noc::kRetAddrLo, kNocTarget);
  niu(regs::noc::kRetAddrMid, here);
  niu(regs::noc::kAtLenBe, kNocBytes);
  niu(regs::noc::kCtrl, regs::noc::kCmdWr | regs::noc::kCmdRespMarked);
  niu(regs::noc::kCmdCtrl, 1);
  constant(code, 5, kAwaited);
  code.push_back(lw(7, 0, 5));
  code.push_back(beq(7, 0, -4));
  store(code, kFlag, 1);
  return code;
}

void prepare(TensixTile& tile) {
  coprocessor::MovementBench movement;
  movement.unpack_source(1, kSource, coprocessor::DataFormat::kBf16, coprocessor::DataFormat::kBf16,
                         kDatums);
  movement.pack_target(kTarget, coprocessor::DataFormat::kBf16, coprocessor::DataFormat::kBf16,
                       coprocessor::DataFormat::kBf16, kDatums, 2 * kDatums);
  tile.coprocessor().state().config = movement.backend;
  tile.coprocessor().state().adcs = movement.adcs;
  for (unsigned row = 0; row < kDatums / 16; ++row)
    tile.coprocessor().state().registers.dst.define16(row);
  std::memset(tile.l1().bytes(), 0, 0x7000);
  const std::vector<std::uint32_t> code = program(tile);
  for (std::uint32_t i = 0; i < code.size(); ++i) set_word(tile, 4 * i, code[i]);
  set_word(tile, kNocSource + kNocBytes - 4, 1);
}

void start_core(TensixTile& tile, support::Cycle when) {
  riscv::Core& core = tile.core(TileCore::kB);
  core.hooks().stop_at_odd_store(kFlag);
  core.release_reset(when, 0);
}

/// Releases B of both tiles in the same cycle; returns the cycle.
support::Cycle run(Bench& b) {
  const support::Cycle start = b.calendar.now() + 10;
  for (auto& tile : b.tiles) {
    prepare(*tile);
    start_core(*tile, start);
    b.calendar.tile_woken(tile->calendar_index());
  }
  b.calendar.run_until(start + 5000);
  return start;
}

struct Expected {
  std::uint64_t address;
  std::uint32_t bytes;
  bool is_write;
};
void expect(const std::vector<ProbeEvent>& seen, const std::vector<Expected>& expected) {
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].address, expected[i].address) << i;
    EXPECT_EQ(seen[i].bytes, expected[i].bytes) << i;
    EXPECT_EQ(seen[i].kind, ProbeEvent::kind_of(expected[i].is_write)) << i;
    EXPECT_GE(seen[i].done, seen[i].cycle) << i;
  }
}

class MemoryObserverTest : public ::testing::Test {
 protected:
  void TearDown() override {
    for (auto& tile : bench().tiles) {
      tile->set_memory_observer(nullptr);
      tile->core(TileCore::kB).assert_reset(bench().calendar.now());
    }
  }
  static std::uint64_t slept(Bench& b) {
    return b.tiles[0]->core(TileCore::kB).slept_instructions(b.calendar.now());
  }
  static void expect_equal_tiles(Bench& b) {
    const riscv::Core& one = b.tiles[0]->core(TileCore::kB);
    const riscv::Core& two = b.tiles[1]->core(TileCore::kB);
    EXPECT_EQ(one.state(), riscv::CoreState::kPaused);
    EXPECT_EQ(one.state(), two.state());
    EXPECT_EQ(one.time(), two.time());
    // Compares memory after the code, which holds coordinates.
    EXPECT_EQ(
        std::memcmp(b.tiles[0]->l1().bytes() + 0x1000, b.tiles[1]->l1().bytes() + 0x1000, 0x6000),
        0);
  }
};

TEST_F(MemoryObserverTest, SeesExactlyTheAccessesOfAProgram) {
  Bench& b = bench();
  Recorder recorder;
  recorder.polls = true;
  const std::uint64_t slept_before = slept(b);
  b.tiles[0]->set_memory_observer(&recorder);
  const support::Cycle start = run(b);
  expect_equal_tiles(b);

  // One instruction per cycle without waits.
  const auto core = recorder.of(BusMaster::kB);
  ASSERT_GE(core.size(), 3U);
  expect({core.begin(), core.begin() + 2}, {{0x1010, 4, false}, {0x1022, 2, true}});
  EXPECT_EQ(core[0].cycle, start + 4);
  EXPECT_EQ(core[0].done, start + 4 + b.riscv_config.l1_load_latency);
  EXPECT_EQ(core[1].cycle, start + 5);
  const auto local = recorder.of(BusMaster::kB, MemoryKind::kLocal);
  expect(local, {{8, 4, true}, {9, 1, false}});
  EXPECT_EQ(local[0].cycle, start + 6);
  EXPECT_EQ(local[1].cycle, start + 7);
  EXPECT_EQ(local[1].done, start + 7 + b.riscv_config.local_load_latency);

  // UNPACR samples datums at issue; then the address is computed, and 64 B per cycle follow.
  const auto unpacked = recorder.of(BusMaster::kUnpacker1);
  expect(unpacked, {{kSource, 2 * kDatums, false}});
  EXPECT_EQ(unpacked[0].done,
            unpacked[0].cycle + b.movement_config.unpack_address_cycles + 2 * kDatums / 64 * 5 / 4);
  const auto packed = recorder.of(BusMaster::kPacker0);
  expect(packed, {{kTarget, 2 * kDatums, true}});
  EXPECT_EQ(packed[0].done,
            packed[0].cycle + b.movement_config.pack_pipeline_cycles + 2 * kDatums / 16);

  const auto niu = recorder.of(BusMaster::kNoc0);
  expect(niu, {{kNocSource, kNocBytes, false}, {kNocTarget, kNocBytes, true}});
  // The packet's flits arrived one per cycle before the tail.
  EXPECT_EQ(niu[1].done, niu[1].cycle);

  EXPECT_GT(core.size(), kManyTurns);
  // All iterations of the wait, the last of which finds the NIU's word; then the end.
  for (std::size_t i = 2; i + 1 < core.size(); ++i) {
    EXPECT_EQ(core[i].address, kAwaited);
    EXPECT_EQ(core[i].kind, ProbeEvent::Kind::kRead);
    EXPECT_EQ(core[i].cycle <= niu[1].cycle, i + 2 < core.size()) << i;
  }
  expect({core.end() - 1, core.end()}, {{kFlag, 4, true}});
  EXPECT_EQ(recorder.seen.size(),
            core.size() + local.size() + unpacked.size() + packed.size() + niu.size());
  EXPECT_EQ(slept(b), slept_before);
}

TEST_F(MemoryObserverTest, LetsCoresSleepThroughPollsUnlessItWantsThem) {
  Bench& b = bench();
  Recorder recorder;
  b.tiles[0]->set_memory_observer(&recorder);
  const std::uint64_t slept_before = slept(b);
  run(b);
  expect_equal_tiles(b);
  const auto core = recorder.of(BusMaster::kB);
  // The iterations that prove the poll, and the one that ends it.
  EXPECT_LT(core.size(), kManyTurns);
  EXPECT_EQ(core[core.size() - 2].address, kAwaited);
  EXPECT_NE(slept(b), slept_before);
}

TEST_F(MemoryObserverTest, SeesWhatTheHostDoesAndNothingOnceItIsGone) {
  Bench& b = bench();
  Recorder recorder;
  b.tiles[0]->set_memory_observer(&recorder);
  std::uint32_t word = 7;
  ASSERT_TRUE(b.tiles[0]->debug_access(kFlag, reinterpret_cast<std::uint8_t*>(&word), 4, true));
  ASSERT_EQ(recorder.seen.size(), 1U);
  EXPECT_EQ(recorder.seen[0].agent, BusMaster::kDebug);
  EXPECT_EQ(recorder.seen[0].address, kFlag);
  EXPECT_EQ(recorder.seen[0].kind, ProbeEvent::Kind::kWritten);
  // A debugger's read is not reported.
  ASSERT_TRUE(b.tiles[0]->core(TileCore::kB).debug_read(kFlag, &word, 4));
  EXPECT_EQ(recorder.seen.size(), 1U);

  b.tiles[0]->set_memory_observer(nullptr);
  run(b);
  expect_equal_tiles(b);
  EXPECT_EQ(recorder.seen.size(), 1U);
}

TEST_F(MemoryObserverTest, CoresGetTheirDirectPointersBackWithinARun) {
  Bench& b = bench();
  Recorder recorder;
  b.tiles[0]->set_memory_observer(&recorder);
  const support::Cycle start = b.calendar.now() + 10;
  for (auto& tile : b.tiles) {
    prepare(*tile);
    start_core(*tile, start);
    b.calendar.tile_woken(tile->calendar_index());
  }
  b.calendar.run_until(start + 6);
  const std::size_t seen = recorder.seen.size();
  EXPECT_NE(seen, 0U);
  b.tiles[0]->set_memory_observer(nullptr);
  b.calendar.run_until(start + 5000);
  EXPECT_EQ(recorder.seen.size(), seen);
  expect_equal_tiles(b);
}

}  // namespace
}  // namespace tvp::tensix::memory_observer_test
