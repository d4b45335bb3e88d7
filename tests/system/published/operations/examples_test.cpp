// Kernels of tt-metal's programming examples, run as their hosts do.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/examples.toml");

using runtime::CoreCoord;
using runtime::CoreRange;

const std::string kExamples = "tt_metal/programming_examples/";

class PublishedExamples : public PublishedTest {
 protected:
  /// A function of one tensor or of two, tile by tile.
  void check_tiles(const std::string& example, const std::string& reader,
                   const std::string& compute, double bound, unsigned operands,
                   const std::function<double(double, double)>& expected) {
    constexpr Word kTiles = 5;
    const Numbers a = random(1, kTiles, -0.5F, 1.5F), b = random(1, kTiles, -1, 1);
    const auto in_a = tensor(a), in_b = tensor(b), out = result(kTiles);
    Operation operation(*bench_);
    operation.buffer(0, 2).buffer(1, 2).buffer(16, 2);
    const std::string kernels = kExamples + example + "/kernels/";
    operation
        .reader(kernels + "dataflow/" + reader,
                operands == 1
                    ? Operation::Arguments{.tensors = {in_a}, .run = {address(in_a), kTiles}}
                    : Operation::Arguments{.tensors = {in_a, in_b},
                                           .run = {address(in_a), address(in_b), kTiles}})
        .compute(kernels + "compute/" + compute, {.run = {kTiles}})
        .writer(kernels + "dataflow/write_tile.cpp",
                {.tensors = {out}, .run = {address(out), kTiles}})
        .run();
    check(
        read(out, kTiles), bound,
        [&](std::size_t r, std::size_t c) { return expected(a(r, c), b(r, c)); }, example + ": ");
  }
};

TEST_F(PublishedExamples, FunctionsOfTiles) {
  check_tiles("eltwise_binary", "read_tiles.cpp", "tiles_add.cpp", 0.01, 2,
              [](double a, double b) { return a + b; });
  check_tiles("eltwise_sfpu", "read_tile.cpp", "eltwise_sfpu.cpp", 0.01, 1,
              [](double a, double) { return std::exp(a); });
  check_tiles("custom_sfpi_add", "read_tiles.cpp", "tiles_add.cpp", 0.01, 2,
              [](double a, double b) { return a + b; });
  check_tiles("custom_sfpi_smoothstep", "read_tiles.cpp", "tiles_smoothstep.cpp", 0.02, 1,
              [](double a, double) {
                const double t = std::min(std::max(a, 0.0), 1.0);
                return t * t * (3 - 2 * t);
              });
}

TEST_F(PublishedExamples, AddTwoIntegers) {
  const auto a = bench_->tensor({14, 0, 0, 0, 0, 0, 0, 0}, 32),
             b = bench_->tensor({7, 0, 0, 0, 0, 0, 0, 0}, 32), out = bench_->result(1, 32);
  const auto scratch = bench_->local(Words(3 * 8));
  const Word at = address(scratch);
  kLaunches.run(*bench_, "add_on_a_data_core", TVP_VALUES(a, b, out, at));
  EXPECT_EQ(bench_->words(out)[0], 21U);

  const Numbers x = random(1, 1, -4, 4), y = random(1, 1, -4, 4);
  const auto in_x = tensor(x), in_y = tensor(y), sum = result(1);
  kLaunches.run(*bench_, "add_tiles", TVP_VALUES(in_x, in_y, sum));
  check(read(sum, 1), 0.01, [&](auto r, auto c) { return x(r, c) + y(r, c); });
}

TEST_F(PublishedExamples, SoftplusByAChainOfFunctions) {
  const Numbers x = random(1, 1, -3, 3);
  const auto in = tensor(x), out = result(1);
  kLaunches.run(*bench_, "softplus_by_a_chain_of_functions", TVP_VALUES(in, out));
  check(read(out, 1), 0.02, [&](auto r, auto c) { return std::log1p(std::exp(x(r, c))); });
}

