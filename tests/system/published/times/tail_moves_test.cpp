// Transfers between cores and memory around the last product of a decoder of Llama 70B, on one of
// the 32 chips of a Galaxy. Reference:
// models/demos/llama3_70b_galaxy/tests/decoder_perf_targets_6u.json (model_tail, means).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/tail_moves.toml");

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::CoreRangeSet;
using runtime::DataFormat;

constexpr auto kFast = runtime::KernelBuildOptLevel::O3;

/// The cores of the ranges in turn, row by row.
std::vector<CoreCoord> by_rows(const std::vector<CoreRange>& ranges) {
  std::vector<CoreCoord> made;
  for (const CoreRange& range : ranges)
    for (unsigned y = range.start_coord.y; y <= range.end_coord.y; ++y)
      for (unsigned x = range.start_coord.x; x <= range.end_coord.x; ++x) made.push_back({x, y});
  return made;
}
/// The cores that a decoder's operations use.
const std::vector<CoreCoord> kAll = by_rows({CoreRange({1, 0}, {3, 9}), CoreRange({5, 0}, {6, 9})});
/// A column of eight cores; each has a tile that eight chips have gathered.
const std::vector<CoreCoord> kEight = by_rows({CoreRange({1, 0}, {1, 7})});

Word place_of(const std::vector<CoreCoord>& among, CoreCoord core) {
  return static_cast<Word>(std::find(among.begin(), among.end(), core) - among.begin());
}

class PublishedTailMoves : public PublishedTimes {
 protected:
  static std::string unary() { return operations() + "eltwise/unary/device/kernels/dataflow/"; }
  Words noise(std::size_t words) {
    Words made(words);
    for (Word& word : made) word = static_cast<Word>(random_());
    return made;
  }
  struct Pages {
    DataFormat format;
    Word bytes;
  };
  void to_cores(const std::vector<CoreCoord>& cores, Word each, const Pages& pages,
                const std::string& name, double silicon, double share = 1);
  struct Shards {
    std::vector<CoreCoord> cores;
    Word each;  ///< pages per core
  };
  void between_cores(const Shards& from, const Shards& to, Word pages, const Pages& kind,
                     const std::string& name, double silicon, double share = 1);
};

void PublishedTailMoves::to_cores(const std::vector<CoreCoord>& cores, Word each,
                                  const Pages& pages, const std::string& name, double silicon,
                                  double share) {
  const Word all = count(cores.size()) * each;
  const Words words = noise(std::size_t{all} * pages.bytes / 4);
  const auto in = bench_->tensor(words, pages.bytes);
  const auto out = bench_->local(Words(words.size(), 0), CoreRangeSet(cores));
  kLaunches.run(*bench_, "to_cores",
                TVP_VALUES(out, pages.bytes, pages.format, cores.size(), in, each)
                    .with("cores", CoreRangeSet(cores))
                    .with("reader_args", [&](CoreCoord core) -> Words {
                      return {address(in), 1, each, 0, all, each, place_of(cores, core) * each, 0};
                    }));
  expect_as_on_silicon(name, silicon, share);
  EXPECT_EQ(bench_->local_words(out), words);
}

TEST_F(PublishedTailMoves, SumsToCores) {
  to_cores(kAll, 64, {DataFormat::Bfp8_b, 1088}, "sums to cores", 21786, 0.88);
}
TEST_F(PublishedTailMoves, ValuesToCores) {
  to_cores(kEight, 1, {DataFormat::Float16_b, 2048}, "values to cores", 879);
}
TEST_F(PublishedTailMoves, PlacesToCores) {
  to_cores(kEight, 1, {DataFormat::Int32, 4096}, "places to cores", 1299);
}

TEST_F(PublishedTailMoves, ValuesFromCores) {
  const Words words = noise(kEight.size() * 512);
  const CoreRangeSet cores(kEight);
  const auto in = bench_->local(words, cores), out = bench_->result(count(kEight.size()), 2048);
  kLaunches.run(*bench_, "values_from_cores",
                TVP_VALUES(cores, in, out).with("writer_args", [&](CoreCoord core) -> Words {
                  const Word all = count(kEight.size());
                  return {address(out), 1, 1, 1, 1, all, 1, place_of(kEight, core), 0};
                }));
  expect_as_on_silicon("values from cores", 1002);
  EXPECT_EQ(bench_->words(out), words);
}

