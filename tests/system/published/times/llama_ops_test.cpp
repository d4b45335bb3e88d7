// Single operations of a decoder. The setup is that of
// models/demos/llama3_70b_galaxy/tests/unit_tests/test_llama_ops.py. Reference: limits of
// …/tg_perf_unit_tests/test_llama_ops_perf_TG_llama.py, with margins of up to 16 %.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sw/runtime/block_float.h"
#include "tests/system/benches/launch_file.h"
#include "tests/system/benches/operation_bench.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/llama_ops.toml");

using namespace runtime;

class PublishedLlamaOps : public testing::Test {
 protected:
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/ttnn/cpp"))
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal's";
  }
  std::vector<float> random(std::size_t tiles) {
    std::normal_distribution<float> of;
    std::vector<float> numbers(tiles * 1024);
    for (float& number : numbers) number = of(random_);
    return numbers;
  }
  /// `silicon`: the tree's limit for boards of 1 GHz in cycles. `least`: smallest accepted share of
  /// it.
  void expect_as_on_silicon(OperationBench& bench, const std::string& name, double silicon,
                            double least = 0.84) {
    const auto cycles = static_cast<double>(bench.kernel_cycles());
    RecordProperty(name, std::to_string(cycles));
    EXPECT_GE(cycles / silicon, least) << name << ": " << cycles << " cycles";
    EXPECT_LE(cycles / silicon, 1.16) << name << ": " << cycles << " cycles";
  }
  std::mt19937 random_{1};
};

TEST_F(PublishedLlamaOps, ProductWithSilu) {
  OperationBench bench(false, true);
  const CoreRangeSet all(CoreRange({0, 0}, {6, 9}));
  std::vector<CoreCoord> order;
  for (unsigned y = 0; y < 10; ++y)
    for (unsigned x = 1; x <= 3; ++x) order.push_back({x, y});
  const std::vector<CoreCoord> work = order;
  for (const CoreCoord core : all.cores())
    if (std::find(work.begin(), work.end(), core) == work.end()) order.push_back(core);
  const auto words = [&] {
    Words w = pack_as_bfp8_tiles(random(30), true, false);
    w.resize(w.size() / 30 * 70, 0);
    return w;
  };
  const Words a = words(), b = words();
  const auto in0 = bench.local(a, CoreRangeSet(order)), in1 = bench.local(b, CoreRangeSet(order)),
             out = bench.local(Words(a.size(), 0), CoreRangeSet(order));
  Operation operation(bench);
  const auto f8 = DataFormat::Bfp8_b;
  operation.on(all).buffer(0, in0, f8, 1088).buffer(1, in1, f8, 1088).buffer(2, out, f8, 1088);
  operation.buffer(3, 1, 1088, f8);
  const auto is = [&](CoreCoord core) {
    return std::find(work.begin(), work.end(), core) != work.end();
  };
  operation.reader(
      "ttnn/cpp/ttnn/operations/eltwise/binary/device/kernels/dataflow/"
      "reader_binary_interleaved_start_id.cpp",
      {.compile = {1},
       .run_at = [&](CoreCoord c) -> Words {
         if (!is(c)) return Words(8, 0);
         return {address(in0), address(in1), 1, 0, 1, 1, 30, 30};
       },
       .defines = {{"IN0_SHARDED", "1"}, {"IN1_SHARDED", "1"}}});
  operation.writer(
      "ttnn/cpp/ttnn/operations/eltwise/unary/device/kernels/dataflow/"
      "writer_unary_interleaved_start_id.cpp",
      {.compile = {2},
       .tensors = {out},
       .run_at = [&](CoreCoord c) -> Words {
         if (!is(c)) return Words(8, 0);
         return {address(out), 1, 0};
       },
       .defines = {{"OUT_SHARDED", "1"}}});
  Operation::Arguments compute;
  compute.run_at = [&](CoreCoord c) -> Words { return is(c) ? Words{1, 1} : Words{0, 0}; };
  compute.defines = {{"ELTWISE_OP", "mul_tiles"},
                     {"ELTWISE_OP_TYPE", "EltwiseBinaryType::ELWMUL"},
                     {"SFPU_OP_INIT_PRE_IN0_0", "silu_tile_init();"},
                     {"SFPU_OP_FUNC_PRE_IN0_0", "silu_tile(i);"},
                     {"SFPU_OP_COMPUTE_KERNEL_API_INCLUDE", "1"}};
  compute.optimization = KernelBuildOptLevel::O3;
  operation.compute(
      "ttnn/cpp/ttnn/operations/eltwise/binary/device/kernels/compute/eltwise_binary_kernel.cpp",
      compute);
  operation.run();
  // A tile of silu takes 1105 cycles; tt-metal's takes 1432.
  expect_as_on_silicon(bench, "product with silu", 2500, 0.76);
  const auto x = unpack_bfp8_tiles_into_float_vec(a, true, false),
             y = unpack_bfp8_tiles_into_float_vec(b, true, false);
  const auto got = unpack_bfp8_tiles_into_float_vec(bench.local_words(out), true, false);
  for (std::size_t i = 0; i < 30 * 1024; ++i)
    ASSERT_NEAR(got[i], x[i] / (1 + std::exp(-x[i])) * y[i], 0.1) << i;
}

