#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor {
namespace {

constexpr std::uint32_t kSource = 0x20000;
constexpr std::uint32_t kTarget = 0x40000;
constexpr unsigned kDatums = 1024;

/// Bytes of a 32x32 tile whose values both directions represent exactly: no denormals and no minus
/// zeros. Each block of a block format has a datum with the top bit of its magnitude.
std::vector<std::uint8_t> tile_of(DataFormat format, TestRandom& random) {
  const unsigned bits = datum_bits(format);
  const bool block = is_block_float(format);
  std::vector<std::uint8_t> bytes(kDatums * bits / 8 + (block ? kDatums / 16 : 0));
  const unsigned data = block ? kDatums / 16 : 0;
  const bool short_exponent =
      format == DataFormat::kBfp8a || format == DataFormat::kBfp4a || format == DataFormat::kBfp2a;
  for (unsigned i = 0; i < data; ++i) {
    bytes[i] =
        static_cast<std::uint8_t>(short_exponent ? 8 + random.below(24) : 20 + random.below(220));
  }
  for (unsigned i = 0; i < kDatums; ++i) {
    std::uint32_t x = random.bits(bits == 32 ? 32 : bits);
    if (format == DataFormat::kFp32) x = (x & 0x807FFFFF) | (1 + random.below(254)) << 23;
    if (format == DataFormat::kBf16) x = (x & 0x807F) | (1 + random.below(254)) << 7;
    if (format == DataFormat::kFp16) x = (x & 0x83FF) | (1 + random.below(31)) << 10;
    if (format == DataFormat::kFp8) x = (x & 0x83) | (1 + random.below(31)) << 2;
    if (block) {
      const std::uint32_t top = 1u << (bits - 2);
      if (i % 16 == 7) x |= top;
      if ((x & (2 * top - 1)) == 0) x = 0;
    }
    for (unsigned k = 0; k < bits; ++k) {
      const unsigned at = i * bits + k;
      bytes[data + at / 8] |= static_cast<std::uint8_t>((x >> k & 1) << (at % 8));
    }
  }
  return bytes;
}

class RoundTrip : public ::testing::TestWithParam<DataFormat> {};

/// An intermediate type that keeps every bit of a format.
DataFormat intermediate_of(DataFormat format) {
  switch (format) {
    case DataFormat::kBfp8:
    case DataFormat::kBfp4:
    case DataFormat::kBfp2:
      return DataFormat::kBf16;
    case DataFormat::kBfp8a:
    case DataFormat::kBfp4a:
    case DataFormat::kBfp2a:
    case DataFormat::kFp8:
      return DataFormat::kFp16;
    default:
      return format;
  }
}

TEST_P(RoundTrip, FromL1ThroughDstAndBackIsTheSameTile) {
  const DataFormat format = GetParam();
  TestRandom random(static_cast<std::uint64_t>(format) + 100);
  for (int round = 0; round < 8; ++round) {
    auto bench = std::make_unique<MovementBench>();
    MovementBench& b = *bench;
    const std::vector<std::uint8_t> tile = tile_of(format, random);
    std::copy(tile.begin(), tile.end(), b.l1.bytes() + kSource);

    b.unpack_source(0, kSource, format, format, kDatums);
    b.set(cfg::kUnpacker[0].unpack_to_dst, 1);
    const Issue unpacked =
        b.unpackers.issue(op::encode_unpacr(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0), 0, 0);
    ASSERT_EQ(unpacked.kind, Issue::Kind::kStarted);

    // One packer takes the whole tile, so that exponents and data are one section each.
    const DataFormat via = intermediate_of(format);
    b.pack_target(kTarget, via, via, format, kDatums, 0);
    b.set(cfg::pack::kRead32bData, datum_bits(via) == 32);
    b.set(cfg::pack::kReadRaw, 1);
    b.set(cfg::kPacker[0].exp_section_size, is_block_float(format) ? 4 : 0);
    const Issue packed = b.packers.issue(op::encode_pacr(0, 0, 1, 0, 0, 0, 1), 0, unpacked.done);
    ASSERT_EQ(packed.kind, Issue::Kind::kStarted);
    for (unsigned i = 0; i < tile.size(); ++i) {
      ASSERT_EQ(b.l1.bytes()[kTarget + i], tile[i])
          << format_name(format) << " round " << round << " byte " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip,
                         ::testing::Values(DataFormat::kFp32, DataFormat::kInt32, DataFormat::kBf16,
                                           DataFormat::kFp16, DataFormat::kInt16, DataFormat::kFp8,
                                           DataFormat::kBfp8, DataFormat::kBfp4, DataFormat::kBfp2,
                                           DataFormat::kBfp8a, DataFormat::kBfp4a,
                                           DataFormat::kBfp2a),
                         [](const auto& each) { return std::string(format_name(each.param)); });

}  // namespace
}  // namespace tvp::tensix::coprocessor
