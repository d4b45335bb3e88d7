// The host's conversions of numbers for kernels: BF16, tiles, block formats.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "sw/runtime/bfloat16.h"
#include "sw/runtime/block_float.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/tilize_utils.h"
#include "tests/support/fault_of.h"

namespace tvp::runtime::tile_data_test {
namespace {

TEST(Bfloat16, IsTheNearestTiesToEven) {
  EXPECT_EQ(bfloat16(1.0F).bits(), 0x3F80);
  EXPECT_EQ(bfloat16(1.00390625F).bits(), 0x3F80) << "1 + 2^-8: a tie, down to even";
  EXPECT_EQ(bfloat16(1.01171875F).bits(), 0x3F82) << "1 + 3 * 2^-8: a tie, up to even";
  EXPECT_EQ(bfloat16(1.0039064F).bits(), 0x3F81) << "more than a tie";
  EXPECT_EQ(bfloat16(-3.4e38F).bits(), 0xFF80) << "beyond the largest";
  EXPECT_EQ(bfloat16::truncate(1.0117187F).bits(), 0x3F81);
  EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16(std::nanf("1")))));
  EXPECT_EQ(bfloat16(-std::nanf("0x1234")).bits(), 0x7FC0) << "of all the same";
  EXPECT_EQ(static_cast<float>(bfloat16::from_bits(0xC2F7)), -123.5F);
}

TEST(Bfloat16, TwoMakeAWord) {
  const std::vector<bfloat16> numbers{1.0F, -2.0F, 3.0F};
  const auto words = pack_bfloat16_vec_into_uint32_vec(numbers);
  EXPECT_EQ(words, (std::vector<std::uint32_t>{0xC0003F80, 0x00004040}));
  EXPECT_EQ(unpack_uint32_vec_into_bfloat16_vec(words)[1].bits(), 0xC000);
}

TEST(Tilize, FacesOfATileFollowEachOther) {
  std::vector<std::uint32_t> matrix(64 * 96);
  std::iota(matrix.begin(), matrix.end(), 0U);
  const auto tiles = tilize_nfaces(matrix, 64, 96);
  EXPECT_EQ(tiles[0], 0U);
  EXPECT_EQ(tiles[16], 96U) << "row 1 of the first face";
  EXPECT_EQ(tiles[256], 16U) << "the second face, right of the first";
  EXPECT_EQ(tiles[512], 16U * 96) << "the third, below the first";
  EXPECT_EQ(tiles[1024], 32U) << "the second tile";
  EXPECT_EQ(tiles[3 * 1024 + 768 + 17], (32U + 17) * 96 + 17) << "fourth tile, last face";
  EXPECT_EQ(untilize_nfaces(tiles, 64, 96), matrix);
  const auto swizzled = tilize_swizzled(matrix, 64, 96);
  EXPECT_EQ(swizzled[32], 96U);
  EXPECT_EQ(swizzled[1024 + 33], 96U + 32 + 1);
  EXPECT_EQ(untilize_swizzled(swizzled, 64, 96), matrix);
}

TEST(Tilize, ConsecutiveMatricesAreConvertedOneByOne) {
  std::vector<std::uint32_t> matrices(2 * 64 * 32);
  std::iota(matrices.begin(), matrices.end(), 0U);
  const auto tiles = tilize_nfaces(matrices, 64, 32);
  EXPECT_EQ(tiles[1024], 1024U) << "the second tile of the first matrix";
  EXPECT_EQ(tiles[2048 + 256], 2048U + 16) << "the second face of the second matrix";
  EXPECT_EQ(untilize_nfaces(tiles, 64, 32), matrices);
  EXPECT_EQ(untilize_swizzled(tilize_swizzled(matrices, 64, 32), 64, 32), matrices);
}

TEST(Tilize, TilesMayHaveOtherShapes) {
  std::vector<int> matrix(16 * 64);
  std::iota(matrix.begin(), matrix.end(), 0);
  const TiledShape shape{{16, 64}, {16, 32}, {16, 16}};
  const auto tiles =
      convert_layout(std::span<const int>(matrix), shape, TensorLayoutType::LIN_ROW_MAJOR,
                     TensorLayoutType::TILED_NFACES);
  EXPECT_EQ(tiles[256], 16);
  EXPECT_EQ(tiles[512], 32);
  EXPECT_NE(tvp::test::fault_of([] {
              tilize_nfaces(std::vector<int>(1024), 16, 64);
            }).find("tiles of 32 x 32 do not divide 16 x 64"),
            std::string::npos);
  EXPECT_NE(tvp::test::fault_of([] {
              tilize_nfaces(std::vector<int>(1000), 32, 32);
            }).find("1000 numbers for matrices of 32 x 32"),
            std::string::npos);
  EXPECT_NE(tvp::test::fault_of([] {
              tilize_nfaces(std::vector<int>(), 32, 32);
            }).find("0 numbers for matrices of 32 x 32"),
            std::string::npos);
  const TiledShape faces{{32, 32}, {32, 32}, {16, 12}};
  EXPECT_NE(tvp::test::fault_of([&] {
              faces.check(1024);
            }).find("faces of 16 x 12 do not divide 32 x 32"),
            std::string::npos);
}

