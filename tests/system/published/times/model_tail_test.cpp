// Operations after the last product of a decoder: untilize to DRAM, and conversions of formats.
// Reference: models/demos/llama3_70b_galaxy/tests/decoder_perf_targets_6u.json (model_tail,
// means).

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sw/runtime/block_float.h"
#include "tests/system/benches/launch_file.h"
#include "tests/system/benches/operation_bench.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/model_tail.toml");

using namespace runtime;

const std::string kOps = "ttnn/cpp/ttnn/operations/";
constexpr unsigned kTiles = 512, kCores = 32, kEach = kTiles / kCores;

class PublishedModelTail : public testing::Test {
 protected:
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/ttnn/cpp"))
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal's";
  }
  /// Logits of 32 users, tile by tile.
  Words logits() {
    std::normal_distribution<float> of;
    std::vector<float> numbers(std::size_t{kTiles} * 1024);
    for (float& number : numbers) number = of(random_);
    return pack_as_bfp8_tiles(numbers, true, false);
  }
  /// The cores of the last product's shards, column by column.
  static CoreRangeSet cores() {
    std::vector<CoreCoord> of;
    for (unsigned x = 1; x <= 3; ++x)
      for (unsigned y = 0; y < 10; ++y) of.push_back({x, y});
    of.push_back({5, 0});
    of.push_back({5, 1});
    return CoreRangeSet(of);
  }
  static Word number_of(CoreCoord core) {
    const std::vector<CoreCoord> all = cores().cores();
    return static_cast<Word>(std::find(all.begin(), all.end(), core) - all.begin());
  }
  /// Compares the cycles of the bench with `silicon`. `share` is the known ratio of both;
  /// platform/validation/README.md lists the causes.
  void expect_as_on_silicon(OperationBench& bench, const std::string& name, double silicon,
                            double share = 1) {
    const auto cycles = static_cast<double>(bench.kernel_cycles());
    RecordProperty(name, std::to_string(cycles));
    EXPECT_NEAR(cycles / silicon / share, 1, 0.1) << name << ": " << cycles << " cycles";
  }
  std::mt19937 random_{3};
};

struct Tiles {
  DataFormat format;
  OperationBench::Tensor tensor;
  Word bytes;
};
/// Converts `each` tiles per core.
void convert(OperationBench& bench, const CoreRangeSet& cores, const Tiles& from, const Tiles& to,
             Word each) {
  const auto text = [](DataFormat format) {
    return std::to_string(static_cast<unsigned>(format)) + "u";
  };
  const std::string formats = "<" + text(from.format) + ", " + text(to.format) + ">";
  const std::vector<CoreCoord> all = cores.cores();
  const auto share = [&](const OperationBench::Tensor& tensor) {
    return [&](CoreCoord core) -> Words {
      const auto at = std::find(all.begin(), all.end(), core) - all.begin();
      return {address(tensor), each, static_cast<Word>(at) * each};
    };
  };
  kLaunches.run(
      bench, "convert",
      TVP_VALUES(cores, from.format, from.bytes, each, to.format, to.bytes, from.tensor, to.tensor)
          .with("reader_args", share(from.tensor))
          .with("compute_defines",
                Operation::Defines{{"TYPECAST_LLK_INIT", "typecast_tile_init" + formats},
                                   {"TYPECAST_LLK", "typecast_tile" + formats}})
          .with("writer_args", share(to.tensor)));
}

TEST_F(PublishedModelTail, ShardsToDram) {
  OperationBench bench(false, true);
  const Words words = logits();
  const auto in = bench.local(words, cores());
  const auto out = bench.result(kTiles, 1088);
  kLaunches.run(bench, "shards_to_dram",
                TVP_VALUES(in, kEach, out, kTiles, number_of).with("cores", cores()));
  expect_as_on_silicon(bench, "shards to DRAM", 8356, 0.71);
  EXPECT_EQ(bench.words(out), words);
}

