// Integers in tiles of DST with every name of the compute API, including those of 2025, compared
// with C++. Operands are at the limits of their range and around zero.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

struct Case {
  const char* call;  ///< on tiles 0 and 1, result in tile 0
  std::function<Word(Word, Word)> expected;
};
using Cases = std::vector<Case>;

int s(Word value) { return static_cast<int>(value); }

class IntegerTiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/integer_tiles");
  }
  static void TearDownTestSuite() { bench_.reset(); }

  /// Integers of `bits` bits: limits, neighbors of zero, shift amounts, random ones.
  Matrix numbers(unsigned bits) {
    const Word top = Word{1} << (bits - 1), mask = top | (top - 1);
    const std::array<Word, 8> ends = {0, 1, mask, top, top - 1, top + 1, 2, mask - 1};
    return each([&](auto, auto) -> Word {
      const auto kind = random_() % 4;
      if (kind == 0) return ends[random_() % ends.size()];
      if (kind == 1) return static_cast<Word>(random_() % 40);
      return static_cast<Word>(random_()) & mask;
    });
  }

  /// One kernel runs all cases in turn.
  void check(const std::string& name, DataFormat format, const Cases& cases,
             bool short_dst = false) {
    const bool wide = format != DataFormat::UInt16;
    const Word mask = wide ? 0xFFFFFFFF : 0xFFFF, bytes = wide ? 4096 : 2048;
    const Matrix a = numbers(wide ? 32 : 16), b = numbers(wide ? 32 : 16);
    std::string text =
        "#include \"compute_kernel_api.h\"\n"
        "template <typename F> void one(F function) {\n"
        "  tile_regs_acquire();\n"
        "  copy_tile(0, 0, 0);\n"
        "  copy_tile(0, 1, 1);\n"
        "  function();\n"
        "  tile_regs_commit();\n"
        "  tile_regs_wait();\n"
        "  pack_tile(0, 16);\n"
        "  tile_regs_release();\n"
        "}\n"
        "void kernel_main() {\n"
        "  unary_op_init_common(0, 16);\n"
        "  cb_wait_front(0, 2);\n"
        "  cb_reserve_back(16, " +
        std::to_string(cases.size()) + ");\n";
    for (const Case& each : cases) text += "  one([] { " + std::string(each.call) + "; });\n";
    text += "  cb_push_back(16, " + std::to_string(cases.size()) + ");\n}\n";
    Words in = wide ? tile32(a) : tile16(a);
    const Words second = wide ? tile32(b) : tile16(b);
    in.insert(in.end(), second.begin(), second.end());
    TileBench::Options options;
    options.fp32_dst = wide && !short_dst;
    const auto got =
        bench_->run(name, text, {{0, format, bytes, 2, in}},
                    {{16, format, bytes, static_cast<Word>(cases.size()), {}}}, options);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t size = bytes / 4;
      const Words tile(got[0].begin() + static_cast<std::ptrdiff_t>(i * size),
                       got[0].begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
      const Matrix m = matrix(tile);
      for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c)
          ASSERT_EQ(m[r][c], cases[i].expected(a[r][c], b[r][c]) & mask)
              << cases[i].call << " of " << a[r][c] << " and " << b[r][c] << ", " << r << ", " << c;
    }
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{11};
};

Word left(Word a, Word b) { return b > 31 ? 0 : a << b; }
Word right(Word a, Word b) { return static_cast<Word>(s(a) >> std::min(b, 31U)); }
Word logical_right(Word a, Word b) { return b > 31 ? 0 : a >> b; }

