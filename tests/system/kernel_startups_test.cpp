// Compute kernels that call an operation's init, which sets up everything, again and again: Dst is
// cleared and handed out anew when the packers have taken what was there.

#include <gtest/gtest.h>

#include <random>

#include "tests/system/tile_bench.h"
#include "tests/system/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

constexpr Word kTiles = 6;

class KernelStartups : public testing::Test {
 protected:
  KernelStartups() : bench_(TVP_KERNEL_FOLDER "/startups") {
    for (Word i = 0; i < kTiles; ++i)
      for (auto* list : {&a_, &b_})
        list->push_back(each([&](auto, auto) {  // small whole numbers: sums are exact
          return to_bf16(static_cast<float>(static_cast<int>(random_() % 33) - 16));
        }));
  }
  /// A kernel that does `init` and `operation` for every tile.
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

 private:
  static TileBuffer in(std::uint8_t cb, const std::vector<Matrix>& list) {
    Words words;
    for (const Matrix& m : list) {
      const Words tile = tile16(m);
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return {cb, DataFormat::Float16_b, 2048, kTiles, std::move(words)};
  }

  TileBench bench_;
  std::mt19937 random_{3};
};

TEST_F(KernelStartups, Sums) {
  check(run("sums", "binary_op_init_common(0, 1, 16); add_tiles_init(0, 1);",
            "add_tiles(0, 1, 0, 0, 0);"),
        [&](auto tile, auto r, auto c) { return at(a_, tile, r, c) + at(b_, tile, r, c); });
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
  // By a unit matrix in place of buffer 1: what comes out is what went in.
  for (Matrix& m : b_) m = each([](auto r, auto c) { return to_bf16(r == c ? 1.0F : 0.0F); });
  check(run("products", "mm_init(0, 1, 16);", "matmul_tiles(0, 1, 0, 0, 0);"),
        [&](auto tile, auto r, auto c) { return at(a_, tile, r, c); });
}

}  // namespace
}  // namespace tvp::test