TEST_F(PublishedModelTail, Bfp8ToBf16) {
  OperationBench bench(false, true);
  const Words words = logits();
  const auto in = bench.tensor(words, 1088);
  const auto out = bench.result(kTiles, 2048);
  convert(
      bench,
      CoreRangeSet(std::vector<CoreRange>{CoreRange({1, 0}, {3, 9}), CoreRange({5, 0}, {6, 0})}),
      {DataFormat::Bfp8_b, in, 1088}, {DataFormat::Float16_b, out, 2048}, kEach);
  expect_as_on_silicon(bench, "BFP8 to BF16", 20327);
  const auto expected = unpack_bfp8_tiles_into_float_vec(words, true, false);
  const Words got = bench.words(out);
  for (std::size_t tile = 0; tile < kTiles; ++tile)
    for (std::size_t i = 0; i < 1024; ++i)
      ASSERT_EQ(f(from_bf16(datum16(got, tile * 1024 + place_in_tile(i / 32, i % 32)))),
                expected[tile * 1024 + i])
          << tile << ", " << i;
}

/// Indices of the best logits, gathered from eight chips, one tile per core.
TEST_F(PublishedModelTail, PlacesTo32Bits) {
  OperationBench bench(false, true);
  constexpr unsigned kGathered = 8;
  Words words(kGathered * 512);
  for (Word i = 0; i < 2 * words.size(); ++i) set_datum16(words, i, i * 7 & 0xFFFF);
  const auto in = bench.tensor(words, 2048);
  const auto out = bench.result(kGathered, 4096);
  convert(
      bench,
      CoreRangeSet(std::vector<CoreRange>{CoreRange({1, 0}, {3, 1}), CoreRange({1, 2}, {2, 2})}),
      {DataFormat::UInt16, in, 2048}, {DataFormat::Int32, out, 4096}, 1);
  // The conversion takes 54 cycles here; tt-metal's takes some 130.
  expect_as_on_silicon(bench, "places to 32 bits", 1887, 0.95);
  const Words got = bench.words(out);
  for (Word i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], datum16(words, i)) << i;
}

/// The 32 largest of 16384 per row. Sixteen cores have 1024 each; another core combines their
/// results.
TEST_F(PublishedModelTail, TheBestOfAllLogits) {
  OperationBench bench(false, true);
  constexpr unsigned kLocal = 16, kWide = kTiles / kLocal, kBest = 32;
  std::vector<float> numbers(std::size_t{32} * kTiles * 32);
  std::normal_distribution<float> of;
  Words values(numbers.size() / 2), indices(numbers.size() / 2);
  const auto at = [](std::size_t r, std::size_t c) {
    return c / 32 * 1024 + place_in_tile(r, c % 32);
  };
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 32 * kTiles; ++c) {
      const Word bits = to_bf16(of(random_));
      numbers[at(r, c)] = f(from_bf16(bits));
      set_datum16(values, at(r, c), bits);
      set_datum16(indices, at(r, c), static_cast<Word>(c));
    }
  }
  const auto in = bench.tensor(values, 2048), index = bench.tensor(indices, 2048);
  const auto out = bench.result(1, 2048), places = bench.result(1, 2048);
  const CoreCoord begin{1, 0}, finish{2, 7};
  const CoreRange cores(begin, finish);
  const CoreCoord last{1, 8}, to = bench.noc(last);
  const std::string kernels = kOps + "reduction/topk/device/kernels/";
  const auto number = [](CoreCoord core) { return static_cast<Word>((core.x - 1) * 8 + core.y); };
  Operation operation(bench);
  operation.on(CoreRangeSet(std::vector<CoreRange>{cores, CoreRange(last)}));
  const Word sent = operation.semaphore(0), ready = operation.semaphore(0);
  const std::pair<std::uint8_t, unsigned> sizes[] = {
      {0, 4}, {2, kWide}, {4, kLocal}, {6, kLocal}, {8, 2}};
  for (const auto& [cb, pages] : sizes) {
    operation.buffer(cb, pages);
    operation.buffer(static_cast<std::uint8_t>(cb + 1), pages, 2048, DataFormat::UInt16);
  }
  const CoreCoord first = bench.noc(begin), end = bench.noc(finish);
  constexpr auto kFast = KernelBuildOptLevel::O3;
  operation.on(cores)
      .reader(kernels + "dataflow/reader_create_index_local_topk.cpp",
              {.compile = {0, 1, 1, kWide, kTiles},
               .tensors = {in, index},
               .run_at =
                   [&](CoreCoord core) {
                     return Words{address(in), 0, number(core) * kWide, 0, address(index)};
                   },
               .defines = {{"GENERATE_INDICES", "0"}}})
      .writer(kernels + "dataflow/writer_local_topk.cpp",
              {.compile = {ready, sent, to.x, to.y, 1, kBest, 1, 8, 9, 4, 5},
               .run_at = [&](CoreCoord core) { return Words{number(core)}; }})
      .compute(kernels + "compute/topk_local.cpp",
               {.compile = {0, 1, 2, 3, 8, 9, 1, kWide, kBest, 1, 5, 5, 1, 1},
                .run_at = [&](CoreCoord core) { return Words{number(core) % 2}; },
                .optimization = kFast});
  operation.on(last)
      .reader(kernels + "dataflow/reader_final_topk.cpp",
              {.compile = {ready, sent, first.x, first.y, end.x, end.y, 1, kLocal, kLocal, 4, 5}})
      .writer(kernels + "dataflow/writer_final_topk.cpp", {.compile = {8, 9, 1, 1},
                                                           .tensors = {out, places},
                                                           .run = {address(out), address(places)}})
      .compute(
          kernels + "compute/topk_final.cpp",
          {.compile = {4, 5, 6, 7, 8, 9, 1, kLocal, kBest, 1, 5, 4, 1, 1}, .optimization = kFast});
  operation.run();
  expect_as_on_silicon(bench, "best of all logits", 179980, 0.8);
  const Words got = bench.words(out), where = bench.words(places);
  for (std::size_t r = 0; r < 32; ++r) {
    std::vector<float> row(32 * kTiles);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = numbers[at(r, c)];
    std::vector<float> best = row;
    std::sort(best.rbegin(), best.rend());
    for (std::size_t k = 0; k < kBest; ++k) {
      ASSERT_EQ(f(from_bf16(datum16(got, place_in_tile(r, k)))), best[k]) << r << ", " << k;
      ASSERT_EQ(row[datum16(where, place_in_tile(r, k))], best[k]) << r << ", " << k;
    }
  }
}

