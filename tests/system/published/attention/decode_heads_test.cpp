// Heads of one token per user, with one core per user: split from a product's columns, joined,
// rotated in place, and written to two caches at once.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("attention/decode_heads.toml");

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

const std::string kOps = "ttnn/cpp/ttnn/operations/experimental/";
const std::string kTransformer = kOps + "transformer/";
constexpr Word kTileBytes = 2048;

class PublishedDecodeHeads : public PublishedTest {
 protected:
  static constexpr Word kUsers = 4, kHeads = 3, kKeyHeads = 1, kWide = 4;
  static constexpr Word kHeadBytes = kWide * kTileBytes;
  const CoreRange cores_{{0, 0}, {kUsers - 1, 0}};

  /// Coordinates of the users' cores: column, then row.
  static Words places() {
    Words words;
    for (Word x = 0; x < kUsers; ++x) words.push_back(bench_->noc({x, 0}).x);
    words.push_back(bench_->noc({0, 0}).y);
    return words;
  }
  /// Byte offset in a tile of a row's left half.
  static Word row_of_tile(Word row) { return row < 16 ? 32 * row : 1024 + 32 * (row - 16); }
  static Words and_places(Words words) {
    const Words more = places();
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// One user's tiles in a tensor of all users.
  static Numbers of_user(const OperationBench::Tensor& all, Word user) {
    const Words words = bench_->local_words(all);
    const auto size = static_cast<std::ptrdiff_t>(words.size() / kUsers);
    return {kWide, Words(words.begin() + user * size, words.begin() + (user + 1) * size)};
  }
  void make(bool interleaved, Word first_user);
};

void PublishedDecodeHeads::make(bool interleaved, Word first_user) {
  constexpr Word kColumns = (kHeads + 2 * kKeyHeads) * kWide;
  static_assert(kColumns % kUsers == 0);
  const Numbers all = random(1, kColumns, -8, 8);
  const auto in = interleaved ? tensor(all) : bench_->local(all.words(), cores_);
  const auto offset = bench_->tensor({first_user, 0, 0, 0, 0, 0, 0, 0}, 32);
  const Words none(kUsers * kWide * 512);
  std::array<OperationBench::Tensor, 3> out;
  Operation operation(*bench_);
  operation.on(cores_);
  for (std::uint8_t i = 0; i < 3; ++i)
    operation.buffer(static_cast<std::uint8_t>(16 + i), out[i] = bench_->local(none, cores_),
                     DataFormat::Float16_b, kTileBytes);
  operation.buffer(14, 1, 32, DataFormat::UInt32).buffer(15, 1, 32, DataFormat::UInt32);
  const std::string kernels = kTransformer + "nlp_create_qkv_heads_decode/device/kernels/";
  // One core reads the left halves of tiles, another one the right halves.
  const auto arguments = [&](Word half) -> Operation::Arguments {
    Words compile{2, 32, 16, 17, 18, kHeadBytes, kHeads, kKeyHeads, kWide, half};
    if (interleaved)
      return {.compile = compile, .tensors = {in}, .run_at = [&in](CoreCoord core) {
                return Words{row_of_tile(static_cast<Word>(core.x)), address(in)};
              }};
    compile.insert(compile.end(), {kUsers, 1, 1, 1, 1, 32, 13 + half});
    return {.compile = compile, .tensors = {offset}, .run_at = [&in, &offset](CoreCoord core) {
              return and_places({address(in), address(offset), static_cast<Word>(core.x)});
            }};
  };
  const std::string kernel =
      kernels + (interleaved ? "reader_interleaved_tm_tile_layout_nlp_create_qkv_heads_decode.cpp"
                             : "reader_tm_tile_layout_nlp_create_qkv_heads_decode.cpp");
  operation.reader(kernel, arguments(1)).writer(kernel, arguments(2)).run();
  for (Word user = 0; user < kUsers; ++user) {
    for (Word part = 0; part < 3; ++part) {
      const Numbers got = of_user(out[part], user);
      const Word first = part == 0 ? 0 : part == 1 ? kHeads : kHeads + kKeyHeads;
      for (Word head = 0; head < (part == 0 ? kHeads : kKeyHeads); ++head)
        for (Word c = 0; c < 32 * kWide; ++c)
          ASSERT_EQ(got(head, c), all(first_user + user, 32 * kWide * (first + head) + c))
              << user << ", " << part << ": " << head << ", " << c;
    }
  }
}

TEST_F(PublishedDecodeHeads, AreMade) {
  make(false, 0);
  make(false, 17);
  make(true, 0);
}

// Each core joins one head of all users, read from the users' cores.
TEST_F(PublishedDecodeHeads, AreJoined) {
  const Numbers queries = random(kUsers, kWide, -8, 8);
  const auto in = bench_->local(queries.words(), cores_);
  const CoreRange heads({0, 0}, {kHeads - 1, 0});
  const auto out = bench_->local(Words(kHeads * kWide * 512), heads);
  const std::string kernel = kTransformer +
                             "nlp_concat_heads_decode/device/kernels/dataflow/"
                             "reader_tm_tile_layout_nlp_concat_heads_decode.cpp";
  const auto arguments = [&](Word half) -> Operation::Arguments {
    return {.compile = {2, 32, 16, kHeadBytes, kUsers, kWide, half, kUsers, 1},
            .run_at = [&in](CoreCoord core) {
              return and_places({row_of_tile(static_cast<Word>(core.x)), address(in)});
            }};
  };
  Operation(*bench_)
      .on(heads)
      .buffer(16, out, DataFormat::Float16_b, kTileBytes)
      .reader(kernel, arguments(1))
      .writer(kernel, arguments(2))
      .run();
  const Words words = bench_->local_words(out);
  for (Word head = 0; head < kHeads; ++head) {
    const auto at = words.begin() + head * kWide * 512;
    const Numbers got(kWide, Words(at, at + kWide * 512));
    for (Word user = 0; user < kUsers; ++user)
      for (Word c = 0; c < 32 * kWide; ++c)
        ASSERT_EQ(got(user, c), queries(32 * user + head, c)) << head << ": " << user << ", " << c;
  }
}

// One kernel rotates queries on two cores and keys on two others. Angles are in the first row of
// their tiles.
TEST_F(PublishedDecodeHeads, AreRotated) {
  const Numbers x = random(kUsers, kWide, -4, 4), cosine = random(kUsers, kWide, -1, 1),
                sine = random(kUsers, kWide, -1, 1);
  Numbers turn(1, 1);
  for (unsigned i = 0; i < 32; i += 2) {
    turn.set(i + 1, i, -1);
    turn.set(i, i + 1, 1);
  }
  Words turns;
  for (Word i = 0; i < kUsers; ++i)
    turns.insert(turns.end(), turn.words().begin(), turn.words().end());
  for (const bool fused : {false, true}) {
    const auto in = bench_->local(x.words(), cores_),
               cosines = bench_->local(cosine.words(), cores_),
               sines = bench_->local(sine.words(), cores_), matrix = bench_->local(turns, cores_),
               out = bench_->local(Words(x.words().size()), cores_);
    const auto half = [](const OperationBench::Tensor&) { return DataFormat::Float16_b; };
    Operation operation(*bench_);
    operation.on(cores_)
        .shared_buffer({0, 5}, in, half(in), kTileBytes)
        .buffer(1, cosines, half(in), kTileBytes)
        .buffer(2, sines, half(in), kTileBytes)
        .buffer(3, matrix, half(in), kTileBytes)
        .shared_buffer({16, 17}, out, half(in), kTileBytes)
        .buffer(24, kWide)
        .buffer(25, kWide)
        .buffer(26, kWide);
    if (fused) {
      operation.compute(
          kTransformer +
              "rotary_embedding_llama_fused_qk/device/kernels/compute/"
              "rotary_embedding_llama_sharded.cpp",
          {.compile = {0, 16, 1, 5, 17, 1, kWide, 1, 2, 3, 24, 25, 26},
           .run_at = [](CoreCoord core) { return Words{core.x < kUsers / 2 ? 1U : 0U}; }});
    } else {
      operation.compute(kTransformer +
                            "rotary_embedding_llama/device/kernels/compute/"
                            "rotary_embedding_llama_sharded.cpp",
                        {.compile = {0, 1, 2, 3, 24, 25, 26, 16, kWide, 1}});
    }
    operation.run();
    for (Word user = 0; user < kUsers; ++user)
      check(of_user(out, user), 0.04, [&](std::size_t row, std::size_t column) {
        const std::size_t r = 32 * user + row, angle = 32 * user;
        const double other = column % 2 == 0 ? -x(r, column + 1) : x(r, column - 1);
        return x(r, column) * cosine(angle, column) + other * sine(angle, column);
      });
  }
}

// The same on one tile with a row per head: products of whole tiles.
TEST_F(PublishedDecodeHeads, AreRotatedInRowsOfTiles) {
  const Numbers x = random(kUsers, 1, -4, 4), cosine = random(kUsers, 1, -1, 1),
                sine = random(kUsers, 1, -1, 1);
  Numbers turn(kUsers, 1);
  for (Word user = 0; user < kUsers; ++user)
    for (unsigned i = 0; i < 32; i += 2) {
      turn.set(32 * user + i + 1, i, -1);
      turn.set(32 * user + i, i + 1, 1);
    }
  const auto in = bench_->local(x.words(), cores_), cosines = bench_->local(cosine.words(), cores_),
             sines = bench_->local(sine.words(), cores_),
             matrix = bench_->local(turn.words(), cores_),
             out = bench_->local(Words(x.words().size()), cores_);
  kLaunches.run(*bench_, "are_rotated_in_rows_of_tiles",
                TVP_VALUES(cores_, in, cosines, sines, matrix, out, kUsers));
  check(Numbers(1, bench_->local_words(out)), 0.04, [&](std::size_t row, std::size_t column) {
    const double other = column % 2 == 0 ? -x(row, column + 1) : x(row, column - 1);
    return x(row, column) * cosine(row, column) + other * sine(row, column);
  });
}

// Keys and values of two users on two cores each go to pages of two tiles of rows. A third user's
// position disables its writes.
TEST_F(PublishedDecodeHeads, GoToTwoCachesAtOnce) {
  constexpr Word kOwners = 3, kGroups = 2, kPage = 2, kPages = 3, kSkipped = ~Word{0};
  const CoreRange cores({0, 0}, {2 * kOwners - 1, 0});
  const Words at{70, 45, kSkipped};
  Words table(8 * kOwners);
  std::copy_n(std::array<Word, 3>{4, 0, 2}.begin(), 3, table.begin());
  std::copy_n(std::array<Word, 3>{1, 5, 3}.begin(), 3, table.begin() + 8);
  std::copy_n(std::array<Word, 3>{6, 7, 8}.begin(), 3, table.begin() + 16);
  const Numbers old = random(kOwners * kPages * kGroups * kPage, kWide, -4, 4),
                more = random(2 * kOwners, kWide, -4, 4);
  const std::array<OperationBench::Tensor, 2> caches{tensor(old), tensor(old)};
  Words index = at;
  index.resize(8);
  const auto indices = bench_->tensor(index, 32), pages = bench_->tensor(table, 32);
  const auto in = bench_->local(more.words(), cores);
  Operation operation(*bench_);
  operation.on(cores);
  const Word ready = operation.semaphore(0);
  const auto first = [](CoreCoord core) { return core.x < kOwners; };
  const auto user = [](CoreCoord core) { return static_cast<Word>(core.x % kOwners); };
  const auto cache = [&](CoreCoord core) { return address(caches[first(core) ? 0 : 1]); };
  kLaunches.describe(operation, "go_to_two_caches_at_once",
                     TVP_VALUES(cores, in, kWide, kGroups, kPage, kPages, ready, kOwners, indices,
                                pages, first, cache, user)
                         .with("caches_0", caches[0]));
  operation.run();
  for (Word which = 0; which < 2; ++which) {
    const Numbers got = read(caches[which], kWide);
    for (Word r = 0; r < got.rows(); ++r) {
      const Word page = r / (32 * kPage) / kGroups, head = r / (32 * kPage) % kGroups;
      Word who = 0;
      while (who < kOwners &&
             (at[who] == kSkipped || table[8 * who + at[who] / (32 * kPage)] != page ||
              at[who] % (32 * kPage) != r % (32 * kPage)))
        ++who;
      for (Word c = 0; c < 32 * kWide; ++c)
        ASSERT_EQ(got(r, c),
                  who == kOwners ? old(r, c) : more(32 * (which * kOwners + who) + head, c))
            << which << ": " << r << ", " << c;
    }
  }
}

// Halves of rows are exchanged in pairs, one of them negated.
TEST_F(PublishedDecodeHeads, RowsAreTurnedByHalves) {
  constexpr Word kHigh = 2, kHalf = kWide / 2;
  const Numbers x = random(kHigh, kWide, -4, 4);
  const auto in = tensor(x), out = result(kHigh * kWide);
  kLaunches.run(*bench_, "rows_are_turned_by_halves",
                TVP_VALUES(to_bf16(-1), in, kHigh, kHalf, out));
  const Numbers got = read(out, kWide);
  for (Word r = 0; r < x.rows(); ++r)
    for (Word c = 0; c < 32 * kWide; ++c)
      ASSERT_EQ(got(r, c), c < 32 * kHalf ? -x(r, c + 32 * kHalf) : x(r, c - 32 * kHalf))
          << r << ", " << c;
}

}  // namespace
}  // namespace tvp::test