std::vector<float> random_numbers(std::size_t count, float spread) {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& number : numbers) number = normal(generator) * std::exp2(spread * normal(generator));
  return numbers;
}

/// tt-metal's rules in double precision. A number keeps the bits that a float has below the largest
/// exponent of its group. It rounds to the nearest multiple of the unit, ties to even. With short
/// exponents, numbers below 2^-15 become 0.
double golden(const float* group, unsigned i, int magnitude_bits, bool short_exponent) {
  constexpr double kLeast = 0x1p-15;
  const int most_exponent = short_exponent ? 16 : 128;
  double sizes[16], largest = 0;
  for (unsigned k = 0; k < 16; ++k) {
    const double size = std::abs(double{group[k]});
    sizes[k] = size < 0x1p-126 ? 0 : short_exponent ? std::max(size, kLeast) : size;
    largest = std::max(largest, sizes[k]);
  }
  if (sizes[i] == 0) return 0;
  const int exponent = std::min(std::ilogb(largest), most_exponent);
  const double unit = std::ldexp(1.0, exponent - magnitude_bits + 1);
  const double place = std::ldexp(1.0, exponent - 23);
  const double most = std::ldexp(1.0, magnitude_bits) - 1;
  const double kept = std::trunc(sizes[i] / place) * place;
  const double magnitude = std::min(std::nearbyint(kept / unit), most) * unit;
  return std::copysign(magnitude, magnitude == 0 ? 1.0 : double{group[i]});
}

void expect_golden(const std::vector<float>& numbers) {
  const auto check = [&](const std::vector<float>& back, int bits, bool short_exponent) {
    ASSERT_EQ(back.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ASSERT_EQ(back[i], golden(&numbers[i / 16 * 16], i % 16, bits, short_exponent))
          << i << " of " << bits << " bits, " << numbers[i];
  };
  for (const bool row_major : {false, true}) {
    for (const bool exp_a : {false, true}) {
      const auto bfp8 = pack_as_bfp8_tiles(numbers, row_major, exp_a);
      ASSERT_EQ(bfp8.size() * 4, numbers.size() / 1024 * 1088);
      check(unpack_bfp8_tiles_into_float_vec(bfp8, row_major, exp_a), 7, exp_a);
      const auto bfp4 = pack_as_bfp4_tiles(numbers, row_major, exp_a);
      ASSERT_EQ(bfp4.size() * 4, numbers.size() / 1024 * 576);
      check(unpack_bfp4_tiles_into_float_vec(bfp4, row_major, exp_a), 3, exp_a);
    }
  }
}

TEST(BlockFloat, NumbersAreTheNearestThatTheirGroupAllows) {
  expect_golden(random_numbers(2 * 1024, 3));
}

// Halves of a unit, with a last bit that the shared exponent shifts out or keeps.
TEST(BlockFloat, TiesAreWhatIsLeftOfAFloat) {
  std::mt19937 generator(11);
  std::vector<float> numbers(64 * 1024);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto random = static_cast<std::uint32_t>(generator());
    const unsigned down = i % 16 == 0 ? 0 : random % 12;
    const unsigned half = 16 - std::min(down, 7U) + 4 * (random >> 4 & 1);
    const std::uint32_t mantissa = (random >> 9 & ~((2U << half) - 1)) | 1U << half |
                                   (random >> 5 & 1) | (random >> 6 & 1) << 4;
    numbers[i] =
        std::bit_cast<float>((random & 0x80000000) | (127 - down) << 23 | (mantissa & 0x7FFFFF));
  }
  expect_golden(numbers);
}

TEST(BlockFloat, ShortExponentsHaveNothingBelowTheirLeast) {
  expect_golden(random_numbers(4 * 1024, 12));
  std::vector<float> numbers(1024, 0.0F);
  numbers[0] = 1e-30F;
  numbers[17] = -0x1p-12F;
  numbers[18] = 1e-30F;
  const auto tile = pack_as_bfp8_tiles(numbers, false, true);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(tile.data());
  EXPECT_EQ(bytes[0], 0);
  EXPECT_EQ(bytes[64], 0x40) << "2^-15";
  EXPECT_EQ(bytes[1], 3);
  EXPECT_EQ(bytes[64 + 17], 0xC0);
  EXPECT_EQ(bytes[64 + 18], 0x08) << "2^-15 beside 2^-12";
}

