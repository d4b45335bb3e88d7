// Operations of tt-metal's tree that fill, repeat, select and update, reader, compute and writer
// unchanged, from DRAM to DRAM: where TT_METAL_HOME names such a tree (of February 2026).

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kOps = "ttnn/cpp/ttnn/operations/";

class PublishedUntried : public PublishedTest {
 protected:
  void TearDown() override {
    if (bench_) {
      const auto report = nlohmann::json::parse(bench_->mesh().library().report());
      EXPECT_TRUE(report.at("warnings").empty()) << report.at("warnings").dump(1);
    }
    PublishedTest::TearDown();
  }

  void broadcast(const std::string& kind);
  void sgd(bool nesterov);
  void abs_pow(unsigned p, float decimal, bool negative);
  void index_fill(bool last_dimension);
};

/// A tensor of N x C x Ht x Wt tiles, of which the source has one where it is repeated.
void PublishedUntried::broadcast(const std::string& kind) {
  constexpr Word kN = 2, kC = 3, kHt = 2, kWt = 3;
  const bool one_row = kind == "row" || kind == "scalar";
  const bool one_column = kind == "col" || kind == "scalar";
  const Word ht = one_row ? 1 : kHt, wt = one_column ? 1 : kWt;
  const Numbers x = random(kN * kC * ht, wt, -4, 4);
  const auto in = tensor(x), out = result(std::size_t{kN} * kC * kHt * kWt);
  const Words place = {0, 0, 0, 0, 0, kN * kC * kHt * kWt, kC * ht * wt, ht * wt, kN, kC, kHt, kWt};
  const auto with = [&](const OperationBench::Tensor& of, bool writer) {
    Words words = {address(of)};
    words.insert(words.end(), place.begin(), place.end());
    if (writer) words.push_back(0);
    return words;
  };
  const std::string folder = kOps + "experimental/bcast_to/device/kernels/";
  const std::string file = "_interleaved_" + kind + "_bcast_to.cpp";
  Operation operation(*bench_);
  operation.buffer(0, 2).buffer(1, 2);
  operation.reader(folder + "dataflow/reader" + file,
                   {.compile = {0}, .tensors = {in}, .run = with(in, false)});
  operation.writer(folder + "dataflow/writer" + file,
                   {.compile = {1}, .tensors = {out}, .run = with(out, true)});
  operation.compute(folder + "compute/compute" + file, {.compile = {0, 1}, .run = place});
  operation.run();
  check(
      read(out, kWt), 0,
      [&](auto r, auto c) {
        const std::size_t matrix = r / (32 * kHt), row = r % (32 * kHt);
        return x(matrix * 32 * ht + (one_row ? 0 : row), one_column ? 0 : c);
      },
      kind + " ");
}

TEST_F(PublishedUntried, BroadcastsAlongARow) { broadcast("row"); }
TEST_F(PublishedUntried, BroadcastsAlongAColumn) { broadcast("col"); }
TEST_F(PublishedUntried, BroadcastsANumber) { broadcast("scalar"); }

TEST_F(PublishedUntried, Where) {
  const Numbers a = random(2, 2, -3, 3), b = random(2, 2, -3, 3);
  Numbers condition = random(2, 2, -1, 1);
  for (std::size_t i = 0; i < 64; ++i) condition.set(i, i, 0);
  const auto in = tensor(condition), yes = tensor(a), no = tensor(b), out = result(4);
  const std::string folder = kOps + "experimental/where/device/kernels/";
  Operation operation(*bench_);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 2, 3, 4})
    operation.buffer(cb, 2);
  operation.reader(folder + "dataflow/elemwise_reader_kernel.cpp",
                   {.compile = {0, 1, 2},
                    .tensors = {in, yes, no},
                    .run = {address(in), address(yes), address(no), 4, 0}});
  operation.writer(folder + "dataflow/elemwise_writer_kernel.cpp",
                   {.compile = {4}, .tensors = {out}, .run = {address(out), 4, 0}});
  operation.compute(folder + "compute/elemwise_where_kernel.cpp", {.run = {4, 1}});
  operation.run();
  check(read(out, 2), 0, [&](auto r, auto c) { return condition(r, c) > 0 ? a(r, c) : b(r, c); });
}

