// Composers join shards, whichever API has written them.
#include <gtest/gtest.h>

#include "sw/runtime/sharding/lowering.h"
#include "sw/runtime/sharding/mesh_composer.h"
#include "sw/runtime/sharding/sharding_error.h"
#include "tests/support/sharding_trial.h"
#include "tests/unit/sharding/memory_mesh.h"

namespace tvp::runtime::sharding {
namespace {

class Composers : public testing::Test {
 protected:
  /// Device i holds i everywhere, in two rows of three datums.
  std::unique_ptr<DistributedBuffer> numbered() {
    auto buffer = DistributedBuffer::create(*mesh_, ReplicateTensorToMesh(*mesh_), {2, 3}, 1);
    for (std::uint8_t i = 0; i < 8; ++i)
      buffer->write_shard({i / 4U, i % 4U}, std::vector<std::uint8_t>(6, i));
    return buffer;
  }
  test::MemoryMesh mesh_;
};

TEST_F(Composers, OneDimensionTakesDevicesRowByRow) {
  const auto rows = ConcatMeshToTensor(*mesh_, 0).compose(*numbered());
  EXPECT_EQ(rows.shape, (TensorShape{16, 3}));
  for (std::size_t i = 0; i < rows.bytes.size(); ++i) EXPECT_EQ(rows.bytes[i], i / 6);
  const auto columns = ConcatMeshToTensor(*mesh_, -1).compose(*numbered());
  EXPECT_EQ(columns.shape, (TensorShape{2, 24}));
  for (std::size_t i = 0; i < columns.bytes.size(); ++i) EXPECT_EQ(columns.bytes[i], i % 24 / 3);
}

TEST_F(Composers, TwoDimensionsTakeRowsAndColumns) {
  const auto upright = ConcatMesh2dToTensor(*mesh_, {2, 4}, {0, 1}).compose(*numbered());
  EXPECT_EQ(upright.shape, (TensorShape{4, 12}));
  const auto turned = ConcatMesh2dToTensor(*mesh_, {2, 4}, {1, 0}).compose(*numbered());
  EXPECT_EQ(turned.shape, (TensorShape{8, 6}));
  for (std::size_t y = 0; y < 4; ++y)
    for (std::size_t x = 0; x < 12; ++x) EXPECT_EQ(upright.bytes[y * 12 + x], y / 2 * 4 + x / 3);
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 6; ++x) EXPECT_EQ(turned.bytes[y * 6 + x], x / 3 * 4 + y / 2);
}

TEST_F(Composers, PartOfTheMeshAndOtherAxes) {
  const auto corner = ConcatMesh2dToTensor(*mesh_, {2, 2}, {0, 1}).compose(*numbered());
  EXPECT_EQ(corner.shape, (TensorShape{4, 6}));
  EXPECT_EQ(corner.bytes[3], 1);      // device 1 to the right
  EXPECT_EQ(corner.bytes[2 * 6], 4);  // device 4 below
  EXPECT_EQ(corner.bytes[2 * 6 + 3], 5);
}

/// A config flattens the data; the composer restores the tensor's shape.
TEST_F(Composers, ShardsOfAConfigUnderTheirOwnShape) {
  test::Trial trial;
  trial.shape = {4, 3, 6, 8};
  trial.mesh = {2, 4};
  std::mt19937 random(10);
  const auto tensor = test::bytes_of(test::random_tensor(trial, random));
  const auto buffer =
      DistributedBuffer::create(lower(*mesh_, ShardTensor2DMesh(*mesh_, {3, 0}), trial.shape, 2));
  buffer->write(tensor);
  const auto composed = ConcatMesh2dToTensor(*mesh_, {2, 4}, {3, 0}).compose(*buffer, {1, 3, 6, 4});
  EXPECT_EQ(composed.shape, trial.shape);
  EXPECT_EQ(composed.bytes, tensor);
}

/// Ten rows over eight devices: five devices have two rows, three have none.
TEST_F(Composers, PaddingIsLeftOut) {
  const auto buffer = DistributedBuffer::create(*mesh_, ShardTensorToMesh(*mesh_, 0), {10, 3}, 1);
  std::vector<std::uint8_t> tensor(30, 7);
  buffer->write(tensor);
  const auto composed = ConcatMeshToTensor(*mesh_, 0).compose(*buffer);
  EXPECT_EQ(composed.shape, (TensorShape{10, 3}));
  EXPECT_EQ(composed.bytes, tensor);
  EXPECT_THROW(ConcatMeshToTensor(*mesh_, 0).compose(*buffer, {3, 2}), ShardingError);
}

}  // namespace
}  // namespace tvp::runtime::sharding