/// Each target core reads its tiles from the cores that have them.
void PublishedTailMoves::between_cores(const Shards& from, const Shards& to, Word pages,
                                       const Pages& kind, const std::string& name, double silicon,
                                       double share) {
  constexpr Grid kGrid{7, 10};
  Words columns_and_rows;
  for (unsigned x = 0; x < kGrid.wide; ++x) columns_and_rows.push_back(bench_->noc({x, 0}).x);
  for (unsigned y = 0; y < kGrid.high; ++y) columns_and_rows.push_back(bench_->noc({0, y}).y);
  const std::size_t page = kind.bytes / 4;
  const Words words = noise(from.cores.size() * from.each * page);
  const auto in = bench_->local(words, CoreRangeSet(from.cores)),
             out =
                 bench_->local(Words(to.cores.size() * to.each * page, 0), CoreRangeSet(to.cores));
  // Consecutive pages of a core are one read. The second kernel does the second read.
  const auto reads = [&](CoreCoord core, unsigned which) {
    std::vector<std::array<Word, 3>> parts;
    const Word first = place_of(to.cores, core) * to.each, end = std::min(first + to.each, pages);
    for (Word at = first; at < end;) {
      const Word holder = at / from.each, more = std::min((holder + 1) * from.each, end) - at;
      parts.push_back({holder, at % from.each, more});
      at += more;
    }
    const bool one = parts.size() < 2;
    Words args = columns_and_rows;
    const Word before = which == 0 || parts.empty() ? 0 : parts[0][2];
    args.push_back(address(in));
    if (parts.empty() || (which == 1 && one)) {
      args.insert(args.end(), {0, 0, before});
      return args;
    }
    const auto& [holder, start, size] = parts[which];
    const CoreCoord source = from.cores[holder];
    args.insert(args.end(),
                {size, 1, before, source.x << 24 | source.y << 16, start, size << 16 | 1U << 8});
    return args;
  };
  const Words compile{16, kGrid.wide, kGrid.high, kind.bytes, kind.bytes};
  kLaunches.run(*bench_, "between_cores",
                TVP_VALUES(out, kind.bytes, kind.format, compile)
                    .with("cores", CoreRangeSet(to.cores))
                    .with("reader_args", [&](CoreCoord core) { return reads(core, 0); })
                    .with("writer_args", [&](CoreCoord core) { return reads(core, 1); }));
  expect_as_on_silicon(name, silicon, share);
  const Words got = bench_->local_words(out);
  for (std::size_t i = 0; i < pages * page; ++i) ASSERT_EQ(got[i], words[i]) << i;
}

/// From the norm's 16 cores to the ring of 24, where the last three have no data.
TEST_F(PublishedTailMoves, RowToTheRing) {
  const std::vector<CoreCoord> ring{{6, 6}, {6, 7}, {6, 9}, {6, 0}, {6, 1}, {6, 2}, {6, 4}, {6, 5},
                                    {5, 5}, {5, 6}, {5, 7}, {5, 9}, {5, 0}, {5, 1}, {5, 2}, {5, 4},
                                    {1, 4}, {1, 5}, {1, 9}, {1, 0}, {2, 0}, {2, 4}, {2, 5}, {2, 9}};
  between_cores({by_rows({CoreRange({2, 0}, {3, 7})}), 4}, {ring, 3}, 64,
                {DataFormat::Bfp8_b, 1088}, "row to the ring", 1119, 0.87);
}
/// The last product goes to the 32 cores that add those of other chips.
TEST_F(PublishedTailMoves, LogitsFromTheRing) {
  const std::vector<CoreCoord> ring{{1, 9}, {2, 9}, {1, 0}, {2, 0}, {1, 4}, {2, 4}, {1, 5}, {2, 5},
                                    {5, 0}, {6, 0}, {5, 9}, {6, 9}, {5, 1}, {6, 1}, {5, 7}, {6, 7},
                                    {5, 6}, {6, 6}, {5, 2}, {6, 2}, {5, 4}, {6, 4}, {5, 5}, {6, 5}};
  std::vector<CoreCoord> adders;
  for (unsigned x = 1; x <= 3; ++x)
    for (unsigned y = 0; y < 10; ++y) adders.push_back({x, y});
  adders.insert(adders.end(), {{5, 0}, {5, 1}});
  between_cores({ring, 22}, {adders, 16}, 512, {DataFormat::Bfp8_b, 1088}, "logits from the ring",
                3915, 1.09);
}

