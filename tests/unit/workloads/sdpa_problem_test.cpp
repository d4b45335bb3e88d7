#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "foundation/fault.h"
#include "sw/workloads/sdpa/bf16.h"
#include "sw/workloads/sdpa/npy_file.h"
#include "sw/workloads/sdpa/problem.h"
#include "sw/workloads/sdpa/tiles.h"
#include "tests/support/fault_of.h"

namespace tvp::workloads::sdpa {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// The reduction computed from the definition.
std::vector<float> merged(const Partials& p) {
  const Shape& s = p.shape;
  std::vector<float> output(s.rows() * s.head_dim);
  for (std::size_t w = 0; w < s.workers; ++w) {
    for (std::size_t r = 0; r < kRows; ++r) {
      double max = kMinusInfinity;
      for (std::size_t d = 0; d < s.devices; ++d)
        max = std::max(max, double{p.max[p.row(d, w, r)]});
      double sum = 0;
      std::vector<double> numerator(s.head_dim, 0.0);
      for (std::size_t d = 0; d < s.devices; ++d) {
        const std::size_t at = p.row(d, w, r);
        const double scale = p.max[at] == kMinusInfinity ? 0 : std::exp(p.max[at] - max);
        sum += scale * p.sum[at];
        for (std::size_t c = 0; c < s.head_dim; ++c)
          numerator[c] += scale * p.numerator[at * s.head_dim + c];
      }
      for (std::size_t c = 0; c < s.head_dim; ++c)
        output[(w * kRows + r) * s.head_dim + c] =
            sum == 0 ? 0.0f : static_cast<float>(numerator[c] / sum);
    }
  }
  return output;
}

class NpyTest : public ::testing::Test {
 protected:
  ~NpyTest() override {
    for (const std::string& path : written_) std::remove(path.c_str());
  }
  std::string write(const std::string& name, const std::string& header,
                    const std::vector<float>& values) {
    std::string path = ::testing::TempDir() + "sdpa_problem_" + name + ".npy";
    std::ofstream file(path, std::ios::binary);
    std::string padded = header;
    padded.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10, ' ');
    padded.back() = '\n';
    file.write("\x93NUMPY\x01\x00", 8);
    const auto length = static_cast<std::uint16_t>(padded.size());
    file.write(reinterpret_cast<const char*>(&length), 2);
    file << padded;
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * 4));
    written_.push_back(path);
    return path;
  }
  static std::string header(const std::string& shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  }
  static std::string message(const std::string& path, const std::vector<std::size_t>& expected) {
    return tvp::test::fault_of([&] { NpyFile::load(path, expected); },
                               foundation::FaultKind::kDescription);
  }

 private:
  std::vector<std::string> written_;
};

TEST(SdpaProblem, PartialsMergeToAttentionOverTheWholeSequence) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Problem problem = attention_problem({4, 2, 64}, 64, seed);
    const Errors errors = compare(problem.golden, merged(problem.partials));
    // Only the rounding on load remains: numerators and sums by 2^-8 each.
    EXPECT_LT(errors.margin, 0.5);
    EXPECT_LT(errors.max_rel, 2.5 * 0x1p-8);
    EXPECT_GT(errors.max_rel, 0.0);
  }
}

TEST(SdpaProblem, SeedsDifferAndRepeat) {
  const Shape shape{4, 1, 32};
  EXPECT_EQ(attention_problem(shape, 32, 7).partials.numerator,
            attention_problem(shape, 32, 7).partials.numerator);
  EXPECT_NE(attention_problem(shape, 32, 7).partials.numerator,
            attention_problem(shape, 32, 8).partials.numerator);
}

TEST(SdpaProblem, ErrorsAreSeen) {
  const Problem problem = attention_problem({4, 2, 32}, 32, 1);
  std::vector<float> output = merged(problem.partials);
  output[5] *= 1.5f;
  EXPECT_GT(compare(problem.golden, output).margin, 1.0);
  output[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isinf(compare(problem.golden, output).max_rel));
}

