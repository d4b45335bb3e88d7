// Compute kernels that call an operation's full init repeatedly. Dst is cleared and acquired again
// once the packers have taken its content. Also data that the three threads pass to each other.

#include <gtest/gtest.h>

#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

constexpr Word kTiles = 6;

class KernelStartups : public testing::Test {
 protected:
  KernelStartups() : bench_(TVP_KERNEL_FOLDER "/startups") {
    for (Word i = 0; i < kTiles; ++i)
      for (auto* list : {&a_, &b_})
        list->push_back(each([&](auto, auto) {  // small whole numbers have exact sums
          return to_bf16(static_cast<float>(static_cast<int>(random_() % 33) - 16));
        }));
  }
  /// A kernel that runs `init` and `operation` for every tile.
  Words run(const std::string& name, const std::string& init, const std::string& operation) {
    const auto got =
        bench_.run(name,
                   "#include \"compute_kernel_api.h\"\n"
                   "void kernel_main() {\n"
                   "  for (uint32_t i = 0; i < " +
                       std::to_string(kTiles) +
                       "; ++i) {\n"
                       "    cb_wait_front(0, 1);\n    cb_wait_front(1, 1);\n"
                       "    " +
                       init + "\n    tile_regs_acquire();\n    " + operation +
                       "\n    tile_regs_commit();\n"
                       "    cb_reserve_back(16, 1);\n    tile_regs_wait();\n"
                       "    pack_tile(0, 16);\n    tile_regs_release();\n"
                       "    cb_push_back(16, 1);\n"
                       "    cb_pop_front(0, 1);\n    cb_pop_front(1, 1);\n  }\n}\n",
                   {in(0, a_), in(1, b_)}, {{16, DataFormat::Float16_b, 2048, kTiles, {}}});
    return got[0];
  }
  template <typename Expected>
  static void check(const Words& got, Expected expected) {
    for (std::size_t tile = 0; tile < kTiles; ++tile)
      for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c)
          ASSERT_EQ(f(from_bf16(datum16(got, 1024 * tile + place_in_tile(r, c)))),
                    expected(tile, r, c))
              << tile << ": " << r << ", " << c;
  }
  static float at(const std::vector<Matrix>& list, std::size_t tile, std::size_t r, std::size_t c) {
    return f(from_bf16(list[tile][r][c]));
  }

  std::vector<Matrix> a_, b_;

  static TileBuffer in(std::uint8_t cb, const std::vector<Matrix>& list) {
    Words words;
    for (const Matrix& m : list) {
      const Words tile = tile16(m);
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return {cb, DataFormat::Float16_b, 2048, static_cast<Word>(list.size()), std::move(words)};
  }

  TileBench bench_;
  std::mt19937 random_{3};
};

TEST_F(KernelStartups, Sums) {
  check(run("sums", "binary_op_init_common(0, 1, 16); add_tiles_init(0, 1);",
            "add_tiles(0, 1, 0, 0, 0);"),
        [&](auto tile, auto r, auto c) { return at(a_, tile, r, c) + at(b_, tile, r, c); });
}

// tt-metal's running sums do this, on a device that has run nothing before.
TEST_F(KernelStartups, AfterTheFirstWaitForDst) {
  const auto got = bench_.run(
      "waits_first",
      "#include \"compute_kernel_api.h\"\n"
      "void kernel_main() {\n"
      "  for (uint32_t i = 0; i < " +
          std::to_string(kTiles) +
          "; ++i) {\n"
          "    tile_regs_acquire();\n    cb_wait_front(0, 1);\n    cb_wait_front(1, 1);\n"
          "    binary_op_init_common(0, 1, 16);\n    add_tiles_init(0, 1);\n"
          "    add_tiles(0, 1, 0, 0, 0);\n    tile_regs_commit();\n    tile_regs_wait();\n"
          "    cb_reserve_back(16, 1);\n    pack_tile(0, 16);\n    tile_regs_release();\n"
          "    cb_push_back(16, 1);\n    cb_pop_front(0, 1);\n    cb_pop_front(1, 1);\n  }\n}\n",
      {in(0, a_), in(1, b_)}, {{16, DataFormat::Float16_b, 2048, kTiles, {}}});
  check(got[0], [&](auto tile, auto r, auto c) { return at(a_, tile, r, c) + at(b_, tile, r, c); });
}