TEST_F(PublishedExamples, ATileGoesFromCoreToCore) {
  const Numbers x = random(1, 1, -3, 3);
  const auto in = tensor(x), out = result(1);
  const CoreRange both({0, 0}, {1, 0}), first({0, 0}, {0, 0}), second({1, 0}, {1, 0});
  const CoreCoord from = bench_->noc({0, 0}), to = bench_->noc({1, 0});
  Operation operation(*bench_);
  operation.on(both);
  const Word semaphore = operation.semaphore(0);
  kLaunches.describe(
      operation, "a_tile_goes_from_core_to_core",
      TVP_VALUES(both, first, in, to.x, to.y, semaphore, second, from.x, from.y, out));
  operation.run();
  EXPECT_EQ(bench_->words(out), x.words());
}

TEST_F(PublishedExamples, ATileGoesToThreeCoresAtOnce) {
  const Numbers x = random(1, 1, -3, 3);
  const auto in = tensor(x), out = result(3);
  const CoreRange all({0, 0}, {3, 0}), sender({0, 0}, {0, 0}), receivers({1, 0}, {3, 0});
  const CoreCoord from = bench_->noc({0, 0}), begin = bench_->noc({1, 0}),
                  end = bench_->noc({3, 0});
  Operation operation(*bench_);
  operation.on(all);
  const Word ready = operation.semaphore(0), sent = operation.semaphore(0);
  kLaunches.describe(operation, "a_tile_goes_to_three_cores_at_once",
                     TVP_VALUES(all, sender, begin.x, begin.y, end.x, end.y, ready, sent, in,
                                receivers, from.x, from.y, out));
  operation.run();
  const Words got = bench_->words(out);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], x.words()[i % 512]) << i;
}

TEST_F(PublishedExamples, SticksGoToShards) {
  // A stick is a page of two numbers. Each core takes four, 32 B apart.
  constexpr Word kCores = 4, kStick = 8, kSticks = kStick / 2;
  Words words(kCores * kSticks * 2);
  for (Word i = 0; i < words.size(); ++i) words[i] = 0x3F803F80 + i;
  const auto in = bench_->tensor(words, kStick);
  const CoreRange cores({0, 0}, {kCores - 1, 0});
  const auto shards = bench_->local(Words(kCores * kStick * 8), cores);
  kLaunches.run(*bench_, "sticks_go_to_shards", TVP_VALUES(cores, shards, in, kStick, kSticks));
  const Words got = bench_->local_words(shards);
  for (Word core = 0; core < kCores; ++core)
    for (Word stick = 0; stick < kSticks; ++stick)
      for (Word word = 0; word < 2; ++word)
        ASSERT_EQ(got[core * kStick * 8 + stick * 8 + word],
                  words[(core * kSticks + stick) * 2 + word])
            << core << ", " << stick;
}

TEST_F(PublishedExamples, VectorsOverCores) {
  constexpr Word kCores = 4, kEach = 3;
  const CoreRange cores({0, 0}, {kCores - 1, 0});
  const Numbers a = random(1, kCores * kEach, -2, 2), b = random(1, kCores * kEach, -2, 2);
  const auto sum = [&](std::size_t r, std::size_t c) { return a(r, c) + b(r, c); };
  {
    const auto in_a = bench_->local(a.words(), cores), in_b = bench_->local(b.words(), cores),
               out = bench_->local(Words(a.words().size()), cores);
    kLaunches.run(*bench_, "vectors_in_shards", TVP_VALUES(cores, in_a, in_b, out, kEach));
    check(Numbers(kCores * kEach, bench_->local_words(out)), 0.01, sum, "sharded: ");
  }
  // The compute kernel releases Dst twice per tile.
  const auto in_a = tensor(a), in_b = tensor(b), out = result(kCores * kEach);
  const auto first = [](CoreCoord core) { return static_cast<Word>(core.x) * kEach; };
  kLaunches.run(*bench_, "vectors_in_dram", TVP_VALUES(cores, in_a, in_b, kEach, first, out));
  check(read(out, kCores * kEach), 0.01, sum);
}

