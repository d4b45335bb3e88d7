// Operations on two tensors of which one is a column, a row or a number.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/broadcast.toml");

using Defines = Operation::Defines;

struct Case {
  std::string name, reader{}, compute{};
  bool left = false, right = false;         ///< the sides that are broadcast
  std::string left_shape{}, right_shape{};  ///< "column", "row", "number"
  bool by_unpacker = false;
  bool vectors = false;  ///< a quotient on the vector unit, otherwise a difference
  std::string left_activation{}, after{};
  bool fp32 = false;
};

class PublishedBroadcast : public PublishedTest {
 protected:
  void run(const Case& c);
};

void PublishedBroadcast::run(const Case& c) {
  constexpr unsigned kChannels = 2, kHigh = 3, kWide = 2, kTiles = kChannels * kHigh * kWide;
  // Channels are below each other.
  const auto high = [](const std::string& shape) {
    return shape == "row" || shape == "number" ? 1U : kHigh;
  };
  const auto wide = [](const std::string& shape) {
    return shape == "column" || shape == "number" ? 1U : kWide;
  };
  const unsigned left_high = high(c.left_shape), left_wide = wide(c.left_shape);
  const unsigned right_high = high(c.right_shape), right_wide = wide(c.right_shape);
  const Numbers a = random(kChannels * left_high, left_wide, -2, 2);
  const Numbers b = random(kChannels * right_high, right_wide, 0.5F, 3);
  const auto first = tensor(a), second = tensor(b), out = result(kTiles);
  const auto flag = [](bool on) { return std::string(on ? "1" : "0"); };
  const bool left_column = c.left_shape == "column";
  const Defines reads{{"SRC_BCAST", flag(c.left)},
                      {"SRC_BCAST_B", flag(c.right)},
                      {"SRC_BCAST_COL", flag(left_column)},
                      {"SRC_BCAST_ROW_B", flag(c.right_shape == "row")},
                      {"SRC_SHARDED", "0"},
                      {"SRC_SHARDED_B", "0"},
                      {"BCAST_LLK", flag(c.by_unpacker)},
                      {"FILL_TILE_WITH_FIRST_ELEMENT", "fill_tile_with_first_element_bfloat16"},
                      {"FILL_TILE_WITH_FIRST_ELEMENT_B", "fill_tile_with_first_element_bfloat16"},
                      {"FILL_TILE_WITH_FIRST_ROW", "fill_tile_with_first_row_bfloat16"},
                      {"FILL_TILE_WITH_FIRST_ROW_B", "fill_tile_with_first_row_bfloat16"},
                      {"FILL_TILE_WITH_FIRST_COLUMN", "fill_tile_with_first_column_bfloat16"},
                      {"FILL_TILE_WITH_FIRST_COLUMN_B", "fill_tile_with_first_column_bfloat16"}};
  Defines computes{{"SRC_BCAST", flag(c.left)}, {"SRC_BCAST_B", flag(c.right)}};
  const bool mixed = c.left && c.right;
  computes["BCAST_INPUT"] = flag(mixed ? !left_column : c.right);
  computes["PROCESS_LHS_ACTIVATIONS(i)"] = c.left_activation;
  computes["PROCESS_RHS_ACTIVATIONS(i)"] = "";
  computes["PROCESS_POST_ACTIVATIONS(i)"] = c.after;
  if (c.vectors) {
    computes["BINARY_SFPU_INIT"] = "div_binary_tile_init();";
    computes["BINARY_SFPU_OP"] = "div_binary_tile";
  } else {
    computes["BINARY_OP"] = "sub_tiles";
    computes["BINARY_OP_TYPE"] = "EltwiseBinaryType::ELWSUB";
  }
  const Word left_size = left_high * left_wide, right_size = right_high * right_wide;
  const auto number = [](const std::string& shape) { return shape == "number"; };
  const Word often = number(c.left_shape) || number(c.right_shape) ? kHigh * kWide : kWide;
  const bool whole_rows = c.compute.find("row_bcast") != std::string::npos;
  kLaunches.run(*bench_, "run",
                TVP_VALUES(c.reader, first, second, left_size, kTiles, kChannels, kHigh, kWide,
                           right_size, reads, c.compute, whole_rows, often, computes, c.fp32, out));
  check(
      read(out, kWide), 0.02,
      [&](std::size_t row, std::size_t column) {
        const auto at = [&](const Numbers& from, unsigned rows, unsigned columns) {
          const std::size_t channel = row / (32 * kHigh), in = row % (32 * kHigh);
          return from(32 * rows * channel + (rows == 1 ? 0 : in), columns == 1 ? 0 : column);
        };
        double x = at(a, left_high, left_wide);
        const double y = at(b, right_high, right_wide);
        if (!c.left_activation.empty()) x = x * x;
        const double made = c.vectors ? x / y : x - y;
        return c.after.empty() ? made : std::max(made, 0.0);
      },
      c.name + ": ");
}

