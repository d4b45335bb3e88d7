// A core on a tile bus through the checker: random loads and stores of every width to L1 and to
// registers, some of which block.

#include "models/tensix/tile/tile_bus.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "foundation/regs/tensix_tile.h"
#include "models/riscv/core.h"
#include "models/support/tile_scheduler.h"
#include "tests/support/described_chips.h"
#include "tests/support/tlm_checker.h"
#include "tests/unit/riscv/assembler.h"

namespace tvp::tensix {
namespace {

using namespace riscv::assembler;
using support::Cycle;

/// Registers that keep stored values; every third access blocks for some cycles.
struct BusyRegisters : support::MmioDevice, support::Agent {
  explicit BusyRegisters(support::WatchHub& watches) : hub(watches) {}
  void access(support::MmioAccess& access) override {
    ++accesses;
    access.watch = support::Watch::kOverlay;
    if (access.now < free_at) {
      access.blocked = true;
      ++blocked;
      set_next(free_at);
      scheduler().wake(*this, free_at);
      return;
    }
    if (++served % 3 == 0) free_at = access.now + 11;
    std::uint32_t& word = words[access.offset / 4 % 64];
    if (access.write) {
      word = access.data;
    } else {
      access.data = word;
    }
  }
  void run() override {
    hub.changed(support::Watch::kOverlay, next(), order());
    set_next(support::kNever);
  }

  support::WatchHub& hub;
  std::uint32_t words[64] = {};
  Cycle free_at = 0;
  unsigned accesses = 0, served = 0, blocked = 0;
};

struct Bench : sc_core::sc_module {
  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name) {
    core.bus.bind(checker.from_initiator);
    checker.to_target.bind(bus.master(support::BusMaster::kB));
    bus.map(TileBus::Window::kOverlay, registers);
    scheduler.add(core);
    scheduler.add(registers);
  }
  support::WatchHub hub;
  foundation::StopOnFault faults;
  support::TileScheduler scheduler;
  L1 l1{tests::wormhole().memories.tensix_l1_bytes, hub};
  TileBus bus{"bus", "tile", l1, sc_core::sc_time(1, sc_core::SC_NS), faults};
  BusyRegisters registers{hub};
  riscv::CoreConfig config;
  riscv::Core core{"core", {support::BusMaster::kB, "tile.BRISC"}, config, hub, faults};
  tests::TlmChecker<> checker{"checker", [] { return sc_core::SC_ZERO_TIME; }};
};

TEST(TileBusProtocol, AccessesOfACoreKeepTheRules) {
  Bench bench("bench");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  constexpr Word kRegister = 20, kMemory = 21, kValue = 5, kSum = 10;
  std::mt19937 random(3);
  std::vector<std::uint32_t> code = {lui(kRegister, 0xFFB40000), lui(kMemory, 0x00020000)};
  std::uint32_t expected[64] = {};
  std::uint32_t sum = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const auto word = static_cast<std::int32_t>(random() % 64);
    const auto value = static_cast<std::int32_t>(random() % 2048);
    if (random() % 2 == 0) {
      expected[word] = static_cast<std::uint32_t>(value);
      code.push_back(addi(kValue, 0, value));
      code.push_back(sw(kValue, 4 * word, kRegister));
      code.push_back(sw(kValue, 4 * word, kMemory));
    } else {
      sum += expected[word];
      code.push_back(lw(kValue, 4 * word, kRegister));
      code.push_back(add(kSum, kSum, kValue));
    }
  }
  code.push_back(sw(kSum, 0x400, kMemory));
  code.push_back(jal(0, 0));
  std::memcpy(bench.l1.bytes(), code.data(), code.size() * 4);
  bench.core.release_reset(0, 0);
  bench.scheduler.run(100'000);

  std::uint32_t result = 0;
  std::memcpy(&result, bench.l1.bytes() + 0x20400, 4);
  EXPECT_EQ(result, sum);
  EXPECT_EQ(std::memcmp(bench.registers.words, expected, sizeof expected), 0);
  EXPECT_EQ(std::memcmp(bench.l1.bytes() + 0x20000, expected, sizeof expected), 0);
  EXPECT_GT(bench.registers.blocked, 50u);
  EXPECT_GE(bench.checker.calls(), bench.registers.accesses);
  EXPECT_EQ(bench.checker.open(), 0u);
}

}  // namespace
}  // namespace tvp::tensix