TEST_F(PublishedExamples, Products) {
  constexpr Word kM = 2, kK = 3, kN = 4, kCores = 2, kEach = kM * kN / kCores;
  const Numbers a = random(kM, kK, -1, 1), b = random(kK, kN, -1, 1);
  const auto in_a = tensor(a), in_b = tensor(b);
  const auto expected = [&](std::size_t r, std::size_t c) {
    double sum = 0;
    for (std::size_t k = 0; k < 32 * kK; ++k) sum += a(r, k) * b(k, c);
    return sum;
  };
  const auto one = result(kM * kN), several = result(kM * kN);
  std::string kernels = kExamples + "matmul/matmul_single_core/kernels/";
  kLaunches.run(*bench_, "product_on_one_core", TVP_VALUES(in_a, in_b, kM, kK, kN, one));
  // Dst rounds sums of up to eight to BF16 a dozen times.
  check(read(one, kN), 0.08, expected, "one core: ");

  kernels = kExamples + "matmul/matmul_multi_core/kernels/";
  const auto first = [](CoreCoord core) { return static_cast<Word>(core.x) * kEach; };
  kLaunches.run(*bench_, "product_on_cores",
                TVP_VALUES(in_a, in_b, kM, kK, kN, first, kEach, several)
                    .with("cores", CoreRange({0, 0}, {kCores - 1, 0})));
  check(read(several, kN), 0.08, expected, "several cores: ");
}

TEST_F(PublishedExamples, ALoopback) {
  const Numbers x = random(1, 5, -3, 3);
  const auto in = tensor(x), out = result(5), scratch = bench_->local(Words(512));
  kLaunches.run(*bench_, "a_loopback", TVP_VALUES(in, out, scratch));
  EXPECT_EQ(bench_->words(out), x.words());
}

/// A product in blocks of `kHigh` times `kWide` tiles, one per core. Readers read whole operands,
/// or get them from neighbors.
class PublishedBlockProduct : public PublishedExamples {
 protected:
  static constexpr Word kHigh = 4, kWide = 4, kInner = 2, kSubHigh = 4, kSubWide = 2;

