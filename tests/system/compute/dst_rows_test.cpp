// Operations of the compute API on rows and columns of tiles in DST, compared with loops over 32 x
// 32 numbers. Covers transposition, moving averages, rows added to rows, sums of products, packing
// of first rows, tiles from rows, and stable sorting.

#include "tests/system/compute/dst_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tvp::test {
namespace {

TEST_P(DstRows, ATileIsTransposedInDst) {
  // Includes bit patterns that are no floats. A 32-bit Dst keeps 32-bit integers unchanged.
  const Matrix a = wide() ? bits(0xFFFFFFFF) : bits(0xFFFF);
  const DataFormat format = wide() ? DataFormat::Int32 : DataFormat::UInt16;
  const std::string text = on_tiles(
      "transpose_wh_dest_init_short(); transpose_wh_dest(0); transpose_wh_dest(0);\n"
      "transpose_wh_dest(0);");
  const auto got =
      bench_->run(name("transpose"), text, {in(0, wide() ? tile32(a) : tile16(a), format)},
                  {out(format)}, options());
  const Matrix result = matrix(got[0]);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c) ASSERT_EQ(result[r][c], a[c][r]) << r << ", " << c;
}

// Only the packers switch to rows of a matrix and back. The second result is what the packers' core
// reads of the first one after the coprocessor has finished. Read earlier, it would be the old
// content.
TEST_P(DstRows, RowsOfTwoTilesPackedAndReadByTheCore) {
  const char* const text = R"(
#include "compute_kernel_api.h"
#include "ckernel_sfpu.h"
void kernel_main() {
  init_sfpu(0, 16);
  exp_tile_init();
  cb_wait_front(0, 2);
  cb_reserve_back(16, 2);
  cb_reserve_back(17, 2);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
  MATH((TTI_SFPCONFIG(0x6000, 15, 1)));  // no results in two of four rows, then in all again
  sfpu::_init_sfpu_config_reg();
  MATH((exp_tile(0)));
  tile_regs_commit();
  tile_regs_wait();
  PACK((llk_pack_untilize_init<2>(16)));
  pack_untilize_dest<2>(16);
  PACK({
    tensix_sync();
    auto* from = reinterpret_cast<volatile uint32_t*>(get_local_cb_interface(16).fifo_wr_ptr << 4);
    auto* to = reinterpret_cast<volatile uint32_t*>(get_local_cb_interface(17).fifo_wr_ptr << 4);
    for (uint32_t i = 0; i < 1024; ++i) to[i] = from[i];
  });
  pack_untilize_uninit(16);
  tile_regs_release();
  cb_push_back(16, 2);
  cb_push_back(17, 2);
  mop_sync();
}
)";
  std::vector<Matrix> a = {numbers(-2, 2), numbers(-9, 9)};
  Words words;
  for (const Matrix& m : a) {
    const Words tile = tile16(m);
    words.insert(words.end(), tile.begin(), tile.end());
  }
  TileBuffer copy = out(DataFormat::Float16_b, 2);
  copy.cb = 17;
  const auto got = bench_->run(name("rows_by_packers"), text, {in(0, words, DataFormat::Float16_b)},
                               {out(DataFormat::Float16_b, 2), copy}, options());
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 64; ++c) {
      const Word datum = datum16(got[0], 64 * r + c);
      const float x = f(from_bf16(a[c / 32][r][c % 32]));
      const float expected = c < 32 ? std::exp(x) : x;
      ASSERT_NEAR(f(from_bf16(datum)), expected, c < 32 ? expected / 128 : 0) << r << ", " << c;
    }
  }
  EXPECT_EQ(got[1], got[0]);
}

