// Tensor distributions of public models, with a config if possible, otherwise with the model's
// mapper.
#include <gtest/gtest.h>

#include "sw/runtime/sharding/lowering.h"
#include "tests/support/model_strategies.h"
#include "tests/unit/sharding/memory_mesh.h"

namespace tvp::runtime::sharding {
namespace {

TEST(Parity, EachIsWrittenOrRefusedByItsName) {
  test::MemoryMesh mesh;
  std::mt19937 random(8);
  for (const test::Strategy& strategy : test::model_strategies()) {
    const test::Trial trial = strategy.trial();
    EXPECT_EQ(test::try_out(*mesh, trial, random), "") << strategy.name;
    if (!strategy.refusal) continue;
    try {
      lower(*mesh, trial.mapper(), trial.shape, 2);
      ADD_FAILURE() << strategy.name << " is not refused";
    } catch (const ShardingError& error) {
      EXPECT_EQ(error.refusal(), *strategy.refusal) << strategy.name << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace tvp::runtime::sharding