TEST_F(KernelStartups, Copies) {
  check(run("copies", "unary_op_init_common(1, 16);", "copy_tile(1, 0, 0);"),
        [&](auto tile, auto r, auto c) { return at(b_, tile, r, c); });
}

TEST_F(KernelStartups, RowsForAllRows) {
  check(run("rows", "unary_bcast_init<BroadcastType::ROW>(0, 16);",
            "unary_bcast<BroadcastType::ROW>(0, 0, 0);"),
        [&](auto tile, auto, auto c) { return at(a_, tile, 0, c); });
}

TEST_F(KernelStartups, SumsWithARow) {
  check(run("bcast", "init_bcast<EltwiseBinaryType::ELWSUB, BroadcastType::ROW>(0, 1, 16);",
            "sub_tiles_bcast<BroadcastType::ROW>(0, 1, 0, 0, 0);"),
        [&](auto tile, auto r, auto c) { return at(a_, tile, r, c) - at(b_, tile, 0, c); });
}

TEST_F(KernelStartups, Transposes) {
  check(run("transposes", "transpose_wh_init(0, 16);", "transpose_wh_tile(0, 0, 0);"),
        [&](auto tile, auto r, auto c) { return at(a_, tile, c, r); });
}

TEST_F(KernelStartups, Products) {
  // Buffer 1 holds a unit matrix, so the output equals the input.
  for (Matrix& m : b_) m = each([](auto r, auto c) { return to_bf16(r == c ? 1.0F : 0.0F); });
  check(run("products", "mm_init(0, 1, 16);", "matmul_tiles(0, 1, 0, 0, 0);"),
        [&](auto tile, auto r, auto c) { return at(a_, tile, r, c); });
}

// All three threads read a word of a tile, which is the number of copies of the other tile.
TEST_F(KernelStartups, WordsOfTilesForAllThreads) {
  Words counts(512);
  counts[0] = 2;
  counts[9] = kTiles - 2;
  const auto got = bench_.run(
      "words",
      "#include \"compute_kernel_api.h\"\n"
      "void kernel_main() {\n"
      "  unary_op_init_common(1, 16);\n"
      "  cb_wait_front(0, 1);\n  cb_wait_front(1, 1);\n"
      "  for (uint32_t word = 0; word < 10; word += 9) {\n"
      "    volatile uint32_t* tile = nullptr;\n"
      "    cb_get_tile(0, 0, &tile);\n"
      "    const uint32_t count = tile[4 + word];\n"
      "    cb_release_tile(0);\n"
      "    for (uint32_t i = 0; i < count; ++i) {\n"
      "      tile_regs_acquire();\n      copy_tile(1, 0, 0);\n      tile_regs_commit();\n"
      "      cb_reserve_back(16, 1);\n      tile_regs_wait();\n      pack_tile(0, 16);\n"
      "      tile_regs_release();\n      cb_push_back(16, 1);\n    }\n  }\n"
      "  cb_pop_front(0, 1);\n  cb_pop_front(1, 1);\n}\n",
      {{0, DataFormat::UInt32, 2048, 1, counts}, in(1, {b_[0]})},
      {{16, DataFormat::Float16_b, 2048, kTiles, {}}});
  check(got[0], [&](auto, auto r, auto c) { return at(b_, 0, r, c); });
}

