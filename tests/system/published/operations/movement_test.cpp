// Operations that move data from DRAM to DRAM. All results are exact.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/movement.toml");

const std::string kOps = "ttnn/cpp/ttnn/operations/";
const std::string kMove = kOps + "data_movement/";
constexpr Word kTileBytes = 2048;

class PublishedMovement : public PublishedTest {
 protected:
  PublishedMovement() { random_.seed(11); }

  Words noise(std::size_t words) {
    Words made(words);
    for (Word& word : made) word = static_cast<Word>(random_());
    return made;
  }
  /// Pairs of normal BF16 numbers, which the matrix unit moves unchanged.
  Words numbers(std::size_t words) {
    Words made = noise(words);
    for (Word& word : made) word = (word & 0xFF7FFF7F) | 0x01000100;
    return made;
  }
  /// Pages in another order: place i of `pages` holds page `order(i)`.
  template <typename Order>
  static Words pages_of(const Words& words, std::size_t page_words, std::size_t pages,
                        Order order) {
    Words made;
    for (std::size_t i = 0; i < pages; ++i) {
      const auto from = words.begin() + static_cast<std::ptrdiff_t>(order(i) * page_words);
      made.insert(made.end(), from, from + static_cast<std::ptrdiff_t>(page_words));
    }
    return made;
  }
  /// Index of datum (row, column) in a matrix that is `wide` tiles wide.
  static std::size_t in_tiles(std::size_t row, std::size_t column, std::size_t wide) {
    return (row / 32 * wide + column / 32) * 1024 + place_in_tile(row % 32, column % 32);
  }
  /// 16-bit data: place i holds datum `from(i)`.
  template <typename From>
  static Words gathered(const Words& words, std::size_t data, From from) {
    Words made(data / 2);
    for (std::size_t i = 0; i < data; ++i) set_datum16(made, i, datum16(words, from(i)));
    return made;
  }
};

TEST_F(PublishedMovement, Concatenation) {
  // Four rows of 3 and of 2 tiles, one after the other.
  const Words a = noise(12 * 512), b = noise(8 * 512);
  const auto first = bench_->tensor(a, kTileBytes), second = bench_->tensor(b, kTileBytes);
  const auto out = bench_->result(20, kTileBytes);
  kLaunches.run(*bench_, "concatenation", TVP_VALUES(first, second, out));
  Words both = a;
  both.insert(both.end(), b.begin(), b.end());
  EXPECT_EQ(bench_->words(out), pages_of(both, 512, 20, [](std::size_t i) {
              return i % 5 < 3 ? i / 5 * 3 + i % 5 : 12 + i / 5 * 2 + i % 5 - 3;
            }));
}

TEST_F(PublishedMovement, Slice) {
  // Takes 2 x 2 x 3 tiles from (1, 1, 2) on out of 3 x 4 x 5.
  const Words a = noise(60 * 512);
  const auto in = bench_->tensor(a, kTileBytes), out = bench_->result(12, kTileBytes);
  kLaunches.run(*bench_, "slice", TVP_VALUES(in, out));
  EXPECT_EQ(bench_->words(out), pages_of(a, 512, 12, [](std::size_t i) {
              return (1 + i / 6) * 20 + (1 + i / 3 % 2) * 5 + 2 + i % 3;
            }));
}

TEST_F(PublishedMovement, Padding) {
  // 2 x 3 tiles become 3 x 4; the new ones hold one number.
  constexpr Word kPad = 0x40E0;
  const Words a = noise(6 * 512);
  const auto in = bench_->tensor(a, kTileBytes), out = bench_->result(12, kTileBytes);
  // Sizes of the input and of the output, and their start.
  const Words places{2, 3, 3, 4, 0, 0, 0, 0};
  const auto with = [&](Words args) {
    args.insert(args.end(), places.begin(), places.end());
    return args;
  };
  kLaunches.run(*bench_, "padding", TVP_VALUES(in, kPad, out).with("with", with({})));
  Words padded = a;
  padded.resize(7 * 512, kPad << 16 | kPad);
  EXPECT_EQ(bench_->words(out), pages_of(padded, 512, 12, [](std::size_t i) {
              return i / 4 < 2 && i % 4 < 3 ? i / 4 * 3 + i % 4 : std::size_t{6};
            }));
}

TEST_F(PublishedMovement, PermutationOfRows) {
  // Rows of 64 B of a tensor 2 x 3 x 5: its dimensions 1, 0, 2 become 0, 1, 2.
  constexpr Word kRow = 64;
  const Words a = noise(30 * kRow / 4);
  const auto in = bench_->tensor(a, kRow), out = bench_->result(30, kRow);
  kLaunches.run(*bench_, "permutation_of_rows", TVP_VALUES(kRow, in, out));
  EXPECT_EQ(bench_->words(out), pages_of(a, kRow / 4, 30, [](std::size_t i) {
              return i / 5 % 2 * 15 + i / 10 * 5 + i % 5;
            }));
}