// The packers first write tiles of a block format. Only they are then set up for rows.
TEST_P(DstRows, RowsAfterTilesOfABlockFormat) {
  const char* const text = R"(
#include "compute_kernel_api.h"
void kernel_main() {
  unary_op_init_common(0, 17);
  cb_wait_front(0, 2);
  cb_reserve_back(16, 2);
  cb_reserve_back(17, 1);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  copy_tile(0, 1, 1);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 17);
  PACK((llk_pack_untilize_hw_configure_disaggregated<DST_ACCUM_MODE, false>(16, 3, 2)));
  PACK((llk_pack_untilize_init<2, 2, false, false, TILE_C_DIM>(16, 3, 2)));
  pack_untilize_dest<2>(16, 1, 0, 3, 2);
  pack_untilize_uninit(16);
  tile_regs_release();
  cb_push_back(16, 2);
  cb_push_back(17, 1);
}
)";
  const std::vector<Matrix> a = {numbers(-2, 2), numbers(-9, 9)};
  Words words = tile16(a[0]);
  const Words second = tile16(a[1]);
  words.insert(words.end(), second.begin(), second.end());
  TileBuffer blocks = out(DataFormat::Bfp8_b);
  blocks.cb = 17;
  const auto got =
      bench_->run(name("rows_after_blocks"), text, {in(0, words, DataFormat::Float16_b)},
                  {out(DataFormat::Float16_b, 2), blocks}, options());
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 64; ++c)
      ASSERT_EQ(datum16(got[0], 64 * r + c), a[c / 32][r][c % 32]) << r << ", " << c;
}

// Reductions of columns leave row 0 of both faces of two tiles beside each other. Packing of such
// parts must not write behind them.
TEST_P(DstRows, FirstRowsOfFacesAlone) {
  const std::vector<Matrix> a = {numbers(-2, 2), numbers(-9, 9)};
  Words words = tile16(a[0]);
  const Words second = tile16(a[1]);
  words.insert(words.end(), second.begin(), second.end());
  struct Part {
    Word faces, rows;
  };
  for (const Part part :
       {Part{2, 1}, Part{2, 5}, Part{2, 12}, Part{1, 3}, Part{1, 16}, Part{4, 16}, Part{4, 7}}) {
    const std::string what =
        std::to_string(part.faces) + "_faces_" + std::to_string(part.rows) + "_rows";
    const std::string size = std::to_string(part.rows) + ", " + std::to_string(part.faces);
    const auto got = bench_->run(
        name("first_rows_" + what),
        on_tiles("", "pack_untilize_dest<2>(16, 1, 0, " + size + "); pack_untilize_uninit(16);", 2,
                 "  pack_untilize_dest_init<2>(16, " + size +
                     ");\n  PACK({\n"
                     "    auto* at = reinterpret_cast<volatile uint32_t*>("
                     "get_local_cb_interface(16).fifo_wr_ptr << 4);\n"
                     "    for (uint32_t i = 0; i < 1024; ++i) at[i] = 0x7F7F7F7F;\n  });\n"),
        {in(0, words, DataFormat::Float16_b)}, {{16, DataFormat::Float16_b, 4096, 1, {}}},
        options());
    const std::size_t faces_wide = part.faces == 1 ? 1 : 2, faces_high = part.faces == 4 ? 2 : 1;
    const std::size_t width = 32 * faces_wide, height = part.rows * faces_high;
    for (std::size_t i = 0; i < 2048; ++i) {
      const std::size_t row = i / width, tile = i % width / (16 * faces_wide);
      const std::size_t from = row / part.rows * 16 + row % part.rows;
      const Word expected = row < height ? a[tile][from][i % (16 * faces_wide)] : 0x7F7F;
      ASSERT_EQ(datum16(got[0], i), expected) << what << ": " << i;
    }
  }
}

TEST_P(DstRows, TransposedTilesAreComputedWithAfterwards) {
  const Matrix a = numbers(-4, 4);
  const std::string text = on_tiles(
      "transpose_wh_dest_init_short(); transpose_wh_dest(1);\n"
      "add_binary_tile_init(); add_binary_tile(0, 1, 0);\n"
      "copy_tile_init(0); copy_tile(0, 0, 1); mul_binary_tile(0, 1, 0);",
      "pack_tile(0, 16);", 2);
  Words both = tile16(a);
  const Words again = both;
  both.insert(both.end(), again.begin(), again.end());
  const auto got = bench_->run(name("transpose_then"), text, {in(0, both, DataFormat::Float16_b)},
                               {out(DataFormat::Float16_b)}, options());
  const Matrix result = matrix(got[0]);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 32; ++c) {
      const float sum = f(from_bf16(a[r][c])) + f(from_bf16(a[c][r]));
      const float expected = sum * f(from_bf16(a[r][c]));
      ASSERT_NEAR(f(from_bf16(result[r][c])), expected, std::abs(expected) / 60 + 1e-6) << r << c;
    }
  }
}