/// Untilizes eight tiles of whole numbers, one per core.
TEST_F(PublishedTailMoves, RowsOfPlaces) {
  constexpr Word kTiles = 8;
  const Words words = noise(kTiles * 1024);
  const auto in = bench_->tensor(words, 4096), out = bench_->result(32, 128 * kTiles);
  const std::vector<CoreCoord> cores(kAll.begin(), kAll.begin() + kTiles);
  kLaunches.run(*bench_, "rows_of_places",
                TVP_VALUES(in, kTiles, out)
                    .with("cores", CoreRangeSet(cores))
                    .with("reader_args",
                          [&](CoreCoord core) -> Words {
                            return {address(in), 1, place_of(cores, core)};
                          })
                    .with("writer_args", [&](CoreCoord core) -> Words {
                      return {address(out), 32, 1, 128, 0, place_of(cores, core) * 128};
                    }));
  expect_as_on_silicon("rows of places", 2919);
  const Words got = bench_->words(out);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32 * kTiles; ++c)
      ASSERT_EQ(got[r * 32 * kTiles + c], words[c / 32 * 1024 + place_in_tile(r, c % 32)])
          << r << ", " << c;
}

/// Increments the positions of eight users; each core has a copy.
TEST_F(PublishedTailMoves, NextPositions) {
  constexpr Word kUsers = 8;
  Words positions;
  for (std::size_t core = 0; core < kAll.size(); ++core)
    for (Word user = 0; user < kUsers; ++user) positions.push_back(user == 3 ? ~0U : 127 + user);
  const auto in = bench_->local(positions, CoreRangeSet(kAll));
  kLaunches.run(*bench_, "next_positions",
                TVP_VALUES(in, kUsers).with("cores", CoreRangeSet(kAll)));
  expect_as_on_silicon("next positions", 442, 0.9);
  const Words got = bench_->local_words(in);
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], positions[i] == ~0U ? ~0U : positions[i] + 1) << i;
}
/// Increments rows of a table in DRAM, one after the other.
TEST_F(PublishedTailMoves, NextAngles) {
  constexpr Word kRows = 16, kHeads = 8;
  Words rows = noise(kRows * kHeads);
  const auto in = bench_->tensor(rows, 4 * kHeads);
  kLaunches.run(*bench_, "next_angles",
                TVP_VALUES(kHeads, kRows, in).with("cores", CoreRange({1, 0}, {1, 0})));
  expect_as_on_silicon("next angles", 12577);
  for (Word& row : rows) ++row;
  EXPECT_EQ(bench_->words(in), rows);
}

/// A sum of rows; each of 16 cores has four tiles.
TEST_F(PublishedTailMoves, LastSum) {
  const std::vector<CoreCoord> cores = by_rows({CoreRange({1, 0}, {2, 7})});
  constexpr Word kEach = 4;
  const Stored bfp8{true}, bf16{false};
  const Word wide = count(cores.size()) * kEach;
  const Numbers a = stored(1, wide, -4, 4, bfp8), b = stored(1, wide, -4, 4, bf16);
  const CoreRangeSet on(cores);
  const auto first = bench_->local(bfp8.store(a), on), second = bench_->local(bf16.store(b), on),
             out = bench_->local(Words(bfp8.store(a).size(), 0), on);
  kLaunches.run(*bench_, "last_sum",
                TVP_VALUES(on, first, second, out, kEach)
                    .with("reader_args",
                          [&](CoreCoord core) -> Words {
                            return {address(first),
                                    address(second),
                                    kEach,
                                    place_of(cores, core) * kEach,
                                    1,
                                    kEach,
                                    wide,
                                    wide};
                          })
                    .with("writer_args", [&](CoreCoord core) -> Words {
                      return {address(out), kEach, place_of(cores, core) * kEach};
                    }));
  expect_as_on_silicon("last sum", 850, 1.13);
  const Numbers got = bfp8.load(bench_->local_words(out), wide);
  check(got, 0.05,
        [&](std::size_t row, std::size_t column) { return a(row, column) + b(row, column); });
}

}  // namespace
}  // namespace tvp::test