void PublishedUntried::sgd(bool nesterov) {
  constexpr float kRate = 0.25F, kMomentum = 0.5F, kDampening = 0.25F, kDecay = 0.125F;
  const Numbers p = random(2, 2, -2, 2), g = random(2, 2, -2, 2), m = random(2, 2, -2, 2);
  const auto parameters = tensor(p), gradient = tensor(g), momentum = tensor(m);
  const auto out = result(4), momentum_out = result(4);
  const std::string folder = kOps + "moreh/moreh_sgd/device/kernels/";
  Operation::Defines defines{
      {"WEIGHT_DECAY", "1"}, {"MOMENTUM", "1"}, {"MOMENTUM_INITIALIZED", "1"}};
  if (nesterov) defines["NESTEROV"] = "1";
  Operation operation(*bench_);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 2, 16, 17})
    operation.buffer(cb, 2);
  operation.buffer(24, 5);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{25, 26, 27, 28})
    operation.buffer(cb, 1);
  operation.reader(folder + "reader_moreh_sgd.cpp",
                   {.tensors = {parameters, gradient, momentum},
                    .run = {address(parameters), address(gradient), address(momentum), 4, 0,
                            w(kRate), w(kMomentum), w(kDampening), w(kDecay), w(1.0F)},
                    .defines = defines});
  operation.writer(folder + "writer_moreh_sgd.cpp",
                   {.tensors = {out, momentum_out},
                    .run = {address(out), address(momentum_out), 4, 0},
                    .defines = defines});
  operation.compute(folder + "moreh_sgd.cpp", {.compile = {4}, .defines = defines});
  operation.run();
  const auto wanted_gradient = [&](auto r, auto c) {
    return g(r, c) + static_cast<double>(kDecay) * p(r, c);
  };
  const auto wanted_momentum = [&](auto r, auto c) {
    return static_cast<double>(kMomentum) * m(r, c) +
           (1 - static_cast<double>(kDampening)) * wanted_gradient(r, c);
  };
  check(read(momentum_out, 2), 0.03, wanted_momentum, "momentum ");
  check(read(out, 2), 0.03, [&](auto r, auto c) {
    const double step =
        nesterov ? wanted_gradient(r, c) + static_cast<double>(kMomentum) * wanted_momentum(r, c)
                 : wanted_momentum(r, c);
    return p(r, c) - static_cast<double>(kRate) * step;
  });
}
TEST_F(PublishedUntried, StepsAlongAGradient) { sgd(false); }
TEST_F(PublishedUntried, StepsAlongAGradientByNesterov) { sgd(true); }

void PublishedUntried::abs_pow(unsigned p, float decimal, bool negative) {
  constexpr Word kHt = 2, kWt = 2, kWide = 50;
  Numbers x = random(kHt, kWt, 0.5, 2);
  for (std::size_t r = 0; r < x.rows(); r += 2)
    for (std::size_t c = 0; c < x.columns(); ++c) x.set(r, c, static_cast<float>(-x(r, c)));
  const auto in = tensor(x), out = result(4);
  const std::string folder = kOps + "moreh/moreh_abs_pow/device/kernels/";
  Operation operation(*bench_);
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{0, 1, 2, 3, 16, 24, 25, 26, 27})
    operation.buffer(cb, 1);
  operation.reader(folder + "reader_moreh_abs_pow.cpp",
                   {.tensors = {in}, .run = {address(in), 1, w(decimal), kHt, kWt, 0, kWide}});
  operation.writer(folder + "writer_moreh_abs_pow.cpp",
                   {.tensors = {out}, .run = {address(out), 1, kHt, kWt, 0}});
  operation.compute(folder + "moreh_abs_pow_kernel.cpp",
                    {.run = {kHt, kWt, kWide, p, negative ? 1U : 0U}});
  operation.run();
  const double power =
      (negative ? -static_cast<double>(p) : static_cast<double>(p)) + static_cast<double>(decimal);
  const Numbers got = read(out, kWt);
  for (std::size_t r = 0; r < got.rows(); ++r) {
    for (std::size_t c = 0; c < kWide; ++c) {
      const double wanted = std::pow(std::abs(x(r, c)), power);
      ASSERT_NEAR(got(r, c), wanted, 0.04 * wanted + 0.02) << r << ", " << c;
    }
  }
}
TEST_F(PublishedUntried, PowersOfMagnitudes) {
  abs_pow(2, 0.5F, false);
  abs_pow(3, 0, false);
}

