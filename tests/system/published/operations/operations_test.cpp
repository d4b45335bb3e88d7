// Operations that compute, from DRAM to DRAM, compared with loops in double precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/operations.toml");

using runtime::DataFormat;
using Defines = Operation::Defines;

const std::string kOps = "ttnn/cpp/ttnn/operations/";
const std::string kUnary = kOps + "eltwise/unary/device/kernels/";

class PublishedOperations : public PublishedTest {};

constexpr double kRounded = 1.0 / 128;

TEST_F(PublishedOperations, UnaryWithKernelsOfTheirOwn) {
  struct Case {
    const char* name;
    float low, high;
    double bound;
    double (*expected)(double);
    Words args;
    Defines defines;
  };
  const std::vector<Case> cases = {
      {"hardswish",
       -6,
       6,
       kRounded,
       [](double x) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); },
       {},
       {}},
      {"mish",
       -4,
       4,
       2 * kRounded,
       [](double x) { return x * std::tanh(std::log1p(std::exp(x))); },
       {},
       {{"INP_FLOAT", "1"}}},
      {"mish",
       -4,
       4,
       2 * kRounded,
       [](double x) { return x * std::tanh(std::log1p(std::exp(x))); },
       {},
       {{"INP_FLOAT32", "1"}}},
      {"tanhshrink", -4, 4, 2 * kRounded, [](double x) { return x - std::tanh(x); }, {}, {}},
      {"logsigmoid",
       -8,
       8,
       2 * kRounded,
       [](double x) { return -std::log1p(std::exp(-x)); },
       {},
       {}},
      {"cbrt",
       -20,
       20,
       2 * kRounded,
       [](double x) { return std::cbrt(x); },
       {},
       {{"INP_FLOAT", "1"}}},
      {"hardshrink",
       -2,
       2,
       kRounded,
       [](double x) { return std::abs(x) > 0.5 ? x : 0.0; },
       {w(0.5F)},
       {}},
      {"logit", 0.1F, 0.9F, 4 * kRounded, [](double x) { return std::log(x / (1 - x)); }, {}, {}},
  };
  for (const Case& each : cases) {
    const Numbers x = random(1, 2, each.low, each.high);
    const auto in = tensor(x), out = result(2);
    kLaunches.run(*bench_, "unary_with_kernels_of_their_own",
                  TVP_VALUES(in, each.name, out)
                      .with("compute_args", each.args)
                      .with("compute_defines", each.defines));
    check(
        read(out, 2), each.bound, [&](auto r, auto c) { return each.expected(x(r, c)); },
        each.name);
  }
}

/// The functions before and after a binary operation, as its factory writes them.
Defines with_activations(Defines defines, const std::string& left, const std::string& right,
                         const std::string& after) {
  defines["PROCESS_LHS_ACTIVATIONS(i)"] = left;
  defines["PROCESS_RHS_ACTIVATIONS(i)"] = right;
  defines["PROCESS_POST_ACTIVATIONS(i)"] = after;
  return defines;
}
const Defines kAdd{{"BINARY_OP", "add_tiles"}, {"BINARY_OP_TYPE", "EltwiseBinaryType::ELWADD"}};
const Defines kSubtract{{"BINARY_OP", "sub_tiles"},
                        {"BINARY_OP_TYPE", "EltwiseBinaryType::ELWSUB"}};
const Defines kMultiply{{"BINARY_OP", "mul_tiles"},
                        {"BINARY_OP_TYPE", "EltwiseBinaryType::ELWMUL"}};
Defines on_vectors(const std::string& name) {
  return {{"BINARY_SFPU_INIT", name + "_binary_tile_init();"},
          {"BINARY_SFPU_OP", name + "_binary_tile"}};
}

