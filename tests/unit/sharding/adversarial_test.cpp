// Mistakes that are refused before any write, with the name and text of the error.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <span>

#include "sw/runtime/sharding/lowering.h"
#include "sw/runtime/sharding/mesh_composer.h"
#include "sw/runtime/sharding/sharding_error.h"
#include "tests/support/random_trials.h"
#include "tests/unit/sharding/memory_mesh.h"

namespace tvp::runtime::sharding {
namespace {

using test::draw;
using test::Trial;
using Random = std::mt19937;

/// A mistake of a user and the expected error.
struct Mistake {
  Refusal refusal;
  std::string given;     ///< part of the text before "; expected "
  std::string expected;  ///< part of the text behind
  std::function<void()> act;
};

std::string count(std::uint64_t number) { return std::to_string(number); }

// Mistakes in lowering: distributions that a config cannot express.

Mistake lowered(MeshDevice& mesh, const Trial& trial, Refusal refusal, std::string expected) {
  mesh.reshape(trial.mesh);
  return {refusal, text_of(trial.shape), std::move(expected),
          [&mesh, trial] { lower(mesh, trial.mapper(), trial.shape, trial.datum_size); }};
}

Mistake uneven(MeshDevice& mesh, Random& random) {
  return lowered(mesh, test::random_uneven_trial(random), Refusal::kUnevenShards,
                 "a multiple of 8");
}

/// All configs of two dimensions; none gives the same distribution.
bool some_config_says(MeshDevice& mesh, const Trial& trial) {
  const TensorShape& shape = trial.shape;
  const std::uint64_t columns = shape.back();
  const std::uint64_t rows = volume(shape) / columns;
  Random random(7);
  const test::Bytes tensor = test::random_tensor(trial, random);
  const std::vector<std::uint8_t> bytes = test::bytes_of(tensor);
  const auto says = [&](const ShardedBufferConfig& config) {
    const MeshPartition partition = config.partition();
    for (unsigned device = 0; device < 8; ++device) {
      if (!partition.boxes()[device]) return false;
      const TensorBox& box = *partition.boxes()[device];
      std::vector<std::uint8_t> cut;
      for (std::uint64_t y = box.begin[0]; y < box.begin[0] + box.extent[0]; ++y) {
        const auto row = bytes.begin() + static_cast<std::ptrdiff_t>((y * columns + box.begin[1]) *
                                                                     trial.datum_size);
        cut.insert(cut.end(), row,
                   row + static_cast<std::ptrdiff_t>(box.extent[1] * trial.datum_size));
      }
      if (cut != test::bytes_of(trial.golden(tensor, device))) return false;
    }
    return true;
  };
  ShardedBufferConfig config{.mesh_device = &mesh,
                             .global_buffer_size = volume(shape) * trial.datum_size,
                             .global_buffer_shape = {columns, rows}};
  for (std::uint64_t x = 0; x <= columns; ++x)
    for (std::uint64_t y = 0; y <= rows; ++y)
      for (const auto orientation : {ShardOrientation::ROW_MAJOR, ShardOrientation::COL_MAJOR}) {
        if ((x != 0 && columns % x != 0) || (y != 0 && rows % y != 0)) continue;
        config.shard_shape = {x, y};
        config.mesh_shard_orientation = orientation;
        try {
          if (says(config)) return true;
        } catch (const ShardingError&) {  // too many shards
        }
      }
  return false;
}

Mistake strided(MeshDevice& mesh, Random& random) {
  const Trial trial = test::random_strided_trial(random);
  return lowered(mesh, trial, Refusal::kStridedRows, "1, so that its rows follow each other");
}

Mistake disordered(MeshDevice& mesh, Random& random) {
  return lowered(mesh, test::random_disordered_trial(random), Refusal::kShardOrder,
                 "one of the two in a ShardedBufferConfig");
}

// Mistakes in tensors and mappers.

Mistake bad_shape(MeshDevice& mesh, Random& random) {
  TensorShape shape(draw(random, 0, 12), 3);
  if (!shape.empty() && shape.size() <= kMaxRank) shape[random() % shape.size()] = 0;
  const bool empty = shape.size() <= kMaxRank;
  mesh.reshape({2, 4});
  return {empty ? Refusal::kEmptyTensor : Refusal::kRank,
          empty ? text_of(shape) : count(shape.size()) + " dimensions",
          empty ? "one or more dimensions" : "at most 8", [&mesh, shape] {
            DistributedBuffer::create(mesh, ReplicateTensorToMesh(mesh), shape, 2);
          }};
}

Mistake no_datum(MeshDevice& mesh, Random& random) {
  const TensorShape shape(draw(random, 1, 8), draw(random, 1, 9));
  mesh.reshape({2, 4});
  return {Refusal::kDatumSize, "0 bytes", "at least 1",
          [&mesh, shape] { lower(mesh, ReplicateTensorToMesh(mesh), shape, 0); }};
}

Mistake too_large(MeshDevice& mesh, Random& random) {
  const TensorShape shape(draw(random, 3, 8), 100000U + draw(random, 0, 100000));
  mesh.reshape({2, 4});
  return {Refusal::kTooLarge, text_of(shape), "2^48 bytes", [&mesh, shape] {
            DistributedBuffer::create(mesh, ShardTensorToMesh(mesh, 0), shape, 4);
          }};
}

Mistake no_dimension(MeshDevice& mesh, Random& random) {
  const TensorShape shape(draw(random, 1, 6), 8);
  const int rank = static_cast<int>(shape.size());
  const int beyond = static_cast<int>(draw(random, 0, 5));
  const int dim = random() % 2 == 0 ? rank + beyond : -rank - 1 - beyond;
  mesh.reshape({2, 4});
  return {Refusal::kNoSuchDimension,
          "dimension " + std::to_string(dim) + " of a tensor of shape " + text_of(shape),
          std::to_string(-rank) + " to " + std::to_string(rank - 1), [&mesh, shape, dim] {
            lower(mesh, ShardTensor2DMesh(mesh, {std::nullopt, dim}), shape, 2);
          }};
}

Mistake wrong_mesh(MeshDevice& mesh, Random& random) {
  mesh.reshape({2, 4});
  const bool none = random() % 4 == 0;
  const MeshShape shape{none ? 0 : draw(random, 3, 9), draw(random, 3, 9)};
  return {Refusal::kMeshShape, count(shape.rows) + " x " + count(shape.columns), "1 to 8 devices",
          [&mesh, shape] {
            ShardTensor2DMesh(mesh, shape, {0, 1});
          }};
}

Mistake wrong_placements(MeshDevice& mesh, Random& random) {
  mesh.reshape({2, 4});
  const std::uint32_t number = draw(random, 0, 1) * draw(random, 3, 9);
  return {Refusal::kPlacementCount, count(number) + " placements for a mesh of 2 x 4",
          "2, one for each axis",
          [&mesh, number] { MeshMapper(mesh, {std::vector<Placement>(number, Shard{0})}); }};
}

// Mistakes in configs.

ShardedBufferConfig good_config(MeshDevice& mesh, Random& random) {
  mesh.reshape({2, 4});
  const Extent2D shard{draw(random, 1, 40), draw(random, 1, 40)};
  return {.mesh_device = &mesh,
          .global_buffer_size = shard.first * 4 * shard.second * 2 * 2,
          .shard_shape = shard,
          .global_buffer_shape = {shard.first * 4, shard.second * 2}};
}

Mistake config_mistake(Refusal refusal, const ShardedBufferConfig& config, std::string given,
                       std::string expected) {
  return {refusal, std::move(given), std::move(expected),
          [config] { DistributedBuffer::create(config); }};
}

Mistake no_mesh(MeshDevice& mesh, Random& random) {
  ShardedBufferConfig config = good_config(mesh, random);
  config.mesh_device = nullptr;
  return config_mistake(Refusal::kNoMesh, config, "without mesh_device", "a mesh");
}

Mistake wrong_size(MeshDevice& mesh, Random& random) {
  ShardedBufferConfig config = good_config(mesh, random);
  config.global_buffer_size =
      random() % 8 == 0
          ? 0
          : config.global_buffer_size +
                draw(random, 1, static_cast<std::uint32_t>(config.global_buffer_size / 2 - 1));
  return config_mistake(Refusal::kGlobalSize, config, count(config.global_buffer_size),
                        "bytes of a datum times their number");
}

Mistake wrong_shard(MeshDevice& mesh, Random& random) {
  ShardedBufferConfig config = good_config(mesh, random);
  std::size_t& side = random() % 2 == 0 ? config.shard_shape.first : config.shard_shape.second;
  side = 4 * 40 + draw(random, 1, 100);
  return config_mistake(Refusal::kShardShape, config, count(side), "one that divides it");
}

Mistake many_shards(MeshDevice& mesh, Random& random) {
  ShardedBufferConfig config = good_config(mesh, random);
  const std::uint32_t more = draw(random, 2, 5);
  const bool row_major = random() % 2 == 0;
  config.mesh_shard_orientation =
      row_major ? ShardOrientation::ROW_MAJOR : ShardOrientation::COL_MAJOR;
  const bool repeated = random() % 2 == 0;
  if (repeated) config.shard_shape.second = 0;
  const std::uint32_t room = repeated ? (row_major ? 4 : 2) : 8;
  const std::uint32_t shards = 4 * more * (repeated ? 1 : 2);
  config.global_buffer_shape.first *= more;
  config.global_buffer_size *= more;
  return config_mistake(Refusal::kTooManyShards, config, count(shards) + " shards",
                        "at most " + count(room));
}

Mistake wrong_page(MeshDevice& mesh, Random& random) {
  ShardedBufferConfig config = good_config(mesh, random);
  config.device_shard_layout.page_size =
      config.shard_shape.first * config.shard_shape.second * 2 + draw(random, 1, 1000);
  return config_mistake(Refusal::kPageSize, config,
                        "pages of " + count(config.device_shard_layout.page_size), "divides");
}

Mistake wrong_layout(MeshDevice& mesh, Random& random) {
  ShardedBufferConfig config = good_config(mesh, random);
  DeviceLocalLayoutConfig& layout = config.device_shard_layout;
  layout.buffer_type = BufferType::L1;
  const std::uint32_t rows = draw(random, 41, 80);
  const ShardSpec spec{CoreCoord{0, 0}, {rows, 8}, ShardOrientation::ROW_MAJOR};
  switch (draw(random, 0, 3)) {
    case 0:
      layout.shard_spec = spec;
      return config_mistake(Refusal::kLocalLayout, config, "beside an INTERLEAVED", "none");
    case 1:
      layout.buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
      return config_mistake(Refusal::kLocalLayout, config, "without a shard_spec", "cores");
    case 2: {
      layout.order = TensorLayoutType::TILED_NFACES;
      const TensorShape shape{draw(random, 1, 99)};
      return {Refusal::kLocalLayout, "tiles of a tensor of shape " + text_of(shape),
              "two dimensions", [&mesh, shape, layout] {
                DistributedBuffer::create(mesh, ReplicateTensorToMesh(mesh), shape, 2, layout);
              }};
    }
    default:
      layout.buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
      layout.shard_spec = spec;
      return config_mistake(Refusal::kLocalLayout, config,
                            count(rows) + " rows and 8 columns over the banks",
                            "shards that divide them");
  }
}

// Mistakes with existing buffers.

Mistake wrong_content(MeshDevice& mesh, Random& random) {
  const ShardedBufferConfig config = good_config(mesh, random);
  const bool shard = random() % 2 == 0;
  const std::uint64_t right = shard ? config.device_local_size() : config.global_buffer_size;
  const std::uint64_t bytes = right + draw(random, 1, 100);
  return {Refusal::kContentSize, count(bytes) + " bytes for a", count(right),
          [config, bytes, shard] {
            const auto buffer = DistributedBuffer::create(config);
            const std::vector<std::uint8_t> content(bytes);
            if (shard) buffer->write_shard({1, 1}, content);
            buffer->write(content);
          }};
}

Mistake no_shard(MeshDevice& mesh, Random& random) {
  ShardedBufferConfig config = good_config(mesh, random);
  config.global_buffer_shape.first /= 4;  // two shards for eight devices
  config.global_buffer_size /= 4;
  const unsigned device = draw(random, 2, 7);
  return {Refusal::kNoShard, "device " + count(device), "a device that has a shard",
          [config, device] {
            DistributedBuffer::create(config)->read_shard({device / 4, device % 4});
          }};
}

Mistake wrong_composer(MeshDevice& mesh, Random& random) {
  mesh.reshape({2, 4});
  const std::uint64_t entries = 8 * draw(random, 1, 4) + draw(random, 1, 7);
  const TensorShape shape{entries, 4, 8};
  const bool same = random() % 2 == 0;
  const int second = same ? 0 : 1;
  return {same ? Refusal::kRepeatedAxis : Refusal::kDevicesDiffer,
          same ? "along dimension 0" : "differ in dimension 0",
          same ? "a dimension of its own" : "the same for all", [&mesh, shape, second] {
            const auto buffer =
                DistributedBuffer::create(mesh, ShardTensorToMesh(mesh, 0), shape, 2);
            ConcatMesh2dToTensor(mesh, {2, 4}, {0, second}).compose(*buffer);
          }};
}

constexpr Mistake (*kMistakes[])(MeshDevice&, Random&) = {
    uneven,       strided,    disordered,       bad_shape,     no_datum,   too_large,
    no_dimension, wrong_mesh, wrong_placements, no_mesh,       wrong_size, wrong_shard,
    many_shards,  wrong_page, wrong_layout,     wrong_content, no_shard,   wrong_composer};

/// Expects that a mistake is refused with its name, given value and expected value.
bool refused(const Mistake& mistake) {
  std::string text = "nothing is refused";
  std::string name;
  try {
    mistake.act();
  } catch (const ShardingError& error) {
    name = name_of(error.refusal());
    text = error.what();
  } catch (const std::exception& error) {
    text = error.what();
  }
  const std::size_t split = text.find("; expected ");
  const bool right = name == name_of(mistake.refusal) &&
                     text.find("sharding: " + name + ": ") == 0 && split != std::string::npos &&
                     text.substr(0, split).find(mistake.given) != std::string::npos &&
                     text.substr(split).find(mistake.expected) != std::string::npos;
  EXPECT_TRUE(right) << text << "\n wanted " << name_of(mistake.refusal) << ": " << mistake.given
                     << "; expected " << mistake.expected;
  return right;
}

/// Makes `count` mistakes of some kinds; returns the number of different errors.
std::size_t refused_names(unsigned count, std::span<Mistake (*const)(MeshDevice&, Random&)> kinds) {
  test::MemoryMesh mesh;
  Random random(3);
  std::set<Refusal> names;
  unsigned wrong = 0;
  for (unsigned i = 0; i < count && wrong < 5; ++i) {
    const Mistake mistake = kinds[i % kinds.size()](*mesh, random);
    wrong += refused(mistake) ? 0 : 1;
    names.insert(mistake.refusal);
  }
  EXPECT_FALSE(mesh->bank_manager(BufferType::DRAM).in_use());
  EXPECT_FALSE(mesh->bank_manager(BufferType::L1).in_use());
  return names.size();
}

TEST(Adversarial, TenThousandThatAConfigCannotSay) {
  EXPECT_EQ(refused_names(10000, std::span(kMistakes).first(3)), 3U);
}

TEST(Adversarial, ThousandsOfMistakesByTheirNames) {
  EXPECT_EQ(refused_names(10000, kMistakes), 20U);  // all existing errors
}

/// No config at all may give the refused distribution.
TEST(Adversarial, NoConfigSaysWhatIsRefused) {
  test::MemoryMesh mesh;
  Random random(4);
  for (unsigned i = 0; i < 150; ++i) {
    Trial trial =
        i % 2 == 0 ? test::random_strided_trial(random) : test::random_disordered_trial(random);
    if (volume(trial.shape) > 4096) continue;
    mesh->reshape(trial.mesh);
    EXPECT_FALSE(some_config_says(*mesh, trial)) << trial.text();
  }
}

/// The mapper refuses malformed requests.
TEST(Adversarial, WhatAConfigCannotSayIsWrittenByTheMapper) {
  test::MemoryMesh mesh;
  Random random(5);
  for (unsigned i = 0; i < 600; ++i) {
    const Trial trial = i % 3 == 0   ? test::random_uneven_trial(random)
                        : i % 3 == 1 ? test::random_strided_trial(random)
                                     : test::random_disordered_trial(random);
    mesh->reshape(trial.mesh);
    ASSERT_EQ(test::try_out(*mesh, trial, random), "");
  }
}

// Cutting does not depend on datums: the largest tensor has 2^48 bytes.
TEST(Adversarial, TheLargestTensorIsCutAndNoneBeyond) {
  test::MemoryMesh mesh;
  const auto mapper = ShardTensorToMesh(*mesh, 0);
  const std::uint32_t half = 1U << 24;
  EXPECT_EQ(mapper.partition({half, half}).local_shape(), (TensorShape{half / 8, half}));
  try {
    mapper.partition({half + 1, half});
    ADD_FAILURE() << "a tensor beyond 2^48 bytes";
  } catch (const ShardingError& error) {
    EXPECT_EQ(error.refusal(), Refusal::kTooLarge) << error.what();
  }
}

}  // namespace
}  // namespace tvp::runtime::sharding