/// One query for each of eight users with eight heads that share a head of keys. Keys and values
/// are in pages of 32 positions in DRAM. Four cores per user.
TEST_F(PublishedLlamaOps, AttentionOfOneQuery) {
  OperationBench bench(false, true);
  const std::string kernels = "ttnn/cpp/ttnn/operations/transformer/sdpa_decode/device/kernels/";
  constexpr unsigned kUsers = 8, kHeads = 8, kWide = 4, kPages = 128, kPosition = 127, kPer = 4;
  const CoreRangeSet all(
      std::vector<CoreRange>{CoreRange({1, 0}, {3, 9}), CoreRange({5, 0}, {6, 0})});
  const std::vector<CoreCoord> cores = all.cores();
  // Per user first the core that reduces, then the others.
  std::vector<CoreCoord> group;
  for (unsigned i = 0, reducer = 0, worker = kUsers; i < cores.size(); ++i)
    group.push_back(cores[i % kPer == 0 ? reducer++ : worker++]);
  const auto index = [&](CoreCoord core) {
    return static_cast<Word>(std::find(group.begin(), group.end(), core) - group.begin());
  };

  // Queries row by row.
  std::vector<float> q(std::size_t{kUsers} * kHeads * 128);
  std::normal_distribution<float> of;
  Words queries(q.size() / 2);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Word bits = to_bf16(of(random_));
    q[i] = f(from_bf16(bits));
    set_datum16(queries, i, bits);
  }
  queries.resize(queries.size() / kUsers * cores.size(), 0);
  const auto q_in = bench.local(queries, all);
  // Pages of four tiles in random order.
  std::vector<Word> place(kUsers * kPages);
  for (Word i = 0; i < place.size(); ++i) place[i] = i;
  std::shuffle(place.begin(), place.end(), random_);
  const auto cache = [&](std::vector<float>& numbers) {
    const Words used = pack_as_bfp8_tiles(random(std::size_t{kUsers} * 4 * kWide), true, false);
    numbers = unpack_bfp8_tiles_into_float_vec(used, true, false);
    Words words(std::size_t{kUsers} * kPages * kWide * 272);
    for (unsigned user = 0; user < kUsers; ++user)
      for (unsigned page = 0; page < 4; ++page)
        std::copy_n(used.begin() + (user * 4 + page) * kWide * 272, kWide * 272,
                    words.begin() + place[user * kPages + page] * kWide * 272);
    return bench.tensor(words, 1088);
  };
  std::vector<float> k, v;
  const auto k_in = cache(k), v_in = cache(v);
  Words table, positions;
  for (std::size_t core = 0; core < cores.size(); ++core) {
    for (unsigned user = 0; user < kUsers; ++user) positions.push_back(kPosition);
    for (std::size_t i = 0; i < place.size(); i += 2)
      table.push_back(place[i] | place[i + 1] << 16);
  }
  const auto pages = bench.local(table, all), where = bench.local(positions, all);
  const auto out = bench.local(Words(cores.size() * kWide * 512, 0), all);

  Words reducers_x, reducers_y;
  for (unsigned i = 0; i < group.size(); i += kPer) {
    reducers_x.push_back(bench.noc(group[i]).x);
    reducers_y.push_back(bench.noc(group[i]).y);
  }
  Operation operation(bench);
  operation.on(all);
  const Tile small{16, 32}, whole{};
  const Word reduced = operation.semaphore(0), ready = operation.semaphore(0);
  const auto f8 = DataFormat::Bfp8_b;
  operation.buffer(8, where, DataFormat::Int32, 32).buffer(9, pages, DataFormat::UInt16, 256);
  operation.buffer(0, kWide, small).buffer(1, 16 * kWide, 1088, f8).buffer(2, 16 * kWide, 1088, f8);
  operation.buffer(3, 8, small).buffer(11, 1, whole).buffer(24, 8, small).buffer(10, kWide, small);
  operation.buffer(20, out, DataFormat::Float16_b, 2048);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{16, 23, 25, 26})
    operation.buffer(cb, kWide, small);
  for (const std::uint8_t cb :
       std::initializer_list<std::uint8_t>{5, 6, 7, 12, 17, 18, 21, 22, 27, 28, 29, 30, 31})
    operation.buffer(cb, 1, small);
  operation.buffer(19, (kWide + 2) * (kPer - 1), small);

  const auto part = [&](CoreCoord core) {
    const Word i = index(core), first = i % kPer == 0;
    return Words{first, first, 0, i / kPer, i % kPer, i % kPer, ~0U};
  };
  const auto append = [](Words& to, const Words& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  const float scale = 1 / std::sqrt(128.F);
  operation.reader(
      kernels + "dataflow/reader_decode_all.cpp",
      {.compile =
           {kUsers, 1,    kPages, kWide,  kWide, 0, 32, 1, kPer, 0, 32, 1,    1, 1, kUsers * kPages,
            1,      kPer, 1,      kUsers, 1,     0, 0,  8, 1,    0, 1,  2048, 1, 1, 2048,
            0},
       .tensors = {k_in, q_in, v_in, k_in, where, pages},
       .after = {0},
       .run_at = [&](CoreCoord core) {
         Words args = {address(q_in),
                       address(k_in),
                       address(v_in),
                       address(where),
                       address(pages),
                       0,
                       0,
                       256};
         append(args, part(core));
         append(args, reducers_x);
         append(args, reducers_y);
         return args;
       }});
  operation.writer(kernels + "dataflow/writer_decode_all.cpp",
                   {.compile = {kUsers, 1,      kPages,  kWide, kWide, 0, 0x3F803F80, 0, w(scale),
                                kPer,   32,     reduced, ready, 1,     0, kHeads,     1, kPer,
                                1,      kUsers, kUsers,  2,     1,     8, 1,          0},
                    .tensors = {out},
                    .run_at = [&](CoreCoord core) {
                      Words args = {address(out), index(core) % kPer - 1, index(core) % kPer - 1};
                      append(args, part(core));
                      for (int i = 0; i < 2; ++i) {
                        append(args, reducers_x);
                        append(args, reducers_y);
                      }
                      return args;
                    }});
  Operation::Arguments compute;
  compute.compile = {kPages, kWide, kWide, 1, 0,    kWide, 0, 0, 0, 0, 1, 0, kWide, 1,        1,
                     1,      0,     kPer,  0, kPer, 1,     1, 0, 0, 8, 1, 1, 1,     w(scale), 0};
  compute.run_at = part;
  compute.defines = {{"DYNAMIC_CHUNK_SIZE", "1"},
                     {"EXP_APPROX_MODE", "0"},
                     {"DHT_GRANULARITY", "4"},
                     {"LOG2_DHT_GRANULARITY", "2"}};
  compute.fidelity = MathFidelity::HiFi2;
  compute.optimization = KernelBuildOptLevel::O3;
  operation.compute(kernels + "compute/sdpa_flash_decode.cpp", compute);
  operation.run();
  // Approximate exponentials are exact here, with eight times as many instructions.
  expect_as_on_silicon(bench, "attention of one query", 8180);

  const Words got = bench.local_words(out);
  const auto of_cache = [&](const std::vector<float>& numbers, unsigned user, unsigned key,
                            unsigned i) {
    return double{
        numbers[((user * 4 + key / 32) * kWide + i / 32) * 1024 + key % 32 * 32 + i % 32]};
  };
  for (unsigned user = 0; user < kUsers; ++user) {
    for (unsigned head = 0; head < kHeads; ++head) {
      std::vector<double> weights(kPosition + 1);
      double sum = 0;
      for (unsigned key = 0; key < weights.size(); ++key) {
        double score = 0;
        for (unsigned i = 0; i < 128; ++i)
          score += double{q[(user * kHeads + head) * 128 + i]} * of_cache(k, user, key, i);
        sum += weights[key] = std::exp(score * double{scale});
      }
      for (unsigned i = 0; i < 128; ++i) {
        double expected = 0;
        for (unsigned key = 0; key < weights.size(); ++key)
          expected += weights[key] / sum * of_cache(v, user, key, i);
        const double is = f(from_bf16(datum16(got, user * kWide * 1024 + head * 128 + i)));
        ASSERT_NEAR(is, expected, 0.05) << user << ", " << head << ", " << i;
      }
    }
  }
}

