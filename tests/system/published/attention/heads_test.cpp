// Operations of a transformer between its products: heads split from rows and joined, rotations,
// new keys in caches.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("attention/heads.toml");

using runtime::CoreRange;
using runtime::DataFormat;

/// Largest error of numbers from -4 to 4 in BFP8, where the packer rounds twice in tt-metal's
/// configuration. Half a unit of seven digits below 4, then half a unit of a group with the
/// exponent of 4.
constexpr double kTwiceRounded = 0.03125 / 2 + 0.0625 / 2;

class PublishedHeads : public PublishedTest {
 protected:
  /// Fills each tile with data of `from`.
  template <typename From>
  static Words tiles_of(const Words& words, std::size_t tiles, From from) {
    Words made;
    for (std::size_t i = 0; i < tiles; ++i) {
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(512 * from(i));
      made.insert(made.end(), at, at + 512);
    }
    return made;
  }
  void rotate(bool reload, bool fp32);
  void update(unsigned wide, bool bfp8, bool fp32);
  void update_pages(unsigned wide, bool bfp8);
};

TEST_F(PublishedHeads, AreMadeAndJoined) {
  // Two rows of tiles, each with 4 heads of queries, 2 of keys and 2 of values, 2 tiles wide.
  constexpr unsigned kHigh = 2, kWide = 2, kHeads = 4, kKeyHeads = 2;
  constexpr unsigned kRow = (kHeads + 2 * kKeyHeads) * kWide;
  for (const bool transposed : {false, true}) {
    const Numbers all = random(kHigh, kRow, -8, 8);
    const auto in = tensor(all), q = result(kHigh * kHeads * kWide),
               k = result(kHigh * kKeyHeads * kWide), v = result(kHigh * kKeyHeads * kWide);
    Operation::Defines defines;
    if (transposed) defines["TRANSPOSE_K_HEADS"] = "1";
    Operation operation(*bench_);
    kLaunches.describe(operation, "are_made",
                       TVP_VALUES(kHeads, kWide, kKeyHeads, in, kHigh, defines, q, k, v));
    if (transposed)
      operation.compute("ttnn/cpp/ttnn/kernel/compute/transpose_wh.cpp",
                        {.compile = {kHigh * kKeyHeads * kWide}});
    operation.run();
    // Order: heads, rows, tiles.
    const auto heads = [&](unsigned first) {
      return [=](std::size_t i) {
        return i / kWide % kHigh * kRow + (first + i / kWide / kHigh) * kWide + i % kWide;
      };
    };
    EXPECT_EQ(bench_->words(q), tiles_of(all.words(), kHigh * kHeads * kWide, heads(0)));
    EXPECT_EQ(bench_->words(v),
              tiles_of(all.words(), kHigh * kKeyHeads * kWide, heads(kHeads + kKeyHeads)));
    if (!transposed) {
      EXPECT_EQ(bench_->words(k), tiles_of(all.words(), kHigh * kKeyHeads * kWide, heads(kHeads)));
    } else {
      const Numbers got = read(k, kHigh);
      for (unsigned row = 0; row < 32 * kKeyHeads * kWide; ++row)
        for (unsigned column = 0; column < 32 * kHigh; ++column)
          ASSERT_EQ(got(row, column), all(column, 32 * kHeads * kWide + row));
    }
    const auto joined = result(kHigh * kHeads * kWide);
    kLaunches.run(*bench_, "are_joined", TVP_VALUES(kHeads, kWide, kHigh, q, joined));
    EXPECT_EQ(bench_->words(joined), tiles_of(all.words(), kHigh * kHeads * kWide, [](auto i) {
                return i / (kHeads * kWide) * kRow + i % (kHeads * kWide);
              }));
  }
}

void PublishedHeads::rotate(bool reload, bool fp32) {
  constexpr unsigned kHeads = 2, kHigh = 3, kWide = 4;
  const Numbers x = random(kHeads * kHigh, kWide, -4, 4), cosine = random(kHigh, kWide, -1, 1),
                sine = random(kHigh, kWide, -1, 1);
  Numbers turn(1, 1);
  for (unsigned i = 0; i < 32; i += 2) {
    turn.set(i + 1, i, -1);
    turn.set(i, i + 1, 1);
  }
  const auto in = tensor(x), cosines = tensor(cosine), sines = tensor(sine), turns = tensor(turn);
  const auto out = result(kHeads * kHigh * kWide);
  const Operation::Defines defines{{"RELOAD_IMPL", reload ? "1" : "0"}};
  // The kernel waits for all angles before it uses the first row.
  const unsigned rows = reload ? 2 : kHigh;
  kLaunches.run(
      *bench_, "rotate",
      TVP_VALUES(rows, kWide, kHeads, kHigh, in, cosines, sines, turns, defines, out, fp32));
  check(read(out, kWide), 0.04, [&](std::size_t row, std::size_t column) {
    const std::size_t at = row % (32 * kHigh);
    const double other = column % 2 == 0 ? -x(row, column + 1) : x(row, column - 1);
    return x(row, column) * cosine(at, column) + other * sine(at, column);
  });
}

