// Layer norms whose rows are spread over several devices: the statistics of each device, and the
// norm from all statistics.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/distributed_norm.toml");

using runtime::DataFormat;

const std::string kNorm = "ttnn/cpp/ttnn/operations/normalization/layernorm_distributed/device/";
const std::string kDit = "ttnn/cpp/ttnn/operations/experimental/transformer/dit_layernorm_";

constexpr Word kDevices = 2, kRows = 3;
constexpr float kEps = 1e-3F;

/// Mean and mean of squares of a row.
struct Moments {
  double mean, squares;
  double variance() const { return squares - mean * mean; }
};

class PublishedDistributedNorm : public PublishedTest {
 protected:
  void TearDown() override {
    if (bench_) {
      const auto report = nlohmann::json::parse(bench_->mesh().library().report());
      EXPECT_TRUE(report.at("warnings").empty()) << report.at("warnings").dump(1);
    }
    PublishedTest::TearDown();
  }

  /// Makes each device's part of the rows, of gamma and of beta.
  void make(Word wide) {
    wide_ = wide;
    for (Word d = 0; d < kDevices; ++d) {
      parts_.push_back(random(kRows, wide, -2 + static_cast<float>(d), 3));
      gammas_.push_back(random(kRows, wide, 0.5, 2));
      betas_.push_back(random(kRows, wide, -2, 2));
    }
  }
  static Moments moments(const Numbers& x, std::size_t row) {
    Moments made{};
    for (std::size_t c = 0; c < x.columns(); ++c) {
      made.mean += x(row, c) / static_cast<double>(x.columns());
      made.squares += x(row, c) * x(row, c) / static_cast<double>(x.columns());
    }
    return made;
  }
  /// The statistics of all devices side by side: an all-gather along a row.
  static OperationBench::Tensor gathered(const std::vector<Words>& told) {
    Words all;
    for (std::size_t row = 0; row < kRows; ++row)
      for (const Words& one : told)
        all.insert(all.end(), one.begin() + static_cast<std::ptrdiff_t>(row * 1024),
                   one.begin() + static_cast<std::ptrdiff_t>((row + 1) * 1024));
    return bench_->tensor(all, 2048);
  }
  /// Gamma and beta are rows; if `batched`, each row of tiles has its own.
  void check_norm(const Numbers& got, Word device, bool batched, double bound) const {
    check(got, bound, [&](auto r, auto c) {
      const Moments of[] = {moments(parts_[0], r), moments(parts_[1], r)};
      const Moments all{(of[0].mean + of[1].mean) / 2, (of[0].squares + of[1].squares) / 2};
      const double x =
          (parts_[device](r, c) - all.mean) / std::sqrt(all.variance() + static_cast<double>(kEps));
      const std::size_t row = batched ? r / 32 * 32 : 0;
      return x * gammas_[device](row, c) + betas_[device](row, c);
    });
  }
  static Word twice(float value) {
    const Word bits = to_bf16(value);
    return bits << 16 | bits;
  }

  Words sums(Word device);
  void normalize_by_sums(Word device, const OperationBench::Tensor& stats);
  Words welford(Word device, bool dit, bool fp32_dst);
  void normalize_by_welford(Word device, const OperationBench::Tensor& stats, bool batched,
                            bool fp32_dst);
  void welford_norm(Word wide, bool batched, bool fp32_dst);

  Word wide_ = 0;
  std::vector<Numbers> parts_, gammas_, betas_;
};

Words PublishedDistributedNorm::sums(Word device) {
  const auto in = tensor(parts_[device]), out = result(kRows * 2);
  kLaunches.run(*bench_, "sums", TVP_VALUES(wide_, in, kRows, twice(1), out));
  return bench_->words(out);
}

void PublishedDistributedNorm::normalize_by_sums(Word device, const OperationBench::Tensor& stats) {
  const auto in = tensor(parts_[device]), gamma = tensor(gammas_[device]);
  const auto beta = tensor(betas_[device]), out = result(kRows * wide_);
  const Operation::Defines defines{{"FUSE_GAMMA", "1"}, {"FUSE_BETA", "1"}};

  const Word scaler = twice(1.0F / static_cast<float>(32 * wide_ * kDevices));
  kLaunches.run(
      *bench_, "normalize_by_sums",
      TVP_VALUES(wide_, kDevices, in, stats, gamma, beta, kRows, scaler, w(kEps), defines, out));
  check_norm(read(out, wide_), device, false, 0.06);
}

TEST_F(PublishedDistributedNorm, BySums) {
  make(8);  // the kernel reads wrong gammas for a shorter last block (chain_llk.hpp)
  std::vector<Words> told;
  for (Word d = 0; d < kDevices; ++d) {
    told.push_back(sums(d));
    const Numbers got(2, told.back());
    for (std::size_t r = 0; r < got.rows(); ++r) {
      const Moments wanted = moments(parts_[d], r);
      const double n = 32.0 * wide_;
      ASSERT_NEAR(got(r, 0), n * wanted.squares, 0.02 * n * wanted.squares) << r;
      ASSERT_NEAR(got(r, 32), n * wanted.mean, 0.02 * n * wanted.squares) << r;
    }
  }
  const auto stats = gathered(told);
  for (Word d = 0; d < kDevices; ++d) normalize_by_sums(d, stats);
}

