// Tensors cut into shards: addresses of pages, and refused cuts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "tests/support/fault_of.h"
#include "tests/unit/runtime/devices/fake_library.h"

namespace tvp::runtime::shard_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kPage = 64;

/// A tensor of 8 x 6 pages of 32 x 32 datums, each page filled with its number.
constexpr Extent kTensor{8, 6};

struct Case {
  const char* name;
  BufferType type;
  TensorMemoryLayout layout;
  ShardOrientation orientation;
  Extent shard;  ///< in pages
  CoreRange grid;
  /// Maps shard row and column to the expected core.
  CoreCoord (*core)(std::uint32_t, std::uint32_t);
};

const Case kCases[] = {
    {"Height",
     BufferType::L1,
     TensorMemoryLayout::HEIGHT_SHARDED,
     ShardOrientation::ROW_MAJOR,
     {2, 6},
     {{1, 1}, {2, 2}},
     [](std::uint32_t row, std::uint32_t) {
       return CoreCoord{1 + row % 2, 1 + row / 2};
     }},
    {"HeightDownTheColumns",
     BufferType::L1,
     TensorMemoryLayout::HEIGHT_SHARDED,
     ShardOrientation::COL_MAJOR,
     {2, 6},
     {{1, 1}, {2, 2}},
     [](std::uint32_t row, std::uint32_t) {
       return CoreCoord{1 + row / 2, 1 + row % 2};
     }},
    {"Width",
     BufferType::L1,
     TensorMemoryLayout::WIDTH_SHARDED,
     ShardOrientation::ROW_MAJOR,
     {8, 2},
     {{0, 0}, {4, 0}},
     [](std::uint32_t, std::uint32_t column) {
       return CoreCoord{column, 0};
     }},
    {"WidthInDram",
     BufferType::DRAM,
     TensorMemoryLayout::WIDTH_SHARDED,
     ShardOrientation::ROW_MAJOR,
     {8, 1},
     {{3, 0}, {8, 0}},
     [](std::uint32_t, std::uint32_t column) {
       return CoreCoord{3 + column, 0};
     }},
    {"HeightInDram",
     BufferType::DRAM,
     TensorMemoryLayout::HEIGHT_SHARDED,
     ShardOrientation::ROW_MAJOR,
     {1, 6},
     {{0, 0}, {11, 0}},
     [](std::uint32_t row, std::uint32_t) {
       return CoreCoord{row, 0};
     }},
    {"Block",
     BufferType::L1,
     TensorMemoryLayout::BLOCK_SHARDED,
     ShardOrientation::ROW_MAJOR,
     {4, 2},
     {{2, 3}, {4, 4}},
     [](std::uint32_t row, std::uint32_t column) {
       return CoreCoord{2 + column, 3 + row};
     }},
    {"BlockTurned",
     BufferType::L1,
     TensorMemoryLayout::BLOCK_SHARDED,
     ShardOrientation::COL_MAJOR,
     {4, 2},
     {{2, 3}, {6, 6}},  // larger than needed
     [](std::uint32_t row, std::uint32_t column) {
       return CoreCoord{2 + row, 3 + column};
     }},
};

/// A mesh that has memory but no chips.
class FakeMesh {
 public:
  FakeMesh()
      : folder_(fs::temp_directory_path() / ("tvp_shard_" + std::to_string(getpid()))),
        library_(test::FakeLibrary::functions(), "fake") {
    MeshDevice::Options options;
    options.cache = folder_.string();
    mesh_ = std::make_unique<MeshDevice>(library_, options);
  }
  ~FakeMesh() {
    mesh_.reset();
    fs::remove_all(folder_);
  }
  MeshDevice& operator*() { return *mesh_; }

 private:
  fs::path folder_;
  test::FakeLibrary fake_;
  DeviceLibrary library_;
  std::unique_ptr<MeshDevice> mesh_;
};

ShardedBufferConfig config_of(const Case& c) {
  return {
      .size = kTensor[0] * kTensor[1] * kPage,
      .page_size = kPage,
      .buffer_type = c.type,
      .buffer_layout = c.layout,
      .shard_parameters = ShardSpecBuffer(CoreRangeSet(c.grid), {c.shard[0] * 32, c.shard[1] * 32},
                                          c.orientation, {32, 32}, kTensor)};
}

class Sharded : public testing::TestWithParam<Case> {};