TEST_F(PublishedOperations, BinaryOfTensors) {
  constexpr std::size_t kHigh = 2, kWide = 3, kTiles = kHigh * kWide;
  struct Case {
    const char* name;
    const char* kernel;
    Defines defines;
    double bound;
    double (*expected)(double, double);
  };
  const char* const kMatrixUnit = "eltwise_binary_no_bcast.cpp";
  const char* const kVectorUnit = "eltwise_binary_sfpu_no_bcast.cpp";
  const std::string exp = "exp_tile_init();exp_tile(i);";
  const std::string square = "square_tile_init();square_tile(i);";
  const std::vector<Case> cases = {
      {"subtract", kMatrixUnit, with_activations(kSubtract, "", "", ""), kRounded,
       [](double a, double b) { return a - b; }},
      {"add, relu by the packers", kMatrixUnit,
       with_activations({{"PACK_RELU", "1"},
                         {"BINARY_OP", "add_tiles"},
                         {"BINARY_OP_TYPE", "EltwiseBinaryType::ELWADD"}},
                        "", "", ""),
       kRounded, [](double a, double b) { return std::max(a + b, 0.0); }},
      {"divide", kMatrixUnit,
       with_activations(kMultiply, "", "recip_tile_init();recip_tile(i);", ""), 2 * kRounded,
       [](double a, double b) { return a / b; }},
      {"logaddexp", kMatrixUnit, with_activations(kAdd, exp, exp, "log_tile_init();log_tile(i);"),
       2 * kRounded, [](double a, double b) { return std::log(std::exp(a) + std::exp(b)); }},
      {"hypot", kMatrixUnit,
       with_activations(kAdd, square, square, "sqrt_tile_init();sqrt_tile(i);"), 2 * kRounded,
       [](double a, double b) { return std::hypot(a, b); }},
      {"less", kMatrixUnit, with_activations(kSubtract, "", "", "ltz_tile_init();ltz_tile(i);"), 0,
       [](double a, double b) { return a < b ? 1.0 : 0.0; }},
      {"divide", kVectorUnit, with_activations(on_vectors("div"), "", "", ""), kRounded,
       [](double a, double b) { return a / b; }},
      {"reverse subtract", kVectorUnit, with_activations(on_vectors("rsub"), "", "", ""), kRounded,
       [](double a, double b) { return b - a; }},
      {"power of a square", kVectorUnit, with_activations(on_vectors("power"), square, "", ""),
       4 * kRounded, [](double a, double b) { return std::pow(a * a, b); }},
      {"xlogy, negated", kVectorUnit,
       with_activations(on_vectors("xlogy"), "", "", "negative_tile_init();negative_tile(i);"),
       2 * kRounded, [](double a, double b) { return -a * std::log(b); }},
  };
  const Numbers a = random(kHigh, kWide, -2, 2), b = random(kHigh, kWide, 0.5F, 3);
  const auto first = tensor(a), second = tensor(b);
  for (const Case& each : cases) {
    const auto out = result(kTiles);
    kLaunches.run(*bench_, "binary_of_tensors",
                  TVP_VALUES(first, second, kTiles, kHigh, kWide, each.kernel, out)
                      .with("compute_defines", each.defines));
    check(
        read(out, kWide), each.bound,
        [&](auto r, auto c) { return each.expected(a(r, c), b(r, c)); }, each.name);
  }
}

TEST_F(PublishedOperations, BinaryWithARowOrANumber) {
  constexpr std::size_t kHigh = 2, kWide = 3, kTiles = kHigh * kWide;
  const Numbers a = random(kHigh, kWide, -3, 3), b = random(1, kWide, -3, 3);
  const auto first = tensor(a), second = tensor(b);
  // The unpacker (BCAST_LLK) or the reader repeats the row.
  for (const bool by_unpacker : {true, false}) {
    const auto out = result(kTiles);

    const Defines row{{"SRC_BCAST", "0"},
                      {"SRC_BCAST_B", "1"},
                      {"SRC_SHARDED", "0"},
                      {"SRC_SHARDED_B", "0"},
                      {"BCAST_LLK", by_unpacker ? "1" : "0"},
                      {"FILL_TILE_WITH_FIRST_ROW", "fill_tile_with_first_row_bfloat16"},
                      {"FILL_TILE_WITH_FIRST_ROW_B", "fill_tile_with_first_row_bfloat16"}};
    Defines compute = with_activations(kSubtract, "", "", "");
    compute["SRC_BCAST"] = "0";
    compute["SRC_BCAST_B"] = "1";
    kLaunches.run(
        *bench_, "binary_with_a_row",
        TVP_VALUES(first, second, kTiles, kHigh, kWide, row, compute, out)
            .with("kind",
                  std::string(by_unpacker ? "kernels_ng/compute/eltwise_binary_row_bcast.cpp"
                                          : "kernels/compute/eltwise_binary_no_bcast.cpp")));
    check(
        read(out, kWide), kRounded, [&](auto r, auto c) { return a(r, c) - b(0, c); },
        by_unpacker ? "unpacker " : "reader ");
  }
  // The writer writes a number.
  const auto out = result(kTiles);

  constexpr Word kNumber = 0x40604060;
  kLaunches.run(*bench_, "binary_with_a_number",
                TVP_VALUES(first, kTiles, kHigh, kWide, out, kNumber)
                    .with("compute_defines", with_activations(kMultiply, "", "", "")));
  check(
      read(out, kWide), kRounded, [&](auto r, auto c) { return a(r, c) * 3.5; }, "number ");
}