const Cases kNamedByFormat = {
    {"add_int32_tile(0, 1)", [](Word a, Word b) { return a + b; }},
    {"add_int32_tile(1, 0, 0)", [](Word a, Word b) { return a + b; }},
    {"add_uint32_tile(0, 1, 0)", [](Word a, Word b) { return a + b; }},
    {"sub_int32_tile(0, 1)", [](Word a, Word b) { return a - b; }},
    {"sub_uint32_tile(0, 1, 0)", [](Word a, Word b) { return a - b; }},
    {"rsub_int32_tile(0, 1, 0)", [](Word a, Word b) { return b - a; }},
    {"mul_int32_tile(0, 1, 0)", [](Word a, Word b) { return a * b; }},
    {"bitwise_and_uint32_binary_tile(0, 1, 0)", [](Word a, Word b) { return a & b; }},
    {"bitwise_or_uint32_binary_tile(0, 1, 0)", [](Word a, Word b) { return a | b; }},
    {"bitwise_xor_uint32_binary_tile(0, 1, 0)", [](Word a, Word b) { return a ^ b; }},
};
const Cases kShifts = {
    {"binary_left_shift_int32_tile(0, 1, 0)", left},
    {"binary_left_shift_uint32_tile(0, 1, 0)", left},
    {"binary_right_shift_int32_tile(0, 1, 0)", right},
    {"binary_right_shift_uint32_tile(0, 1, 0)", right},
    {"binary_logical_right_shift_int32_tile(0, 1, 0)", logical_right},
    {"binary_logical_right_shift_uint32_tile(0, 1, 0)", logical_right},
    {"binary_left_shift_tile<DataFormat::UInt32>(0, 1, 0)", left},
};
const Cases kOfZero = {
    {"eqz_tile_uint32(0)", [](Word a, Word) -> Word { return a == 0; }},
    {"nez_tile_int32(0)", [](Word a, Word) -> Word { return a != 0; }},
    {"logical_not_unary_tile_int32(0)", [](Word a, Word) -> Word { return a == 0; }},
    {"logical_not_unary_tile_uint32(0)", [](Word a, Word) -> Word { return a == 0; }},
    {"relu_min_tile_int32(0, 7)",
     [](Word a, Word) { return static_cast<Word>(std::max(s(a), 7)); }},
    {"identity_tile_uint32(0)", [](Word a, Word) { return a; }},
    {"where_int32_tile(1, 0, 1, 0)", [](Word a, Word b) { return b != 0 ? a : b; }},
    {"where_tile<DataFormat::Int32>(0, 1, 0, 0)", [](Word a, Word b) { return a != 0 ? b : a; }},
    {"where_tile<DataFormat::UInt32>(0, 1, 0, 0)", [](Word a, Word b) { return a != 0 ? b : a; }},
};
const Cases kOf16Bits = {
    {"add_uint16_tile(0, 1)", [](Word a, Word b) { return a + b; }},
    {"sub_uint16_tile(0, 1, 0)", [](Word a, Word b) { return a - b; }},
    {"mul_uint16_tile(0, 1, 0)", [](Word a, Word b) { return a * b; }},
    {"rsub_int_tile<DataFormat::UInt16>(0, 1, 0)", [](Word a, Word b) { return b - a; }},
    {"bitwise_and_uint16_binary_tile(0, 1, 0)", [](Word a, Word b) { return a & b; }},
    {"bitwise_or_uint16_binary_tile(0, 1, 0)", [](Word a, Word b) { return a | b; }},
    {"bitwise_xor_uint16_binary_tile(0, 1, 0)", [](Word a, Word b) { return a ^ b; }},
    {"logical_not_unary_tile_uint16(0)", [](Word a, Word) -> Word { return a == 0; }},
    {"binary_left_shift_tile<DataFormat::UInt16>(0, 1, 0)", left},
    {"binary_logical_right_shift_tile<DataFormat::UInt16>(0, 1, 0)", logical_right},
};

// Comparisons, maxima and functions with a word, in a format that the kernel names.
constexpr Word kMiddle = 0x80000001;
const Cases kOrderOfSigned = {
    {"lt_int_tile<DataFormat::Int32>(0, 1, 0)", [](Word a, Word b) -> Word { return s(a) < s(b); }},
    {"gt_int_tile<DataFormat::Int32>(0, 1, 0)", [](Word a, Word b) -> Word { return s(a) > s(b); }},
    {"le_int_tile<DataFormat::Int32>(0, 1, 0)",
     [](Word a, Word b) -> Word { return s(a) <= s(b); }},
    {"ge_int_tile<DataFormat::Int32>(0, 1, 0)",
     [](Word a, Word b) -> Word { return s(a) >= s(b); }},
    {"logical_not_tile<DataFormat::Int32>(0)", [](Word a, Word) -> Word { return a == 0; }},
    {"bitwise_xor_tile<DataFormat::Int32>(0, 0x5A5A5A5Au)",
     [](Word a, Word) { return a ^ 0x5A5A5A5AU; }},
};
const Cases kOrderOfUnsigned = {
    {"lt_int_tile<DataFormat::UInt32>(0, 1, 0)", [](Word a, Word b) -> Word { return a < b; }},
    {"gt_int_tile<DataFormat::UInt32>(0, 1, 0)", [](Word a, Word b) -> Word { return a > b; }},
    {"le_int_tile<DataFormat::UInt32>(0, 1, 0)", [](Word a, Word b) -> Word { return a <= b; }},
    {"ge_int_tile<DataFormat::UInt32>(0, 1, 0)", [](Word a, Word b) -> Word { return a >= b; }},
    {"binary_max_uint32_tile(0, 1, 0)", [](Word a, Word b) { return std::max(a, b); }},
    {"binary_min_uint32_tile(0, 1, 0)", [](Word a, Word b) { return std::min(a, b); }},
    {"unary_max_uint32_tile(0, 0x80000001u)", [](Word a, Word) { return std::max(a, kMiddle); }},
    {"unary_min_uint32_tile(0, 0x80000001u)", [](Word a, Word) { return std::min(a, kMiddle); }},
    {"logical_not_tile<DataFormat::UInt32>(0)", [](Word a, Word) -> Word { return a == 0; }},
};
const Cases kOrderOf16Bits = {
    {"lt_int_tile<DataFormat::UInt16>(0, 1, 0)", [](Word a, Word b) -> Word { return a < b; }},
    {"ge_int_tile<DataFormat::UInt16>(0, 1, 0)", [](Word a, Word b) -> Word { return a >= b; }},
    {"logical_not_tile<DataFormat::UInt16>(0)", [](Word a, Word) -> Word { return a == 0; }},
    {"bitwise_and_tile<DataFormat::UInt16>(0, 0x0FF0u)", [](Word a, Word) { return a & 0x0FF0U; }},
    {"bitwise_or_tile<DataFormat::UInt16>(0, 0x0FF0u)", [](Word a, Word) { return a | 0x0FF0U; }},
    {"bitwise_xor_tile<DataFormat::UInt16>(0, 0x0FF0u)", [](Word a, Word) { return a ^ 0x0FF0U; }},
};

