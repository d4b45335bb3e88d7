// Tensors over the eight chips of a t3000, two rows of four. The host writes and reads them.

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "sw/runtime/host_api.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/runtime/sharding/lowering.h"
#include "tests/support/described_chips.h"
#include "tests/support/fault_of.h"
#include "tests/support/memory_chips.h"
#include "tests/support/model_strategies.h"
#include "tests/support/random_trials.h"
#include "tests/system/benches/in_child.h"

namespace tvp::runtime::sharding {
namespace {

using test::Cut;
using Tensor = xt::xarray<std::uint16_t>;

/// A tensor whose rows and columns all differ.
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

  /// Writes with the config. Each device must have the part that `cuts(row, column)` gives.
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
    EXPECT_EQ(config.global_buffer_size, global.first * global.second * 2);
    EXPECT_EQ(config.shard_shape, shard);
    EXPECT_EQ(config.global_buffer_shape, global);
    EXPECT_EQ(config.mesh_shard_orientation, orientation);
  }

  static inline std::unique_ptr<DeviceLibrary> library_;
  static inline std::unique_ptr<MeshDevice> mesh_;
};

// The three worked examples of the specification, from the mapper to bytes.

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

// Mappings that a config cannot express use the mapper.
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

TEST_F(T3000, EveryStrategyOfModels) {
  std::mt19937 random(11);
  for (const test::Strategy& strategy : test::model_strategies())
    EXPECT_EQ(test::try_out(*mesh_, strategy.trial(), random), "") << strategy.name;
}

TEST_F(T3000, ThousandsOfRandomTensors) {
  std::mt19937 random(12);
  for (unsigned i = 0; i < 5000; ++i) {
    const test::Trial trial =
        i % 5 == 0 ? test::random_any_trial(random) : test::random_config_trial(random);
    mesh_->reshape(trial.mesh);
    ASSERT_EQ(test::try_out(*mesh_, trial, random), "");
  }
  mesh_->reshape({2, 4});
}

// Systems of other sizes, each in a separate process.

std::string cut_unevenly(DeviceLibrary& library) {
  MeshDevice mesh(library, {});
  std::mt19937 random(13);
  for (int dim = 0; dim < 3; ++dim) {
    test::Trial trial;
    trial.shape = {5, 7, 9};
    trial.axes = {mesh.num_devices()};
    trial.cuts = {dim};
    trial.mesh = mesh.shape();
    trial.by_config = false;
    std::string wrong = test::try_out(mesh, trial, random);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

TEST(SmallSystems, OneTwoAndFourDevices) {
  for (const char* system : {"single_chip", "pair", "quad_ring"})
    EXPECT_EQ(workloads::in_child(std::string("system=") + system, cut_unevenly), "right")
        << system;
}

// The memory chips of unit tests must be as strict as the models: they refuse and accept the same
// accesses, and return the same data.

/// A tile and a range of its addresses.
struct Access {
  const char* name;
  CoreCoord tile;
  std::uint64_t address;
  std::uint32_t bytes;
};

const Access kBad[] = {
    {"behind L1", {1, 1}, 1464 * 1024, 4},
    {"over the end of L1", {1, 1}, 1464 * 1024 - 4, 8},
    {"behind a channel of DRAM", {0, 0}, 0x80000000, 4},
    {"over the end of a channel of DRAM", {0, 0}, 0x80000000 - 4, 8},
    {"a row that is harvested", {1, 5}, 0, 4},
    {"no tile with memory", {0, 2}, 0, 4},
    {"outside the chip", {12, 3}, 0, 4},
};

/// The chip's error; "" if there is none.
std::string try_access(DeviceLibrary& library, const Access& access) {
  std::vector<std::uint8_t> bytes(access.bytes, 1);
  return tvp::test::fault_of(
      [&] {
        TileAccess tiles(library, 0, tests::wormhole());
        tiles.write(access.tile, access.address, bytes.data(), bytes.size());
        tiles.read(access.tile, access.address, bytes.data(), bytes.size());
      },
      {}, "");
}

TEST(MemoryChips, RefuseWhatTheModelsRefuse) {
  for (const Access& access : kBad) {
    test::MemoryChips chips(tests::wormhole(), {513});
    DeviceLibrary library(test::MemoryChips::functions(), "memory");
    library.init();
    EXPECT_NE(try_access(library, access), "") << access.name;
    EXPECT_NE(workloads::in_child("system=n300_chip",
                                  [&](DeviceLibrary& model) {
                                    model.init();
                                    return try_access(model, access);
                                  }),
              "right")
        << access.name << ": the models take it";
  }
}

TEST_F(T3000, MemoryChipsGiveBackWhatTheModelsDo) {
  test::MemoryChips chips(tests::wormhole(), {544});
  DeviceLibrary library(test::MemoryChips::functions(), "memory");
  library.init();
  TileAccess memory(library, 0, tests::wormhole());
  TileAccess& model = mesh_->device(0).tiles();
  std::mt19937 random(14);
  const std::vector<CoreCoord> tiles{{0, 0}, {0, 1}, {0, 11}, {5, 3}, {1, 1}, {9, 9}};
  const auto address = [&](CoreCoord tile) {
    const bool dram = tile.x == 0 || tile.x == 5;
    return dram ? (random() % 2) * 0x40000000ULL + random() % 5000
                : std::uint64_t{300000 + random() % 5000};
  };
  for (const CoreCoord tile : tiles)  // the same before all accesses
    for (const std::uint64_t from : {0ULL, 0x40000000ULL, 300000ULL}) {
      if ((tile.x == 0 || tile.x == 5) == (from == 300000)) continue;
      const std::vector<std::uint8_t> zeros(6000, 0);
      memory.write(tile, from, zeros.data(), zeros.size());
      model.write(tile, from, zeros.data(), zeros.size());
    }
  for (unsigned i = 0; i < 3000; ++i) {
    const CoreCoord tile = tiles[random() % tiles.size()];
    const std::uint64_t at = address(tile);
    std::vector<std::uint8_t> bytes(1 + random() % 900);
    if (i % 2 == 0) {
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
      memory.write(tile, at, bytes.data(), bytes.size());
      model.write(tile, at, bytes.data(), bytes.size());
    } else {
      std::vector<std::uint8_t> other(bytes.size());
      memory.read(tile, at, bytes.data(), bytes.size());
      model.read(tile, at, other.data(), other.size());
      ASSERT_EQ(bytes, other) << tile.str() << " at " << at;
    }
  }
}

}  // namespace
}  // namespace tvp::runtime::sharding