const std::string kSquare = "square_tile_init();square_tile(i);";
const std::string kRelu = "relu_tile_init();relu_tile(i);";
const std::string kUnits[] = {"kernels/compute/eltwise_binary.cpp",
                              "kernels/compute/eltwise_binary_sfpu.cpp"};

TEST_F(PublishedBroadcast, OfColumns) {
  const std::string reader = "reader_interleaved_col_bcast.cpp";
  for (const bool vectors : {false, true}) {
    const std::string& compute = kUnits[vectors ? 1 : 0];
    const auto with = [&](Case c) {
      c.reader = reader;
      c.compute = compute;
      c.vectors = vectors;
      run(c);
    };
    with({.name = "right", .right = true, .right_shape = "column"});
    with({.name = "left", .left = true, .left_shape = "column"});
    with({.name = "right, square",
          .right = true,
          .right_shape = "column",
          .left_activation = kSquare});
    with({.name = "left, square, relu",
          .left = true,
          .left_shape = "column",
          .left_activation = kSquare,
          .after = kRelu});
  }
}

TEST_F(PublishedBroadcast, OfNumbers) {
  const std::string reader = "reader_interleaved_scalar_bcast.cpp";
  for (const bool vectors : {false, true}) {
    const std::string& compute = kUnits[vectors ? 1 : 0];
    const auto with = [&](Case c) {
      c.reader = reader;
      c.compute = compute;
      c.vectors = vectors;
      run(c);
    };
    with({.name = "right", .right = true, .right_shape = "number"});
    with({.name = "left, relu", .left = true, .left_shape = "number", .after = kRelu});
  }
}

TEST_F(PublishedBroadcast, OfRows) {
  const std::string reader = "reader_interleaved_row_bcast.cpp";
  for (const bool vectors : {false, true}) {
    const std::string compute = vectors ? "kernels_ng/compute/eltwise_binary_sfpu_row_bcast.cpp"
                                        : "kernels_ng/compute/eltwise_binary_row_bcast.cpp";
    const auto with = [&](Case c) {
      c.reader = reader;
      c.compute = compute;
      c.vectors = vectors;
      run(c);
    };
    with({.name = "right", .right = true, .right_shape = "row", .by_unpacker = true});
    with({.name = "left", .left = true, .left_shape = "row", .by_unpacker = true});
    with({.name = "left, square",
          .left = true,
          .left_shape = "row",
          .by_unpacker = true,
          .left_activation = kSquare,
          .fp32 = true});
  }
}

TEST_F(PublishedBroadcast, OfRowsAndColumns) {
  const std::string reader = "reader_interleaved_row_col_mixed_bcast.cpp";
  for (const bool vectors : {false, true}) {
    for (const bool by_unpacker : {false, true}) {
      const std::string compute = !by_unpacker ? kUnits[vectors ? 1 : 0]
                                  : vectors
                                      ? "kernels_ng/compute/eltwise_binary_sfpu_row_col_bcast.cpp"
                                      : "kernels_ng/compute/eltwise_binary_row_col_bcast.cpp";
      const auto with = [&](Case c) {
        c.reader = reader;
        c.compute = compute;
        c.vectors = vectors;
        run(c);
      };
      with({.name = "column, row",
            .left = true,
            .right = true,
            .left_shape = "column",
            .right_shape = "row",
            .by_unpacker = by_unpacker});
      with({.name = "row, column",
            .left = true,
            .right = true,
            .left_shape = "row",
            .right_shape = "column",
            .by_unpacker = by_unpacker,
            .after = kRelu});
    }
  }
}

}  // namespace
}  // namespace tvp::test