void PublishedUntried::index_fill(bool last_dimension) {
  constexpr Word kRows = 12, kBytes = 128, kDimension = 6, kValue = 0x4120;
  const Words chosen = {1, 4, 5, 0, 0, 0, 0, 0};
  Words words(std::size_t{kRows} * kBytes / 4);
  for (Word& word : words) word = static_cast<Word>(random_());
  const auto in = bench_->tensor(words, kBytes), indices = bench_->tensor(chosen, 32);
  const auto out = bench_->result(kRows, kBytes);
  const Word last = last_dimension ? 1 : 0;
  const std::string folder = kOps + "index_fill/device/kernels/";
  Operation operation(*bench_);
  operation.buffer(0, 2, kBytes).buffer(1, 1, 32).buffer(2, 1, kBytes);
  operation.reader(folder + "reader_index_fill.cpp",
                   {.compile = {kBytes, 32, 3, last},
                    .tensors = {in, indices},
                    .run = {address(in), address(indices), 0, kRows, 1, kDimension}});
  operation.writer(folder + "writer_index_fill.cpp",
                   {.compile = {kBytes, 3, 2, last},
                    .tensors = {out},
                    .run = {address(out), 0, kRows, 1, kDimension, kValue}});
  operation.run();
  const Words got = bench_->words(out);
  const auto is_chosen = [](std::size_t i) { return i == 1 || i == 4 || i == 5; };
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kBytes / 2; ++c) {
      const bool filled = is_chosen(last_dimension ? c : r % kDimension);
      const std::size_t at = r * kBytes / 2 + c;
      ASSERT_EQ(datum16(got, at), filled ? kValue : datum16(words, at)) << r << ", " << c;
    }
  }
}
TEST_F(PublishedUntried, FillsRowsByTheirIndices) { index_fill(false); }
TEST_F(PublishedUntried, FillsColumnsByTheirIndices) { index_fill(true); }

TEST_F(PublishedUntried, FillsATensor) {
  for (const float value : {2.5F, 0.0F}) {
    const auto out = result(3);
    Operation operation(*bench_);
    operation.buffer(16, 1);
    operation.writer(kOps + "full/device/kernels/writer_full.cpp",
                     {.compile = {16, 1024, 2048},
                      .tensors = {out},
                      .run = {address(out), w(value), 3, 0},
                      .defines = {{"OUTPUT_DTYPE_BFLOAT16", "1"}}});
    operation.run();
    check(read(out, 1), 0, [&](auto, auto) { return static_cast<double>(value); });
  }
}

TEST_F(PublishedUntried, CountsInSteps) {
  const std::string folder = kOps + "moreh/moreh_arange/device/kernels/";
  {
    const auto out = bench_->tensor(Words(3 * 1024), 4096);
    Operation operation(*bench_);
    operation.buffer(16, 1, 4096, DataFormat::Float32);
    operation.writer(folder + "writer_moreh_arange.cpp",
                     {.tensors = {out},
                      .run = {address(out), 0, 3, w(-3.0F), w(0.5F)},
                      .defines = {{"OUTPUT_DTYPE_FLOAT32", "1"}}});
    operation.run();
    const Words got = bench_->words(out);
    for (std::size_t i = 0; i < 96; ++i)
      ASSERT_EQ(f(got[i / 32 * 1024 + place_in_tile(0, i % 32)]),
                -3 + 0.5F * static_cast<float>(i));
  }
  const auto out = bench_->result(1, 512);
  Operation operation(*bench_);
  operation.buffer(16, 1, 128, DataFormat::Float32);
  operation.writer(folder + "writer_moreh_arange_rm.cpp",
                   {.tensors = {out},
                    .run = {address(out), 0, 4, w(7.0F), w(2.0F), 4},
                    .defines = {{"OUTPUT_DTYPE_INT32", "1"}}});
  operation.run();
  const Words got = bench_->words(out);
  for (std::size_t i = 0; i < 128; ++i) ASSERT_EQ(got[i], 7 + 2 * i);
}

TEST_F(PublishedUntried, FillsACorner) {
  constexpr Word kHigh = 5, kWide = 64, kFillHigh = 3, kFillWide = 40;
  const auto out = bench_->result(2 * kHigh, kWide * 2);
  Operation operation(*bench_);
  operation.buffer(0, 16).buffer(1, 16);
  operation.reader(kOps + "data_movement/fill_rm/device/kernels/dataflow/fill_rm_interleaved.cpp",
                   {.tensors = {out},
                    .run = {address(out), 2, kHigh, kWide, kFillHigh, kFillWide, 0x3F80, 0x4000}});
  operation.run();
  const Words got = bench_->words(out);
  for (std::size_t r = 0; r < 2 * kHigh; ++r)
    for (std::size_t c = 0; c < kWide; ++c)
      ASSERT_EQ(datum16(got, r * kWide + c),
                r % kHigh < kFillHigh && c < kFillWide ? 0x3F80U : 0x4000U)
          << r << ", " << c;
}