TEST_F(IntegerTiles, Int32) {
  check("named", DataFormat::Int32, kNamedByFormat);
  check("shifts", DataFormat::Int32, kShifts);
  check("of_zero", DataFormat::Int32, kOfZero);
  check("order", DataFormat::Int32, kOrderOfSigned);
}
TEST_F(IntegerTiles, UInt32) {
  check("named", DataFormat::UInt32, kNamedByFormat);
  check("shifts", DataFormat::UInt32, kShifts);
  check("of_zero", DataFormat::UInt32, kOfZero);
  check("order_unsigned", DataFormat::UInt32, kOrderOfUnsigned);
}
// 32-bit integers stay exact even without a 32-bit DST.
TEST_F(IntegerTiles, Of32BitsInADstOf16) {
  check("named_short", DataFormat::Int32, kNamedByFormat, true);
  check("order_short", DataFormat::UInt32, kOrderOfUnsigned, true);
}
TEST_F(IntegerTiles, UInt16) {
  check("of_16_bits", DataFormat::UInt16, kOf16Bits);
  check("order_of_16_bits", DataFormat::UInt16, kOrderOf16Bits);
}

// 8-bit integers have sign and magnitude. The same holds for the 32-bit integers that the matrix
// unit computes from them, in any DST (ISA ELWADD.md).
TEST_F(IntegerTiles, MatrixUnitOnBytes) {
  const auto value = [](Word byte) {
    const int magnitude = static_cast<int>(byte & 0x7F);
    return (byte & 0x80) != 0 ? -magnitude : magnitude;
  };
  const auto bytes = [](const Matrix& m) {
    const Words words = tile32(m);  // face by face
    Words packed(words.size() / 4);
    for (std::size_t i = 0; i < words.size(); ++i) packed[i / 4] |= words[i] << 8 * (i % 4);
    return packed;
  };
  const Matrix a = numbers(8), b = numbers(8);
  const std::string text =
      "#include \"compute_kernel_api/eltwise_binary.h\"\n"
      "template <typename F> void one(F function) {\n"
      "  tile_regs_acquire();\n  function();\n  tile_regs_commit();\n"
      "  tile_regs_wait();\n  pack_tile(0, 16);\n  tile_regs_release();\n}\n"
      "void kernel_main() {\n"
      "  binary_op_init_common(0, 1, 16);\n"
      "  cb_wait_front(0, 1);\n  cb_wait_front(1, 1);\n  cb_reserve_back(16, 3);\n"
      "  add_tiles_init(0, 1);\n  one([] { add_tiles(0, 1, 0, 0, 0); });\n"
      "  sub_tiles_init(0, 1);\n  one([] { sub_tiles(0, 1, 0, 0, 0); });\n"
      "  mul_tiles_init(0, 1);\n  one([] { mul_tiles(0, 1, 0, 0, 0); });\n"
      "  cb_push_back(16, 3);\n}\n";
  for (const bool fp32_dst : {false, true}) {
    SCOPED_TRACE(fp32_dst ? "DST of 32 bits" : "DST of 16 bits");
    TileBench::Options options;
    options.fp32_dst = fp32_dst;
    const auto got = bench_->run(
        "bytes", text,
        {{0, DataFormat::Int8, 1024, 1, bytes(a)}, {1, DataFormat::Int8, 1024, 1, bytes(b)}},
        {{16, DataFormat::Int32, 4096, 3, {}}}, options);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto begin = got[0].begin() + static_cast<std::ptrdiff_t>(1024 * i);
      const Matrix m = matrix(Words(begin, begin + 1024));
      for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c) {
          const int x = value(a[r][c]), y = value(b[r][c]);
          const int expected = i == 0 ? x + y : i == 1 ? x - y : x * y;
          const Word sign = expected < 0 ? 0x80000000 : 0;
          ASSERT_EQ(m[r][c], sign | static_cast<Word>(std::abs(expected)))
              << i << ": " << x << " and " << y << ", " << r << ", " << c;
        }
    }
  }
}

}  // namespace
}  // namespace tvp::test
