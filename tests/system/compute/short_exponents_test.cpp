// Programs with 5-bit exponents (Float16, Bfp8) in a 16-bit and a 32-bit DST. Checks values and
// roundings (ISA Packers/FormatConversion.md, in tt-metal's configuration of the packers).

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

constexpr std::size_t kDatums = 1024;

std::string kernel(unsigned operands, const std::string& init, const std::string& each) {
  std::string text = "#include \"compute_kernel_api.h\"\n";
  text += "void kernel_main() {\n  " + init + "\n  cb_wait_front(0, 1);\n";
  if (operands == 2) text += "  cb_wait_front(1, 1);\n";
  return text + "  cb_reserve_back(16, 1);\n  tile_regs_acquire();\n  " + each +
         "\n  tile_regs_commit(); tile_regs_wait();\n  pack_tile(0, 16);\n  tile_regs_release();\n"
         "  cb_push_back(16, 1);\n}\n";
}
const std::string kCopy =
    kernel(1, "unary_op_init_common(0, 16); copy_tile_init(0);", "copy_tile(0, 0, 0);");

/// Exponents from 1 to 31; 31 is an ordinary exponent.
double of_fp16(Word bits) {
  const double size =
      std::ldexp(1 + (bits & 1023) / 1024.0, static_cast<int>(bits >> 10 & 31) - 15);
  return (bits & 0x8000) != 0 ? -size : size;
}
/// Rounds to nearest, ties away from zero.
Word rounded_to_bf16(float x) { return (w(x) + 0x8000) >> 16; }

class ShortExponents : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/short_exponents");
  }
  static void TearDownTestSuite() { bench_.reset(); }

  static std::uint32_t bytes_of(DataFormat format) {
    return format == DataFormat::Float32 ? 4096 : format == DataFormat::Bfp8 ? 1088 : 2048;
  }
  std::vector<Word> run(const std::string& name, const std::string& text, DataFormat from,
                        const std::vector<Words>& tiles, DataFormat to, bool fp32_dst) {
    TileBench::Options options;
    options.fp32_dst = fp32_dst;
    options.fp32_to_dst = fp32_dst && from == DataFormat::Float32;
    std::vector<TileBuffer> in;
    for (std::size_t i = 0; i < tiles.size(); ++i)
      in.push_back({static_cast<std::uint8_t>(i), from, bytes_of(from), 1, tiles[i]});
    return bench_->run(name, text, in, {{16, to, bytes_of(to), 1, {}}}, options)[0];
  }
  /// Numbers with exponents from `lowest` to `highest`.
  Words fp16_tile(unsigned lowest, unsigned highest) {
    Words tile(kDatums / 2);
    for (std::size_t i = 0; i < kDatums; ++i) {
      const auto any = static_cast<Word>(random_());
      const Word exponent = lowest + (any >> 16) % (highest - lowest + 1);
      set_datum16(tile, i, (any & 0x83FF) | exponent << 10);
    }
    return tile;
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{16};
};

TEST_F(ShortExponents, CopyTheirBits) {
  const Words in = fp16_tile(1, 31);
  EXPECT_EQ(run("copy", kCopy, DataFormat::Float16, {in}, DataFormat::Float16, false), in);
}

TEST_F(ShortExponents, BecomeFp32FromEitherDst) {
  const Words in = fp16_tile(1, 31);
  for (const bool fp32_dst : {false, true}) {
    const auto out = run(fp32_dst ? "wide" : "widened", kCopy, DataFormat::Float16, {in},
                         DataFormat::Float32, fp32_dst);
    for (std::size_t i = 0; i < kDatums; ++i)
      ASSERT_EQ(static_cast<double>(f(out[i])), of_fp16(datum16(in, i))) << fp32_dst << " " << i;
  }
}

TEST_F(ShortExponents, AddAndMultiplyIn32Bits) {
  // One phase multiplies all bits of a 4-bit mantissa; 7 bits need three phases.
  Words a = fp16_tile(12, 18), b = fp16_tile(12, 18);
  for (std::size_t i = 0; i < kDatums; ++i) {
    set_datum16(a, i, datum16(a, i) & 0xFFC0);
    set_datum16(b, i, datum16(b, i) & 0xFFC0);
  }
  const auto sum = run("add",
                       kernel(2, "binary_op_init_common(0, 1, 16); add_tiles_init(0, 1);",
                              "add_tiles(0, 1, 0, 0, 0);"),
                       DataFormat::Float16, {a, b}, DataFormat::Float32, true);
  const auto product = run("mul",
                           kernel(2, "binary_op_init_common(0, 1, 16); mul_tiles_init(0, 1);",
                                  "mul_tiles(0, 1, 0, 0, 0);"),
                           DataFormat::Float16, {a, b}, DataFormat::Float32, true);
  for (std::size_t i = 0; i < kDatums; ++i) {
    const double x = of_fp16(datum16(a, i)), y = of_fp16(datum16(b, i));
    ASSERT_EQ(static_cast<double>(f(sum[i])), x + y) << x << " " << y;
    ASSERT_EQ(static_cast<double>(f(product[i])), x * y) << x << " " << y;
  }
}

