// Operations that fill, repeat, select and update tensors.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/untried.toml");

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

/// Fills a tensor of N x C x Ht x Wt tiles; a repeated dimension has one tile in the source.
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
  kLaunches.run(*bench_, "broadcast",
                TVP_VALUES(kind, in, out, place)
                    .with("reader_args", with(in, false))
                    .with("writer_args", with(out, true)));
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
  kLaunches.run(*bench_, "where", TVP_VALUES(in, yes, no, out));
  check(read(out, 2), 0, [&](auto r, auto c) { return condition(r, c) > 0 ? a(r, c) : b(r, c); });
}

void PublishedUntried::sgd(bool nesterov) {
  constexpr float kRate = 0.25F, kMomentum = 0.5F, kDampening = 0.25F, kDecay = 0.125F;
  const Numbers p = random(2, 2, -2, 2), g = random(2, 2, -2, 2), m = random(2, 2, -2, 2);
  const auto parameters = tensor(p), gradient = tensor(g), momentum = tensor(m);
  const auto out = result(4), momentum_out = result(4);
  Operation::Defines defines{
      {"WEIGHT_DECAY", "1"}, {"MOMENTUM", "1"}, {"MOMENTUM_INITIALIZED", "1"}};
  if (nesterov) defines["NESTEROV"] = "1";
  kLaunches.run(*bench_, "sgd",
                TVP_VALUES(parameters, gradient, momentum, w(kRate), w(kMomentum), w(kDampening),
                           w(kDecay), defines, out, momentum_out));
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
  kLaunches.run(*bench_, "abs_pow", TVP_VALUES(in, w(decimal), kHt, kWt, kWide, out, p, negative));
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
  kLaunches.run(*bench_, "index_fill",
                TVP_VALUES(kBytes, last, in, indices, kRows, kDimension, out, kValue));
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
    kLaunches.run(*bench_, "fills_a_tensor", TVP_VALUES(out, w(value)));
    check(read(out, 1), 0, [&](auto, auto) { return static_cast<double>(value); });
  }
}

TEST_F(PublishedUntried, CountsInSteps) {
  {
    const auto out = bench_->tensor(Words(3 * 1024), 4096);
    kLaunches.run(*bench_, "count_in_tiles", TVP_VALUES(out));
    const Words got = bench_->words(out);
    for (std::size_t i = 0; i < 96; ++i)
      ASSERT_EQ(f(got[i / 32 * 1024 + place_in_tile(0, i % 32)]),
                -3 + 0.5F * static_cast<float>(i));
  }
  const auto out = bench_->result(1, 512);
  kLaunches.run(*bench_, "count_in_rows", TVP_VALUES(out));
  const Words got = bench_->words(out);
  for (std::size_t i = 0; i < 128; ++i) ASSERT_EQ(got[i], 7 + 2 * i);
}

TEST_F(PublishedUntried, FillsACorner) {
  constexpr Word kHigh = 5, kWide = 64, kFillHigh = 3, kFillWide = 40;
  const auto out = bench_->result(2 * kHigh, kWide * 2);
  kLaunches.run(*bench_, "fills_a_corner", TVP_VALUES(out, kHigh, kWide, kFillHigh, kFillWide));
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
  kLaunches.run(*bench_, "indices_of_what_is_not_zero",
                TVP_VALUES(kAligned, in, number, indices, kCount));
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
  kLaunches.run(*bench_, "repeats_pages",
                TVP_VALUES(kBytes, kLower, kDimension, in, out, kHigher, kTimes));
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
    kLaunches.run(*bench_, "repeats_within_pages", TVP_VALUES(bytes, kTimes, in, out, kPages));
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
  kLaunches.run(*bench_, "clips_a_gradient", TVP_VALUES(in, by, out));
  check(read(out, 2), 1.0 / 128, [&](auto r, auto c) { return 0.375 * x(r, c); });
}

}  // namespace
}  // namespace tvp::test