TEST_P(Sharded, PagesLieWhereTheLayoutSaysAndComposeBack) {
  const Case& c = GetParam();
  FakeMesh mesh;
  const auto buffer = CreateBuffer(*mesh, config_of(c));
  std::vector<std::uint8_t> tensor(buffer->size());
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor[i] = static_cast<std::uint8_t>(i / kPage * 3 + i % kPage);
  buffer->write(1, tensor);
  EXPECT_EQ(buffer->read(1), tensor);
  // Each shard's pages, cut as from a matrix.
  for (std::uint32_t row = 0; row < kTensor[0]; ++row) {
    for (std::uint32_t column = 0; column < kTensor[1]; ++column) {
      const CoreCoord core = c.core(row / c.shard[0], column / c.shard[1]);
      const auto shard = buffer->read_shard(1, core);
      ASSERT_EQ(shard.size(), c.shard[0] * c.shard[1] * kPage);
      const std::size_t at =
          (row % c.shard[0] * c.shard[1] + column % c.shard[1]) * std::size_t{kPage};
      EXPECT_EQ(shard[at + 5], tensor[(row * kTensor[1] + column) * kPage + 5])
          << row << ", " << column << " on " << core.str();
    }
  }
}

TEST_P(Sharded, AShardWrittenAloneIsPartOfTheWhole) {
  const Case& c = GetParam();
  FakeMesh mesh;
  const auto buffer = CreateBuffer(*mesh, config_of(c));
  buffer->write(0, std::vector<std::uint8_t>(buffer->size(), 1));
  const CoreCoord core = buffer->shard_cores().back();
  buffer->write_shard(0, core, std::vector<std::uint8_t>(kPage, 9), kPage);
  const auto whole = buffer->read(0);
  EXPECT_EQ(std::count(whole.begin(), whole.end(), 9), kPage);
}

INSTANTIATE_TEST_SUITE_P(Layouts, Sharded, testing::ValuesIn(kCases),
                         [](const auto& param) { return param.param.name; });

/// Contents of all shards, in the order of their cores, if each page holds its number.
std::vector<std::uint8_t> pages_by_shard(const ShardedBufferConfig& config) {
  FakeMesh mesh;
  const auto buffer = CreateBuffer(*mesh, config);
  std::vector<std::uint8_t> tensor(buffer->size());
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<std::uint8_t>(i / kPage);
  buffer->write(0, tensor);
  EXPECT_EQ(buffer->read(0), tensor);
  std::vector<std::uint8_t> pages;
  for (const CoreCoord core : buffer->shard_cores()) {
    const auto shard = buffer->read_shard(0, core);
    for (std::size_t at = 0; at < shard.size(); at += kPage) pages.push_back(shard[at]);
  }
  return pages;
}

// As in tt-metal, the shape of a shard does not matter for height sharding, and width sharding
// numbers shards row by row.
TEST(Shards, ShardsMayCutWhatTheirLayoutKeepsWhole) {
  ShardedBufferConfig height = config_of(kCases[0]);
  height.shard_parameters->tensor_shard_spec.shape = {128, 96};  // 2 x 2 shards
  std::vector<std::uint8_t> in_order(48);
  std::iota(in_order.begin(), in_order.end(), std::uint8_t{0});
  EXPECT_EQ(pages_by_shard(height), in_order);

  ShardedBufferConfig width = height;
  width.buffer_layout = TensorMemoryLayout::WIDTH_SHARDED;
  const auto pages = pages_by_shard(width);
  ASSERT_EQ(pages.size(), 48U);
  EXPECT_EQ(pages[3], 6) << "the second row of the first shard";
  EXPECT_EQ(pages[12], 3) << "the second shard, right of the first";
  EXPECT_EQ(pages[24], 24) << "the third, below the first";
}

std::string refusal(MeshDevice& mesh, const ShardedBufferConfig& config) {
  return tvp::test::fault_of([&] { CreateBuffer(mesh, config); });
}