/// Rows, layout, and number of chunks per result.
struct Pooling {
  int rows;
  bool row_major;
  int chunks;
};

TEST_P(DstRows, LargestWithTheirIndices) {
  for (const Pooling& pooling : {Pooling{9, false, 1}, Pooling{9, true, 1}, Pooling{32, false, 1},
                                 Pooling{32, true, 3}, Pooling{1, false, 1}, Pooling{3, true, 2}}) {
    // Few different values, so that many are equal.
    std::vector<Matrix> values, indices;
    Words values_in, indices_in;
    for (int i = 0; i < pooling.chunks; ++i) {
      values.push_back(each([&](auto, auto) {
        return to_bf16(static_cast<float>(static_cast<int>(random_() % 7)) - 9.0F);
      }));
      indices.push_back(
          each([&](auto r, auto c) { return (40000 + 100 * i + 3 * r + c) & 0xFFFF; }));
      const auto append = [&](Words& to, const Matrix& m) {
        Words words(512);
        for (std::size_t r = 0; r < 32; ++r)
          for (std::size_t c = 0; c < 32; ++c)
            set_datum16(words, pooling.row_major ? 32 * r + c : place_in_tile(r, c), m[r][c]);
        to.insert(to.end(), words.begin(), words.end());
      };
      append(values_in, values.back());
      append(indices_in, indices.back());
    }
    const std::string layout = pooling.row_major ? "ROW_MAJOR" : "TILE";
    const std::string chunks = std::to_string(pooling.chunks);
    const std::string text =
        "#include \"compute_kernel_api.h\"\n"
        "void kernel_main() {\n"
        "  unary_op_init_common(0, 16);\n"
        "  cb_wait_front(0, " +
        chunks + "); cb_wait_front(1, " + chunks +
        ");\n"
        "  tile_regs_acquire();\n"
        "  max_reduce_with_indices_init<ckernel::DataLayout::" +
        layout +
        ">();\n"
        "  for (uint32_t i = 0; i < " +
        chunks +
        "; ++i) {\n"
        "    copy_tile_to_dst_init_short(0); copy_tile(0, i, 0);\n"
        "    reconfig_data_format_srca(1); copy_tile(1, i, 2); reconfig_data_format_srca(0);\n"
        "    max_reduce_with_indices<" +
        std::to_string(pooling.rows) + ", ckernel::DataLayout::" + layout +
        (pooling.chunks > 1 ? ", true" : "") +
        ">(0, 2, i);\n"
        "  }\n"
        "  " +
        (wide() ? widened(2) : "") +
        "  tile_regs_commit(); tile_regs_wait();\n"
        "  cb_reserve_back(16, 1); pack_tile(0, 16); cb_push_back(16, 1);\n"
        "  cb_reserve_back(17, 1); pack_reconfig_data_format(17); pack_tile(2, 17);\n"
        "  cb_push_back(17, 1);\n"
        "  tile_regs_release();\n"
        "}\n";
    TileBuffer index_out = out(index_format());
    index_out.cb = 17;
    const auto got = bench_->run(
        name("pool_" + std::to_string(pooling.rows) + layout + chunks), text,
        {in(0, values_in, DataFormat::Float16_b), in(1, indices_in, DataFormat::UInt16)},
        {out(DataFormat::Float16_b), index_out}, options());
    for (std::size_t c = 0; c < 32; ++c) {
      Word best = values[0][0][c], index = indices[0][0][c];
      for (int i = 0; i < pooling.chunks; ++i) {
        for (int r = 0; r < pooling.rows; ++r) {
          const std::size_t row = static_cast<std::size_t>(r), chunk = static_cast<std::size_t>(i);
          if (f(from_bf16(values[chunk][row][c])) <= f(from_bf16(best))) continue;
          best = values[chunk][row][c];
          index = indices[chunk][row][c];
        }
      }
      const std::size_t at = pooling.row_major ? c : place_in_tile(0, c);
      ASSERT_EQ(datum16(got[0], at), best) << layout << pooling.rows << " column " << c;
      ASSERT_EQ(index_at(got[1], at), index) << layout << pooling.rows << " column " << c;
    }
  }
}