TEST_F(ShortExponents, MultiplyMatricesIn32Bits) {
  Words a = fp16_tile(15, 15), b = fp16_tile(15, 15);
  for (std::size_t i = 0; i < kDatums; ++i) {
    set_datum16(a, i, datum16(a, i) & 0xFFC0);
    set_datum16(b, i, datum16(b, i) & 0xFFC0);
  }
  const auto product =
      run("matmul", kernel(2, "mm_init(0, 1, 16);", "matmul_tiles(0, 1, 0, 0, 0);"),
          DataFormat::Float16, {a, b}, DataFormat::Float32, true);
  for (std::size_t i = 0; i < 32; ++i) {
    for (std::size_t j = 0; j < 32; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 32; ++k)
        sum += of_fp16(datum16(a, place_in_tile(i, k))) * of_fp16(datum16(b, place_in_tile(k, j)));
      ASSERT_EQ(static_cast<double>(f(product[place_in_tile(i, j)])), sum) << i << " " << j;
    }
  }
}

TEST_F(ShortExponents, LeaveADstOf32BitsByWayOfBf16) {
  Words in(kDatums);
  for (std::size_t i = 0; i < kDatums; ++i) {
    const auto any = static_cast<Word>(random_());
    in[i] = (any & 0x807FFFFF) | (113 + (any >> 24) % 30) << 23;
  }
  const auto out = run("narrowed", kCopy, DataFormat::Float32, {in}, DataFormat::Float16, true);
  for (std::size_t i = 0; i < kDatums; ++i) {
    const double rounded = static_cast<double>(f(rounded_to_bf16(f(in[i])) << 16));
    ASSERT_EQ(of_fp16(datum16(out, i)), rounded) << std::hex << in[i];
  }
}

TEST_F(ShortExponents, ShareTheLargestOneWithWhatIsNotTooSmall) {
  Words in(kDatums);
  for (std::size_t i = 0; i < kDatums; ++i) {
    // Faces of numbers around 2^-14, the smallest magnitude.
    const auto any = static_cast<Word>(random_());
    in[i] = (any & 0x807FFFFF) | (109 + (any >> 24) % static_cast<Word>(6 + i / 256)) << 23;
  }
  const auto out = run("blocks", kCopy, DataFormat::Float32, {in}, DataFormat::Bfp8, true);
  const auto byte = [&out](std::size_t i) { return out[i / 4] >> (8 * (i % 4)) & 0xFF; };
  for (std::size_t i = 0; i < kDatums; ++i) {
    const std::size_t first = i / 16 * 16;
    const auto kept = [&in](std::size_t k) {
      const bool small = (in[k] >> 23 & 0xFF) < 113;
      return small ? 0.0 : std::trunc(std::ldexp(static_cast<double>(f(in[k])), 60));
    };
    double largest = 0;
    for (std::size_t k = first; k < first + 16; ++k) largest = std::max(largest, std::abs(kept(k)));
    const Word exponent = byte(i / 16), datum = byte(64 + i);
    if (largest == 0) {
      ASSERT_EQ(exponent | datum, 0u);
      continue;
    }
    ASSERT_EQ(static_cast<int>(exponent), std::ilogb(largest) - 60 + 15);
    // The packer truncates to a mantissa of seven bits, then rounds to seven digits below the
    // largest one.
    const double size = std::abs(kept(i));
    const double eight = size == 0 ? 0 : std::ldexp(1.0, std::ilogb(size) - 7);
    const double cut = size == 0 ? 0 : std::floor(size / eight) * eight;
    const double unit = std::ldexp(1.0, std::ilogb(largest) - 6);
    const double digits = std::min(std::floor(cut / unit + 0.5), 127.0);
    ASSERT_EQ(datum & 127, static_cast<Word>(digits)) << i;
    ASSERT_EQ(datum >> 7, digits == 0 ? 0 : in[i] >> 31) << i;
  }
}

}  // namespace
}  // namespace tvp::test
