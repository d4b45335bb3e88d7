// Tiles in L1 as matrices: the packers of the host API are the reference for block floats.
#include "platform/machine/monitor/l1_tile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "sw/runtime/block_float.h"

namespace tvp::platform {
namespace {

constexpr unsigned kDatums = L1Tile::kSide * L1Tile::kSide;

/// Numbers row by row. Each row has multiples of a power of two, so block floats of four bits hold
/// them exactly.
std::vector<float> numbers() {
  std::vector<float> made;
  for (unsigned i = 0; i < kDatums; ++i) {
    const unsigned row = i / L1Tile::kSide;
    const float size = static_cast<float>(4 + i % 4) * std::ldexp(1.0F, static_cast<int>(row) - 7);
    made.push_back(i % 3 == 0 ? -size : size);
  }
  return made;
}

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

TEST(L1Tile, ShowsBlockFloatsAsTheHostPacksThem) {
  const std::vector<float> values = numbers();
  const struct {
    DatumFormat format;
    std::vector<std::uint8_t> bytes;
  } cases[] = {
      {DatumFormat::kBfp8b, bytes_of(runtime::pack_as_bfp8_tiles(values, true, false))},
      {DatumFormat::kBfp4b, bytes_of(runtime::pack_as_bfp4_tiles(values, true, false))},
  };
  for (const auto& each : cases) {
    ASSERT_EQ(each.bytes.size(), L1Tile::bytes(each.format)) << name_of(each.format);
    const L1Tile tile(each.format, each.bytes);
    for (unsigned i = 0; i < kDatums; ++i)
      ASSERT_EQ(tile.at(i / L1Tile::kSide, i % L1Tile::kSide), values[i])
          << name_of(each.format) << " " << i;
  }
}

TEST(L1Tile, ShowsFormatsWithoutExponents) {
  const auto expect = [](DatumFormat format, const std::vector<std::uint8_t>& datum, double value) {
    std::vector<std::uint8_t> bytes(L1Tile::bytes(format));
    // Row 17, column 20 is in face 3, row 1, column 4.
    std::memcpy(bytes.data() + (3 * 256 + 16 + 4) * datum.size(), datum.data(), datum.size());
    const L1Tile tile(format, bytes);
    EXPECT_EQ(tile.at(17, 20), value) << name_of(format);
    EXPECT_EQ(tile.at(17, 21), 0) << name_of(format);
    EXPECT_EQ(tile.at(20, 17), 0) << name_of(format);
  };
  expect(DatumFormat::kFp32, {0, 0, 0x20, 0xC1}, -10);
  expect(DatumFormat::kBf16, {0x20, 0xC1}, -10);
  expect(DatumFormat::kFp16, {0x00, 0xC9}, -10);
  expect(DatumFormat::kFp16, {0x01, 0x00}, std::ldexp(1.0, -24));
  expect(DatumFormat::kInt32, {0xF6, 0xFF, 0xFF, 0xFF}, -10);
  expect(DatumFormat::kUint16, {0xFF, 0xFF}, 65535);
  expect(DatumFormat::kInt8, {0x8A}, -10);
  expect(DatumFormat::kUint8, {0x8A}, 138);
}

TEST(L1Tile, KnowsFormatsByNameAndNumber) {
  EXPECT_EQ(datum_format_named("bfp8_b"), DatumFormat::kBfp8b);
  EXPECT_EQ(datum_format_named("bf17"), std::nullopt);
  EXPECT_EQ(datum_format_numbered(5), DatumFormat::kBf16);
  EXPECT_EQ(datum_format_numbered(4), DatumFormat::kFp32);
  EXPECT_EQ(datum_format_numbered(10), std::nullopt);  // Lf8
}

TEST(L1Tile, ColumnsHaveEqualWidth) {
  const std::string text = matrix_text(2, 2, [](unsigned row, unsigned column) {
    return number_text(row == 0 ? 1 : -1234.5 * (column + 1));
  });
  EXPECT_EQ(text, "   0 |     1     1\n   1 | -1234 -2469\n");
}

}  // namespace
}  // namespace tvp::platform