TEST_P(DstRows, MovingAveragesGoOnFromTileToTile) {
  const Matrix first = numbers(-3, 3), second = numbers(-3, 3);
  Words both = tile16(first);
  const Words more = tile16(second);
  both.insert(both.end(), more.begin(), more.end());
  const std::string text =
      "#include \"compute_kernel_api/transpose_wh.h\"\n"
      "#include \"compute_kernel_api/ema.h\"\n"
      "#include \"compute_kernel_api.h\"\n"
      "void kernel_main() {\n"
      "  ema_init(" +
      std::to_string(w(0.75F)) + "u, " + std::to_string(w(0.25F)) +
      "u);\n"
      "  unary_op_init_common(0, 16);\n"
      "  ema_clear_previous_output();\n"
      "  cb_wait_front(0, 2);\n"
      "  for (uint32_t i = 0; i < 2; ++i) {\n"
      "    tile_regs_acquire();\n"
      "    copy_tile(0, i, 0);\n"
      "    ema_tile(0);\n"
      "    tile_regs_commit(); tile_regs_wait();\n"
      "    cb_reserve_back(16, 1); pack_tile(1, 16); cb_push_back(16, 1);\n"
      "    tile_regs_release();\n"
      "  }\n"
      "  tile_regs_acquire();\n"  // sets the constants of others again
      "  copy_tile(0, 0, 0); exp_tile_init(); exp_tile(0);\n"
      "  tile_regs_commit(); tile_regs_wait();\n"
      "  cb_reserve_back(16, 1); pack_tile(0, 16); cb_push_back(16, 1);\n"
      "  tile_regs_release();\n"
      "}\n";
  const auto got = bench_->run(name("ema"), text, {in(0, both, DataFormat::Float16_b)},
                               {out(DataFormat::Float32, 3)}, options());
  const double bound = wide() ? 1e-5 : 1.0 / 256;
  for (std::size_t c = 0; c < 32; ++c) {
    double average = 0;
    for (std::size_t r = 0; r < 64; ++r) {
      const Matrix& m = r < 32 ? first : second;
      average = 0.75 * average + 0.25 * static_cast<double>(f(from_bf16(m[r % 32][c])));
      const double result = f(got[0][r / 32 * 1024 + place_in_tile(r % 32, c)]);
      ASSERT_NEAR(result, average, bound * (std::abs(average) + 0.01)) << r << ", " << c;
    }
    const double x = f(from_bf16(first[5][c]));
    ASSERT_NEAR(f(got[0][2048 + place_in_tile(5, c)]), std::exp(x), std::exp(x) * (bound + 2e-5));
  }
}

TEST_P(DstRows, RowsAreAddedToRows) {
  const Matrix from = numbers(-8, 8), to = numbers(-8, 8);
  Words both = tile16(from);
  const Words second = tile16(to);
  both.insert(both.end(), second.begin(), second.end());
  std::array<std::uint8_t, 32> places{};
  for (std::uint8_t& place : places)
    place = static_cast<std::uint8_t>(random_() % 5 == 0 ? 255 : random_() % 32);
  places[3] = places[4] = 31;  // two rows have the same target
  Words list(16);
  for (std::size_t i = 0; i < 32; ++i) list[i / 4] |= Word{places[i]} << (8 * (i % 4));
  const std::string text = on_tiles(
      "cb_wait_front(1, 1); uint32_t at = get_tile_address(1, 0);\n"
      "reshuffle_rows_tile_init(); reshuffle_rows_tile(0, at - 16);",
      "pack_tile(1, 16);", 2);
  const auto got =
      bench_->run(name("reshuffle"), text,
                  {in(0, both, DataFormat::Float16_b), {1, DataFormat::UInt8, 64, 1, list}},
                  {out(DataFormat::Float32)}, options());
  Matrix expected = each([&](auto r, auto c) { return from_bf16(to[r][c]); });
  for (std::size_t r = 0; r < 32; ++r) {
    if (places[r] >= 32) continue;
    for (std::size_t c = 0; c < 32; ++c) {
      Word& sum = expected[places[r]][c];
      sum = w(f(sum) + f(from_bf16(from[r][c])));
    }
  }
  const Matrix result = matrix(got[0]);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c)
      ASSERT_NEAR(f(result[r][c]), f(expected[r][c]), wide() ? 1e-5 : 0.13) << r << ", " << c;
}