TEST_F(PublishedUntried, IndicesOfWhatIsNotZero) {
  constexpr Word kCount = 61, kAligned = 64;
  Words words(kAligned, 9);
  std::vector<Word> wanted;
  for (std::size_t i = 0; i < kCount; ++i) {
    words[i] = random_() % 3 == 0 ? static_cast<Word>(random_()) | 1 : 0;
    if (words[i] != 0) wanted.push_back(count(i));
  }
  const auto in = bench_->tensor(words, kAligned * 4);
  const auto number = bench_->result(1, 32), indices = bench_->result(1, kAligned * 4);
  Operation operation(*bench_);
  operation.buffer(0, 1, kAligned * 4, DataFormat::UInt32).buffer(1, 1, 32, DataFormat::UInt32);
  operation.buffer(2, 1, kAligned * 4, DataFormat::UInt32);
  operation.reader(
      kOps +
          "data_movement/non_zero_indices/device/kernels/dataflow/non_zero_indices_sc_reader.cpp",
      {.compile = {0, 1, 2},
       .tensors = {in, number, indices},
       .run = {address(in), address(number), address(indices), kAligned, kCount, 4},
       .defines = {{"NUM_BYTES", "4"}}});
  operation.run();
  ASSERT_EQ(bench_->words(number)[0], wanted.size());
  const Words got = bench_->words(indices);
  EXPECT_EQ(Words(got.begin(), got.begin() + static_cast<std::ptrdiff_t>(wanted.size())), wanted);
}

TEST_F(PublishedUntried, RepeatsPages) {
  constexpr Word kBytes = 96, kHigher = 2, kDimension = 3, kLower = 2, kTimes = 2;
  Words words(std::size_t{kHigher} * kDimension * kLower * kBytes / 4);
  for (Word& word : words) word = static_cast<Word>(random_());
  const auto in = bench_->tensor(words, kBytes);
  const auto out = bench_->result(kHigher * kDimension * kLower * kTimes, kBytes);
  Operation operation(*bench_);
  operation.buffer(0, 1, 512).buffer(1, 1, 512);
  operation.reader(kOps + "data_movement/repeat/device/kernels/repeat_higher_dim_rm.cpp",
                   {.compile = {kBytes, 0, 1, kLower, kDimension},
                    .tensors = {in, out},
                    .run = {address(in), address(out), 0, kHigher, 0, kLower, kTimes, 0}});
  operation.run();
  const Words got = bench_->words(out);
  constexpr std::size_t kWords = kBytes / 4, kBlock = kWords * kDimension * kLower;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t block = i / kBlock / kTimes;
    ASSERT_EQ(got[i], words[block * kBlock + i % kBlock]) << i;
  }
}

TEST_F(PublishedUntried, RepeatsWithinPages) {
  constexpr Word kPages = 5, kTimes = 3;
  for (const Word bytes : {16U, 8U, 64U}) {
    Words words(std::size_t{kPages} * bytes / 4);
    for (Word& word : words) word = static_cast<Word>(random_());
    const auto in = bench_->tensor(words, bytes), out = bench_->result(kPages, bytes * kTimes);
    Operation operation(*bench_);
    operation.buffer(0, 1, 2048).buffer(1, 1, 2048);
    operation.reader(kOps + "data_movement/repeat/device/kernels/repeat_last_dim_rm.cpp",
                     {.compile = {bytes, kTimes, 0, 1},
                      .tensors = {in, out},
                      .run = {address(in), address(out), 0, kPages, 0}});
    operation.run();
    const Words got = bench_->words(out);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::size_t page = i / (bytes / 4 * kTimes);
      ASSERT_EQ(got[i], words[page * bytes / 4 + i % (bytes / 4)]) << bytes << ": " << i;
    }
  }
}

TEST_F(PublishedUntried, ClipsAGradient) {
  const Numbers x = random(2, 2, -3, 3);
  Numbers factor(1, 1);
  factor.set(0, 0, 0.375F);
  const auto in = tensor(x), by = tensor(factor), out = result(4);
  const std::string folder =
      kOps + "moreh/moreh_clip_grad_norm/moreh_clip_grad_norm_step3/device/kernels/";
  Operation operation(*bench_);
  operation.buffer(0, 1).buffer(1, 1).buffer(16, 1);
  operation.reader(folder + "reader_moreh_clip_grad_norm_step3.cpp",
                   {.tensors = {in, by}, .run = {address(in), address(by), 4}});
  operation.writer(folder + "writer_moreh_clip_grad_norm_step3.cpp",
                   {.tensors = {out}, .run = {address(out), 4}});
  operation.compute(folder + "moreh_clip_grad_norm_step3_kernel.cpp", {.run = {4}});
  operation.run();
  check(read(out, 2), 1.0 / 128, [&](auto r, auto c) { return 0.375 * x(r, c); });
}

}  // namespace
}  // namespace tvp::test
