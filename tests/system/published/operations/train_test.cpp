// Kernels of tt-train's operations, unchanged, as their hosts run them: where TT_METAL_HOME names a
// tree (of February 2026).

#include <gtest/gtest.h>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::CoreCoord;
using runtime::CoreRange;
using runtime::DataFormat;

const std::string kMetal = "tt-train/sources/ttml/metal/";

/// Rows of tiles, three rows on each of two cores.
class PublishedTrain : public PublishedTest {
 protected:
  static constexpr Word kCores = 2, kEach = 3, kRows = kCores * kEach;
  const CoreRange where_{{0, 0}, {kCores - 1, 0}};

  static std::string kernels(const std::string& operation) {
    return kMetal + operation + "/device/kernels/";
  }
  static Word first(CoreCoord core) { return static_cast<Word>(core.x) * kEach; }
  static Word twice(float value) { return Word{to_bf16(value)} * 0x10001; }
  static Operation::Defines sums(Operation::Defines defines) {
    defines["REDUCE_OP"] = "PoolType::SUM";
    defines["REDUCE_DIM"] = "ReduceDim::REDUCE_ROW";
    return defines;
  }
};

TEST_F(PublishedTrain, SiluBackwards) {
  constexpr Word kBlock = 4, kWide = 6;  // the last block is half empty
  const Numbers x = random(kRows, kWide, -4, 4), grad = random(kRows, kWide, -2, 2);
  const auto in = tensor(x), in_grad = tensor(grad), out = result(kRows * kWide);
  Operation operation(*bench_);
  operation.on(where_);
  for (std::uint8_t cb = 0; cb < 7; ++cb) operation.buffer(cb, 2 * kBlock);
  const std::string at = kernels("ops/silu_bw");
  operation
      .reader(at + "dataflow/reader_silu_bw_interleaved_start_id.cpp",
              {.compile = {kBlock, kWide},
               .tensors = {in, in_grad},
               .run_at =
                   [&](CoreCoord core) {
                     return Words{address(in), address(in_grad), kEach, first(core)};
                   }})
      .compute(at + "compute/silu_bw_kernel.cpp",
               {.compile = {kEach, kBlock, kWide}, .fp32_dst = true})
      .writer(at + "dataflow/writer_silu_bw_interleaved_start_id.cpp",
              {.compile = {kBlock, kWide},
               .tensors = {out},
               .run_at =
                   [&](CoreCoord core) {
                     return Words{address(out), kEach, first(core)};
                   }})
      .run();
  check(read(out, kWide), 0.02, [&](auto r, auto c) {
    const double s = 1 / (1 + std::exp(-x(r, c)));
    return s * (1 + x(r, c) * (1 - s)) * grad(r, c);
  });
}

TEST_F(PublishedTrain, RmsNorm) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  constexpr float kEpsilon = 1.0F / 64;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -3, 3), gamma = random(1, kWide, 0.5F, 1.5F);
    const auto in = tensor(x), in_gamma = tensor(gamma), out = result(kRows * kWide),
               roots = result(kRows);
    Operation operation(*bench_);
    operation.on(where_);
    const Word row = fits ? kWide : 2 * kBlock;
    operation.buffer(0, row).buffer(1, 1).buffer(2, 1).buffer(3, 1).buffer(4, row);
    for (std::uint8_t cb = 5; cb < 8; ++cb) operation.buffer(cb, 2, 4096, DataFormat::Float32);
    operation.buffer(8, 2 * kBlock).buffer(9, 2).buffer(10, 2 * kBlock);
    auto defines = sums({{"DO_MASK_W", "1"}, {"RETURN_RMS", "1"}});
    if (fits)
      defines["EVERYTHING_FITS_IN_L1"] = defines["EVERYTHING_EXCEPT_GAMMA_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/rmsnorm_fw");
    operation
        .reader(at + "dataflow/reader_rmsnorm_fw_interleaved_start_id.cpp",
                {.compile = {twice(1.0F / kColumns), twice(kEpsilon), kColumns % 32, kWide, kBlock},
                 .tensors = {in, in_gamma},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in), address(in_gamma), kEach, first(core)};
                     },
                 .defines = defines})
        .compute(at + "compute/rmsnorm_fw_kernel.cpp",
                 {.compile = {kEach, kBlock, kWide}, .defines = defines, .fp32_dst = true})
        .writer(at + "dataflow/writer_rmsnorm_fw_interleaved_start_id.cpp",
                {.compile = {kWide, kBlock},
                 .tensors = {out, roots},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(out), address(roots), kEach, first(core)};
                     },
                 .defines = defines})
        .run();
    const auto root = [&](std::size_t r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += x(r, c) * x(r, c);
      return std::sqrt(sum / kColumns + kEpsilon);
    };
    const std::string name = fits ? "a row in L1: " : "in blocks: ";
    const Numbers got = read(out, kWide), got_roots = read(roots, 1);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      const double wanted = root(r);
      ASSERT_NEAR(got_roots(r, 0), wanted, 0.02 * wanted) << name << r;
      for (std::size_t c = 0; c < kColumns; ++c)
        ASSERT_NEAR(got(r, c), x(r, c) * gamma(0, c) / wanted, 0.05) << name << r << ", " << c;
    }
  }
}