TEST_F(PublishedOperations, Reductions) {
  constexpr std::size_t kHigh = 3, kWide = 4, kTiles = kHigh * kWide;
  const Numbers a = random(kHigh, kWide, -2, 4);
  const auto in = tensor(a);
  const std::string kernels = kOps + "reduction/generic/device/kernels/";
  constexpr Word kOne = 0x3F803F80;
  for (const std::string along : {"w", "h", "hw"}) {
    for (const bool largest : {false, true}) {
      const std::size_t results = along == "w" ? kHigh : along == "h" ? kWide : 1;
      const auto out = result(results);
      const Defines defines{{"REDUCE_OP", largest ? "PoolType::MAX" : "PoolType::SUM"},
                            {"REDUCE_DIM", along == "w"   ? "ReduceDim::REDUCE_ROW"
                                           : along == "h" ? "ReduceDim::REDUCE_COL"
                                                          : "ReduceDim::REDUCE_SCALAR"}};
      Operation operation(*bench_);
      operation.buffer(0, 2).buffer(2, 1).buffer(3, 2);
      if (along == "h") {
        operation.reader(
            kernels + "dataflow/reader_unary_transpose_wh_universal_input_cols_partitioned.cpp",
            {.compile = {kHigh, kWide, kTiles, 2, kOne},
             .tensors = {in},
             .run = {address(in), 0, 0, kWide},
             .defines = defines});
      } else {
        operation.reader(kernels + "dataflow/reader_unary_reduce_universal_start_id.cpp",
                         {.compile = {kOne},
                          .tensors = {in},
                          .run = {address(in), kTiles, 0},
                          .defines = defines});
      }
      operation
          .compute(kernels + "compute/reduce_" + along + ".cpp",
                   {.compile = {kHigh, kWide, 1, 2}, .defines = defines})
          .writer(kUnary + "dataflow/writer_unary_interleaved_start_id.cpp",
                  {.compile = {3}, .tensors = {out}, .run = {address(out), count(results), 0}})
          .run();
      const Numbers got = read(out, 1);
      const auto over = [&](std::size_t r0, std::size_t r1, std::size_t c0, std::size_t c1) {
        double reduced = largest ? -1e30 : 0;
        for (std::size_t r = r0; r < r1; ++r)
          for (std::size_t c = c0; c < c1; ++c)
            reduced = largest ? std::max(reduced, a(r, c)) : reduced + a(r, c);
        return reduced;
      };
      // A BF16 Dst rounds the sum with each tile.
      const double bound = largest ? 0 : along == "hw" ? 1.0 / 16 : 1.0 / 32;
      const auto close = [&](double value, double wanted) {
        EXPECT_NEAR(value, wanted, bound * (std::abs(wanted) + 1)) << along << largest;
      };
      if (along == "w")
        for (std::size_t r = 0; r < a.rows(); ++r) close(got(r, 0), over(r, r + 1, 0, 32 * kWide));
      if (along == "h")
        for (std::size_t c = 0; c < a.columns(); ++c)
          close(got(c / 32 * 32, c % 32), over(0, 32 * kHigh, c, c + 1));
      if (along == "hw") close(got(0, 0), over(0, 32 * kHigh, 0, 32 * kWide));
    }
  }
}