/// Sines and cosines rotate queries and keys of eight users: products with a matrix and with rows,
/// and a sum. Compute kernels only.
TEST_F(PublishedLlamaOps, RotaryEmbedding) {
  OperationBench bench(false, true);
  constexpr unsigned kWide = 4;
  const CoreRangeSet all(CoreRange({0, 0}, {7, 1}));
  const auto numbers = [&](std::size_t tiles) {
    Words words(tiles * 512);
    std::uniform_real_distribution<float> of(-1, 1);
    for (Word& word : words) word = to_bf16(of(random_)) | to_bf16(of(random_)) << 16;
    return words;
  };
  const Words q = numbers(16 * kWide), k = numbers(16 * kWide), cosines = numbers(16 * kWide),
              sines = numbers(16 * kWide);
  // Exchanges pairs of columns and negates one of them.
  Matrix turn{};
  for (std::size_t i = 0; i < 32; i += 2) {
    turn[i + 1][i] = to_bf16(-1);
    turn[i][i + 1] = to_bf16(1);
  }
  Words turns;
  for (unsigned core = 0; core < 16; ++core) {
    const Words tile = tile16(turn);
    turns.insert(turns.end(), tile.begin(), tile.end());
  }
  const auto q_in = bench.local(q, all), k_in = bench.local(k, all),
             cos_in = bench.local(cosines, all), sin_in = bench.local(sines, all),
             turn_in = bench.local(turns, all), q_out = bench.local(q, all),
             k_out = bench.local(k, all);
  const auto bf16 = DataFormat::Float16_b;
  Operation operation(bench);
  operation.on(all)
      .buffer(0, q_in, bf16, 2048)
      .buffer(1, k_in, bf16, 2048)
      .buffer(2, cos_in, bf16, 2048)
      .buffer(3, sin_in, bf16, 2048)
      .buffer(4, turn_in, bf16, 2048)
      .buffer(24, kWide)
      .buffer(25, kWide)
      .buffer(26, kWide)
      .buffer(16, q_out, bf16, 2048)
      .buffer(17, k_out, bf16, 2048);
  Operation::Arguments compute;
  compute.compile = {0, 16, 1, 1, 17, 1, kWide, 2, 3, 4, 24, 25, 26};
  compute.run_at = [](CoreCoord core) { return Words{core.y == 0}; };
  compute.fp32_dst = true;
  compute.optimization = KernelBuildOptLevel::O3;
  operation.compute(
      "ttnn/cpp/ttnn/operations/experimental/transformer/rotary_embedding_llama_fused_qk/device/"
      "kernels/compute/rotary_embedding_llama_sharded.cpp",
      compute);
  operation.run();
  expect_as_on_silicon(bench, "rotary embedding", 3580);
  const Numbers x(kWide, q), c(kWide, cosines), s(kWide, sines),
      got(kWide, bench.local_words(q_out));
  for (std::size_t user = 0; user < 8; ++user)
    for (std::size_t r = 32 * user; r < 32 * user + 32; ++r)
      for (std::size_t i = 0; i < 128; ++i) {
        const double other = i % 2 == 0 ? -x(r, i + 1) : x(r, i - 1);
        ASSERT_NEAR(got(r, i), x(r, i) * c(32 * user, i) + other * s(32 * user, i), 0.03)
            << r << ", " << i;
      }
}

