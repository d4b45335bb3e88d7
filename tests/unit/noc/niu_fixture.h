#pragma once
// Fixture of the NIU tests: benches with both tori, commands, and counters since the beginning.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/noc/niu/niu.h"
#include "tests/unit/noc/noc_bench.h"

namespace tvp::noc::niu_test {
using namespace regs::noc;  // register names
using support::Cycle;

inline const std::vector<std::pair<unsigned, unsigned>> kPlaces = {
    {1, 1}, {2, 1}, {1, 2}, {9, 11}, {4, 5},
    {6, 5}, {4, 7}, {6, 7}, {0, 0},  {7, 4}};  ///< for its registers only

/// SystemC elaborates once per process, so the benches live as long as the program.
inline std::vector<std::unique_ptr<NocBench>>& benches() {
  static std::vector<std::unique_ptr<NocBench>> all = [] {
    std::vector<std::unique_ptr<NocBench>> made;
    made.push_back(std::make_unique<NocBench>("fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("detailed", "detailed", false, kPlaces));
    // A fault inside a run leaves a bench unusable, so each of these is for one test.
    made.push_back(std::make_unique<NocBench>("chain_fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("chain_detailed", "detailed", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("atomic_fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("atomic_detailed", "detailed", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("rectangle_fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("rectangle_detailed", "detailed", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("refused_fast", "fast", false, kPlaces));
    made.push_back(std::make_unique<NocBench>("refused_detailed", "detailed", false, kPlaces));
    for (auto& bench : made) bench->at(0, 0).niu[0]->poke(kRouterCfg1, 1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    return made;
  }();
  return all;
}

/// Two NIUs among tiles of a torus, fast or detailed.
class NiuTest : public ::testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    for (auto& tile : bench.tiles) {
      std::fill(tile->memory_bytes.begin(), tile->memory_bytes.end(), 0);
      tile->log.clear();
      tile->logging = true;
      for (auto& word : tile->mmio) word = 0;
    }
    remember();
  }
  void TearDown() override {
    bench.settle();
    for (auto& network : bench.network) EXPECT_NO_THROW(network->check_conservation());
    for (auto& tile : bench.tiles) {
      for (auto& niu : tile->niu) EXPECT_TRUE(niu->idle()) << niu->place().where;
      EXPECT_EQ(tile->open_transactions(), 0u) << tile->name();
    }
  }
  void remember() {
    before.clear();
    for (auto& tile : bench.tiles) {
      for (auto& niu : tile->niu) {
        std::vector<std::uint32_t> values;
        for (unsigned i = 0; i < kCounters; ++i) values.push_back(niu->counter(i));
        before.push_back(values);
      }
    }
  }
  std::uint32_t moved(const TestTile& tile, unsigned noc, unsigned index) const {
    return tile.niu[noc]->counter(index) - before[tile.index * 2 + noc][index];
  }
  /// All changed counters, as "index:amount" in order.
  std::string moved(const TestTile& tile, unsigned noc = 0) const {
    std::string text;
    for (unsigned i = 0; i < kCounters; ++i) {
      const std::uint32_t amount = moved(tile, noc, i);
      if (amount != 0) text += std::to_string(i) + ":" + std::to_string(amount) + " ";
    }
    return text;
  }
  Command write_command(const TestTile& to, std::uint32_t from_address, std::uint32_t to_address,
                        std::uint32_t bytes, std::uint32_t flags = kCmdRespMarked,
                        unsigned noc = 0) {
    Command c;
    c.ctrl = kCmdWr | flags;
    c.targ_lo = from_address;
    c.targ_mid = bench.mid(noc, a);
    c.ret_lo = to_address;
    c.ret_mid = bench.mid(noc, to);
    c.at_len_be = bytes;
    return c;
  }
  Command read_command(const TestTile& from, std::uint32_t from_address, std::uint32_t to_address,
                       std::uint32_t bytes, unsigned noc = 0) {
    Command c;
    c.ctrl = kCmdRd | kCmdRespMarked;
    c.targ_lo = from_address;
    c.targ_mid = bench.mid(noc, from);
    c.ret_lo = to_address;
    c.ret_mid = bench.mid(noc, a);
    c.at_len_be = bytes;
    return c;
  }
  Command atomic_command(const TestTile& to, std::uint32_t address, std::uint32_t at_len_be,
                         std::uint32_t data, std::uint32_t flags = kCmdRespMarked) {
    Command c;
    c.ctrl = kCmdAt | flags;
    c.targ_lo = address;
    c.targ_mid = bench.mid(0, to);
    c.ret_lo = 0x40;
    c.ret_mid = bench.mid(0, a);
    c.at_len_be = at_len_be;
    c.at_data = data;
    return c;
  }
  bool busy(const TestTile& tile, unsigned noc = 0) const {
    return tile.niu[noc]->peek(kInitiatorStatus) != 0;
  }

  NocBench& bench = *benches()[GetParam()];
  TestTile& a = bench.at(1, 1);
  TestTile& b = bench.at(2, 1);
  TestTile& far = bench.at(9, 11);
  std::vector<std::vector<std::uint32_t>> before;
};

// ISA NoC/README.md: 5 cycles NIU to router, 9 per hop, 5 router to NIU, in both directions of the
// ring.
inline constexpr Cycle kEnds = 10;
inline constexpr Cycle kHop = 9;
// The parts of a NIU's latency are assumed; see the settings.
inline constexpr Cycle kAssign = 2;
inline constexpr Cycle kRequest = 1;
inline constexpr Cycle kServe = 1;
inline constexpr Cycle kRespond = 1;
inline constexpr Cycle kReceive = 1;
inline constexpr Cycle kReadRest = 1;  ///< delay of L1's bytes beyond a flit per cycle
inline constexpr Cycle kCommit = 2;    ///< last flit of a write in L1

}  // namespace tvp::noc::niu_test
