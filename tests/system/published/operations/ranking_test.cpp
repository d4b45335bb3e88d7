// Largest numbers and their indices in rows that several cores share. All results are exact.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/ranking.toml");

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

const std::string kOps = "ttnn/cpp/ttnn/operations/";
constexpr Word kTileBytes = 2048;

class PublishedRanking : public PublishedTest {
 protected:
  /// Rows of different whole numbers; BF16 represents 512 of them exactly.
  Numbers ranks(std::size_t high, std::size_t wide) {
    Numbers made(high, wide);
    for (std::size_t r = 0; r < made.rows(); ++r) {
      std::vector<int> values(made.columns());
      std::iota(values.begin(), values.end(), -static_cast<int>(values.size()) / 2);
      std::shuffle(values.begin(), values.end(), random_);
      for (std::size_t c = 0; c < made.columns(); ++c)
        made.set(r, c, static_cast<float>(values[c]));
    }
    return made;
  }
  void top(unsigned best, bool largest);
};

void PublishedRanking::top(unsigned best, bool largest) {
  // One row of tiles, with four tiles on each of four cores; another core combines the results. The
  // published kernel would process a second row with the formats that the first one has left.
  constexpr unsigned kHigh = 1, kCores = 4, kWide = 4;
  const unsigned tiles = (best + 31) / 32, joined = kCores * tiles;
  const Numbers x = ranks(kHigh, kCores * kWide);
  const auto in = tensor(x), out = result(kHigh * tiles), places = result(kHigh * tiles);
  const CoreRange cores({0, 0}, {kCores - 1, 0});
  const CoreCoord last{0, 1}, to = bench_->noc(last);
  runtime::CoreRangeSet all(std::vector<CoreRange>{cores, CoreRange(last)});
  const std::string kernels = kOps + "reduction/topk/device/kernels/";
  const auto log2 = [](unsigned value) { return static_cast<Word>(std::log2(value)); };
  Operation operation(*bench_);
  operation.on(all);
  const Word sent = operation.semaphore(0), ready = operation.semaphore(0);
  const std::pair<std::uint8_t, unsigned> sizes[] = {
      {0, 4}, {2, kWide}, {4, joined}, {6, joined}, {8, 2}};
  for (const auto& [cb, pages] : sizes) {
    operation.buffer(cb, pages);
    operation.buffer(static_cast<std::uint8_t>(cb + 1), pages, kTileBytes, DataFormat::UInt16);
  }
  const CoreCoord first = bench_->noc({0, 0}), end = bench_->noc({kCores - 1, 0});
  operation.on(cores)
      .reader(kernels + "dataflow/reader_create_index_local_topk.cpp",
              {.compile = {0, 1, kHigh, kWide, kCores * kWide},
               .tensors = {in, in},
               .run_at =
                   [&](CoreCoord core) {
                     return Words{address(in), 0, core.x * kWide, 0, 0};
                   },
               .defines = {{"GENERATE_INDICES", "1"}}})
      .writer(kernels + "dataflow/writer_local_topk.cpp",
              {.compile = {ready, sent, to.x, to.y, kHigh, best, tiles, 8, 9, 4, 5},
               .run_at = [](CoreCoord core) { return Words{core.x}; }})
      .compute(kernels + "compute/topk_local.cpp",
               {.compile = {0, 1, 2, 3, 8, 9, kHigh, kWide, best, tiles, log2(best), log2(kWide),
                            largest, 1},
                .run_at = [&](CoreCoord core) {
                  return Words{(core.x % 2 == 0) != largest ? 1U : 0U};
                }});
  operation.on(last)
      .reader(
          kernels + "dataflow/reader_final_topk.cpp",
          {.compile = {ready, sent, first.x, first.y, end.x, end.y, kHigh, joined, kCores, 4, 5}})
      .writer(kernels + "dataflow/writer_final_topk.cpp", {.compile = {8, 9, kHigh, tiles},
                                                           .tensors = {out, places},
                                                           .run = {address(out), address(places)}})
      .compute(kernels + "compute/topk_final.cpp",
               {.compile = {4, 5, 6, 7, 8, 9, kHigh, joined, best, tiles, log2(best), log2(joined),
                            largest, 1}});
  operation.run();
  const Numbers got = read(out, tiles), where = read(places, tiles);
  const double least = -16.0 * kCores * kWide, most = -least - 1;
  for (std::size_t r = 0; r < x.rows(); ++r) {
    for (std::size_t k = 0; k < best; ++k) {
      const double wanted =
          largest ? most - static_cast<double>(k) : least + static_cast<double>(k);
      ASSERT_EQ(got(r, k), wanted) << r << ", " << k;
      ASSERT_EQ(x(r, where.bits(r, k)), wanted) << r << ", " << k;
    }
  }
}