TEST_F(PublishedHeads, AreRotated) {
  rotate(false, false);
  rotate(true, false);
  rotate(false, true);
}

void PublishedHeads::update(unsigned wide, bool bfp8, bool fp32) {
  // Four batches with two heads each, one row of 64.
  constexpr unsigned kBatches = 4, kHeads = 2, kHigh = 2, kAt = 41, kTogether = 2;
  const Stored cache{bfp8};
  const Numbers old = cache.load(cache.store(random(kBatches * kHeads * kHigh, wide, -4, 4)), wide);
  const Numbers more = random(kHeads, wide, -4, 4);
  const auto caches = bench_->tensor(cache.store(old), cache.bytes()), in = tensor(more);
  const Word head = kHigh * wide, batch = kHeads * head, row = 64 * wide;
  const Word at = kAt / 32 * wide, wide_bytes = fp32 ? 2 * row : row, bytes = fp32 ? 4096 : 2048;
  const DataFormat rows = fp32 ? DataFormat::Float32 : DataFormat::Float16_b;
  kLaunches.run(*bench_, "update",
                TVP_VALUES(kTogether, wide, cache.format(), rows, bytes, kBatches, caches, in,
                           kHeads, batch, head, at, wide_bytes, kAt, fp32));
  const Numbers got = cache.load(bench_->words(caches), wide);
  for (unsigned r = 0; r < got.rows(); ++r) {
    const unsigned which = r / (32 * kHigh);
    for (unsigned c = 0; c < 32 * wide; ++c) {
      if (r % (32 * kHigh) != kAt) {
        ASSERT_EQ(got(r, c), old(r, c)) << wide << ": " << r << ", " << c;
      } else {
        ASSERT_NEAR(got(r, c), more(32 * (which % kHeads) + which / kHeads, c),
                    bfp8 ? kTwiceRounded : 0)
            << wide << ": " << r << ", " << c;
      }
    }
  }
}

/// The published kernel writes rows of more tiles than exist, within the space that its host
/// allocates.
TEST_F(PublishedHeads, GoToCaches) {
  update(1, false, false);
  update(1, true, false);
  update(1, false, true);
  update(2, false, true);
  update(4, true, false);
}

void PublishedHeads::update_pages(unsigned wide, bool bfp8) {
  // Two users on two cores with two heads; caches in pages of two tiles of keys.
  constexpr unsigned kUsers = 2, kHeads = 2, kPage = 2, kPages = 3;
  const Stored cache{bfp8};
  const Words places{70, 45}, table{4, 0, 2, 0, 0, 0, 0, 0, 1, 5, 3, 0, 0, 0, 0, 0};
  const Numbers old =
      cache.load(cache.store(random(kUsers * kPages * kHeads * kPage, wide, -4, 4)), wide);
  const Numbers more = random(kUsers, wide, -4, 4);
  const auto caches = bench_->tensor(cache.store(old), cache.bytes());
  Words index = places;
  index.resize(8);
  const auto indices = bench_->tensor(index, 32), pages = bench_->tensor(table, 32);
  const CoreRange cores({0, 0}, {kUsers - 1, 0});
  const auto in = bench_->local(more.words(), cores);
  Operation operation(*bench_);
  operation.on(cores);
  const Word ready = operation.semaphore(0);
  kLaunches.describe(operation, "update_pages",
                     TVP_VALUES(cores, wide, cache.format(), in, kHeads, kPage, kPages, ready,
                                caches, indices, pages));
  operation.run();
  const Numbers got = cache.load(bench_->words(caches), wide);
  for (unsigned r = 0; r < got.rows(); ++r) {
    const unsigned page = r / (32 * kPage) / kHeads, head = r / (32 * kPage) % kHeads;
    unsigned who = 0;
    while (who < kUsers && (table[8 * who + places[who] / (32 * kPage)] != page ||
                            places[who] % (32 * kPage) != r % (32 * kPage)))
      ++who;
    for (unsigned c = 0; c < 32 * wide; ++c) {
      if (who == kUsers) {
        ASSERT_EQ(got(r, c), old(r, c)) << wide << ": " << r << ", " << c;
      } else {
        ASSERT_NEAR(got(r, c), more(32 * who + head, c), bfp8 ? kTwiceRounded : 0)
            << wide << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedHeads, GoToPagesOfCaches) {
  for (const unsigned wide : {1U, 4U, 10U}) {
    update_pages(wide, false);
    update_pages(wide, true);
  }
}

}  // namespace
}  // namespace tvp::test