  void check_product(CoreCoord grid, bool multicast) {
    const Word rows = count(grid.y) * kHigh, columns = count(grid.x) * kWide, inner = 6;
    const Numbers a = random(rows, inner, -1, 1), b = random(inner, columns, -1, 1);
    const auto in_a = tensor(a), in_b = tensor(b), out = result(rows * columns);
    const std::string kernels = kExamples + "matmul/matmul_common/kernels/";
    const CoreRange all({0, 0}, {grid.x - 1, grid.y - 1});
    Operation operation(*bench_);
    operation.on(all).buffer(0, 2 * kHigh * kInner).buffer(1, 2 * kWide * kInner);
    operation.shared_buffer({16, 24}, kHigh * kWide);
    Words semaphores;
    for (int i = 0; i < 4 && multicast; ++i) semaphores.push_back(operation.semaphore(0));
    const auto reads = [&](CoreCoord core) {
      const Words of_a{
          address(in_a), inner * kHigh * count(core.y), 1, inner, kInner, kInner, kHigh,
          kInner * kHigh};
      const Words of_b{address(in_b), kWide * count(core.x), 1,
                       columns,       kInner * columns,      kWide,
                       kInner,        kWide * kInner,        inner / kInner};
      Words all_of = of_a;
      all_of.insert(all_of.end(), of_b.begin(), of_b.end());
      const auto add = [&](CoreCoord at) {
        all_of.push_back(count(bench_->noc(at).x));
        all_of.push_back(count(bench_->noc(at).y));
      };
      if (multicast) {
        add({grid.x - 1, core.y});
        add({1, core.y});
        all_of.push_back(count(grid.x - 1));
        add({0, core.y});
        all_of.insert(all_of.end(), {semaphores[0], semaphores[1]});
        add({core.x, grid.y - 1});
        add({core.x, 1});
        all_of.push_back(count(grid.y - 1));
        add({core.x, 0});
        all_of.insert(all_of.end(), {semaphores[2], semaphores[3]});
      }
      all_of.insert(all_of.end(), {rows * inner, inner * columns, 1, 0});
      return all_of;
    };
    const auto writes = [&](CoreCoord core) {
      return Words{address(out),
                   count(core.x) * kWide + count(core.y) * kHigh * columns,
                   1,
                   columns,
                   kSubWide,
                   kSubHigh * columns,
                   kSubWide,
                   kSubHigh,
                   kSubWide * kSubHigh,
                   kWide / kSubWide,
                   kHigh / kSubHigh,
                   rows * columns,
                   1};
    };
    const auto part = [&](const CoreRange& cores, const std::string& reader, runtime::NOC noc) {
      operation.on(cores)
          .reader(kernels + "dataflow/reader_bmm_tile_layout" + reader + ".cpp",
                  {.tensors = {in_a, in_b}, .run_at = reads, .noc = noc})
          .writer(kernels + "dataflow/writer_bmm_tile_layout.cpp",
                  {.tensors = {out},
                   .run_at = writes,
                   .noc = noc == runtime::NOC::NOC_0 ? runtime::NOC::NOC_1 : runtime::NOC::NOC_0});
    };
    if (multicast) {
      // As in the example, the core that sends both operands to its right and lower neighbors uses
      // NoC 0.
      part(CoreRange({0, 0}, {0, 0}), "_in0_sender_in1_sender", runtime::NOC::NOC_0);
      part(CoreRange({0, 1}, {0, grid.y - 1}), "_in0_sender_in1_receiver", runtime::NOC::NOC_0);
      part(CoreRange({1, 0}, {grid.x - 1, 0}), "_in0_receiver_in1_sender", runtime::NOC::NOC_1);
      part(CoreRange({1, 1}, {grid.x - 1, grid.y - 1}), "_in0_receiver_in1_receiver",
           runtime::NOC::NOC_1);
    } else {
      part(all, "", runtime::NOC::NOC_1);
    }
    operation.on(all)
        .compute(kernels + "compute/bmm_large_block_zm.cpp",
                 {.compile = {kInner, kHigh / kSubHigh, kHigh * kInner, kSubHigh * kInner,
                              kWide / kSubWide, kWide * kInner, kWide, inner / kInner, kSubHigh,
                              kSubWide, kSubHigh * kSubWide, 1}})
        .run();
    // Dst rounds sums of ten to BF16 two dozen times, by 1/32 at most.
    check(read(out, columns), 0.16, [&](std::size_t r, std::size_t c) {
      double sum = 0;
      for (std::size_t k = 0; k < 32 * inner; ++k) sum += a(r, k) * b(k, c);
      return sum;
    });
  }
};

TEST_F(PublishedBlockProduct, OneOverAll) { check_product({2, 1}, false); }
TEST_F(PublishedBlockProduct, FromNeighbors) { check_product({2, 2}, true); }
TEST_F(PublishedBlockProduct, FromNeighborsFar) { check_product({3, 3}, true); }

TEST_F(PublishedExamples, SticksArePadded) {
  // 64 rows of 16 BF16 become 64 rows of 32, on four cores; a stick is two BF16.
  constexpr Word kRows = 64, kFrom = 16, kTo = 32, kCores = 4, kPad = 0x40004000;
  Words words(kRows * kFrom);
  for (Word i = 0; i < words.size(); ++i) words[i] = 0x3F803F80 + i;
  const auto in = bench_->tensor(words, 4), out = bench_->result(kRows * kTo, 4);
  kLaunches.run(*bench_, "sticks_are_padded",
                TVP_VALUES(kTo, kRows, kFrom, kPad, in, kCores, out)
                    .with("cores", CoreRange({0, 0}, {0, kCores - 1})));
  const Words got = bench_->words(out);
  for (Word r = 0; r < kRows; ++r)
    for (Word c = 0; c < kTo; ++c)
      ASSERT_EQ(got[r * kTo + c], c < kFrom ? words[r * kFrom + c] : kPad) << r << ", " << c;
}

}  // namespace
}  // namespace tvp::test