TEST_F(PublishedOperations, BatchNorm) {
  // Two batches of three channels of 1 x 2 tiles, with statistics in one tile per channel.
  constexpr std::size_t kBatches = 2, kChannels = 3, kTiles = 2;
  constexpr float kEpsilon = 0.25F;
  const Numbers x = random(kBatches * kChannels, kTiles, -3, 5), mean = random(kChannels, 1, -1, 2),
                variance = random(kChannels, 1, 0.5F, 4), weight = random(kChannels, 1, -2, 2),
                bias = random(kChannels, 1, -2, 2);
  const auto in = tensor(x), m = tensor(mean), v = tensor(variance), g = tensor(weight),
             b = tensor(bias);
  const auto tiles = count(x.tiles());
  for (const std::string kernel : {"batch_norm_kernel.cpp", "batch_norm_sfpu_kernel.cpp"}) {
    const auto out = result(x.tiles());

    const Defines fill{{"FILL_WITH_VALUE", "fill_with_val_bfloat16"},
                       {"FILL_TILE_WITH_FIRST_ELEMENT", "fill_tile_with_first_element_bfloat16"}};
    kLaunches.run(*bench_, "batch_norm",
                  TVP_VALUES(in, w(kEpsilon), tiles, kTiles, kChannels, kBatches, fill, m, out, v,
                             g, b, kernel));
    check(
        read(out, kTiles), 4 * kRounded,
        [&](auto r, auto c) {
          const std::size_t channel = r / 32 % kChannels * 32;
          return (x(r, c) - mean(channel, 0)) /
                     std::sqrt(variance(channel, 0) + static_cast<double>(kEpsilon)) *
                     weight(channel, 0) +
                 bias(channel, 0);
        },
        kernel);
  }
}

TEST_F(PublishedOperations, LayerNormAndRmsNorm) {
  constexpr std::size_t kHigh = 2, kWide = 4, kBlock = 2, kWidth = 32 * kWide;
  constexpr float kEpsilon = 0.25F;
  const Numbers x = random(kHigh, kWide, -4, 8), y = random(kHigh, kWide, -1, 1),
                gamma = random(1, kWide, -2, 2), beta = random(1, kWide, -2, 2);
  const auto in = tensor(x), more = tensor(y), g = tensor(gamma), b = tensor(beta);
  Words counts(kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) counts[i] = w(1 / static_cast<float>(i + 1));
  const auto reciprocals = bench_->local(counts);
  struct Case {
    const char* name;
    const char* kernel;
    bool rms, add, welford;
  };
  for (const Case& each : {Case{"layer norm", "layernorm", false, false, false},
                           Case{"layer norm of a sum", "layernorm", false, true, false},
                           Case{"rms norm", "layernorm", true, false, false},
                           Case{"welford", "layernorm_welford", false, false, true}}) {
    const auto out = result(kHigh * kWide);
    Defines defines{{"FUSE_GAMMA", "1"}, {"FUSE_BETA", "1"}};
    if (each.rms) defines["RMSNORM"] = "1";
    if (each.add) defines["FUSE_PRE_ADD"] = "1";
    kLaunches.run(*bench_, "layer_norm_and_rms_norm",
                  TVP_VALUES(kWide, reciprocals, kBlock, each.welford, in, more, g, b, kHigh,
                             w(kEpsilon), kWidth, defines, out, each.kernel)
                      .with("compute_compile_args",
                            each.welford ? Words{kWide, kBlock, 1, 1, 0, kWidth, 32, 0, 0}
                                         : Words{kWide, kBlock, 1, 1, 0, 0, 0, kWidth}));
    const auto value = [&](std::size_t r, std::size_t c) {
      return x(r, c) + (each.add ? y(r, c) : 0.0);
    };
    std::vector<double> mean(x.rows()), scale(x.rows());
    for (std::size_t r = 0; r < x.rows(); ++r) {
      for (std::size_t c = 0; c < kWidth && !each.rms; ++c) mean[r] += value(r, c) / kWidth;
      double variance = 0;
      for (std::size_t c = 0; c < kWidth; ++c)
        variance += (value(r, c) - mean[r]) * (value(r, c) - mean[r]) / kWidth;
      scale[r] = 1 / std::sqrt(variance + static_cast<double>(kEpsilon));
    }
    check(
        read(out, kWide), 6 * kRounded,
        [&](auto r, auto c) {
          return (value(r, c) - mean[r]) * scale[r] * gamma(0, c) + beta(0, c);
        },
        each.name);
  }
}