TEST_F(PublishedRanking, TheBestOfRows) {
  top(64, true);
  top(64, false);
  top(32, true);
  top(32, false);
}

TEST_F(PublishedRanking, PlacesOfMaxima) {
  // Three pages of 16 rows. Each of four cores has 48 columns, the last one 32.
  constexpr unsigned kOuter = 3, kInner = 16, kColumns = 176, kPart = 48, kCores = 4;
  for (const bool whole : {false, true}) {
    Words words(std::size_t{kOuter} * kInner * kColumns / 2);
    std::uniform_real_distribution<float> of(-100, 100);
    for (std::size_t i = 0; i < 2 * words.size(); ++i) set_datum16(words, i, to_bf16(of(random_)));
    const unsigned results = whole ? 1 : kInner, page = whole ? 32 : 4 * kInner;
    const auto in = bench_->tensor(words, 2 * kColumns);
    const auto out = bench_->result(whole ? 1 : kOuter, page);
    const CoreRange cores({0, 0}, {kCores - 1, 0});
    Operation operation(*bench_);
    operation.on(cores);
    const Word start = operation.semaphore(0), done = operation.semaphore(0);
    const unsigned values = (2 * results + 31) / 32 * 32;
    const CoreCoord first = bench_->noc({0, 0}), last = bench_->noc({kCores - 1, 0});
    const unsigned inner = whole ? 1 : kInner, outer = kOuter * kInner / inner;
    kLaunches.describe(operation, "places_of_maxima",
                       TVP_VALUES(cores, kPart, page, kCores, values, kColumns, outer, inner, whole,
                                  first.x, first.y, last.x, last.y, start, done, in, out));
    operation.run();
    const Words got = bench_->words(out);
    std::size_t best_of_all = 0;
    const auto value = [&](std::size_t i) { return f(from_bf16(datum16(words, i))); };
    for (std::size_t row = 0; row < kOuter * kInner; ++row) {
      std::size_t best = row * kColumns;
      for (std::size_t i = best; i < (row + 1) * kColumns; ++i)
        if (value(i) > value(best)) best = i;
      if (value(best) > value(best_of_all)) best_of_all = best;
      if (!whole) {
        ASSERT_EQ(got[row], best % kColumns) << row;
      }
    }
    if (whole) {
      ASSERT_EQ(got[0], best_of_all);
    }
  }
}

/// Checks the index of each number of ranks().
void check_sorted(const Numbers& x, const Numbers& got, const Numbers& where, bool descending) {
  const double half = static_cast<double>(x.columns()) / 2;
  for (std::size_t r = 0; r < x.rows(); ++r) {
    for (std::size_t k = 0; k < x.columns(); ++k) {
      const double at = static_cast<double>(k), wanted = descending ? half - 1 - at : at - half;
      ASSERT_EQ(got(r, k), wanted) << r << ", " << k;
      ASSERT_EQ(x(r, where.bits(r, k)), wanted) << r << ", " << k;
    }
  }
}

