// Negative log-likelihood losses and their gradients, and products of any shape (moreh_nll_loss,
// moreh_matmul).

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/losses.toml");

using runtime::DataFormat;

const std::string kMoreh = "ttnn/cpp/ttnn/operations/moreh/";

constexpr Word kCount = 70, kClasses = 45, kIgnored = 7;  // samples, in three tiles

class PublishedLosses : public PublishedTest {
 protected:
  void TearDown() override {
    if (bench_) {
      const auto report = nlohmann::json::parse(bench_->mesh().library().report());
      EXPECT_TRUE(report.at("warnings").empty()) << report.at("warnings").dump(1);
    }
    PublishedTest::TearDown();
  }

  /// The classes of samples, including ignored ones, as a row of tiles of whole numbers.
  OperationBench::Tensor draw_targets() {
    Words words(3 * 1024, 0);
    for (std::size_t i = 0; i < kCount; ++i) {
      targets_.push_back(i % 9 == 4 ? kIgnored : static_cast<Word>(random_() % kClasses));
      words[i / 32 * 1024 + place_in_tile(0, i % 32)] = targets_.back();
    }
    return bench_->tensor(words, 4096);
  }
  static Operation::Defines defines(bool weighted, bool divided, bool fp32) {
    Operation::Defines made;
    if (weighted) made["WEIGHT"] = "1";
    if (divided) made["DIVISOR"] = "1";
    if (fp32) made["FP32_DEST_ACC_EN"] = "1";
    return made;
  }
  static void temporary(Operation& operation, std::initializer_list<std::uint8_t> cbs, bool fp32) {
    for (const std::uint8_t cb : cbs)
      operation.buffer(cb, 1, fp32 ? 4096 : 2048,
                       fp32 ? DataFormat::Float32 : DataFormat::Float16_b);
  }

  void weights_of_targets(bool weighted);
  void loss(bool weighted, bool divided, bool fp32);
  void gradient(bool weighted, bool divided, bool fp32);
  void gradient_of_each(bool weighted);
  struct Product {
    bool transposed_input = false, transposed_other = false;
    Word rows = 64, inner = 64, columns = 64;
    int bias = 0;  ///< 1: a number, 2: a row
    bool fp32 = false;
  };
  void product(const Product& of);

  std::vector<Word> targets_;
};

void PublishedLosses::weights_of_targets(bool weighted) {
  targets_.clear();
  const auto target = draw_targets();
  const Numbers weights = random(1, 2, 0.5, 3);
  const auto weight = tensor(weights), out = result(3);
  kLaunches.run(*bench_, "weights_of_targets",
                TVP_VALUES(weighted, target, weight, kIgnored, kClasses, out)
                    .with("reader_defines", defines(weighted, false, false)));
  const Numbers got = read(out, 3);
  for (std::size_t i = 0; i < kCount; ++i) {
    const double one = weighted ? weights(0, targets_[i]) : 1;
    ASSERT_EQ(got(0, i), targets_[i] == kIgnored ? 0 : one) << i;
  }
}

TEST_F(PublishedLosses, WeightsOfTargets) {
  weights_of_targets(true);
  weights_of_targets(false);
}

void PublishedLosses::loss(bool weighted, bool divided, bool fp32) {
  targets_.clear();
  const auto target = draw_targets();
  const Numbers x = random(3, 2, -4, 0), weights = random(1, 2, 0.5, 3);
  Numbers by(1, 1);
  by.set(0, 0, 12.5F);
  const auto in = tensor(x), weight = tensor(weights), divisor = tensor(by), out = result(3);
  const Operation::Defines defined = defines(weighted, divided, fp32);

  Operation operation(*bench_);
  kLaunches.describe(
      operation, "loss",
      TVP_VALUES(in, target, weight, divisor, kIgnored, kCount, kClasses, defined, out, fp32));
  temporary(operation, {24, 25, 26, 27, 28}, fp32);
  operation.run();
  const Numbers got = read(out, 3);
  for (std::size_t i = 0; i < kCount; ++i) {
    const double one = weighted ? weights(0, targets_[i]) : 1;
    const double wanted = targets_[i] == kIgnored ? 0 : -x(i, targets_[i]) * one;
    ASSERT_NEAR(got(0, i), divided ? wanted / 12.5 : wanted, 0.02 * std::abs(wanted)) << i;
  }
}