TEST_F(PublishedTrain, Softmax) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -4, 4);
    const auto in = tensor(x), out = result(kRows * kWide);
    Operation operation(*bench_);
    operation.on(where_);
    const Word row = fits ? kWide : 2 * kBlock;
    operation.buffer(0, row);
    for (std::uint8_t cb = 1; cb < 5; ++cb) operation.buffer(cb, 1);
    operation.buffer(5, 2).buffer(6, 2).buffer(7, row);
    operation.buffer(8, 2, 4096, DataFormat::Float32).buffer(9, 2, 4096, DataFormat::Float32);
    operation.buffer(10, 2 * kBlock);
    auto defines = sums({{"DO_MASK_W", "1"}});
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/softmax");
    operation
        .reader(at + "dataflow/reader_softmax_interleaved_start_id.cpp",
                {.compile = {kBlock, kWide, kColumns % 32},
                 .tensors = {in},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in), kEach, first(core)};
                     },
                 .defines = defines})
        .compute(at + "compute/softmax_kernel.cpp",
                 {.compile = {kEach, kBlock, kWide}, .defines = defines, .fp32_dst = true})
        .writer(at + "dataflow/writer_softmax_interleaved_start_id.cpp",
                {.compile = {kBlock, kWide},
                 .tensors = {out},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(out), kEach, first(core)};
                     },
                 .defines = defines})
        .run();
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(x(r, c));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double wanted = std::exp(x(r, c)) / sum;
        ASSERT_NEAR(got(r, c), wanted, 0.03 * wanted + 1e-4) << fits << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedTrain, CrossEntropy) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -4, 4);
    Words targets(kRows * 32);
    for (Word& target : targets)
      target = std::uniform_int_distribution<Word>(0, kColumns - 1)(random_);
    const auto in = tensor(x), out = result(kRows), wanted = bench_->tensor(targets, kRows * 128);
    Operation operation(*bench_);
    operation.on(where_);
    operation.buffer(0, fits ? kWide : 2 * kBlock).buffer(1, 1, 128, DataFormat::UInt32);
    for (std::uint8_t cb = 2; cb < 6; ++cb) operation.buffer(cb, 1);
    for (std::uint8_t cb = 6; cb < 11; ++cb) operation.buffer(cb, 2);
    operation.buffer(11, 1);
    auto defines = sums({{"DO_MASK_W", "1"}});
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/cross_entropy_fw");
    operation
        .reader(at + "dataflow/reader_cross_entropy_fw_interleaved_start_id.cpp",
                {.compile = {kBlock, kWide, kColumns % 32, kRows * 128, kRows, 128},
                 .tensors = {in, wanted},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in), address(wanted), kEach, first(core)};
                     },
                 .defines = defines})
        .compute(at + "compute/cross_entropy_fw_kernel.cpp",
                 {.compile = {kEach, kBlock, kWide}, .defines = defines, .fp32_dst = true})
        .writer(at + "dataflow/writer_cross_entropy_fw_interleaved_start_id.cpp",
                {.compile = {kBlock, kWide},
                 .tensors = {out},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(out), kEach, first(core)};
                     },
                 .defines = defines})
        .run();
    const Numbers got = read(out, 1);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(x(r, c));
      ASSERT_NEAR(got(r, 0), std::log(sum) - x(r, targets[r]), 0.08) << fits << ": " << r;
    }
  }
}

