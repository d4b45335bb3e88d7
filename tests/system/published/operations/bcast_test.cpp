// Tiles combined with a row, a column or a number.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/bcast.toml");

struct Over {
  std::string suffix, dim;
  Word high, wide;  ///< in tiles, per matrix
};
struct With {
  std::string call, type;
  std::function<double(double, double)> value;
};

class PublishedBcast : public PublishedTest, public testing::WithParamInterface<bool> {};

// Two matrices of two by three tiles, with one operand each or a common one. A 16-bit Dst rounds
// each phase of a product.
TEST_P(PublishedBcast, OperandsAreRepeated) {
  constexpr Word kMatrices = 2, kHigh = 2, kWide = 3, kTiles = kMatrices * kHigh * kWide;
  const std::vector<Over> overs = {
      {"h", "ROW", 1, kWide}, {"w", "COL", kHigh, 1}, {"hw", "SCALAR", 1, 1}};
  const std::vector<With> withs = {
      {"add_tiles_bcast", "ELWADD", [](double a, double b) { return a + b; }},
      {"sub_tiles_bcast", "ELWSUB", [](double a, double b) { return a - b; }},
      {"mul_tiles_bcast", "ELWMUL", [](double a, double b) { return a * b; }}};
  const Numbers x = random(std::size_t{kMatrices} * kHigh, kWide, -4, 4);
  for (const Over& over : overs) {
    const Numbers y = random(std::size_t{kMatrices} * over.high, over.wide, -4, 4);
    for (const bool same : {false, true}) {
      for (const With& with : withs) {
        const auto x_in = tensor(x), y_in = tensor(y), out = result(kTiles);
        kLaunches.run(*bench_, "broadcast",
                      TVP_VALUES(over.suffix, x_in, y_in, kTiles, kMatrices, kHigh, kWide, same,
                                 GetParam(), out)
                          .with("compute_defines",
                                Operation::Defines{{"BCAST_OP", with.call},
                                                   {"BCAST_LLKOP", with.type},
                                                   {"BCAST_DIM", "BroadcastType::" + over.dim}}));
        check(
            read(out, kWide), GetParam() ? 0x1p-7 : 0x1p-6,
            [&](auto row, auto column) {
              const std::size_t matrix = same ? 0 : row / (32 * kHigh);
              const std::size_t inner = over.suffix == "w" ? row % (32 * kHigh) : 0;
              return with.value(x(row, column), y(32 * over.high * matrix + inner,
                                                  over.suffix == "h" ? column : 0));
            },
            with.call + " " + over.dim + (same ? ", the same " : " "));
        if (HasFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dst, PublishedBcast, testing::Values(false, true),
                         [](const auto& fp32) { return fp32.param ? "Of32Bits" : "Of16Bits"; });

}  // namespace
}  // namespace tvp::test