TEST(SdpaProblem, ErrorsInOneDirectionAreSeen) {
  const Problem problem = attention_problem({4, 8, 64}, 64, 1);
  const auto lean_of = [&](auto change) {
    std::vector<float> output = merged(problem.partials);
    for (float& value : output) value = change(value);
    const Errors errors = compare(problem.golden, output);
    EXPECT_LT(errors.margin, 1);  // a single result would not show this
    return errors.lean / errors.lean_bound;
  };
  EXPECT_LT(std::abs(lean_of([](float x) { return round_bf16(x); })), 1);
  EXPECT_LT(lean_of([](float x) {  // truncated
              return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xFFFF0000);
            }),
            -1);
  EXPECT_GT(lean_of([](float x) {  // one ulp off
              return from_bf16(static_cast<std::uint16_t>(to_bf16(x) + 1));
            }),
            1);
}

TEST(SdpaProblem, Bf16RoundsToNearestEven) {
  EXPECT_EQ(to_bf16(1.0f), 0x3F80);
  EXPECT_EQ(to_bf16(1.0f + 0x1p-8f), 0x3F80);
  EXPECT_EQ(to_bf16(1.0f + 0x1p-8f + 0x1p-20f), 0x3F81);
  EXPECT_EQ(to_bf16(1.0f + 3 * 0x1p-8f), 0x3F82);
  EXPECT_EQ(to_bf16(kMinusInfinity), 0xFF80);
  EXPECT_EQ(to_bf16(-0x1p-130f), 0x8000);
}

TEST(SdpaProblem, TilesHoldFacesThenStatistics) {
  Partials partials({1, 1, 64});
  for (std::size_t i = 0; i < partials.numerator.size(); ++i)
    partials.numerator[i] = static_cast<float>(i % 256);
  partials.sum[3] = 5;
  partials.max[3] = -7;
  const std::vector<std::uint8_t> bytes = partial_tiles(partials, 0, 0);
  ASSERT_EQ(bytes.size(), 4 * 512u);
  const auto at = [&](std::size_t offset) {
    return from_bf16(static_cast<std::uint16_t>(bytes[offset] | bytes[offset + 1] << 8));
  };
  EXPECT_EQ(at(0), 0);
  EXPECT_EQ(at(2 * 15), 15);         // row 0, column 15
  EXPECT_EQ(at(2 * 16), 64);         // row 1, column 0
  EXPECT_EQ(at(256), 16);            // second face: row 0, column 16
  EXPECT_EQ(at(512), 32);            // second tile
  EXPECT_EQ(at(1024 + 3 * 32), 5);   // sums, row 3
  EXPECT_EQ(at(1536 + 3 * 32), -7);  // maxima
  std::vector<float> back(8 * 64);
  read_output_tiles(partials.shape, bytes, 0, back);
  EXPECT_EQ(back, partials.numerator);
}

TEST_F(NpyTest, MergesEmptyAndEqualRows) {
  const Shape shape{4, 1, 32};
  std::vector<float> numerator(4 * 8 * 32, 0.0f), sum(32, 0.0f), max(32, kMinusInfinity);
  // Row 0: empty on all devices. Row 1: data on one device. Row 2: equal maxima.
  max[1] = 2;
  sum[1] = 4;
  for (int c = 0; c < 32; ++c) numerator[32 + static_cast<std::size_t>(c)] = 8;
  for (std::size_t d = 0; d < 4; ++d) {
    max[d * 8 + 2] = -3;
    sum[d * 8 + 2] = 1;
    for (std::size_t c = 0; c < 32; ++c) numerator[(d * 8 + 2) * 32 + c] = static_cast<float>(d);
  }
  const Problem problem = npy_problem(
      shape, {write("n", header("(4, 1, 8, 32)"), numerator), write("s", header("(4, 1, 8)"), sum),
              write("m", header("(4, 1, 8)"), max)});
  EXPECT_EQ(problem.golden.output[0], 0);
  EXPECT_EQ(problem.golden.output[32], 2);
  EXPECT_EQ(problem.golden.output[64], 1.5);
  EXPECT_EQ(compare(problem.golden, merged(problem.partials)).max_abs, 0);
}

