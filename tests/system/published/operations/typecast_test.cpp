// Conversions of tiles between all pairs of formats of tt-metal's typecast.

#include <gtest/gtest.h>

#include <array>

#include "sw/runtime/block_float.h"
#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/typecast.toml");

using runtime::DataFormat;

struct Format {
  DataFormat format;
  std::string name;
  unsigned bytes;  ///< per tile
  double largest;  ///< all whole numbers up to this are exact
  bool is_signed;
};
const std::array<Format, 7> kFormats{{
    {DataFormat::Float16_b, "BF16", 2048, 256, true},
    {DataFormat::Float32, "FP32", 4096, 16777216, true},
    {DataFormat::Bfp8_b, "BFP8", 1088, 127, true},
    {DataFormat::Bfp4_b, "BFP4", 576, 7, true},
    {DataFormat::Int32, "INT32", 4096, 2147483647, true},
    {DataFormat::UInt32, "UINT32", 4096, 4294967295, false},
    {DataFormat::UInt16, "UINT16", 2048, 65535, false},
}};

std::vector<Word> encode(DataFormat format, const std::vector<double>& numbers) {
  std::vector<float> floats(numbers.begin(), numbers.end());
  if (format == DataFormat::Bfp8_b) return runtime::pack_as_bfp8_tiles(floats, false, false);
  if (format == DataFormat::Bfp4_b) return runtime::pack_as_bfp4_tiles(floats, false, false);
  const bool narrow = format == DataFormat::Float16_b || format == DataFormat::UInt16;
  std::vector<Word> words(numbers.size() / (narrow ? 2 : 1));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (format == DataFormat::Float16_b) set_datum16(words, i, to_bf16(floats[i]));
    if (format == DataFormat::UInt16) set_datum16(words, i, static_cast<Word>(numbers[i]));
    if (format == DataFormat::Float32) words[i] = w(floats[i]);
    if (format == DataFormat::UInt32) words[i] = static_cast<Word>(numbers[i]);
    if (format == DataFormat::Int32)
      words[i] = static_cast<Word>(static_cast<std::int32_t>(numbers[i]));
  }
  return words;
}

std::vector<double> decode(DataFormat format, const std::vector<Word>& words) {
  std::vector<float> floats;
  if (format == DataFormat::Bfp8_b)
    floats = runtime::unpack_bfp8_tiles_into_float_vec(words, false, false);
  if (format == DataFormat::Bfp4_b)
    floats = runtime::unpack_bfp4_tiles_into_float_vec(words, false, false);
  if (!floats.empty()) return {floats.begin(), floats.end()};
  const bool narrow = format == DataFormat::Float16_b || format == DataFormat::UInt16;
  std::vector<double> numbers(words.size() * (narrow ? 2 : 1));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (format == DataFormat::Float16_b)
      numbers[i] = static_cast<double>(f(from_bf16(datum16(words, i))));
    if (format == DataFormat::UInt16) numbers[i] = datum16(words, i);
    if (format == DataFormat::Float32) numbers[i] = static_cast<double>(f(words[i]));
    if (format == DataFormat::UInt32) numbers[i] = words[i];
    if (format == DataFormat::Int32) numbers[i] = static_cast<std::int32_t>(words[i]);
  }
  return numbers;
}

class PublishedTypecast : public PublishedTest, public testing::WithParamInterface<std::size_t> {};

bool is_float(const Format& of) {
  return of.format == DataFormat::Float16_b || of.format == DataFormat::Float32 ||
         of.format == DataFormat::Bfp8_b || of.format == DataFormat::Bfp4_b;
}

// Whole numbers that both formats represent.
TEST_P(PublishedTypecast, ToAllOthers) {
  const Format& from = kFormats[GetParam()];
  for (const Format& to : kFormats) {
    // The API has no conversion between the two 32-bit integer formats.
    if (to.format == from.format ||
        (from.bytes == 4096 && to.bytes == 4096 && !is_float(from) && !is_float(to)))
      continue;
    double top = std::min(from.largest, to.largest);
    const bool both = from.is_signed && to.is_signed;
    std::vector<double> numbers(2048);
    std::uniform_real_distribution<double> of(both ? -top : 0, top);
    for (auto& number : numbers) number = std::trunc(of(random_));
    numbers[0] = top;
    numbers[1] = both ? -top : 0;
    const auto in = bench_->tensor(encode(from.format, numbers), from.bytes);
    const auto out = bench_->result(2, to.bytes);
    const auto wide = [](DataFormat format) {
      return format == DataFormat::Int32 || format == DataFormat::UInt32;
    };
    const bool fp32 = from.format == DataFormat::Float32 || to.format == DataFormat::Float32 ||
                      wide(from.format) || wide(to.format);
    const std::string formats = "<" + std::to_string(static_cast<unsigned>(from.format)) + "u, " +
                                std::to_string(static_cast<unsigned>(to.format)) + "u>";
    const bool from_float = from.format == DataFormat::Float32;
    kLaunches.run(*bench_, "typecast",
                  TVP_VALUES(from.format, from.bytes, to.format, to.bytes, in, fp32, from_float,
                             formats, out));
    const std::vector<double> got = decode(to.format, bench_->words(out));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      ASSERT_EQ(got[i], numbers[i]) << from.name << " to " << to.name << ", number " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, PublishedTypecast, testing::Range<std::size_t>(0, 7),
                         [](const auto& test) { return kFormats[test.param].name; });

}  // namespace
}  // namespace tvp::test