/// 32 rows of a table in DRAM, cut into columns for 16 cores that tilize them.
TEST_F(PublishedLlamaOps, Embeddings) {
  OperationBench bench(false, true);
  constexpr unsigned kRows = 1024, kColumns = 2048, kTiles = 4;
  const CoreRangeSet all(CoreRange({1, 0}, {2, 7}));
  const std::vector<CoreCoord> cores = all.cores();
  Words table(std::size_t{kRows} * kColumns / 2), tokens(32);
  for (Word& word : table) word = (static_cast<Word>(random_()) & 0xBFFFBFFF) | 0x20002000;
  for (Word& token : tokens) token = static_cast<Word>(random_() % kRows);
  const auto weights = bench.tensor(table, 2 * kColumns), input = bench.tensor(tokens, 128);
  const auto out = bench.local(Words(cores.size() * kTiles * 512, 0), all);
  const std::string kernels = "ttnn/cpp/ttnn/operations/";
  Operation operation(bench);
  operation.on(all)
      .buffer(0, 2 * kTiles)
      .buffer(1, 1, 128, DataFormat::UInt32)
      .buffer(2, out, DataFormat::Float16_b, 2048)
      .reader(kernels + "embedding/device/kernels/dataflow/embeddings_tilize.cpp",
              {.compile = {0, 1, 3, 128, 2 * kColumns, 64 * kTiles, kTiles, 128, 1},
               .tensors = {input, weights},
               .run_at =
                   [&](CoreCoord core) {
                     const auto i = static_cast<Word>(std::find(cores.begin(), cores.end(), core) -
                                                      cores.begin());
                     return Words{address(input), address(weights), 0, 0, i * 64 * kTiles, 1};
                   },
               .defines = {{"GENERIC", "1"}, {"UINT32", "1"}}});
  Operation::Arguments compute;
  compute.compile = {0, 2, 1, kTiles, 1};
  compute.optimization = KernelBuildOptLevel::O3;
  operation.compute(kernels + "data_movement/tilize/device/kernels/compute/tilize.cpp", compute);
  operation.run();
  expect_as_on_silicon(bench, "embeddings", 3300);
  const Words got = bench.local_words(out);
  for (unsigned r = 0; r < 32; ++r)
    for (unsigned c = 0; c < kColumns; ++c)
      ASSERT_EQ(datum16(got, c / 32 * 1024 + place_in_tile(r, c % 32)),
                datum16(table, tokens[r] * kColumns + c))
          << r << ", " << c;
}