// Every number with every exponent, compared with double. Numbers below the range of floats become
// +0. With the least exponent, the fraction has no leading one.
TEST(BlockFloat, EveryNumberReadsAsTheHostReadsIt) {
  for (const bool exp_a : {false, true}) {
    const int bias = exp_a ? 15 : 127;
    for (unsigned shared = 0; shared < (exp_a ? 32U : 256U); ++shared) {
      std::vector<std::uint32_t> bfp8(1088 / 4), bfp4(576 / 4);
      auto* const eights = reinterpret_cast<std::uint8_t*>(bfp8.data());
      auto* const fours = reinterpret_cast<std::uint8_t*>(bfp4.data());
      std::fill_n(eights, 64, static_cast<std::uint8_t>(shared));
      std::fill_n(fours, 64, static_cast<std::uint8_t>(shared));
      for (unsigned i = 0; i < 1024; ++i) eights[64 + i] = static_cast<std::uint8_t>(i);
      for (unsigned i = 0; i < 512; ++i)
        fours[64 + i] = static_cast<std::uint8_t>((2 * i & 15) | ((2 * i + 1) & 15) << 4);
      const auto check = [&](const std::vector<float>& got, unsigned bits) {
        for (unsigned i = 0; i < 1U << bits; ++i) {
          const unsigned magnitude = i & ((1U << (bits - 1)) - 1);
          const double sign = i >> (bits - 1) != 0 ? -1 : 1;
          const double exact =
              std::ldexp(magnitude, static_cast<int>(shared) - bias + 2 - static_cast<int>(bits));
          const int raw = magnitude == 0 ? 0 : std::ilogb(exact) + bias;
          if (raw < 0) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(got[i]), 0U) << i << " beside " << shared;
          } else if (raw == 255) {
            ASSERT_FALSE(std::isfinite(got[i])) << i;
          } else if (raw == 0 && magnitude != 0 && !exp_a) {
            ASSERT_EQ(got[i], sign * (exact - 0x1p-127) * 2) << i << " beside " << shared;
          } else {
            ASSERT_EQ(got[i], sign * exact) << i << " beside " << shared;
            ASSERT_EQ(std::signbit(got[i]), sign < 0);
          }
        }
      };
      check(unpack_bfp8_tiles_into_float_vec(bfp8, false, exp_a), 8);
      check(unpack_bfp4_tiles_into_float_vec(bfp4, false, exp_a), 4);
    }
  }
}

TEST(BlockFloat, BytesAreWhereUnpackersLookForThem) {
  std::vector<float> numbers(1024, 0.0F);
  numbers[0] = 1.0F;
  numbers[1] = -0.5F;
  numbers[17] = 6.0F;   // row by row: row 0, second face; exponent of group 16
  numbers[32] = -2.0F;  // row 1 of the first face; group 1
  const auto bfp8 = pack_as_bfp8_tiles(numbers, true, false);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(bfp8.data());
  EXPECT_EQ(bytes[0], 127);
  EXPECT_EQ(bytes[1], 128);
  EXPECT_EQ(bytes[16], 129);
  EXPECT_EQ(bytes[64], 0x40);
  EXPECT_EQ(bytes[65], 0xA0);
  EXPECT_EQ(bytes[64 + 16], 0xC0);
  EXPECT_EQ(bytes[64 + 256 + 1], 0x60);
  const auto bfp4 = pack_as_bfp4_tiles(numbers, true, true);
  const auto* const halves = reinterpret_cast<const std::uint8_t*>(bfp4.data());
  EXPECT_EQ(halves[0], 15);
  EXPECT_EQ(halves[64], 0xA4) << "the first number is the lower half";
  // Numbers that are face by face already keep their order.
  EXPECT_EQ(reinterpret_cast<const std::uint8_t*>(
                pack_as_bfp8_tiles(numbers, false, false).data())[64 + 17],
            0x60);
}

TEST(BlockFloat, ShortExponentsSaturateAndDenormalsVanish) {
  std::vector<float> numbers(1024, 0.0F);
  numbers[0] = -1e30F;
  numbers[1] = 1.0F;
  numbers[16] = std::numeric_limits<float>::denorm_min();
  const auto back =
      unpack_bfp8_tiles_into_float_vec(pack_as_bfp8_tiles(numbers, false, true), false, true);
  EXPECT_EQ(back[0], -std::ldexp(127.0F, 16 - 6)) << "the largest of Bfp8";
  EXPECT_EQ(back[1], 0.0F);
  EXPECT_EQ(back[16], 0.0F);
  EXPECT_EQ(pack_as_bfp8_tiles(std::vector<float>(1024, 1e-40F), false, false),
            std::vector<std::uint32_t>(1088 / 4, 0U));
}

TEST(BlockFloat, RefusesWhatIsNotWholeTiles) {
  EXPECT_NE(tvp::test::fault_of([] {
              pack_as_bfp8_tiles(std::vector<float>(1000), true, false);
            }).find("1000 numbers, a tile has 1024"),
            std::string::npos);
  EXPECT_NE(tvp::test::fault_of([] {
              unpack_bfp4_tiles_into_float_vec(std::vector<std::uint32_t>(100), true, false);
            }).find("400 bytes, a tile has 576"),
            std::string::npos);
  EXPECT_NE(tvp::test::fault_of([] {
              pack_as_bfp8_tiles(std::vector<float>(256), true, false, {32, 8});
            }).find("a tile 8 wide"),
            std::string::npos);
  // Tiles of one face.
  EXPECT_EQ(pack_as_bfp8_tiles(std::vector<float>(256, 1.0F), true, false, {16, 16}).size() * 4,
            256U + 16);
}

}  // namespace
}  // namespace tvp::runtime::tile_data_test