TEST_F(PublishedMovement, Transposition) {
  // Two matrices of 3 x 2 tiles.
  constexpr std::size_t kHigh = 3, kWide = 2, kBoth = kHigh * kWide;
  const Words a = numbers(2 * kBoth * 512);
  const auto in = bench_->tensor(a, kTileBytes), out = bench_->result(2 * kBoth, kTileBytes);
  kLaunches.run(*bench_, "transposition", TVP_VALUES(in, kBoth, kHigh, kWide, out));
  const Words got = bench_->words(out);
  for (std::size_t matrix = 0; matrix < 2; ++matrix)
    for (std::size_t r = 0; r < 32 * kHigh; ++r)
      for (std::size_t c = 0; c < 32 * kWide; ++c)
        ASSERT_EQ(datum16(got, matrix * kBoth * 1024 + in_tiles(c, r, kHigh)),
                  datum16(a, matrix * kBoth * 1024 + in_tiles(r, c, kWide)))
            << r << ", " << c;
}

TEST_F(PublishedMovement, TilesFromRowsAndBack) {
  constexpr std::size_t kHigh = 2, kWide = 3, kRowBytes = 64 * kWide;
  const Words a = numbers(kHigh * kWide * 512);
  const auto rows = bench_->tensor(a, kRowBytes);
  const auto tiles = bench_->result(kHigh * kWide, kTileBytes);
  kLaunches.run(*bench_, "tiles_from_rows", TVP_VALUES(kWide, kRowBytes, rows, kHigh, tiles));
  EXPECT_EQ(bench_->words(tiles), gathered(a, kHigh * kWide * 1024, [](std::size_t i) {
              const std::size_t tile = i / 1024, place = i % 1024;
              const std::size_t row = place / 512 * 16 + place % 256 / 16;
              const std::size_t column = place / 256 % 2 * 16 + place % 16;
              return (tile / kWide * 32 + row) * 32 * kWide + tile % kWide * 32 + column;
            }));

  for (const std::string name : {"pack_untilize.cpp", "untilize.cpp"}) {
    const auto back = bench_->result(32 * kHigh, kRowBytes);
    kLaunches.run(*bench_, "rows_from_tiles",
                  TVP_VALUES(kWide, tiles, kHigh, name, kRowBytes, back));
    EXPECT_EQ(bench_->words(back), a) << name;
  }
}

TEST_F(PublishedMovement, Embedding) {
  // Two rows of 16 tokens, from a vocabulary of 20 with rows of 128 B.
  constexpr Word kTokens = 32, kWords = 20, kRow = 128;
  const Words weights = noise(kWords * kRow / 4);
  Words tokens = noise(kTokens);
  for (Word& token : tokens) token %= kWords;
  const auto ids = bench_->tensor(tokens, 64), table = bench_->tensor(weights, kRow);
  const auto rows_of = [&](auto row) {
    return pages_of(weights, kRow / 4, kTokens, [&](std::size_t i) { return row(tokens[i]); });
  };
  const auto run = [&](const Operation::Defines& defines, Words more) {
    const auto out = bench_->result(kTokens, kRow);
    Words args{address(ids), address(table), 0, 0, kTokens, 0};
    args.insert(args.end(), more.begin(), more.end());
    kLaunches.run(*bench_, "embedding", TVP_VALUES(kRow, ids, table, args, defines, out, kTokens));
    return bench_->words(out);
  };
  EXPECT_EQ(run({}, {}), rows_of([](Word token) { return token; }));
  EXPECT_EQ(run({{"PADDED", "1"}}, {tokens[3]}), rows_of([](Word token) { return token; }));
  EXPECT_EQ(run({{"BINARY", "1"}}, {}), rows_of([](Word token) { return token == 0 ? 0U : 1U; }));
}

// Different BF16 numbers in random order.
Words distinct(std::size_t data, std::mt19937& random) {
  std::vector<Word> values(data);
  for (std::size_t i = 0; i < data; ++i)
    values[i] = i % 2 == 0 ? 0x3000 + static_cast<Word>(i) : 0xB000 + static_cast<Word>(i);
  std::shuffle(values.begin(), values.end(), random);
  Words words(data / 2);
  for (std::size_t i = 0; i < data; ++i) set_datum16(words, i, values[i]);
  return words;
}