TEST_F(PublishedLosses, OfEachSample) {
  loss(false, false, false);
  loss(true, false, false);
}
TEST_F(PublishedLosses, OfAllSamples) {
  loss(false, true, false);
  loss(true, true, true);
}

void PublishedLosses::gradient(bool weighted, bool divided, bool fp32) {
  targets_.clear();
  const auto target = draw_targets();
  const Numbers weights = random(1, 2, 0.5, 3);
  Numbers by(1, 1), of(1, 1);
  by.set(0, 0, 12.5F);
  of.set(0, 0, 1.75F);
  const auto weight = tensor(weights), divisor = tensor(by), grad = tensor(of), out = result(6);
  const Operation::Defines defined = defines(weighted, divided, fp32);

  Operation operation(*bench_);
  kLaunches.describe(
      operation, "gradient",
      TVP_VALUES(target, weight, divisor, grad, kIgnored, kClasses, defined, out, fp32));
  temporary(operation, {24, 25, 26}, fp32);
  operation.run();
  const Numbers got = read(out, 2);
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t c = 0; c < kClasses; ++c) {
      const bool is_target = targets_[i] == c && c != kIgnored;
      const double one = (weighted ? weights(0, c) : 1) * -1.75 / (divided ? 12.5 : 1);
      ASSERT_NEAR(got(i, c), is_target ? one : 0, is_target ? 0.02 * std::abs(one) : 0)
          << i << ", " << c;
    }
  }
}

TEST_F(PublishedLosses, Gradients) {
  gradient(false, false, false);
  gradient(true, false, false);
  gradient(true, true, false);
  gradient(true, true, true);
}

void PublishedLosses::gradient_of_each(bool weighted) {
  targets_.clear();
  const auto target = draw_targets();
  const Numbers weights = random(1, 2, 0.5, 3), of = random(1, 3, -2, 2);
  const auto weight = tensor(weights), grad = tensor(of), out = result(6);
  kLaunches.run(*bench_, "gradient_of_each",
                TVP_VALUES(target, grad, weight, kIgnored, kClasses, out)
                    .with("reader_defines", defines(weighted, false, false)));
  const Numbers got = read(out, 2);
  for (std::size_t i = 0; i < kCount; ++i) {
    for (std::size_t c = 0; c < kClasses; ++c) {
      const bool is_target = targets_[i] == c && c != kIgnored;
      const double one = (weighted ? weights(0, c) : 1) * -of(0, i);
      ASSERT_NEAR(got(i, c), is_target ? one : 0, is_target ? 0.008 * std::abs(one) : 0)
          << i << ", " << c;
    }
  }
}

TEST_F(PublishedLosses, GradientsOfEachSample) {
  gradient_of_each(false);
  gradient_of_each(true);
}

