// Random tensors over eight memory chips, compared with xtensor's shards.
#include <gtest/gtest.h>

#include "sw/runtime/sharding/lowering.h"
#include "tests/support/random_trials.h"
#include "tests/unit/sharding/memory_mesh.h"

namespace tvp::runtime::sharding {
namespace {

/// Runs `count` trials, which must all be correct.
void expect_right(unsigned count, unsigned seed, test::Trial (*make)(std::mt19937&)) {
  test::MemoryMesh mesh;
  std::mt19937 random(seed);
  unsigned wrong = 0;
  for (unsigned i = 0; i < count && wrong < 3; ++i) {
    const test::Trial trial = make(random);
    mesh->reshape(trial.mesh);
    std::string text;
    try {
      text = test::try_out(*mesh, trial, random);
    } catch (const std::exception& error) {
      text = trial.text() + ": " + error.what();
    }
    EXPECT_EQ(text, "");
    wrong += text.empty() ? 0 : 1;
  }
  EXPECT_FALSE(mesh->bank_manager(BufferType::DRAM).in_use());
  EXPECT_FALSE(mesh->bank_manager(BufferType::L1).in_use());
}

TEST(Sweeps, TenThousandThatAConfigCanSay) { expect_right(10000, 1, test::random_config_trial); }

TEST(Sweeps, ThousandsOfAnyDimensionsUnevenOnesToo) {
  expect_right(5000, 2, test::random_any_trial);
}

}  // namespace
}  // namespace tvp::runtime::sharding
