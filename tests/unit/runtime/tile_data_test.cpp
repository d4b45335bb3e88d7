// What the host makes of numbers before kernels see them: BF16, tiles, block formats.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "sw/runtime/bfloat16.h"
#include "sw/runtime/block_float.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/tilize_utils.h"

namespace tvp::runtime::tile_data_test {
namespace {

template <typename Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const foundation::Fault& fault) {
    return fault.what();
  }
  return "nothing is refused";
}

TEST(Bfloat16, IsTheNearestTiesToEven) {
  EXPECT_EQ(bfloat16(1.0F).bits(), 0x3F80);
  EXPECT_EQ(bfloat16(1.00390625F).bits(), 0x3F80) << "1 + 2^-8: a tie, down to even";
  EXPECT_EQ(bfloat16(1.01171875F).bits(), 0x3F82) << "1 + 3 * 2^-8: a tie, up to even";
  EXPECT_EQ(bfloat16(1.0039064F).bits(), 0x3F81) << "more than a tie";
  EXPECT_EQ(bfloat16(-3.4e38F).bits(), 0xFF80) << "beyond the largest";
  EXPECT_EQ(bfloat16::truncate(1.0117187F).bits(), 0x3F81);
  EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16(std::nanf("1")))));
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

TEST(Tilize, TilesMayHaveOtherShapes) {
  std::vector<int> matrix(16 * 64);
  std::iota(matrix.begin(), matrix.end(), 0);
  const TiledShape shape{{16, 64}, {16, 32}, {16, 16}};
  const auto tiles =
      convert_layout(std::span<const int>(matrix), shape, TensorLayoutType::LIN_ROW_MAJOR,
                     TensorLayoutType::TILED_NFACES);
  EXPECT_EQ(tiles[256], 16);
  EXPECT_EQ(tiles[512], 32);
  EXPECT_NE(refusal([] {
              tilize_nfaces(std::vector<int>(1024), 16, 64);
            }).find("tiles of 32 x 32 do not divide 16 x 64"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              tilize_nfaces(std::vector<int>(1000), 32, 32);
            }).find("1000 numbers for a matrix of 32 x 32"),
            std::string::npos);
  const TiledShape faces{{32, 32}, {32, 32}, {16, 12}};
  EXPECT_NE(refusal([&] { faces.check(1024); }).find("faces of 16 x 12 do not divide 32 x 32"),
            std::string::npos);
}

std::vector<float> random_numbers(std::size_t count, float spread) {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& number : numbers) number = normal(generator) * std::exp2(spread * normal(generator));
  return numbers;
}

/// In double: nearest multiple of the unit that the largest of the group leaves.
double golden(const float* group, unsigned i, int magnitude_bits, int least_exponent) {
  double largest = 0;
  for (unsigned k = 0; k < 16; ++k) largest = std::max(largest, std::abs(double{group[k]}));
  if (largest == 0) return 0;
  const int exponent = std::max(std::ilogb(largest), least_exponent);
  const double unit = std::ldexp(1.0, exponent - magnitude_bits + 1);
  const double most = std::ldexp(1.0, magnitude_bits) - 1;
  const double magnitude = std::min(std::nearbyint(std::abs(group[i]) / unit), most) * unit;
  return std::copysign(magnitude, magnitude == 0 ? 1.0 : double{group[i]});
}

TEST(BlockFloat, NumbersAreTheNearestThatTheirGroupAllows) {
  const auto numbers = random_numbers(2 * 1024, 3);
  const auto check = [&](const std::vector<float>& back, int bits, int least_exponent) {
    ASSERT_EQ(back.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      EXPECT_EQ(back[i], golden(&numbers[i / 16 * 16], i % 16, bits, least_exponent)) << i;
  };
  for (const bool row_major : {false, true}) {
    for (const bool exp_a : {false, true}) {
      const int least = exp_a ? -15 : -127;
      const auto bfp8 = pack_as_bfp8_tiles(numbers, row_major, exp_a);
      ASSERT_EQ(bfp8.size() * 4, 2 * 1088U);
      check(unpack_bfp8_tiles_into_float_vec(bfp8, row_major, exp_a), 7, least);
      const auto bfp4 = pack_as_bfp4_tiles(numbers, row_major, exp_a);
      ASSERT_EQ(bfp4.size() * 4, 2 * 576U);
      check(unpack_bfp4_tiles_into_float_vec(bfp4, row_major, exp_a), 3, least);
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
  // Numbers that are face by face already keep their places.
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
  EXPECT_NE(refusal([] {
              pack_as_bfp8_tiles(std::vector<float>(1000), true, false);
            }).find("1000 numbers, a tile has 1024"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              unpack_bfp4_tiles_into_float_vec(std::vector<std::uint32_t>(100), true, false);
            }).find("400 bytes, a tile has 576"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              pack_as_bfp8_tiles(std::vector<float>(256), true, false, {32, 8});
            }).find("a tile 8 wide"),
            std::string::npos);
  // Tiles of one face.
  EXPECT_EQ(pack_as_bfp8_tiles(std::vector<float>(256, 1.0F), true, false, {16, 16}).size() * 4,
            256U + 16);
}

}  // namespace
}  // namespace tvp::runtime::tile_data_test