TEST_F(NpyTest, NamesWhatIsWrongWithAFile) {
  const std::vector<float> values(6, 1.0f);
  EXPECT_EQ(NpyFile::load(write("good", header("(2, 3)"), values), {2, 3}).values, values);
  EXPECT_EQ(NpyFile::load(write("one", header("(6,)"), values), {0}).shape,
            (std::vector<std::size_t>{6}));
  EXPECT_NE(message(write("shape", header("(2, 3)"), values), {3, 2})
                .find("has shape (2, 3), expected (3, 2)"),
            std::string::npos);
  EXPECT_NE(
      message(write("type", "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }", {}), {6})
          .find("'<f8', expected '<f4'"),
      std::string::npos);
  EXPECT_NE(
      message(write("order", "{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }", {}), {6})
          .find("Fortran"),
      std::string::npos);
  EXPECT_NE(message(write("short", header("(7,)"), values), {7}).find("fewer than 7"),
            std::string::npos);
  EXPECT_NE(message("/nonexistent.npy", {1}).find("cannot be read"), std::string::npos);
  EXPECT_NE(message("/dev/zero", {1}).find("is not a .npy file"), std::string::npos);
}

TEST_F(NpyTest, RefusesOtherVersionsAndWhatFollowsTheValues) {
  const std::vector<float> values(6, 1.0f);
  const auto changed = [&](std::size_t at, char to) {
    std::string path = write("version", header("(6,)"), values);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at)).put(to);
    return path;
  };
  for (const char major : {'\0', '\4', '\xff'}) {
    EXPECT_NE(message(changed(6, major), {6}).find("expected 1.0, 2.0 or 3.0"), std::string::npos);
  }
  EXPECT_NE(message(changed(7, '\1'), {6}).find("is of version 1.1"), std::string::npos);
  const std::string longer = write("longer", header("(6,)"), values);
  std::ofstream(longer, std::ios::app) << '\0';
  EXPECT_NE(message(longer, {6}).find("goes on behind its 6 values"), std::string::npos);
  EXPECT_NE(message(write("huge", header("(4294967296, 4294967296)"), values), {0, 0})
                .find("more than is ever read"),
            std::string::npos);
}

TEST_F(NpyTest, RefusesValuesThatTheMathematicsDoesNotHave) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  const auto refusal = [&](const std::string& which, float value) -> std::string {
    std::vector<float> numerator(4 * 8 * 32, 1.0f), sum(32, 1.0f), max(32, 0.0f);
    (which == "n" ? numerator : which == "s" ? sum : max)[17] = value;
    return tvp::test::fault_of(
        [&] {
          npy_problem({4, 1, 32},
                      {write("n", header("(4, 1, 8, 32)"), numerator),
                       write("s", header("(4, 1, 8)"), sum), write("m", header("(4, 1, 8)"), max)});
        },
        {}, "");
  };
  for (const auto& [which, value] : std::vector<std::pair<std::string, float>>{{"n", nan},
                                                                               {"n", infinite},
                                                                               {"n", -infinite},
                                                                               {"n", 3.4e38f},
                                                                               {"s", nan},
                                                                               {"s", infinite},
                                                                               {"s", -1.0f},
                                                                               {"m", nan},
                                                                               {"m", infinite}}) {
    const std::string text = refusal(which, value);
    EXPECT_NE(text.find("_" + which + ".npy"), std::string::npos) << which << value << text;
    EXPECT_NE(text.find("as value 17, expected"), std::string::npos) << which << value << text;
  }
  EXPECT_EQ(refusal("m", -infinite), "");
  EXPECT_EQ(refusal("s", 0.0f), "");
}

}  // namespace
}  // namespace tvp::workloads::sdpa
