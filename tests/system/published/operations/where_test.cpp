// Selections between tensors, in FP32 and as integers, bit for bit.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/where.toml");

using runtime::DataFormat;

class PublishedWhere : public PublishedTest {};

TEST_F(PublishedWhere, NumbersOf32Bits) {
  struct Case {
    const char* name;
    DataFormat format;
    Word mask, bits;
  };
  for (const Case& each : {Case{"Float32", DataFormat::Float32, 0xBFFFFFFF, 0x00800000},
                           Case{"Int32", DataFormat::Int32, 0xFFFFFFFF, 0}}) {
    for (const Word tiles : {1U, 3U}) {
      // Zeros of both signs, one bit, random bits.
      Words condition(1024 * tiles), yes(1024 * tiles), no(1024 * tiles);
      for (Word& word : condition) {
        const auto kind = random_() % 4;
        word = kind == 0   ? 0
               : kind == 1 ? (each.bits != 0 ? 0x80000000 : 1)
                           : (static_cast<Word>(random_()) & each.mask) | each.bits;
      }
      for (Words* list : {&yes, &no})
        for (Word& word : *list) word = (static_cast<Word>(random_()) & each.mask) | each.bits;
      const auto first = bench_->tensor(condition, 4096), second = bench_->tensor(yes, 4096),
                 third = bench_->tensor(no, 4096), out = bench_->result(tiles, 4096);
      kLaunches.run(*bench_, "numbers_of32_bits",
                    TVP_VALUES(each.format, first, second, third, tiles, each.name, out)
                        .with("name", std::string("where_tile<DataFormat::")));
      const Words got = bench_->words(out);
      for (std::size_t i = 0; i < got.size(); ++i) {
        const bool zero = condition[i] << (each.bits != 0 ? 1 : 0) == 0;
        ASSERT_EQ(got[i], zero ? no[i] : yes[i]) << each.name << " " << i << ": " << condition[i];
      }
    }
  }
}

}  // namespace
}  // namespace tvp::test
