// Tensors over the eight chips of a t3000, two rows of four, written and read through the host's
// path.

#include <gtest/gtest.h>

#include <optional>

#include "sw/runtime/host_api.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/runtime/sharding/lowering.h"
#include "tests/support/golden_shards.h"

namespace tvp::runtime::sharding {
namespace {

using test::Cut;
using Tensor = xt::xarray<std::uint16_t>;

/// A tensor in which no two rows or columns are alike.
Tensor counted(const TensorShape& shape) {
  Tensor tensor = xt::zeros<std::uint16_t>(std::vector<std::size_t>(shape.begin(), shape.end()));
  std::uint32_t state = 1;
  for (std::uint16_t& datum : tensor) {
    state = state * 1664525 + 1013904223;
    datum = static_cast<std::uint16_t>(state >> 16);
  }
  return tensor;
}

class T3000 : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    library_ = DeviceLibrary::open(TVP_LIBRARY);
    library_->configure("system=t3000");
    mesh_ = std::make_unique<MeshDevice>(*library_, MeshDevice::Options{});
    mesh_->reshape({2, 4});
  }
  static void TearDownTestSuite() {
    mesh_.reset();
    library_.reset();
  }

  /// Writes by the config; each device must have what `cuts(row, column)` leave.
  template <typename Cuts>
  static void expect_shards(const ShardedBufferConfig& config, const Tensor& tensor, Cuts cuts) {
    const auto buffer = DistributedBuffer::create(config);
    const auto bytes = test::bytes_of(tensor);
    buffer->write(bytes);
    for (std::uint32_t row = 0; row < 2; ++row)
      for (std::uint32_t column = 0; column < 4; ++column)
        EXPECT_EQ(buffer->read_shard({row, column}),
                  test::bytes_of(test::golden_shard(tensor, cuts(row, column))))
            << row << ", " << column;
    EXPECT_EQ(buffer->read(), bytes);
  }

  static void expect_config(const ShardedBufferConfig& config, const Extent2D& shard,
                            const Extent2D& global, ShardOrientation orientation) {
    EXPECT_EQ(config.mesh_device, mesh_.get());
    EXPECT_EQ(config.global_buffer_size, global.x * global.y * 2);
    EXPECT_EQ(config.shard_shape, shard);
    EXPECT_EQ(config.global_buffer_shape, global);
    EXPECT_EQ(config.mesh_shard_orientation, orientation);
  }

  static inline std::unique_ptr<DeviceLibrary> library_;
  static inline std::unique_ptr<MeshDevice> mesh_;
};

// The three worked examples of the specification, each from mapper to bytes.

TEST_F(T3000, HeightShardingAcrossColumnsRepeatedInEachRow) {
  const TensorShape shape{4, 3, 32, 32};
  const auto config = lower(*mesh_, ShardTensor2DMesh(*mesh_, {std::nullopt, 0}), shape, 2);
  expect_config(config, {0, 96}, {32, 4 * 3 * 32}, ShardOrientation::ROW_MAJOR);
  expect_shards(config, counted(shape), [](std::size_t, std::size_t column) {
    return std::vector<Cut>{{0, 4, column}};
  });
}

TEST_F(T3000, WidthShardingAcrossRowsRepeatedInEachColumn) {
  const TensorShape shape{32, 3, 128, 256};
  const auto config = lower(*mesh_, ShardTensor2DMesh(*mesh_, {3, std::nullopt}), shape, 2);
  expect_config(config, {128, 0}, {256, 32 * 3 * 128}, ShardOrientation::COL_MAJOR);
  expect_shards(config, counted(shape), [](std::size_t row, std::size_t) {
    return std::vector<Cut>{{3, 2, row}};
  });
}

TEST_F(T3000, BlocksRowByRow) {
  const TensorShape shape{1, 1, 128, 256};
  const auto config = lower(*mesh_, ShardTensor2DMesh(*mesh_, {2, 3}), shape, 2);
  expect_config(config, {64, 64}, {256, 128}, ShardOrientation::ROW_MAJOR);
  expect_shards(config, counted(shape), [](std::size_t row, std::size_t column) {
    return std::vector<Cut>{{2, 2, row}, {3, 4, column}};
  });
}

TEST_F(T3000, AShardForEachDeviceAndTheSameForAll) {
  const TensorShape shape{16, 2, 4, 24};
  const auto rows = lower(*mesh_, ShardTensorToMesh(*mesh_, 0), shape, 2);
  expect_config(rows, {24, 16}, {24, 128}, ShardOrientation::ROW_MAJOR);
  expect_shards(rows, counted(shape), [](std::size_t row, std::size_t column) {
    return std::vector<Cut>{{0, 8, row * 4 + column}};
  });
  const auto columns = lower(*mesh_, ShardTensorToMesh(*mesh_, -1), shape, 2);
  expect_config(columns, {3, 128}, {24, 128}, ShardOrientation::ROW_MAJOR);
  expect_shards(columns, counted(shape), [](std::size_t row, std::size_t column) {
    return std::vector<Cut>{{3, 8, row * 4 + column}};
  });
  const auto all = lower(*mesh_, ReplicateTensorToMesh(*mesh_), shape, 2);
  expect_config(all, {0, 0}, {24, 128}, ShardOrientation::ROW_MAJOR);
  expect_shards(all, counted(shape), [](std::size_t, std::size_t) { return std::vector<Cut>{}; });
}

// What the config cannot say, by the mapper itself.
TEST_F(T3000, ManyDimensionsUnevenlyCut) {
  const TensorShape shape{3, 5, 10, 7};
  const auto tensor = counted(shape);
  const auto bytes = test::bytes_of(tensor);
  const auto buffer = DistributedBuffer::create(
      *mesh_,
      MeshMapper(*mesh_, {{Shard{1}, Shard{2}, Shard{0}}, std::vector<std::uint32_t>{2, 2, 2}}),
      shape, 2);
  buffer->write(bytes);
  for (std::uint32_t device = 0; device < 8; ++device)
    EXPECT_EQ(buffer->read_shard({device / 4, device % 4}),
              test::bytes_of(test::golden_shard(
                  tensor, {{1, 2, device / 4}, {2, 2, device / 2 % 2}, {0, 2, device % 2}})));
  EXPECT_EQ(buffer->read(), bytes);
}

}  // namespace
}  // namespace tvp::runtime::sharding