/// A kernel that applies each of `calls` to tiles 0 and 1 of DST, from buffers 0 and 1.
std::string each_of(const std::vector<std::string>& calls) {
  std::string text =
      "#include \"compute_kernel_api.h\"\nvoid kernel_main() {\n"
      "  unary_op_init_common(0, 16);\n  cb_wait_front(0, 1);\n  cb_wait_front(1, 1);\n";
  for (const std::string& call : calls)
    text += "  tile_regs_acquire();\n  copy_tile(0, 0, 0);\n  copy_tile(1, 0, 1);\n  " + call +
            ";\n  tile_regs_commit();\n  cb_reserve_back(16, 1);\n  tile_regs_wait();\n"
            "  pack_tile(0, 16);\n  tile_regs_release();\n  cb_push_back(16, 1);\n";
  return text + "  cb_pop_front(0, 1);\n  cb_pop_front(1, 1);\n}\n";
}

TEST_F(KernelStartups, IntegersByNamesOf2025) {
  Words a(1024), b(1024);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<Word>(random_()) >> 2;
    b[i] = static_cast<Word>(random_()) % 31;
  }
  const std::vector<std::pair<std::string, Word (*)(Word, Word)>> wide = {
      {"add_int32_tile(0, 1, 0)", [](Word x, Word y) { return x + y; }},
      {"sub_int32_tile(0, 1)", [](Word x, Word y) { return x - y; }},
      {"bitwise_or_uint32_binary_tile(0, 1, 0)", [](Word x, Word y) { return x | y; }},
      {"binary_logical_right_shift_int32_tile(0, 1, 0)", [](Word x, Word y) { return x >> y; }}};
  const std::vector<std::pair<std::string, Word (*)(Word, Word)>> narrow = {
      {"add_uint16_tile(0, 1)", [](Word x, Word y) { return x + y; }},
      {"mul_uint16_tile(0, 1, 0)", [](Word x, Word y) { return x * y; }},
      {"bitwise_xor_uint16_binary_tile(0, 1, 0)", [](Word x, Word y) { return x ^ y; }}};
  for (const bool is_wide : {true, false}) {
    const auto& cases = is_wide ? wide : narrow;
    std::vector<std::string> calls;
    for (const auto& [call, operation] : cases) calls.push_back(call);
    const auto format = is_wide ? DataFormat::Int32 : DataFormat::UInt16;
    const Word bytes = is_wide ? 4096 : 2048;
    Words first = a, second = b;
    if (!is_wide) {
      first.resize(512);
      second.resize(512);
      for (std::size_t i = 0; i < 1024; ++i) {
        set_datum16(first, i, a[i] & 0x3FF);
        set_datum16(second, i, b[i]);
      }
    }
    TileBench::Options options;
    options.fp32_dst = is_wide;
    const auto got =
        bench_.run(is_wide ? "wide" : "narrow", each_of(calls),
                   {{0, format, bytes, 1, first}, {1, format, bytes, 1, second}},
                   {{16, format, bytes, static_cast<Word>(calls.size()), {}}}, options);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      for (std::size_t i = 0; i < 1024; ++i) {
        const Word x = is_wide ? a[i] : a[i] & 0x3FF;
        const Word value = is_wide ? got[0][1024 * k + i] : datum16(got[0], 1024 * k + i);
        ASSERT_EQ(value, cases[k].second(x, b[i])) << cases[k].first << ": " << x << ", " << b[i];
      }
    }
  }
}

TEST_F(KernelStartups, PowersByBitsAndByWholeNumbers) {
  a_[0] = each([](auto r, auto c) { return to_bf16(static_cast<float>((r + c) % 4 + 1)); });
  const auto got = bench_.run(
      "powers", each_of({"power_tile(0, 0x40400000)", "power_tile(0, get_arg_val<uint32_t>(0))"}),
      {in(0, {a_[0]}), in(1, {b_[0]})}, {{16, DataFormat::Float16_b, 2048, 2, {}}}, [] {
        TileBench::Options options;
        options.runtime_args = {3};
        return options;
      }());
  for (std::size_t i = 0; i < 2048; ++i) {
    const float x = f(from_bf16(datum16(tile16(a_[0]), i % 1024)));
    ASSERT_EQ(f(from_bf16(datum16(got[0], i))), x * x * x) << i;
  }
}

}  // namespace
}  // namespace tvp::test
