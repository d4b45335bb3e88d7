// Parts of a model whose kernels have one source for all cores (tree of June 2026; only those for
// Wormhole).

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kModel = "models/demos/deepseek_v3_b1/micro_ops/";

class PublishedMicroOps : public PublishedTest {
 protected:
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/" + kModel))
      GTEST_SKIP() << "TT_METAL_HOME names no tree with deepseek_v3_b1";
  }
  void TearDown() override {
    if (bench_ && !IsSkipped()) {
      const auto report = nlohmann::json::parse(bench_->mesh().library().report());
      EXPECT_TRUE(report.at("warnings").empty()) << report.at("warnings").dump(1);
    }
    PublishedTest::TearDown();
  }
  static Operation::Arguments with(const std::map<std::string, std::uint32_t>& named,
                                   const Words& common = {}) {
    return {.common = common, .named = named};
  }
};

TEST_F(PublishedMicroOps, RotatesHeads) {
  constexpr Word kWide = 2, kPosition = 3, kPositions = 5;
  const Numbers x = random(1, kWide, -2, 2);
  Numbers swaps(1, 1);  // exchanges neighbors in pairs and negates the second
  for (std::size_t i = 0; i < 32; i += 2) {
    swaps.set(i + 1, i, -1);
    swaps.set(i, i + 1, 1);
  }
  const Numbers cosine = random(kPositions, kWide, -1, 1), sine = random(kPositions, kWide, -1, 1);
  const auto in = bench_->local(x.words()), turns = bench_->local(swaps.words());
  const auto out = bench_->local(Words(512 * kWide));
  const auto cosines = tensor(cosine), sines = tensor(sine);
  Words told(64);
  told[3] = kPosition;
  const auto metadata = bench_->local(told);
  const std::map<std::string, std::uint32_t> named = {{"is_active_core", 1},
                                                      {"Wt", kWide},
                                                      {"Ht", 1},
                                                      {"cos_sin_page_size", 2048},
                                                      {"total_Wt", kWide},
                                                      {"start_tile_offset", 0},
                                                      {"in_cb", 0},
                                                      {"cos_sin_cb", 1},
                                                      {"cos_tensor_address", address(cosines)},
                                                      {"sin_tensor_address", address(sines)},
                                                      {"trans_mat_cb", 2},
                                                      {"rotated_in_interm_cb", 3},
                                                      {"out_cb", 4}};
  Operation operation(*bench_);
  operation.buffer(0, in, DataFormat::Float16_b, 2048)
      .buffer(1, 2 * kWide)
      .buffer(2, turns, DataFormat::Float16_b, 2048)
      .buffer(3, kWide)
      .buffer(4, out, DataFormat::Float16_b, 2048);
  const std::string kernel = kModel + "rope/kernels/rope_kernel.cpp";
  operation.reader(kernel, with(named, {address(metadata)}));
  operation.writer(kernel, with(named)).compute(kernel, with(named));
  operation.run();
  check(Numbers(kWide, bench_->local_words(out)), 0.03, [&](auto r, auto c) {
    const double turned = c % 2 == 0 ? -x(r, c + 1) : x(r, c - 1);
    return x(r, c) * cosine(32 * kPosition, c) + turned * sine(32 * kPosition, c);
  });
}

TEST_F(PublishedMicroOps, AddsASlice) {
  const Numbers a = random(1, 2, -2, 2), b = random(1, 6, -2, 2);
  const auto in = bench_->local(a.words()), slices = bench_->local(b.words());
  const auto out = bench_->local(Words(1024));
  const std::map<std::string, std::uint32_t> named = {{"add_cb_in0", 0},
                                                      {"add_cb_in1", 1},
                                                      {"add_cb_out", 2},
                                                      {"add_num_tiles", 2},
                                                      {"add_cb_in0_wait_tiles", 2},
                                                      {"add_cb_in1_wait_tiles", 6},
                                                      {"add_sender_index", 2},
                                                      {"add_slice_size_bytes", 4096}};
  Operation operation(*bench_);
  operation.buffer(0, in, DataFormat::Float16_b, 2048)
      .buffer(1, slices, DataFormat::Float16_b, 2048)
      .buffer(2, out, DataFormat::Float16_b, 2048);
  const std::string kernel = kModel + "eltwise_add/eltwise_add_kernel.cpp";
  operation.reader(kernel, with(named)).writer(kernel, with(named)).compute(kernel, with(named));
  operation.run();
  check(Numbers(2, bench_->local_words(out)), 1.0 / 128,
        [&](auto r, auto c) { return a(r, c) + b(r, 128 + c); });
}

/// The gate of a mixture of experts in 8 groups of 32. The kernel contains its own operations of
/// MATH. It selects the four groups whose best two sums are largest, and their eight best experts.
class PublishedMoeGate : public PublishedMicroOps {
 protected:
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/" + kGate))
      GTEST_SKIP() << "TT_METAL_HOME names no tree with deepseek_moe_gate";
  }
  static constexpr std::size_t kGroups = 8, kInGroup = 32, kExperts = kGroups * kInGroup;

  /// Scores of 1/16 to 15/16, and biases that make all sums different.
  void draw();
  /// Empty if the fourth and the fifth group are equally good.
  std::vector<std::size_t> chosen() const;
  /// Experts are numbered from `first`, in 16 bits.
  void gate(bool sigmoid, Word first = 0);

  static inline const std::string kGate =
      "ttnn/cpp/ttnn/operations/experimental/deepseek/moe/deepseek_moe_gate/device/kernels/"
      "deepseek_moe_gate_kernel.cpp";
  std::vector<double> scores_, sums_;
};

