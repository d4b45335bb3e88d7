// TensorAccessor of sharded tensors. Each part of a specification is a compile-time or a run-time
// argument. Addresses of pages and loops over shards are compared with an independent layout.

#include "foundation/contract/tensor_accessor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "sw/runtime/host_api.h"
#include "tests/system/benches/system_suite.h"

namespace tvp::runtime::tensor_accessor_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;
using tensor_accessor::ArgConfig;

constexpr std::uint32_t kBase = 0x40000;
constexpr std::uint32_t kPage = 48;  // multiple of 16: L1 keeps it, DRAM aligns it to 64
constexpr CoreCoord kCore{2, 3};

struct Tensor {
  Words shape;
  Words shard;
  std::uint32_t banks = 1;
  bool dram = false;
};
struct Place {
  std::uint32_t bank = 0;
  std::uint32_t page = 0;  ///< page of the tensor in the bank
};
/// Pages of a shard in order of address: page number of the tensor, or empty for padding.
using ShardPages = std::vector<std::optional<std::uint32_t>>;

/// All coordinates below `extents`; the last one varies fastest.
std::vector<Words> all_below(const Words& extents) {
  std::vector<Words> all{{}};
  for (const std::uint32_t extent : extents) {
    std::vector<Words> next;
    for (const Words& head : all)
      for (std::uint32_t i = 0; i < extent; ++i) {
        next.push_back(head);
        next.back().push_back(i);
      }
    all = next;
  }
  return all;
}

/// Shards in order, each with its pages.
std::vector<ShardPages> lay_out(const Tensor& tensor) {
  std::map<Words, std::uint32_t> numbers;
  for (const Words& at : all_below(tensor.shape)) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    numbers[at] = number;
  }
  Words grid;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    grid.push_back((tensor.shape[i] + tensor.shard[i] - 1) / tensor.shard[i]);
  std::vector<ShardPages> shards;
  for (const Words& shard : all_below(grid)) {
    ShardPages pages;
    for (const Words& page : all_below(tensor.shard)) {
      Words at;
      for (std::size_t i = 0; i < shard.size(); ++i)
        at.push_back(shard[i] * tensor.shard[i] + page[i]);
      const auto found = numbers.find(at);
      pages.push_back(found == numbers.end() ? std::nullopt
                                             : std::optional<std::uint32_t>(found->second));
    }
    shards.push_back(pages);
  }
  return shards;
}

class TensorAccessorTest : public test::SystemSuite<> {
 protected:
  static void SetUpTestSuite() { open("system=single_chip", "tensor_accessor"); }