TEST_F(PublishedOperations, OperationsOfThreeTensors) {
  constexpr Word kTiles = 3;
  const Numbers a = random(1, kTiles, -2, 2), b = random(1, kTiles, -2, 2),
                c = random(1, kTiles, 0.5F, 3);
  const auto first = tensor(a), second = tensor(b), third = tensor(c);
  struct Case {
    const char* name;
    const char* kernel;
    const char* operation;
    double (*expected)(double, double, double);
  };
  for (const Case& each :
       {Case{"where", "ternary_sfpu_no_bcast_ttt", "where_tile<DataFormat::Float16_b>",
             [](double x, double y, double z) { return x != 0 ? y : z; }},
        Case{"addcmul", "ternary_addcmul_fpu", "",
             [](double x, double y, double z) { return x + 1.5 * y * z; }}}) {
    const std::string operation_name = std::string(each.name) + "_tile";
    const auto out = result(kTiles);
    kLaunches.run(
        *bench_, "operations_of_three_tensors",
        TVP_VALUES(first, second, third, kTiles, each.kernel, operation_name, each.operation, out));
    check(
        read(out, kTiles), 2 * kRounded,
        [&](auto r, auto i) { return each.expected(a(r, i), b(r, i), c(r, i)); }, each.name);
  }
}

TEST_F(PublishedOperations, DotProduct) {
  // Vectors of three tiles, in their first rows; the last tile ends after 20 columns.
  constexpr Word kTiles = 3, kLast = 20;
  const Numbers a = random(1, kTiles, -1, 2), b = random(1, kTiles, -1, 2);
  const auto first = tensor(a), second = tensor(b), out = result(1);
  const Defines defines{{"REDUCE_OP", "PoolType::SUM"}, {"REDUCE_DIM", "ReduceDim::REDUCE_ROW"}};
  kLaunches.run(*bench_, "dot_product", TVP_VALUES(first, second, kTiles, kLast, defines, out));
  double sum = 0, size = 0;
  for (std::size_t c = 0; c < 32 * (kTiles - 1) + kLast; ++c) {
    sum += a(0, c) * b(0, c);
    size += std::abs(a(0, c) * b(0, c));
  }
  EXPECT_NEAR(read(out, 1)(0, 0), sum, size / 64);
}

TEST_F(PublishedOperations, StepOfAdam) {
  constexpr Word kTiles = 2, kStep = 3;
  constexpr double kRate = 0.125, kBeta1 = 0.75, kBeta2 = 0.5, kEpsilon = 0.0625, kDecay = 0.25;
  const Numbers weight = random(1, kTiles, -2, 2), gradient = random(1, kTiles, -2, 2),
                mean = random(1, kTiles, -1, 1), square = random(1, kTiles, 0.5F, 2),
                largest = random(1, kTiles, 0.5F, 3);
  const auto ws = tensor(weight), gs = tensor(gradient), ms = tensor(mean), ss = tensor(square),
             ls = tensor(largest);
  const auto bits = [](double value) { return w(static_cast<float>(value)); };
  for (const bool amsgrad : {false, true}) {
    const auto weights = result(kTiles), means = result(kTiles), squares = result(kTiles),
               most = result(kTiles);
    Defines defines;
    if (amsgrad) defines["AMSGRAD"] = "1";
    kLaunches.run(
        *bench_, "step_of_adam",
        TVP_VALUES(ws, gs, ms, ss, ls, bits(kRate), bits(kBeta1), bits(kBeta2), bits(kEpsilon),
                   bits(kDecay), kStep, amsgrad, kTiles, defines, weights, means, squares, most));
    const auto g = [&](auto r, auto c) { return gradient(r, c) + kDecay * weight(r, c); };
    const auto m = [&](auto r, auto c) { return kBeta1 * mean(r, c) + (1 - kBeta1) * g(r, c); };
    const auto v = [&](auto r, auto c) {
      return kBeta2 * square(r, c) + (1 - kBeta2) * g(r, c) * g(r, c);
    };
    const auto top = [&](auto r, auto c) {
      return amsgrad ? std::max(largest(r, c), v(r, c)) : v(r, c);
    };
    check(read(means, kTiles), 4 * kRounded, m, "mean ");
    check(read(squares, kTiles), 4 * kRounded, v, "square ");
    if (amsgrad) check(read(most, kTiles), 4 * kRounded, top, "largest ");
    // The weights are not compared. The kernel packs the tile whose root it takes before it commits
    // the tile, so weights depend on timing. The report has a warning with the source line.
    const std::string report = bench_->mesh().library().report();
    EXPECT_NE(report.find("packs rows of Dst that T1 has not committed"), std::string::npos);
    EXPECT_NE(report.find("moreh_adam.cpp:201)"), std::string::npos) << report;
  }
}

}  // namespace
}  // namespace tvp::test
