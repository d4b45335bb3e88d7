#pragma once

// Helpers of tests of rows and columns of tiles in DST.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {

using runtime::DataFormat;

/// Runs with a 16-bit and a 32-bit Dst.
class DstRows : public testing::TestWithParam<bool> {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/dst_rows");
  }
  static void TearDownTestSuite() { bench_.reset(); }

  /// True if Dst has 32 bits.
  static bool wide() { return GetParam(); }
  static std::string name(const std::string& text) { return text + (wide() ? "_32" : "_16"); }
  static TileBench::Options options() {
    TileBench::Options o;
    o.fp32_dst = wide();
    return o;
  }
  static TileBuffer in(std::uint8_t cb, const Words& words, DataFormat format) {
    const bool big = format == DataFormat::Float32 || format == DataFormat::Int32 ||
                     format == DataFormat::UInt32;
    const Word bytes = big ? 4096 : 2048;
    return {cb, format, bytes, static_cast<Word>(words.size() * 4 / bytes), words};
  }
  static TileBuffer out(DataFormat format, Word pages = 1) {
    const bool big = format == DataFormat::Float32 || format == DataFormat::Int32 ||
                     format == DataFormat::UInt32;
    return {16, format, big ? 4096U : 2048U, pages, {}};
  }
  /// Packers read 16-bit integers only from a 16-bit Dst.
  static DataFormat index_format() { return wide() ? DataFormat::UInt32 : DataFormat::UInt16; }
  static Word index_at(const Words& words, std::size_t i) {
    return wide() ? words[i] : datum16(words, i);
  }
  /// BF16 numbers in [low, high) as bits.
  Matrix numbers(float low, float high) {
    std::uniform_real_distribution<float> of(low, high);
    return each([&](auto, auto) { return to_bf16(of(random_)); });
  }
  Matrix bits(Word mask) {
    return each([&](auto, auto) { return static_cast<Word>(random_()) & mask; });
  }

  std::mt19937 random_{42};
  static inline std::unique_ptr<TileBench> bench_;
};

/// A kernel that copies tiles of buffer 0 to DST[0] and following, runs `body` and packs.
inline std::string on_tiles(const std::string& body, const std::string& pack = "pack_tile(0, 16);",
                            int tiles = 1, const std::string& init = "") {
  return "#include \"compute_kernel_api.h\"\n"
         "void kernel_main() {\n"
         "  unary_op_init_common(0, 16);\n" +
         init + "  cb_wait_front(0, " + std::to_string(tiles) +
         ");\n"
         "  tile_regs_acquire();\n"
         "  for (uint32_t i = 0; i < " +
         std::to_string(tiles) + "; ++i) copy_tile(0, i, i);\n  " + body +
         "\n  tile_regs_commit();\n  tile_regs_wait();\n"
         "  cb_reserve_back(16, 1);\n  " +
         pack +
         "\n  cb_push_back(16, 1);\n"
         "  tile_regs_release();\n"
         "}\n";
}

/// Converts 16-bit numbers to 32 bits.
inline std::string widened(int tile) {
  return "typecast_tile_init<(uint32_t)DataFormat::UInt16, (uint32_t)DataFormat::UInt32>();\n"
         "typecast_tile<(uint32_t)DataFormat::UInt16, (uint32_t)DataFormat::UInt32>(" +
         std::to_string(tile) + ");\n";
}

}  // namespace tvp::test