/// Two matrices of the input times one of the other. The padding is not zero.
void PublishedLosses::product(const Product& of) {
  const auto tiles = [](Word n) { return (n + 31) / 32; };
  const auto rest = [](Word n) { return n % 32 == 0 ? 32 : n % 32; };
  const auto flag = [](bool set) { return set ? 1U : 0U; };
  const Word mt = tiles(of.rows), kt = tiles(of.inner), nt = tiles(of.columns);
  const bool ti = of.transposed_input, to = of.transposed_other;
  const Word ih = ti ? kt : mt, iw = ti ? mt : kt, oh = to ? nt : kt, ow = to ? kt : nt;
  const Numbers a = random(2 * ih, iw, -1, 2), b = random(oh, ow, -1, 2), d = random(1, nt, -3, 3);
  const auto in = tensor(a), other = tensor(b), bias = tensor(d), out = result(2 * mt * nt);
  const auto padded = [](Words words, Word of_all) {
    words.resize(8, of_all);
    return words;
  };
  const Words in_stride = padded({1, iw, iw * ih}, iw * ih * 2);
  const Words other_stride = padded({1, ow}, ow * oh);
  const Words out_stride = padded({1, nt, nt * mt}, nt * mt * 2);
  const Words masks = {rest(ti ? of.inner : of.rows), rest(ti ? of.rows : of.inner),
                       rest(to ? of.columns : of.inner), rest(to ? of.inner : of.columns)};
  Words reads = {address(in), address(other), 0, 2 * mt * nt};
  for (const Words& part :
       {in_stride, other_stride, out_stride, Words(8, 1), Words{1, 1, 0, 1, 1, 1, 1, 1}})
    reads.insert(reads.end(), part.begin(), part.end());
  Words reader = {kt, flag(ti), flag(to)}, compute = {2 * mt * nt, mt, nt, kt, flag(ti), flag(to)};
  reader.insert(reader.end(), masks.begin(), masks.end());
  compute.insert(compute.end(), masks.begin(), masks.end());
  Operation::Arguments read_arguments{.compile = reader, .tensors = {in, other}};
  Operation::Defines defined;
  if (of.fp32) defined["FP32_DEST_ACC_EN"] = "1";
  if (of.bias != 0) {
    defined["FUSE_BIAS"] = "1";
    compute.push_back(flag(of.bias == 1));
    // A flag is between the accessors.
    runtime::TensorAccessorArgs(*in).append_to(read_arguments.compile);
    runtime::TensorAccessorArgs(*other).append_to(read_arguments.compile);
    read_arguments.compile.push_back(flag(of.bias == 1));
    read_arguments.tensors = {bias};
    reads.push_back(address(bias));
  }
  read_arguments.run = reads;
  read_arguments.defines = defined;
  Words run = {0};
  run.insert(run.end(), out_stride.begin(), out_stride.end());
  const std::string folder = kMoreh + "moreh_matmul/device/kernels/";
  Operation operation(*bench_);
  operation.buffer(0, 2).buffer(1, 2).buffer(2, 3).buffer(3, 3).buffer(4, 2).buffer(16, 2);
  operation.buffer(25, 2).buffer(26, 2);
  temporary(operation, {24, 27}, of.fp32);
  operation.reader(folder + "reader_moreh_matmul.cpp", read_arguments);
  operation.writer(folder + "writer_moreh_matmul.cpp",
                   {.tensors = {out}, .run = {address(out), 0, 2 * mt * nt}});
  operation.compute(folder + "moreh_matmul.cpp",
                    {.compile = compute, .run = run, .defines = defined, .fp32_dst = of.fp32});
  operation.run();
  const Numbers got = read(out, nt);
  for (std::size_t batch = 0; batch < 2; ++batch) {
    for (std::size_t r = 0; r < of.rows; ++r) {
      for (std::size_t c = 0; c < of.columns; ++c) {
        double wanted = of.bias == 1 ? d(0, 0) : of.bias == 2 ? d(0, c) : 0;
        for (std::size_t k = 0; k < of.inner; ++k) {
          const std::size_t first = batch * ih * 32;
          wanted += (ti ? a(first + k, r) : a(first + r, k)) * (to ? b(c, k) : b(k, c));
        }
        ASSERT_NEAR(got(batch * mt * 32 + r, c), wanted, 0.02 * (std::abs(wanted) + 10))
            << batch << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedLosses, ProductOfWholeTiles) { product({.columns = 96}); }
TEST_F(PublishedLosses, ProductWithRests) { product({.rows = 40, .inner = 77, .columns = 50}); }
TEST_F(PublishedLosses, ProductsOfTransposed) {
  product({.transposed_input = true, .rows = 40, .inner = 77, .columns = 50});
  product({.transposed_other = true, .rows = 40, .inner = 77, .columns = 50});
  product({.transposed_input = true, .transposed_other = true, .inner = 96});
}
TEST_F(PublishedLosses, ProductsWithABias) {
  product({.rows = 33, .inner = 96, .bias = 1});
  product({.transposed_other = true, .inner = 50, .columns = 96, .bias = 2, .fp32 = true});
}

}  // namespace
}  // namespace tvp::test