TEST_F(PublishedRanking, SortedRows) {
  // Two rows of eight tiles on two cores; another core starts them.
  constexpr unsigned kHigh = 2, kWide = 8, kCores = 2;
  const Numbers x = ranks(kHigh, kWide);
  const auto in = tensor(x);
  const CoreRange cores({0, 0}, {kCores - 1, 0});
  const CoreCoord chief{0, 1}, to = bench_->noc(chief);
  const std::string kernels = kOps + "data_movement/sort/device/kernels/";
  for (const bool descending : {false, true}) {
    const auto out = result(kHigh * kWide), places = result(kHigh * kWide);
    Operation operation(*bench_);
    operation.on(runtime::CoreRangeSet(std::vector<CoreRange>{cores, CoreRange(chief)}));
    const Word told = operation.semaphore(0), done = operation.semaphore(0);
    for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 2, 4}) {
      operation.buffer(cb, 4);
      operation.buffer(static_cast<std::uint8_t>(cb + 1), 4, kTileBytes, DataFormat::UInt16);
    }
    const CoreCoord first = bench_->noc({0, 0}), last = bench_->noc({kCores - 1, 0});
    operation.on(chief).reader(kernels + "dataflow/coordinator_single_row_multi_core.cpp",
                               {.compile = {kWide / 2, kWide, kHigh, kCores, kCores, 0, 1, 0},
                                .tensors = {in, out, places},
                                .run = {first.x, first.y, last.x, last.y, told, done, kCores,
                                        address(in), address(out), address(places)}});
    const Words run = {address(out), address(places), to.x, to.y, told, done};
    operation.on(cores)
        .reader(kernels + "dataflow/reader_single_row_multi_core.cpp",
                {.compile = {0, 1, kWide, kHigh, kCores, kCores, 1, kCores},
                 .tensors = {out, places},
                 .run = run})
        .writer(kernels + "dataflow/writer_single_row_multi_core.cpp",
                {.compile = {4, 5, kWide, kHigh, kCores, kCores, 1, kCores},
                 .tensors = {out, places},
                 .run = run})
        .compute(
            kernels + "compute/sort_single_row_multi_core.cpp",
            {.compile = {0, 1, 2, 3, 4, 5, kWide, kHigh, kCores, kCores, 1, descending, 0, 3}});
    operation.run();
    check_sorted(x, read(out, kWide), read(places, kWide), descending);
  }
}

// Each core keeps its tiles, and partners exchange tiles.
TEST_F(PublishedRanking, RowsSortedByExchange) {
  constexpr unsigned kHigh = 2, kWide = 8, kCores = 4, kEach = kWide / kCores, kGrid = 8;
  const Numbers x = ranks(kHigh, kWide);
  const auto in = tensor(x);
  const CoreRange cores({0, 0}, {kCores - 1, 0});
  Words table(1024);
  for (unsigned i = 0; i < kCores; ++i) {
    const CoreCoord at = bench_->noc({i, 0});
    table[2 * i] = static_cast<Word>(at.x);
    table[2 * i + 1] = static_cast<Word>(at.y);
  }
  const auto partners = bench_->tensor(table, 4096);
  const std::string kernels = kOps + "data_movement/sort/device/kernels/";
  for (const bool descending : {false, true}) {
    const auto out = result(kHigh * kWide), places = result(kHigh * kWide);
    Operation operation(*bench_);
    operation.on(cores);
    const Word exchange = operation.semaphore(0);
    operation.semaphore(0);
    const Word barrier = operation.semaphore(0);
    for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 2, 4, 6, 8}) {
      operation.buffer(cb, 2);
      operation.buffer(static_cast<std::uint8_t>(cb + 1), 2, kTileBytes, DataFormat::UInt16);
    }
    operation.buffer(10, 1, 4096, DataFormat::UInt32).buffer(11, 1);
    operation
        .reader(kernels + "dataflow/reader_cross_core_data_exchange.cpp",
                {.compile = {kGrid, kGrid, 0, 5, 6, 7, 8, 9, 10, kHigh, kWide, kEach, kCores,
                             !descending, exchange, barrier},
                 .tensors = {in, places, partners},
                 .run = {address(in), address(places), address(partners)}})
        .writer(kernels + "dataflow/writer_cross_core_data_exchange.cpp",
                {.compile = {kGrid, kGrid, 1, 4, 8, 10, kWide, kHigh, kEach, 64, exchange, 0},
                 .tensors = {out},
                 .run = {address(out)}})
        .compute(kernels + "compute/sort_cross_core_data_exchange.cpp",
                 {.compile = {kGrid, kGrid, kHigh, kWide, kEach, kCores, !descending, 0, 1, 2, 3, 4,
                              5, 6, 7, 8, 9, 11}})
        .run();
    check_sorted(x, read(out, kWide), read(places, kWide), descending);
  }
}

}  // namespace
}  // namespace tvp::test
