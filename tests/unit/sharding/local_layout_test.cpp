// Addresses of a shard's bytes in a device's memories.
#include <gtest/gtest.h>

#include <xtensor/xmanipulation.hpp>

#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/runtime/sharding/enqueue.h"
#include "sw/runtime/sharding/sharding_error.h"
#include "tests/support/sharding_trial.h"
#include "tests/unit/sharding/memory_mesh.h"

namespace tvp::runtime::sharding {
namespace {

constexpr unsigned kDevice = 6;  // row 1, column 2

class LocalLayout : public testing::Test {
 protected:
  std::vector<std::uint8_t> numbers(std::size_t bytes) {
    std::vector<std::uint8_t> tensor(bytes);
    for (std::uint8_t& byte : tensor) byte = static_cast<std::uint8_t>(random_());
    return tensor;
  }
  test::MemoryMesh mesh_;
  std::mt19937 random_{9};
};

// Bank i of DRAM is half i % 2 of channel i / 2 (platform/chips/wormhole_b0.toml).
TEST_F(LocalLayout, InterleavedPagesGoRoundTheBanks) {
  const TensorShape shape{8, 30, 20};  // a device has 30 rows of 40 bytes, padded to 64
  const auto buffer = DistributedBuffer::create(*mesh_, ShardTensorToMesh(*mesh_, 0), shape, 2);
  const auto tensor = numbers(buffer->global_size());
  buffer->write(tensor);
  for (std::uint64_t row = 0; row < 30; ++row) {
    const std::uint64_t bank = row % 12;
    const std::uint64_t address =
        buffer->buffer()->address() + row / 12 * 64 + bank % 2 * 0x40000000;
    for (std::uint64_t i = 0; i < 40; ++i)
      ASSERT_EQ(mesh_.chips().dram(kDevice, bank / 2, address + i),
                tensor[(kDevice * 30 + row) * 40 + i])
          << row << ", " << i;
  }
}

// Device 6 lacks the rows that bits 0 and 9 of its mask name: 11 and 5.
TEST_F(LocalLayout, BlocksLieOnTheirCores) {
  const TensorShape shape{48, 128};
  const DeviceLocalLayoutConfig layout{
      .buffer_type = BufferType::L1,
      .buffer_layout = TensorMemoryLayout::BLOCK_SHARDED,
      .shard_spec = ShardSpec{CoreRange({2, 4}, {3, 6}), {8, 16}, ShardOrientation::ROW_MAJOR}};
  const auto buffer =
      DistributedBuffer::create(*mesh_, ShardTensor2DMesh(*mesh_, {0, 1}), shape, 2, layout);
  const auto tensor = numbers(buffer->global_size());
  buffer->write(tensor);
  const unsigned columns[] = {3, 4};      // for cores 2 and 3
  const unsigned rows[] = {6 + 1, 8, 9};  // for cores 4 to 6, below row 5
  for (std::uint64_t y = 0; y < 24; ++y)
    for (std::uint64_t x = 0; x < 32; ++x)
      ASSERT_EQ(mesh_.chips().l1(kDevice, columns[x / 16], rows[y / 8],
                                 buffer->buffer()->address() + (y % 8 * 16 + x % 16) * 2 + 1),
                tensor[((24 + y) * 128 + 64 + x) * 2 + 1])
          << y << ", " << x;
}

/// xtensor's permutation: tiles by rows, then by columns, faces, rows within them.
std::vector<std::uint8_t> golden_tiles(const test::Bytes& shard, std::size_t face) {
  const std::size_t faces = 32 / face;
  test::Bytes split = shard;
  split.reshape(
      {shard.shape(0) / 32, faces, face, shard.shape(1) / 32, faces, face, shard.shape(2)});
  const test::Bytes tiles = xt::transpose(split, {0, 3, 1, 4, 2, 5, 6});
  return test::bytes_of(tiles);
}

TEST_F(LocalLayout, TilesWithFacesOrWithout) {
  for (const auto order : {TensorLayoutType::TILED_NFACES, TensorLayoutType::TILED_SWIZZLED}) {
    test::Trial trial;
    trial.shape = {3, 40, 200};  // 64 rows and 64 columns on a device, three times
    trial.axes = {2, 4};
    trial.cuts = {std::nullopt, 2};
    trial.mesh = {2, 4};
    trial.layout.order = order;
    const test::Bytes tensor = test::random_tensor(trial, random_);
    const auto buffer =
        DistributedBuffer::create(*mesh_, trial.mapper(), trial.shape, 2, trial.layout);
    buffer->write(test::bytes_of(tensor));
    EXPECT_EQ(buffer->partition().local_shape(), (TensorShape{3, 64, 64}));
    test::Bytes shard = trial.golden(tensor, kDevice);
    shard.reshape({192, 64, 2});
    const auto golden = golden_tiles(shard, order == TensorLayoutType::TILED_NFACES ? 16 : 32);
    EXPECT_EQ(buffer->buffer()->read(kDevice), golden);
    EXPECT_EQ(buffer->buffer()->page_size(), 32U * 32 * 2);
    EXPECT_EQ(buffer->read(), test::bytes_of(tensor));
  }
}

TEST_F(LocalLayout, BlocksOfTilesLieOnTheirCores) {
  const TensorShape shape{128, 512};  // a device has 64 rows and 128 columns, a core half of each
  for (const auto order : {TensorLayoutType::TILED_NFACES, TensorLayoutType::TILED_SWIZZLED}) {
    DeviceLocalLayoutConfig layout{
        .buffer_type = BufferType::L1,
        .buffer_layout = TensorMemoryLayout::BLOCK_SHARDED,
        .shard_spec = ShardSpec{CoreRange({2, 4}, {3, 5}), {32, 64}, ShardOrientation::ROW_MAJOR},
        .order = order};
    const auto create = [&] {
      return DistributedBuffer::create(*mesh_, ShardTensor2DMesh(*mesh_, {0, 1}), shape, 2, layout);
    };
    const auto buffer = create();
    const auto tensor = numbers(buffer->global_size());
    buffer->write(tensor);
    for (std::uint32_t core = 0; core < 4; ++core) {
      test::Bytes block = test::Bytes::from_shape({32, 64, 2});
      const std::size_t row = 64 + core / 2 * 32, column = 2 * 128 + core % 2 * 64;
      for (std::size_t y = 0; y < 32; ++y)
        for (std::size_t x = 0; x < 64; ++x)
          for (std::size_t i = 0; i < 2; ++i)
            block(y, x, i) = tensor[((row + y) * 512 + column + x) * 2 + i];
      EXPECT_EQ(buffer->buffer()->read_shard(kDevice, {2 + core % 2, 4 + core / 2}),
                golden_tiles(block, order == TensorLayoutType::TILED_NFACES ? 16 : 32))
          << core;
    }
    for (const Extent part : {Extent{16, 64}, Extent{32, 16}}) {
      layout.shard_spec->shape = part;
      try {
        create();
        ADD_FAILURE() << "a core would have parts of tiles";
      } catch (const ShardingError& error) {
        EXPECT_NE(std::string(error.what()).find("whole tiles of 32 x 32"), std::string::npos)
            << error.what();
      }
    }
  }
}

TEST_F(LocalLayout, AShardCanBeWrittenAlone) {
  for (const auto order : {TensorLayoutType::LIN_ROW_MAJOR, TensorLayoutType::TILED_NFACES}) {
    const auto buffer = DistributedBuffer::create(*mesh_, ShardTensorToMesh(*mesh_, 1),
                                                  {32, 8 * 32}, 2, {.order = order});
    buffer->write(std::vector<std::uint8_t>(buffer->global_size(), 1));
    const auto shard = numbers(buffer->local_size());
    buffer->write_shard({1, 2}, shard);
    EXPECT_EQ(buffer->read_shard({1, 2}), shard);
    const auto whole = buffer->read();
    for (std::size_t i = 0; i < whole.size(); ++i)
      ASSERT_EQ(whole[i], i / 64 % 8 == kDevice ? shard[i / 512 * 64 + i % 64] : 1) << i;
  }
}

TEST_F(LocalLayout, ByAQueue) {
  const auto buffer = DistributedBuffer::create(*mesh_, ShardTensorToMesh(*mesh_, 1), {5, 20}, 2,
                                                {.order = TensorLayoutType::TILED_NFACES});
  const auto tensor = numbers(buffer->global_size());
  MeshCommandQueue& queue = mesh_->mesh_command_queue();
  EnqueueWriteMeshBuffer(queue, *buffer, tensor);
  std::vector<std::uint8_t> back;
  EnqueueReadMeshBuffer(queue, back, *buffer);
  EXPECT_EQ(back, tensor);
}

}  // namespace
}  // namespace tvp::runtime::sharding