/// Keys and values of eight users go to one row of each user except one, in pages of 64 rows of two
/// caches.
TEST_F(PublishedLlamaOps, UpdatesOfTwoCaches) {
  OperationBench bench(false, true);
  constexpr Word kUsers = 8, kWide = 4, kPages = 32, kSkipped = ~0U, kStick = 2 * kPages;
  const CoreRangeSet cores(CoreRange({0, 0}, {kUsers - 1, 1}));
  Words position;
  for (Word user = 0; user < kUsers; ++user)
    position.push_back(user == kUsers / 2 ? kSkipped : 127 + 17 * user);
  // Each user's tiles have one valid row.
  std::vector<float> more = random(2 * kUsers * kWide);
  Words rows(more.size() / 2);
  for (std::size_t i = 0; i < more.size(); ++i) {
    const Word bits = to_bf16(more[i]);
    more[i] = f(from_bf16(bits));
    set_datum16(rows, i, bits);
  }
  const auto in = bench.local(rows, cores);
  const Words old = pack_as_bfp8_tiles(random(kUsers * kPages * 2 * kWide), true, false);
  const std::array<OperationBench::Tensor, 2> caches{bench.tensor(old, 1088),
                                                     bench.tensor(old, 1088)};
  std::vector<Word> place(kUsers * kPages);
  for (Word i = 0; i < place.size(); ++i) place[i] = i;
  std::shuffle(place.begin(), place.end(), random_);
  Words indices, tables;
  for (Word core = 0; core < 2 * kUsers; ++core) {
    indices.insert(indices.end(), position.begin(), position.end());
    for (Word i = 0; i < place.size(); i += 2) tables.push_back(place[i] | place[i + 1] << 16);
  }
  const auto index = bench.local(indices, cores), table = bench.local(tables, cores);
  Operation operation(bench);
  operation.on(cores);
  const Word ready = operation.semaphore(0);
  const auto first = [](CoreCoord core) { return core.y == 0; };
  const auto cache = [&](CoreCoord core) { return address(caches[core.y]); };
  kLaunches.describe(
      operation, "updates_of_two_caches",
      TVP_VALUES(cores, in, kWide, index, kUsers, table, kStick, kPages, ready, first, cache)
          .with("caches_0", caches[0]));
  operation.run();
  expect_as_on_silicon(bench, "updates of two caches", 3670);
  for (Word which = 0; which < 2; ++which) {
    const auto got = unpack_bfp8_tiles_into_float_vec(bench.words(caches[which]), true, false);
    for (Word user = 0; user < kUsers; ++user) {
      if (position[user] == kSkipped) continue;
      const Word page = place[user * kPages + position[user] / 64], row = position[user] % 64;
      for (Word c = 0; c < 32 * kWide; ++c)
        ASSERT_NEAR(
            got[((page * 2 + row / 32) * kWide + c / 32) * 1024 + row % 32 * 32 + c % 32],
            more[((which * kUsers + user) * kWide + c / 32) * 1024 + place_in_tile(0, c % 32)],
            0.05)
            << which << ", " << user << ", " << c;
    }
  }
}

}  // namespace
}  // namespace tvp::test