/// One core per user selects a random token from the best of eight chips.
TEST_F(PublishedModelTail, ATokenEach) {
  OperationBench bench(false, true);
  constexpr Word kUsers = 32, kWide = 8, kTokens = 32 * kWide, kBest = 32, kOne = 0x3F803F80;
  Words values(512 * kWide), ids(kUsers * kTokens);
  for (Word user = 0; user < kUsers; ++user) {
    for (Word c = 0; c < kTokens; ++c)
      set_datum16(values, c / 32 * 1024 + place_in_tile(user, c % 32),
                  to_bf16(static_cast<float>((c * 77 + user) % kTokens) / 16));
  }
  std::iota(ids.begin(), ids.end(), 1000);
  const auto halves = [](float value) {
    Words words(kUsers / 2);
    for (std::size_t i = 0; i < kUsers; ++i) set_datum16(words, i, to_bf16(value));
    return words;
  };
  const auto in = bench.tensor(values, 2048), indices = bench.tensor(ids, 4 * kTokens),
             k = bench.tensor(Words(kUsers, kBest), 4 * kUsers),
             p = bench.tensor(halves(0.5F), 2 * kUsers),
             temperature = bench.tensor(halves(1), 2 * kUsers), out = bench.result(1, 4 * kUsers);
  const std::string kernels = kOps + "reduction/sampling/device/kernels/";
  Operation operation(bench);
  operation.on(cores());
  kLaunches.describe(operation, "a_token_each",
                     TVP_VALUES(kWide, kTokens, kUsers, in, indices).with("cores", cores()));
  for (const CoreCoord core : cores().cores())
    operation.on(CoreRange(core, core))
        .writer(kernels + "dataflow/writer_interleaved.cpp",
                {.tensors = {out, temperature, k, p},
                 .after = {13, 4, 3, kOne, 12, 1, 8, 4 * kTokens, 4 * kUsers, 11, 14, 15, 16,
                           number_of(core), 32, kUsers},
                 .run = {address(out), address(temperature), address(k), address(p)}});
  operation.run();
  expect_as_on_silicon(bench, "a token each", 67651, 0.82);
  const Words got = bench.words(out);
  for (Word user = 0; user < kUsers; ++user) {
    const Word token = got[user] - 1000 - user * kTokens;
    ASSERT_LT(token, kTokens);
    EXPECT_GE((token * 77 + user) % kTokens, kTokens - kBest) << "not one of the best";
  }
}

}  // namespace
}  // namespace tvp::test