/// Mean and variance by Welford's method; both operations have kernels for it. The kernel of
/// layernorm packs without a check of its buffer, so it gets one row of tiles at a time, as a core
/// of many does.
Words PublishedDistributedNorm::welford(Word device, bool dit, bool fp32_dst) {
  const Word block = dit ? (fp32_dst ? 4 : 8) : 1;
  const auto in = tensor(parts_[device]), out = result(kRows * 2);
  Words reciprocals;
  for (Word i = 1; i <= 32 * wide_; ++i) reciprocals.push_back(w(1.0F / static_cast<float>(i)));
  const auto table = bench_->local(reciprocals);
  const std::string folder = kDit + "pre_all_gather/device/kernels/";
  const Word rows = dit ? kRows : 1;
  for (Word row = 0; row < kRows; row += rows) {
    kLaunches.run(
        *bench_, "welford",
        TVP_VALUES(block, wide_, table, in, rows, row, twice(1), out, dit, fp32_dst)
            .with("reading",
                  std::string(dit ? folder + "dataflow/reader_layernorm_preallgather_dit.cpp"
                                  : kNorm + "kernels/dataflow/"
                                            "reader_unary_interleaved_ln_rm_gb_pre_allgather.cpp"))
            .with(
                "writing",
                std::string(
                    dit ? folder + "dataflow/writer_layernorm_preallgather_dit.cpp"
                        : kNorm + "kernels/dataflow/writer_unary_interleaved_start_id_blocked.cpp"))
            .with("kind", std::string(dit ? folder : kNorm + "kernels/"))
            .with("compute_compile_args",
                  dit ? Words{wide_, 32 * wide_, block} : Words{wide_, 32 * wide_}));
  }
  return bench_->words(out);
}

void PublishedDistributedNorm::normalize_by_welford(Word device,
                                                    const OperationBench::Tensor& stats,
                                                    bool batched, bool fp32_dst) {
  const Word block = fp32_dst ? 4 : 8;
  const Word rounded = (wide_ + block - 1) / block * block;
  const auto in = tensor(parts_[device]), gamma = tensor(gammas_[device]);
  const auto beta = tensor(betas_[device]), out = result(kRows * wide_);
  const DataFormat middle = fp32_dst ? DataFormat::Float32 : DataFormat::Float16_b;
  const Word bytes = fp32_dst ? 4096 : 2048, many = batched ? 1 : 0;

  const Word stride = batched ? wide_ : 0, high = batched ? 1 : kRows;
  kLaunches.run(*bench_, "normalize_by_welford",
                TVP_VALUES(block, kDevices, rounded, middle, bytes, wide_, many, stride, high, in,
                           stats, gamma, beta, kRows, w(kEps), out, fp32_dst));
  check_norm(read(out, wide_), device, batched, fp32_dst ? 0.03 : 0.06);
}

void PublishedDistributedNorm::welford_norm(Word wide, bool batched, bool fp32_dst) {
  make(wide);
  std::vector<Words> told;
  for (Word d = 0; d < kDevices; ++d) {
    told.push_back(welford(d, true, fp32_dst));
    const Numbers got(2, told.back());
    for (std::size_t r = 0; r < got.rows(); ++r) {
      const Moments wanted = moments(parts_[d], r);
      ASSERT_NEAR(got(r, 0), wanted.mean, 0.02) << r;
      ASSERT_NEAR(got(r, 32), wanted.variance(), 0.02 * wanted.variance()) << r;
    }
  }
  const auto stats = gathered(told);
  for (Word d = 0; d < kDevices; ++d) normalize_by_welford(d, stats, batched, fp32_dst);
}

TEST_F(PublishedDistributedNorm, ByWelford) { welford_norm(8, false, true); }
/// The last block of a row is not full.
TEST_F(PublishedDistributedNorm, ByWelfordInOddBlocks) { welford_norm(6, false, true); }
TEST_F(PublishedDistributedNorm, ByWelfordWithGammasOfEachRowOfTiles) {
  welford_norm(8, true, false);
}

TEST_F(PublishedDistributedNorm, MeansAndVariancesOfLayerNorm) {
  make(5);
  for (Word d = 0; d < kDevices; ++d) {
    const Numbers got(2, welford(d, false, true));
    for (std::size_t r = 0; r < got.rows(); ++r) {
      const Moments wanted = moments(parts_[d], r);
      ASSERT_NEAR(got(r, 0), wanted.mean, 0.02) << r;
      ASSERT_NEAR(got(r, 32), wanted.variance(), 0.02 * wanted.variance()) << r;
    }
  }
}

}  // namespace
}  // namespace tvp::test