TEST_P(DstRows, ProductsAreSummedToOneNumber) {
  for (const Word tiles : {1U, wide() ? 4U : 8U}) {
    Words a, b;
    double expected = 0, size = 0;
    for (Word i = 0; i < tiles; ++i) {
      const Matrix left = numbers(-1, 2), right = numbers(-1, 2);
      for (std::size_t r = 0; r < 32; ++r) {
        for (std::size_t c = 0; c < 32; ++c) {
          const double product = static_cast<double>(f(from_bf16(left[r][c]))) *
                                 static_cast<double>(f(from_bf16(right[r][c])));
          expected += product;
          size += std::abs(product);
        }
      }
      for (auto [to, m] : {std::pair{&a, &left}, std::pair{&b, &right}}) {
        const Words words = tile16(*m);
        to->insert(to->end(), words.begin(), words.end());
      }
    }
    const std::string count = std::to_string(tiles);
    const std::string text =
        "#include \"compute_kernel_api/experimental/mul_reduce_scalar.h\"\n"
        "void kernel_main() {\n"
        "  compute_kernel_hw_startup(0, 1, 16);\n"
        "  cb_wait_front(0, " +
        count + "); cb_wait_front(1, " + count +
        ");\n"
        "  mul_reduce_scalar_init(0, 1);\n"
        "  tile_regs_acquire();\n"
        "  mul_reduce_scalar_tile(0, 1, " +
        count +
        ", 0.5f);\n"
        "  tile_regs_commit(); tile_regs_wait();\n"
        "  cb_reserve_back(16, 1); pack_tile(0, 16); cb_push_back(16, 1);\n"
        "  tile_regs_release();\n"
        "  mul_reduce_scalar_uninit();\n"
        "}\n";
    const auto got = bench_->run(name("mul_reduce_" + count), text,
                                 {in(0, a, DataFormat::Float16_b), in(1, b, DataFormat::Float16_b)},
                                 {out(DataFormat::Float32)}, options());
    const double bound = wide() ? 1e-6 * size : size / 512;
    EXPECT_NEAR(f(got[0][0]), expected * 0.5, bound + std::abs(expected) / 256 * !wide());
    for (std::size_t i = 1; i < 1024; ++i) ASSERT_EQ(got[0][i], 0U) << i;
  }
}

TEST_P(DstRows, TheFirstRowsArePacked) {
  const Matrix a = numbers(-8, 8);
  const Words tile = tile16(a);
  const std::string text = on_tiles(
      "",
      "cb_reserve_back(16, 2); pack_rows_init(get_arg_val<uint32_t>(0)); pack_rows(0, 16, 1);\n"
      "pack_rows_uninit(); pack_tile(0, 16); cb_push_back(16, 1);");
  for (const Word rows : {1U, 5U, 16U, 33U, 64U}) {
    TileBench::Options with_rows = options();
    with_rows.runtime_args = {rows};
    const auto got = bench_->run(name("first_rows"), text, {in(0, tile, DataFormat::Float16_b)},
                                 {out(DataFormat::Float16_b, 2)}, with_rows);
    for (std::size_t i = 0; i < 1024; ++i) {
      ASSERT_EQ(datum16(got[0], i), datum16(tile, i)) << "whole tile, " << i;
      if (i >= std::size_t{16} * rows) continue;
      ASSERT_EQ(datum16(got[0], 1024 + i), datum16(tile, i)) << rows << " rows, " << i;
    }
  }
}