  /// The kernel's output. First the low and high words of the addresses of all pages. Then number,
  /// low and high word of each shard's pages, with ~0 after each shard. Then page numbers of every
  /// second shard, with ~1 after each. Last the words after the accessor's arguments,
  /// and what is known when the kernel is compiled.
  static Words run(const Tensor& tensor, std::uint32_t runtime_flags) {
    // 77 precedes the words of the accessor; 1234 and 5678 follow them.
    Words compile{77, runtime_flags | static_cast<std::uint32_t>(ArgConfig::Sharded) |
                          (tensor.dram ? static_cast<std::uint32_t>(ArgConfig::IsDram) : 0)};
    Words common{99};
    const auto place = [&](ArgConfig flag, const Words& words) {
      Words& to = tensor_accessor::has(runtime_flags, flag) ? common : compile;
      to.insert(to.end(), words.begin(), words.end());
    };
    place(ArgConfig::RuntimeRank, {static_cast<std::uint32_t>(tensor.shape.size())});
    place(ArgConfig::RuntimeNumBanks, {tensor.banks});
    place(ArgConfig::RuntimeTensorShape, tensor.shape);
    place(ArgConfig::RuntimeShardShape, tensor.shard);
    Words coordinates((tensor.banks + 1) / 2);
    for (std::uint32_t bank = 0; bank < tensor.banks; ++bank)
      coordinates[bank / 2] |= coordinate(tensor, bank) << (bank % 2 * 16);
    place(ArgConfig::RuntimeBankCoords, coordinates);
    compile.push_back(1234);
    common.push_back(5678);

    const fs::path path = folder_ / "accessor.cpp";
    std::ofstream(path)
        << "void kernel_main() {\n"
           "  auto* out = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));\n"
           "  const uint32_t pages = get_arg_val<uint32_t>(1);\n"
           "  const uint32_t shards = get_arg_val<uint32_t>(2);\n"
           "  constexpr auto args = TensorAccessorArgs<1, 1>();\n"
           "  const auto accessor = TensorAccessor(args, get_arg_val<uint32_t>(3), 48);\n"
           "  const auto put = [&](uint64_t address) {\n"
           "    *out++ = static_cast<uint32_t>(address);\n"
           "    *out++ = static_cast<uint32_t>(address >> 32);\n"
           "  };\n"
           "  for (uint32_t page = 0; page < pages; ++page)\n"
           "    put(accessor.get_noc_addr(page, page % 3));\n"
           "  for (uint32_t shard = 0; shard < shards; ++shard) {\n"
           "    for (const auto& page : accessor.shard_pages(shard)) {\n"
           "      *out++ = page.page_id();\n"
           "      put(page.noc_addr());\n"
           "    }\n"
           "    *out++ = ~0u;\n"
           "  }\n"
           "  for (uint32_t first = 0; first < 2; ++first) {\n"
           "    for (const auto& shard : tensor_accessor::StridedShardPages(accessor, first, "
           "shards, "
           "2)) {\n"
           "      for (const auto& page : shard) *out++ = page.page_id();\n"
           "      *out++ = ~1u;\n"
           "    }\n"
           "  }\n"
           "  constexpr uint32_t next = args.next_compile_time_args_offset();\n"
           "  *out++ = get_compile_time_arg_val(next);\n"
           "  *out++ = get_common_arg_val<uint32_t>(args.next_common_runtime_args_offset());\n"
           "  using Shapes = std::remove_const_t<decltype(accessor)>::DSpec;\n"
           "  *out++ = Shapes::tensor_shape_static | Shapes::shard_shape_static << 1 |\n"
           "           Shapes::shapes_static << 2 | Shapes::bank_coords_static << 3 |\n"
           "           tvp::accessors::Interleaved<true>::tensor_shape_static << 4;\n"
           "}\n";
    auto out = MeshBuffer::create(
        *mesh_, ShardedBufferConfig{.cores = CoreRangeSet(std::vector<CoreRange>{CoreRange(kCore)}),
                                    .shard_bytes = 16384});
    out->write(0, std::vector<std::uint8_t>(out->size()));
    Program program;
    DataMovementConfig config;
    config.compile_args = compile;
    const auto kernel = CreateKernel(program, path.string(), kCore, config);
    std::uint32_t pages = 1;
    for (const std::uint32_t extent : tensor.shape) pages *= extent;
    SetRuntimeArgs(program, kernel, kCore,
                   {static_cast<std::uint32_t>(out->address()), pages,
                    static_cast<std::uint32_t>(lay_out(tensor).size()), kBase});
    SetCommonRuntimeArgs(program, kernel, common);
    mesh_->run(0, program);
    const std::vector<std::uint8_t> bytes = out->read_shard(0, kCore);
    Words words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  }

  /// x << 8 | y of a bank; for DRAM its number << 8.
  static std::uint32_t coordinate(const Tensor& tensor, std::uint32_t bank) {
    return tensor.dram ? (11 - bank) << 8 : (18 + 3 * bank % 8) << 8 | (18 + bank);
  }

  /// Tile and address of a position in a shard.
  static std::uint64_t address(const Tensor& tensor, std::uint32_t shard, std::uint32_t position,
                               std::uint32_t offset) {
    const std::uint32_t page = tensor.dram ? 64 : 48;
    const std::uint32_t bank = shard % tensor.banks;
    const auto in_bank = static_cast<std::uint32_t>(shard / tensor.banks * volume(tensor.shard));
    std::uint64_t low = kBase + (in_bank + position) * page + offset;
    CoreCoord at{coordinate(tensor, bank) >> 8, coordinate(tensor, bank) & 0xFF};
    if (tensor.dram) {
      const ChipLayout& layout = mesh_->device(0).layout();
      at = layout.dram_noc0(11 - bank);
      low += layout.dram_offset(11 - bank);
    }
    return std::uint64_t{at.y} << 42 | std::uint64_t{at.x} << 36 | low;
  }
  static std::uint32_t volume(const Words& shape) {
    std::uint32_t product = 1;
    for (const std::uint32_t extent : shape) product *= extent;
    return product;
  }