TEST_F(PublishedMovement, WhereTheLargestIs) {
  // Two matrices of 3 rows of 128.
  constexpr std::size_t kRows = 6, kColumns = 128;
  const Words a = distinct(kRows * kColumns, random_);
  const auto in = bench_->tensor(a, 2 * kColumns);
  for (const bool all : {false, true}) {
    const auto out = bench_->result(all ? 1 : 2, 32);
    kLaunches.run(*bench_, "where_the_largest_is", TVP_VALUES(kColumns, all, in, out));
    const Words got = bench_->words(out);
    const auto value = [&](std::size_t i) { return f(from_bf16(datum16(a, i))); };
    std::size_t whole = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      std::size_t largest = row * kColumns;
      for (std::size_t i = largest; i < (row + 1) * kColumns; ++i)
        if (value(i) > value(largest)) largest = i;
      if (value(largest) > value(whole)) whole = largest;
      if (!all) {
        EXPECT_EQ(got[row / 3 * 8 + row % 3], largest % kColumns) << row;
      }
    }
    if (all) {
      EXPECT_EQ(got[0], whole);
    }
  }
}

TEST_F(PublishedMovement, SortOfRows) {
  constexpr std::size_t kHigh = 2;
  for (const bool descending : {false, true}) {
    for (const std::size_t wide : {descending ? 4U : 2U}) {
      const auto tiles = static_cast<Word>(kHigh * wide);
      const auto width = static_cast<Word>(wide);
      const Words a = distinct(tiles * 1024, random_);
      const auto in = bench_->tensor(a, kTileBytes);
      const auto values = bench_->result(tiles, kTileBytes);
      const auto places = bench_->result(tiles, kTileBytes);
      kLaunches.run(*bench_, "sort_of_rows",
                    TVP_VALUES(width, kHigh, in, places, values, descending));
      const Words got = bench_->words(values), where = bench_->words(places);
      for (std::size_t r = 0; r < 32 * kHigh; ++r) {
        std::vector<std::size_t> order(32 * wide);
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto value = [&](std::size_t c) {
          return f(from_bf16(datum16(a, in_tiles(r, c, wide))));
        };
        std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
          return descending ? value(x) > value(y) : value(x) < value(y);
        });
        for (std::size_t c = 0; c < order.size(); ++c) {
          ASSERT_EQ(f(from_bf16(datum16(got, in_tiles(r, c, wide)))), value(order[c]))
              << wide << (descending ? " down " : " up ") << r << ", " << c;
          ASSERT_EQ(datum16(where, in_tiles(r, c, wide)), order[c]) << r << ", " << c;
        }
      }
    }
  }
}

TEST_F(PublishedMovement, GatheredByIndex) {
  // Rows of four tiles; two tiles of indices select the data.
  constexpr Word kHigh = 2, kWide = 4, kTaken = 2;
  const Words a = noise(kHigh * kWide * 512);
  Words which = noise(kHigh * kTaken * 512);
  for (Word& pair : which) pair &= 0x7F007F;
  const auto in = bench_->tensor(a, kTileBytes), index = bench_->tensor(which, kTileBytes);
  const auto out = bench_->result(kHigh * kTaken, kTileBytes);
  kLaunches.run(*bench_, "gathered_by_index", TVP_VALUES(kWide, kHigh, kTaken, index, in, out));
  const Words got = bench_->words(out);
  for (std::size_t r = 0; r < 32 * kHigh; ++r) {
    for (std::size_t c = 0; c < 32 * kTaken; ++c) {
      const std::size_t at = in_tiles(r, c, kTaken);
      ASSERT_EQ(datum16(got, at), datum16(a, in_tiles(r, datum16(which, at), kWide)))
          << r << ", " << c << " of " << datum16(which, at);
    }
  }
}

TEST_F(PublishedMovement, RowsTransposedInL1) {
  // Images of `high` rows become images of 64 rows, which is the width of the first ones.
  constexpr unsigned kImages = 2, kWide = 64;
  for (const unsigned high : {8U, 16U, 32U, 64U}) {
    const Words a = numbers(std::size_t{kImages} * high * kWide / 2);
    const auto in = bench_->local(a), out = bench_->local(Words(a.size(), 0xEEEEEEEE));
    const Word tall = (high + 31) / 32, wide = kWide / 32, rest = high < 32 ? high : 32;
    const Words blocks{kImages, tall, rest, rest, wide, 2 * kWide, 2 * kWide};
    kLaunches.run(*bench_, "rows_transposed_in_l1",
                  TVP_VALUES(in, kWide, out, rest, wide, tall, blocks, kImages, high));
    EXPECT_EQ(bench_->local_words(out),
              gathered(a, 2 * a.size(),
                       [&](std::size_t i) {
                         const std::size_t size = std::size_t{high} * kWide;
                         return i / size * size + i % high * kWide + i % size / high;
                       }))
        << high;
  }
}

}  // namespace
}  // namespace tvp::test