TEST_P(DstRows, TilesCutFromRowsAreReduced) {
  struct Shape {
    Word faces, face_rows, tiles;
    bool largest;
  };
  for (const Shape& shape : {Shape{4, 16, 2, false}, Shape{4, 16, 2, true}, Shape{2, 9, 2, true},
                             Shape{2, 16, 1, false}, Shape{1, 5, 1, true}, Shape{2, 3, 3, false}}) {
    const Word width = shape.tiles * 32;
    const Word rows = shape.faces == 4 ? 2 * shape.face_rows : shape.face_rows;
    const Word columns = shape.faces == 1 ? 16 : 32;
    Words block(width * 32 / 2, 0x43804380);  // 256 in datums that must not be used
    std::uniform_real_distribution<float> of(-8, -1);
    for (std::size_t i = 0; i < std::size_t{rows} * width; ++i)
      set_datum16(block, i, to_bf16(of(random_)));
    const Matrix scaler = each([](auto, auto) { return to_bf16(1.0F); });
    const auto text = [](Word number) { return std::to_string(number); };
    const std::string args = text(shape.faces) + ", " + text(shape.face_rows);
    const std::string kernel =
        std::string("#define REDUCE_OP PoolType::") + (shape.largest ? "MAX" : "SUM") +
        "\n#define REDUCE_DIM ReduceDim::REDUCE_COL\n"
        "#include \"compute_kernel_api/tilize.h\"\n#include \"compute_kernel_api/reduce.h\"\n"
        "#include \"compute_kernel_api.h\"\n"
        "void kernel_main() {\n"
        "  tilizeA_B_reduce_init<" +
        (shape.largest ? "true, false" : "false, true") + ">(0, 1, " + text(shape.tiles) +
        ", 16, " + args +
        ");\n"
        "  cb_wait_front(0, 1); cb_wait_front(1, 1);\n"
        "  tile_regs_acquire();\n"
        "  unpack_tilizeA_B_block<" +
        (shape.largest ? "true, true, false, false" : "false, true, false, true") + ">(0, 1, " +
        text(shape.tiles) + ", 0, " + args +
        ");\n"
        "  for (uint32_t i = 0; i < " +
        text(shape.tiles) + "; ++i) reduce_tile_math(i, " + text(shape.faces) +
        ");\n"
        "  tile_regs_commit(); tile_regs_wait();\n"
        "  cb_reserve_back(16, " +
        text(shape.tiles) +
        ");\n"
        "  for (uint32_t i = 0; i < " +
        text(shape.tiles) +
        "; ++i) pack_tile(i, 16);\n"
        "  cb_push_back(16, " +
        text(shape.tiles) +
        ");\n"
        "  tile_regs_release();\n"
        "}\n";
    const auto got = bench_->run(name("cut_" + text(shape.faces) + "_" + text(shape.face_rows) +
                                      (shape.largest ? "m" : "s")),
                                 kernel,
                                 {{0, DataFormat::Float16_b, width * 64, 1, block},
                                  in(1, tile16(scaler), DataFormat::Float16_b)},
                                 {out(DataFormat::Float32, shape.tiles)}, options());
    for (Word tile = 0; tile < shape.tiles; ++tile) {
      for (Word c = 0; c < columns; ++c) {
        double expected = shape.largest ? -1e30 : 0;
        for (Word r = 0; r < rows; ++r) {
          const double x = f(from_bf16(datum16(block, r * width + tile * 32 + c)));
          expected = shape.largest ? std::max(expected, x) : expected + x;
        }
        const double result = f(got[0][1024 * tile + place_in_tile(0, c)]);
        // A 16-bit Dst rounds after each of up to eight products with the scaler.
        ASSERT_NEAR(result, expected, (wide() ? 1e-3 : 1.0 / 64) * std::abs(expected))
            << args << (shape.largest ? " max" : " sum") << ", tile " << tile << " column " << c;
      }
    }
  }
}