  static void check(const Tensor& tensor, std::uint32_t runtime_flags) {
    const Words got = run(tensor, runtime_flags);
    const std::vector<ShardPages> shards = lay_out(tensor);
    Words expected(2 * volume(tensor.shape));
    for (std::uint32_t shard = 0; shard < shards.size(); ++shard) {
      for (std::uint32_t i = 0; i < shards[shard].size(); ++i) {
        if (!shards[shard][i]) continue;
        const std::uint32_t page = *shards[shard][i];
        const std::uint64_t of_page = address(tensor, shard, i, page % 3);
        expected[2 * page] = static_cast<std::uint32_t>(of_page);
        expected[2 * page + 1] = static_cast<std::uint32_t>(of_page >> 32);
        const std::uint64_t in_shard = address(tensor, shard, i, 0);
        expected.insert(expected.end(), {page, static_cast<std::uint32_t>(in_shard),
                                         static_cast<std::uint32_t>(in_shard >> 32)});
      }
      expected.push_back(~0U);
    }
    for (std::size_t first = 0; first < 2; ++first) {
      for (std::size_t shard = first; shard < shards.size(); shard += 2) {
        for (const auto& page : shards[shard])
          if (page) expected.push_back(*page);
        expected.push_back(~1U);
      }
    }
    const auto known = [&](ArgConfig flag, ArgConfig other) {
      return !tensor_accessor::has(runtime_flags, flag) &&
             !tensor_accessor::has(runtime_flags, other);
    };
    const bool shape = known(ArgConfig::RuntimeRank, ArgConfig::RuntimeTensorShape);
    const bool shard = known(ArgConfig::RuntimeRank, ArgConfig::RuntimeShardShape);
    const bool banks = known(ArgConfig::RuntimeNumBanks, ArgConfig::RuntimeBankCoords);
    expected.insert(expected.end(), {1234, 5678,
                                     (shape ? 1U : 0U) | (shard ? 2U : 0U) |
                                         (shape && shard ? 4U : 0U) | (banks ? 8U : 0U)});
    EXPECT_EQ(Words(got.begin(), got.begin() + static_cast<long>(expected.size())), expected);
  }
};

constexpr std::uint32_t operator+(ArgConfig a, std::uint32_t flags) {
  return static_cast<std::uint32_t>(a) | flags;
}
constexpr std::uint32_t kCoordinates = static_cast<std::uint32_t>(ArgConfig::RuntimeBankCoords);
constexpr std::uint32_t kShapes =
    ArgConfig::RuntimeTensorShape + static_cast<std::uint32_t>(ArgConfig::RuntimeShardShape);

TEST_F(TensorAccessorTest, AllIsKnownWhenTheKernelIsCompiled) {
  check({.shape = {5, 3, 7}, .shard = {2, 3, 4}, .banks = 4}, 0);
}
TEST_F(TensorAccessorTest, BanksAreRuntimeArguments) {
  check({.shape = {5, 3, 7}, .shard = {2, 3, 4}, .banks = 5}, kCoordinates);
  check({.shape = {9, 4}, .shard = {2, 2}, .banks = 3}, ArgConfig::RuntimeNumBanks + kCoordinates);
}
TEST_F(TensorAccessorTest, OneShapeIsARuntimeArgument) {
  check({.shape = {4, 7}, .shard = {3, 2}, .banks = 3},
        static_cast<std::uint32_t>(ArgConfig::RuntimeTensorShape));
  check({.shape = {4, 7}, .shard = {3, 2}, .banks = 3},
        static_cast<std::uint32_t>(ArgConfig::RuntimeShardShape));
}
TEST_F(TensorAccessorTest, AllIsARuntimeArgument) {
  const std::uint32_t all =
      ArgConfig::RuntimeRank + (ArgConfig::RuntimeNumBanks + (kShapes | kCoordinates));
  check({.shape = {3, 2, 3, 2, 5}, .shard = {2, 1, 2, 2, 3}, .banks = 7}, all);
  check({.shape = {11}, .shard = {4}, .banks = 2}, all);
}
TEST_F(TensorAccessorTest, ShardsMayBeInDram) {
  check({.shape = {6, 5}, .shard = {3, 2}, .banks = 4, .dram = true}, 0);
  check({.shape = {6, 5}, .shard = {3, 2}, .banks = 4, .dram = true}, kShapes | kCoordinates);
}

}  // namespace
}  // namespace tvp::runtime::tensor_accessor_test
