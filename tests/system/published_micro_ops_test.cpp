// Parts of a model whose kernels are one source for all cores: where TT_METAL_HOME names a tree of
// tt-metal that has them (June 2026; those of Wormhole, as many others are of Blackhole alone).

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/system/published_test.h"

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
  Numbers swaps(1, 1);  // pairs of neighbors, the second with its sign turned
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

}  // namespace
}  // namespace tvp::test