TEST_P(DstRows, StableSortingKeepsTheOrderOfIndices) {
  // 64 elements per column with few different values, and unordered indices.
  Words tiles;
  std::array<Matrix, 2> values, indices;
  for (std::size_t i = 0; i < 2; ++i) {
    values[i] = each([&](auto, auto) { return to_bf16(static_cast<float>(random_() % 5) - 2.0F); });
    indices[i] = each(
        [&](auto r, auto c) { return static_cast<Word>(((32 * i + r) * 37 + c) % 64 * 1000 + 7); });
  }
  Words value_words = tile16(values[0]), index_words = tile16(indices[0]);
  for (auto [to, m] : {std::pair{&value_words, &values[1]}, std::pair{&index_words, &indices[1]}}) {
    const Words words = tile16(*m);
    to->insert(to->end(), words.begin(), words.end());
  }
  const std::string text =
      "#include \"compute_kernel_api.h\"\n"
      "void kernel_main() {\n"
      "  unary_op_init_common(0, 16);\n"
      "  cb_wait_front(0, 2); cb_wait_front(1, 2);\n"
      "  tile_regs_acquire();\n"
      "  copy_tile(0, 0, 0); copy_tile(0, 1, 1);\n"
      "  reconfig_data_format_srca(1); copy_tile(1, 0, 2); copy_tile(1, 1, 3);\n"
      "  topk_tile_init();\n"
      "  topk_local_sort<true>(0, 0, 4);\n"
      "  topk_merge<false, true>(0, 0, 32);\n"
      "  topk_rebuild<true>(0, 0, 0, 32, 5, 0);\n" +
      (wide() ? widened(2) + widened(3) : "") +
      "  tile_regs_commit(); tile_regs_wait();\n"
      "  cb_reserve_back(16, 2); pack_tile(0, 16); pack_tile(1, 16); cb_push_back(16, 2);\n"
      "  pack_reconfig_data_format(17);\n"
      "  cb_reserve_back(17, 2); pack_tile(2, 17); pack_tile(3, 17); cb_push_back(17, 2);\n"
      "  tile_regs_release();\n"
      "}\n";
  TileBuffer index_out = out(index_format(), 2);
  index_out.cb = 17;
  const auto got = bench_->run(
      name("stable"), text,
      {in(0, value_words, DataFormat::Float16_b), in(1, index_words, DataFormat::UInt16)},
      {out(DataFormat::Float16_b, 2), index_out}, options());
  for (std::size_t c = 0; c < 32; ++c) {
    std::vector<std::pair<float, Word>> expected;
    for (std::size_t e = 0; e < 64; ++e)
      expected.emplace_back(f(from_bf16(values[e / 32][e % 32][c])), indices[e / 32][e % 32][c]);
    std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (std::size_t e = 0; e < 32; ++e) {  // the largest 32, descending
      ASSERT_EQ(f(from_bf16(datum16(got[0], place_in_tile(e, c)))), expected[e].first)
          << "element " << e << " of column " << c;
      ASSERT_EQ(index_at(got[1], place_in_tile(e, c)), expected[e].second)
          << "element " << e << " of column " << c;
    }
  }
}

TEST_P(DstRows, InstructionsByTheirNames) {
  // 2 x + n, where the core knows n only at run time: TT_ and TTI_ of the vector unit.
  const Matrix a = numbers(-8, 8);
  const std::string text =
      "#include \"compute_kernel_api.h\"\n"
      "#include \"ckernel_ops.h\"\n"
      "#ifdef TRISC_MATH\n"
      "inline void twice_and_more() {\n"
      "  const uint32_t bits = get_arg_val<uint32_t>(0);\n"
      "  TT_SFPLOADI(p_sfpu::LREG2, 10, bits & 0xFFFF);\n"
      "  TT_SFPLOADI(p_sfpu::LREG2, 8, bits >> 16);\n"
      "  for (uint32_t i = 0; i < 8; ++i) {\n"
      "    TTI_SFPLOAD(p_sfpu::LREG0, 0, ADDR_MOD_3, 0);\n"
      "    TTI_SFPADD(p_sfpu::LREG0, p_sfpu::LCONST_1, p_sfpu::LREG0, p_sfpu::LREG1, 0);\n"
      "    TTI_SFPNOP;\n"
      "    TTI_SFPADD(p_sfpu::LREG1, p_sfpu::LCONST_1, p_sfpu::LREG2, p_sfpu::LREG1, 0);\n"
      "    TTI_SFPNOP;\n"
      "    TTI_SFPSTORE(p_sfpu::LREG1, 0, ADDR_MOD_3, 0);\n"
      "    TTI_INCRWC(0, 2, 0, 0);\n"
      "  }\n"
      "}\n"
      "#endif\n" +
      on_tiles("MATH((_llk_math_eltwise_unary_sfpu_params_<false>(twice_and_more, 0)));");
  TileBench::Options with_number = options();
  with_number.runtime_args = {w(0.5F)};
  const auto got = bench_->run(name("by_name"), text, {in(0, tile16(a), DataFormat::Float16_b)},
                               {out(DataFormat::Float32)}, with_number);
  const Matrix result = matrix(got[0]);
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < 32; ++c) {
      const float expected = 2 * f(from_bf16(a[r][c])) + 0.5F;
      ASSERT_NEAR(f(result[r][c]), expected, wide() ? 1e-6 : 0.13) << r << ", " << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dst, DstRows, testing::Bool(),
                         [](const auto& wide) { return wide.param ? "Of32Bits" : "Of16Bits"; });

}  // namespace
}  // namespace tvp::test