void PublishedMoeGate::draw() {
  std::vector<int> places(kExperts);
  for (std::size_t e = 0; e < kExperts; ++e) places[e] = static_cast<int>(e) - 128;
  std::shuffle(places.begin(), places.end(), random_);
  scores_.clear();
  sums_.clear();
  for (std::size_t e = 0; e < kExperts; ++e) {
    scores_.push_back(static_cast<double>(1 + random_() % 15) / 16);
    sums_.push_back(places[e] / 16.0);
  }
}

std::vector<std::size_t> PublishedMoeGate::chosen() const {
  const auto higher = [&](std::size_t a, std::size_t b) { return sums_[a] > sums_[b]; };
  std::vector<std::pair<double, std::size_t>> groups;
  for (std::size_t g = 0; g < kGroups; ++g) {
    std::vector<std::size_t> of(kInGroup);
    for (std::size_t i = 0; i < kInGroup; ++i) of[i] = g * kInGroup + i;
    std::sort(of.begin(), of.end(), higher);
    groups.emplace_back(-sums_[of[0]] - sums_[of[1]], g);
  }
  std::sort(groups.begin(), groups.end());
  if (groups[3].first == groups[4].first) return {};
  std::vector<std::size_t> best;
  for (std::size_t g = 0; g < 4; ++g)
    for (std::size_t i = 0; i < kInGroup; ++i) best.push_back(groups[g].second * kInGroup + i);
  std::sort(best.begin(), best.end(), higher);
  best.resize(8);
  return best;
}

void PublishedMoeGate::gate(bool sigmoid, Word first) {
  std::vector<std::size_t> wanted;
  while (wanted.empty()) {
    draw();
    wanted = chosen();
  }
  constexpr float kScale = 2.5F, kEps = 1e-20F;
  Words x(128), biases(128), indices(128);
  for (std::size_t e = 0; e < kExperts; ++e) {
    const double score = scores_[e];
    const std::size_t turned = e % 16 * 16 + e / 16;  // a face of 16 x 16, transposed
    set_datum16(x, e, to_bf16(static_cast<float>(sigmoid ? std::log(score / (1 - score)) : score)));
    set_datum16(biases, turned, to_bf16(static_cast<float>(sums_[e] - score)));
    set_datum16(indices, turned, first + count(e));
  }
  const auto in = bench_->local(x), bias = bench_->local(biases), places = bench_->local(indices);
  const auto out = bench_->local(Words(8)), out_places = bench_->local(Words(8));
  const runtime::Tile face{16, 16}, row{1, 16};
  std::map<std::string, std::uint32_t> named = {{"moe_gate_is_active_core", 1},
                                                {"moe_gate_input_cb", 0},
                                                {"moe_gate_bias_cb", 1},
                                                {"moe_gate_output_cb", 2},
                                                {"moe_gate_input_indices_cb", 3},
                                                {"moe_gate_output_indices_cb", 4},
                                                {"moe_gate_eps", w(kEps)},
                                                {"moe_gate_scaling_factor", w(kScale)},
                                                {"moe_gate_enable_sigmoid", sigmoid ? 1U : 0U}};
  Operation operation(*bench_);
  operation.buffer(0, in, face, DataFormat::Float16_b).buffer(1, bias, face, DataFormat::Float16_b);
  operation.buffer(2, out, row, DataFormat::Float16_b).buffer(3, places, face, DataFormat::UInt16);
  operation.buffer(4, out_places, row, DataFormat::UInt16);
  operation.reader(kGate, with(named)).writer(kGate, with(named)).compute(kGate, with(named));
  operation.run();
  const Words got = bench_->local_words(out), got_places = bench_->local_words(out_places);
  double sum = 0;
  for (const std::size_t e : wanted) sum += scores_[e];
  std::set<std::size_t> found;  // they come in any order
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t e = datum16(got_places, i) - first;
    ASSERT_TRUE(std::find(wanted.begin(), wanted.end(), e) != wanted.end()) << e;
    found.insert(e);
    EXPECT_NEAR(static_cast<double>(f(from_bf16(datum16(got, i)))),
                scores_[e] / sum * static_cast<double>(kScale), 0.01);
  }
  EXPECT_EQ(found.size(), 8U);
}

TEST_F(PublishedMoeGate, ChoosesExperts) {
  for (int i = 0; i < 4; ++i) gate(false);
}
/// Units that read the numbers as BF16 take the highest bit as a sign, and source registers hold no
/// minus zero.
TEST_F(PublishedMoeGate, ChoosesExpertsOfHighNumbers) {
  for (int i = 0; i < 4; ++i) gate(false, 0x8000);
}
TEST_F(PublishedMoeGate, ChoosesExpertsOfLogits) {
  for (int i = 0; i < 4; ++i) gate(true);
}

}  // namespace
}  // namespace tvp::test