TEST_F(PublishedTrain, CrossEntropyBackwards) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  constexpr float kScale = 1.0F / 4;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -4, 4);
    Words targets(kRows * 32);
    for (Word& target : targets)
      target = std::uniform_int_distribution<Word>(0, kColumns - 1)(random_);
    const auto in = tensor(x), out = result(kRows * kWide);
    const auto wanted = bench_->tensor(targets, kRows * 128);
    Operation operation(*bench_);
    operation.on(where_);
    operation.buffer(0, fits ? kWide : 2 * kBlock).buffer(1, 2, 128, DataFormat::UInt32);
    for (std::uint8_t cb = 2; cb < 6; ++cb) operation.buffer(cb, 1);
    operation.buffer(6, 2).buffer(7, 2, 4096, DataFormat::Float32);
    operation.buffer(8, 2, 4096, DataFormat::Float32).buffer(9, 1).buffer(10, 2 * kBlock);
    auto defines = sums({{"DO_MASK_W", "1"}});
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/cross_entropy_bw");
    operation
        .reader(at + "dataflow/reader_cross_entropy_bw_interleaved_start_id.cpp",
                {.compile = {kBlock, kWide, kColumns % 32, kRows * 128, kRows, 128},
                 .tensors = {in, wanted},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in), address(wanted), kEach, first(core)};
                     },
                 .defines = defines})
        .compute(
            at + "compute/cross_entropy_bw_kernel.cpp",
            {.compile = {kEach, kBlock, kWide, w(kScale)}, .defines = defines, .fp32_dst = true})
        .writer(at + "dataflow/writer_cross_entropy_bw_interleaved_start_id.cpp",
                {.compile = {kBlock, kWide, w(kScale)},
                 .tensors = {out},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(out), kEach, first(core)};
                     },
                 .defines = defines})
        .run();
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(x(r, c));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double share = std::exp(x(r, c)) / sum - (targets[r] == c ? 1 : 0);
        ASSERT_NEAR(got(r, c), kScale * share, 0.004) << fits << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedTrain, LayerNorm) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  constexpr float kEpsilon = 1.0F / 64;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -2, 4), gamma = random(1, kWide, 0.5F, 1.5F),
                  beta = random(1, kWide, -1, 1);
    const auto in = tensor(x), in_gamma = tensor(gamma), in_beta = tensor(beta);
    const auto out = result(kRows * kWide), means = result(kRows), roots = result(kRows);
    Operation operation(*bench_);
    operation.on(where_);
    const Word row = fits ? kWide : 2 * kBlock;
    for (std::uint8_t cb = 0; cb < 3; ++cb) operation.buffer(cb, 1);
    for (std::uint8_t cb = 3; cb < 6; ++cb) operation.buffer(cb, row);
    operation.buffer(6, 2 * kBlock).buffer(7, 1).buffer(8, 1).buffer(9, 1, 4096).buffer(10, 1);
    operation.buffer(11, 1, 4096).buffer(12, 1).buffer(13, row).buffer(14, kBlock);
    Operation::Defines defines{{"DO_MASK_W", "1"}, {"RETURN_MEAN_RSTD", "1"}};
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/layernorm_fw");
    operation
        .reader(at + "dataflow/reader_layernorm_fw_interleaved_start_id.cpp",
                {.compile = {twice(1.0F / kColumns), twice(kEpsilon), kBlock, kColumns % 32, kWide},
                 .tensors = {in, in_gamma, in_beta},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in), address(in_gamma), address(in_beta), first(core),
                                    kEach};
                     },
                 .defines = defines})
        .compute(at + "compute/layernorm_fw_kernel.cpp",
                 {.compile = {kEach, kBlock, kColumns % 32, kWide},
                  .defines = defines,
                  .fp32_dst = true})
        .writer(
            at + "dataflow/writer_layernorm_fw_interleaved_start_id.cpp",
            {.compile = {kBlock, kWide},
             .tensors = {out, means, roots},
             .run_at =
                 [&](CoreCoord core) {
                   return Words{address(out), address(means), address(roots), first(core), kEach};
                 },
             .defines = defines})
        .run();
    const Numbers got = read(out, kWide), got_means = read(means, 1), got_roots = read(roots, 1);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double mean = 0, squares = 0;
      for (std::size_t c = 0; c < kColumns; ++c) mean += x(r, c) / kColumns;
      for (std::size_t c = 0; c < kColumns; ++c)
        squares += (x(r, c) - mean) * (x(r, c) - mean) / kColumns;
      const double root = 1 / std::sqrt(squares + kEpsilon);
      ASSERT_NEAR(got_means(r, 0), mean, 0.02) << fits << ": " << r;
      ASSERT_NEAR(got_roots(r, 0), root, 0.02) << fits << ": " << r;
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double normed = (x(r, c) - mean) * root;
        ASSERT_NEAR(got(r, c), normed * gamma(0, c) + beta(0, c), 0.06)
            << fits << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedTrain, StepsOfSgd) {
  constexpr Word kBlock = 8, kTiles = 12;  // of each core: the last block is half empty
  constexpr double kRate = 0.125, kMomentum = 0.875, kOneMinusDampening = 0.75, kDecay = 0.0625;
  for (const bool nesterov : {false, true}) {
    const Numbers x = random(1, kCores * kTiles, -2, 2), grad = random(1, kCores * kTiles, -2, 2),
                  moment = random(1, kCores * kTiles, -1, 1);
    const auto in = tensor(x), in_grad = tensor(grad), in_moment = tensor(moment),
               out = result(kCores * kTiles);
    Operation operation(*bench_);
    operation.on(where_);
    for (std::uint8_t cb = 0; cb < 17; ++cb)
      operation.buffer(cb, cb < 12 || cb == 16 ? 2 * kBlock : 1);
    const Operation::Defines defines{{"USE_MOMENTUM", "1"}, {"USE_NESTEROV", nesterov ? "1" : "0"}};
    const auto tile = [](CoreCoord core) { return static_cast<Word>(core.x) * kTiles; };
    const std::string at = kernels("optimizers/sgd_fused");
    operation
        .reader(at + "dataflow/reader_sgd_fused_interleaved_start_id.cpp",
                {.compile = {kBlock},
                 .tensors = {in, in_grad, in_moment},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in),   address(in_grad), address(in_moment),
                                    twice(kRate),  twice(kMomentum), twice(kOneMinusDampening),
                                    twice(kDecay), kTiles,           tile(core)};
                     },
                 .defines = defines})
        .compute(at + "compute/sgd_fused_kernel.cpp",
                 {.compile = {kTiles, kBlock}, .run = {1, 1}, .defines = defines})
        .writer(at + "dataflow/writer_sgd_fused_interleaved_start_id.cpp",
                {.compile = {kBlock},
                 .tensors = {out, in_moment},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(out), address(in_moment), kTiles, tile(core)};
                     },
                 .defines = defines})
        .run();
    const auto moved = [&](std::size_t r, std::size_t c) {
      return kMomentum * moment(r, c) + kOneMinusDampening * (grad(r, c) + kDecay * x(r, c));
    };
    const auto step = [&](std::size_t r, std::size_t c) {
      return nesterov
                 ? kMomentum * moved(r, c) + kOneMinusDampening * (grad(r, c) + kDecay * x(r, c))
                 : moved(r, c);
    };
    check(read(in_moment, kCores * kTiles), 0.02, moved, "momentum: ");
    check(read(out, kCores * kTiles), 0.02,
          [&](auto r, auto c) { return x(r, c) - kRate * step(r, c); });
  }
}

}  // namespace
}  // namespace tvp::test
