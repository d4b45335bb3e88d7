#include <gtest/gtest.h>

#include "tests/unit/noc/traffic_core.h"

namespace tvp::noc::lockstep_test {
namespace {

const std::vector<std::pair<unsigned, unsigned>> kPlaces = {
    {1, 1}, {2, 1}, {1, 2}, {9, 11}, {4, 5}, {6, 5}, {4, 7}, {6, 7}, {0, 0}, {5, 5}};

struct Loaded : NocBench {
  Loaded(const std::string& name, const char* torus, bool lockstep)
      : NocBench(name, torus, lockstep, kPlaces) {
    for (auto& tile : tiles) {
      for (auto& niu : tile->niu) {
        const bool dram = niu->place().type == EndpointType::kDram;
        if (dram) niu->poke(regs::noc::kRouterCfg1, 0x3FF);
      }
    }
  }
  void start() {
    std::uint64_t seed = 1;
    for (auto& tile : tiles) {
      tile->fill(0, 0x7000, static_cast<std::uint32_t>(seed));
      if (tile->niu[0]->place().type == EndpointType::kDram) continue;
      cores.push_back(std::make_unique<TrafficCore>(*this, *tile, seed++));
    }
  }
  std::vector<std::unique_ptr<TrafficCore>> cores;
};

struct Pair {
  explicit Pair(const char* torus)
      : free_running(std::string("free_") + torus, torus, false),
        lockstep(std::string("lock_") + torus, torus, true) {}
  Loaded free_running;
  Loaded lockstep;
};

struct Pairs {
  Pair fast{"fast"};
  Pair detailed{"detailed"};
  Pairs() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};
Pairs& pairs() {
  static Pairs all;
  return all;
}

class Lockstep : public ::testing::TestWithParam<const char*> {};

TEST_P(Lockstep, FreeRunningTilesGiveTheSameBitsAndCycles) {
  Pair& pair = GetParam() == std::string("fast") ? pairs().fast : pairs().detailed;
  constexpr support::Cycle kCycles = 60000;
  for (Loaded* bench : {&pair.free_running, &pair.lockstep}) {
    bench->start();
    bench->calendar.run_until(kCycles);
    for (auto& core : bench->cores) core->stop();
    bench->calendar.run_until(3 * kCycles);
    for (auto& torus : bench->network) EXPECT_NO_THROW(torus->check_conservation());
    for (auto& tile : bench->tiles) EXPECT_EQ(tile->open_transactions(), 0u) << tile->name();
  }
  Loaded& a = pair.free_running;
  Loaded& b = pair.lockstep;
  std::uint64_t issued = 0;
  for (std::size_t i = 0; i < a.cores.size(); ++i) {
    EXPECT_EQ(a.cores[i]->hash(), b.cores[i]->hash()) << "core " << i;
    issued += a.cores[i]->issued();
  }
  EXPECT_GT(issued, 1500u) << "there was traffic";
  for (std::size_t i = 0; i < a.tiles.size(); ++i) {
    EXPECT_EQ(a.tiles[i]->hash, b.tiles[i]->hash) << "accesses of tile " << i;
    EXPECT_EQ(a.tiles[i]->memory_bytes, b.tiles[i]->memory_bytes);
    for (unsigned noc = 0; noc < 2; ++noc) {
      EXPECT_TRUE(a.tiles[i]->niu[noc]->idle());
      for (unsigned c = 0; c < regs::noc::kCounters; ++c) {
        EXPECT_EQ(a.tiles[i]->niu[noc]->counter(c), b.tiles[i]->niu[noc]->counter(c));
      }
    }
  }
  EXPECT_EQ(a.network[0]->packets_sent(), b.network[0]->packets_sent());
  EXPECT_EQ(a.calendar.events_fired(), b.calendar.events_fired());
  EXPECT_LT(a.calendar.tile_activations(), b.calendar.tile_activations()) << "and with less work";
}

INSTANTIATE_TEST_SUITE_P(Torus, Lockstep, ::testing::Values("fast", "detailed"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace tvp::noc::lockstep_test