TEST(Shards, RefusesWhatDoesNotDivideOrFit) {
  FakeMesh mesh;
  const auto expect = [&](const ShardedBufferConfig& config, const char* text) {
    EXPECT_NE(refusal(*mesh, config).find(text), std::string::npos) << refusal(*mesh, config);
  };
  const ShardedBufferConfig height = config_of(kCases[0]);
  const auto with = [&](auto change, ShardedBufferConfig config) {
    change(config);
    return config;
  };
  expect(with(
             [](auto& c) {
               c.shard_parameters->tensor_shard_spec.shape = {96, 192};
             },
             height),
         "a tensor in pages of 8 x 6 does not divide into shards of 3 x 6");
  expect(with(
             [](auto& c) {
               c.shard_parameters->tensor_shard_spec.shape = {40, 192};
             },
             height),
         "a shard of 40 x 192 does not divide into pages of 32 x 32");
  expect(with([](auto& c) { c.buffer_layout = TensorMemoryLayout::INTERLEAVED; }, height),
         "its layout is INTERLEAVED");
  expect(with(
             [](auto& c) {
               c.shard_parameters->tensor_shard_spec.shape = {32, 192};
             },
             height),
         "8 shards on 4 cores");
  expect(with([](auto& c) { c.size -= kPage; }, height), "is not that of its 48 pages of 64");
  expect(with([](auto& c) { c.page_size = 40; }, height), "a multiple of 16 bytes, not 40");
  expect(with([](auto& c) { c.shard_bytes = 64; }, height), "beside shard_parameters");
  expect(with([](auto& c) { c.shard_parameters.reset(); }, height), "needs cores");
  expect({.size = 64, .cores = CoreCoord{0, 0}}, "needs shard_parameters");
  expect(with(
             [](auto& c) {
               c.shard_parameters->tensor_shard_spec.grid = CoreCoord{8, 0};
             },
             with(
                 [](auto& c) {
                   c.shard_parameters->tensor_shard_spec.shape = {256, 192};
                 },
                 height)),
         "core (8, 0): is outside");

  const ShardedBufferConfig dram = config_of(kCases[3]);
  expect(with(
             [](auto& c) {
               c.shard_parameters->tensor_shard_spec.grid = CoreRange({8, 0}, {13, 0});
             },
             dram),
         "shards in DRAM are on (bank, 0) of 12 banks, not on (12, 0)");
  const ShardedBufferConfig block = config_of(kCases[5]);
  expect(with(
             [](auto& c) {
               c.shard_parameters->tensor_shard_spec.orientation = ShardOrientation::COL_MAJOR;
             },
             block),
         "2 x 3 shards need 2 columns and 3 rows of cores; the grid has 3 and 2");
  expect(with(
             [](auto& c) {
               c.shard_parameters->tensor_shard_spec.grid =
                   CoreRangeSet(std::vector<CoreRange>{{{0, 0}, {2, 0}}, {{0, 1}, {2, 1}}});
             },
             block),
         "one rectangle of cores, not 2");
  EXPECT_THROW(MeshBuffer::create(*mesh, dram, SubDeviceId{0}), foundation::Fault);
}

TEST(Shards, TensorAccessorsAreToldTheShapes) {
  FakeMesh mesh;
  using Words = std::vector<std::uint32_t>;
  const auto words = [&](const Case& c) {
    Words all = TensorAccessorArgs(*CreateBuffer(*mesh, config_of(c))).get_compile_time_args();
    return Words(all.begin() + 1, all.end());
  };
  // Banks of DRAM are identified by number.
  EXPECT_EQ(words(kCases[3]), (Words{2, 6, 8, 6, 8, 1, 0x04000300, 0x06000500, 0x08000700}));
  const Words block = words(kCases[5]);
  EXPECT_EQ(Words(block.begin(), block.begin() + 6), (Words{2, 6, 8, 6, 4, 2}));
  // Shards of whole rows follow each other like pages of one dimension.
  const Words height = words(kCases[0]);
  EXPECT_EQ(Words(height.begin(), height.begin() + 4), (Words{1, 4, 48, 12}));
}

TEST(Shards, CoresComeRowByRowOrColumnByColumn) {
  const CoreRangeSet cores(std::vector<CoreRange>{{{1, 0}, {2, 1}}, {{2, 2}, {2, 2}}});
  using Cores = std::vector<CoreCoord>;
  EXPECT_EQ(corerange_to_cores(cores, 9, true), (Cores{{1, 0}, {2, 0}, {1, 1}, {2, 1}, {2, 2}}));
  EXPECT_EQ(corerange_to_cores(cores), (Cores{{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(corerange_to_cores(cores, 2), (Cores{{1, 0}, {1, 1}}));
  EXPECT_EQ(cores.num_cores(), 5U);
}

}  // namespace
}  // namespace tvp::runtime::shard_test
