// The prefetcher workload on the command line: options, shapes and formats against the golden
// result, lockstep against horizons, and refusals.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using Ended = test::ReportedRun;

/// All formats, with sides that fill no block and one smaller than the ring.
const std::string kModel = R"([[tensor]]
name = "a"
k = 384
n = 448
format = "bfloat8_b"
[[tensor]]
name = "b"
k = 160
n = 224
format = "bfloat16"
[[tensor]]
name = "c"
k = 576
n = 1088
format = "bfloat4_b"
)";

std::string model(const std::string& text = kModel, const std::string& name = "model.toml") {
  const fs::path file = fs::path(TVP_KERNEL_FOLDER) / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file.string();
}

Ended run(const std::string& settings, const std::string& rest = "") {
  return test::run_with_report("run prefetcher --set model=" + model() + ",banks=3," + settings +
                               rest);
}

double metric(const Ended& result, const std::string& name) {
  return result.report.at("metrics").at(name).at("value").get<double>();
}

class Prefetcher : public ::testing::TestWithParam<const char*> {};

TEST_P(Prefetcher, EveryTensorOfEveryLayerIsWhatRoundingExplains) {
  const Ended result = run(GetParam());
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.report.at("status"), "passed");
  EXPECT_GT(result.report.at("error").at("max_abs").get<double>(), 0);
  EXPECT_GT(metric(result, "read"), 1);
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(
    Variants, Prefetcher,
    ::testing::Values(
        "layers=3",
        "layers=2,receivers=1,depth=1",
        "layers=2,rows=33",
        "layers=1,rows=128,bias=true,function=relu",
        "layers=1,rows=70,feed=direct",
        "layers=2,receivers=3,places=6,packet_bytes=2048",
        "layers=2,feed=direct",
        "layers=3,pointers=local_pops",
        "layers=2,pointers=local_pops,depth=1,stream_credits=true,rows=40,function=relu",
        "layers=2,hop_cores=4,gather_kib=8",
        "layers=3,write_ids=true",
        "layers=3,stream_credits=true",
        "layers=3,compact=true,depth=1",
        "layers=3,compact=true,stream_credits=true,write_ids=true,places=4",
        "layers=2,performance_mode=false,fidelity=hifi4",
        "layers=2,write_noc=1,rows_off=2,fidelity=lofi,tensor_kib=16,gather_kib=8"));
// clang-format on

/// The block size leaves a rest before the end of the buffer, which is skipped while the receiver
/// still needs the start. A sender may continue only if it has room for the rest, too.
TEST(PrefetcherRun, ARestBeforeTheEndIsRoomThatASenderWaitsFor) {
  const std::string uneven = model(
      "[[tensor]]\nname=\"a\"\nk=384\nn=1792\nformat=\"bfloat8_b\"\n"
      "[[tensor]]\nname=\"b\"\nk=384\nn=32\nformat=\"bfloat4_b\"\n",
      "uneven.toml");
  for (const char* mode : {"true", "false"}) {
    const Ended result = test::run_with_report(
        "run prefetcher --set model=" + uneven +
        ",banks=6,receivers=1,depth=1,tensor_kib=1,gather_kib=1,packet_bytes=3000,rows_off=1,"
        "fidelity=hifi4,stream_credits=true,performance_mode=" +
        mode);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
  }
}

/// Flits of two packets alternate at one NIU, so both packets are complete at their tails. A
/// semaphore after one of them announces this; waiting cores must not be early.
TEST(PrefetcherRun, WeightsAndActivationsMeetOnOneNoc) {
  const std::string narrow = model(
      "[[tensor]]\nname=\"a\"\nk=736\nn=352\nformat=\"bfloat16\"\n"
      "[[tensor]]\nname=\"b\"\nk=704\nn=352\nformat=\"bfloat4_b\"\n",
      "narrow.toml");
  const Ended result = test::run_with_report(
      "run prefetcher --set model=" + narrow +
      ",banks=11,receivers=1,depth=3,places=4,gather_kib=256,rows_off=5,write_noc=1");
  EXPECT_EQ(result.exit_code, 0) << result.errors;
}

/// Hash of the bits of all results.
std::string outputs(const Ended& run) {
  for (const auto& remark : run.report.at("remarks"))
    if (remark.get<std::string>().starts_with("outputs")) return remark;
  return "no outputs";
}

TEST(PrefetcherRun, LockstepEndsAtTheSamePicosecondWithTheSameBits) {
  const Ended fast = run("layers=2");
  const Ended lockstep = run("layers=2", " --lockstep");
  ASSERT_EQ(fast.exit_code, 0) << fast.errors;
  ASSERT_EQ(lockstep.exit_code, 0) << lockstep.errors;
  EXPECT_EQ(outputs(fast).size(),
            std::string("outputs of all cores and layers hash to ").size() + 32);
  EXPECT_EQ(outputs(fast), outputs(lockstep));
  EXPECT_EQ(fast.report.at("state_digest"), lockstep.report.at("state_digest"));
  EXPECT_EQ(fast.report.at("simulated_ps"), lockstep.report.at("simulated_ps"));
}

/// Hops between neighbors of the ring change the arrival of shards; local pops change how blocks
/// are found. Neither changes a result.
TEST(PrefetcherRun, HopsAndLocalPopsGiveTheSameTensors) {
  const std::string expected = outputs(run("layers=2"));
  EXPECT_EQ(outputs(run("layers=2,pointers=local_pops")), expected);
  EXPECT_EQ(outputs(run("layers=2,hop_cores=5")), expected);
}

/// tt-metal's own kernels of this operation; skipped without a tree of tt-metal.
TEST(PrefetcherRun, PublishedKernelsGiveTheSameTensors) {
  if (const char* home = std::getenv("TT_METAL_HOME"); home == nullptr || *home == 0)
    GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal";
  const Ended own = run("layers=2,depth=3");
  const Ended published = run("layers=2,depth=3,kernels=published,hop_cores=2");
  ASSERT_EQ(own.exit_code, 0) << own.errors;
  ASSERT_EQ(published.exit_code, 0) << published.errors;
  EXPECT_EQ(own.report.at("error"), published.report.at("error"));
  EXPECT_EQ(outputs(own), outputs(published));
}

Ended remote(const std::string& settings) {
  return test::run_with_report("run dram_remote --set rows=2048,blocks=8," + settings);
}

/// Layers of two formats; receivers' blocks end where the pages of each layer begin.
TEST(DramRemote, ReceiversHaveTheBlocksOfTheLastLayer) {
  for (const char* settings : {"depth=3", "columns=256,receivers=4,layers=5,depth=5",
                               "columns=192,receivers=3,layers=4,format=bfp8,depth=4,padding=0"}) {
    const Ended result = remote(settings);
    EXPECT_EQ(result.exit_code, 0) << settings << result.errors;
    EXPECT_GT(metric(result, "rate"), 10);
  }
  const Ended wrong = test::run_with_report("run dram_remote --set rows=2048,blocks=7,depth=3");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.errors.find("2048 are not 7 blocks of whole tiles"), std::string::npos)
      << wrong.errors;
}

/// The kernels of tt-metal's microbenchmark move the same data in the same time.
TEST(DramRemote, PublishedKernelsTakeTheSameTime) {
  if (const char* home = std::getenv("TT_METAL_HOME"); home == nullptr || *home == 0)
    GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal";
  const Ended own = remote("depth=3,receivers=2");
  const Ended published = remote("depth=3,receivers=2,kernels=published");
  ASSERT_EQ(own.exit_code, 0) << own.errors;
  ASSERT_EQ(published.exit_code, 0) << published.errors;
  EXPECT_NEAR(metric(own, "rate"), metric(published, "rate"), 0.02 * metric(own, "rate"));
}

/// A writer that pauses sends later, with equal results.
TEST(PrefetcherRun, SendersPauseForAnotherOperation) {
  const Ended result = run("layers=3,rival_kib=64,pause=true");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_GT(metric(result, "rival_cycles"), 0);
}

/// Drops sixteen of some thousand products of one result, and misplaces a block.
TEST(PrefetcherRun, WhatGoesWrongIsNoticed) {
  const Ended dropped =
      run("layers=1,coprocessor.drop_opcode=MVMUL,coprocessor.drop_nth=200,"
          "coprocessor.drop_in=tensix");
  EXPECT_EQ(dropped.exit_code, 1) << dropped.errors;
  EXPECT_NE(dropped.report.at("reason").get<std::string>().find("farther from the product"),
            std::string::npos);
}

/// A bias is added before the products, and each function runs after them.
TEST(PrefetcherRun, BiasAndFunctionAreFused) {
  for (const char* function : {"none", "relu", "silu", "gelu"}) {
    const Ended fused = run(std::string("layers=1,bias=true,function=") + function);
    EXPECT_EQ(fused.exit_code, 0) << function << fused.errors;
  }
  const Ended without =
      run("layers=1,bias=true,coprocessor.drop_opcode=MOVB2D,coprocessor.drop_nth=3,"
          "coprocessor.drop_in=tensix");
  EXPECT_EQ(without.exit_code, 1) << without.errors;
}

TEST(PrefetcherRun, WithoutPrefetchTheSameWeightsTakeLonger) {
  const Ended prefetched = run("layers=2");
  const Ended direct = run("layers=2,feed=direct");
  ASSERT_EQ(prefetched.exit_code, 0) << prefetched.errors;
  ASSERT_EQ(direct.exit_code, 0) << direct.errors;
  EXPECT_GT(metric(direct, "kernel_cycles"), metric(prefetched, "kernel_cycles"));
  EXPECT_GT(metric(direct, "matmul_waits_for_weights"),
            metric(prefetched, "matmul_waits_for_weights"));
}

/// Random tensors, placement, buffers and options that are valid together.
class RandomConfiguration {
 public:
  explicit RandomConfiguration(unsigned seed) : random_(seed), seed_(seed) {}

  std::string settings() {
    std::string text = "model=" + model(tensors(), "random_" + std::to_string(seed_) + ".toml");
    const auto number = [&](const char* key, unsigned least, unsigned most) {
      text += std::string(",") + key + "=" + std::to_string(draw(least, most));
    };
    const auto choice = [&](const char* key, std::initializer_list<const char*> of) {
      text += std::string(",") + key + "=" + *(of.begin() + draw(0, unsigned(of.size()) - 1));
    };
    number("banks", 1, 6);
    number("receivers", 1, 3);
    number("layers", 1, 3);
    number("depth", 1, 3);
    number("places", 3, 8);
    number("packet_bytes", 2048, 8192);
    number("rows_off", 0, 3);
    number("write_noc", 0, 1);
    number("rows", 1, 128);
    number("tensor_kib", 1, 64);
    number("gather_kib", 1, 64);
    choice("bias", {"false", "true"});
    choice("function", {"none", "relu", "silu", "gelu"});
    choice("fidelity", {"lofi", "hifi2", "hifi3", "hifi4"});
    if (draw(0, 3) == 0) return text + ",feed=direct";
    choice("stream_credits", {"false", "true"});
    if (draw(0, 1) == 0) {
      choice("write_ids", {"false", "true"});
    } else {
      choice("performance_mode", {"false", "true"});
    }
    return text + (draw(0, 1) == 0   ? ",pointers=local_pops"
                   : draw(0, 1) == 0 ? ",compact=true"
                                     : "");
  }

 private:
  unsigned draw(unsigned least, unsigned most) {
    return least + static_cast<unsigned>(random_()) % (most - least + 1);
  }
  std::string tensors() {
    static constexpr const char* kFormats[] = {"bfloat4_b", "bfloat8_b", "bfloat16"};
    std::string text;
    for (unsigned i = draw(1, 3); i != 0; --i)
      text +=
          "[[tensor]]\nname=\"t" + std::to_string(i) + "\"\nk=" + std::to_string(32 * draw(1, 24)) +
          "\nn=" + std::to_string(32 * draw(1, 24)) + "\nformat=\"" + kFormats[draw(0, 2)] + "\"\n";
    return text;
  }

  std::mt19937 random_;
  unsigned seed_;
};

void expect_random_run_passes(unsigned seed) {
  const std::string settings = RandomConfiguration(seed).settings();
  const Ended result = test::run_with_report("run prefetcher --set " + settings);
  // Small buffers cannot hold some positions, which are refused.
  if (result.exit_code == 2)
    EXPECT_NE(result.errors.find("prefetcher.places"), std::string::npos)
        << settings << result.errors;
  else
    EXPECT_EQ(result.exit_code, 0) << settings << result.errors;
}

TEST(RandomPrefetches, Few) {
  for (unsigned seed = 1; seed <= 3; ++seed) expect_random_run_passes(seed);
}

/// Runs by name only; TVP_RANDOM_PREFETCHES is the number of cases.
TEST(RandomPrefetches, DISABLED_Many) {
  const char* const count = std::getenv("TVP_RANDOM_PREFETCHES");
  const unsigned last = count == nullptr ? 50 : static_cast<unsigned>(std::atoi(count));
  for (unsigned seed = 4; seed < 4 + last; ++seed) expect_random_run_passes(seed);
}

/// Text of the error; the run must end with the exit code for bad input.
std::string complaint(const std::string& settings) {
  const test::Outcome outcome = test::vp("run prefetcher --set " + settings);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.output;
  return outcome.output;
}

TEST(PrefetcherRun, BadInputIsNamed) {
  const auto says = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  says(complaint("model=lama"), "'lama' is no model; expected llama_70b_tp8, llama_8b");
  says(complaint("model=/nowhere/at/all.toml"), "/nowhere/at/all.toml");
  says(complaint("model=" +
                 model("[[tensor]]\nname=\"a\"\nk=100\nn=64\nformat=\"bfloat16\"\n", "odd.toml")),
       "k = 100; expected a multiple of 32");
  says(complaint("model=" +
                 model("[[tensor]]\nname=\"a\"\nk=64\nn=64\nformat=\"fp8\"\n", "format.toml")),
       "format 'fp8'; expected bfloat4_b, bfloat8_b or bfloat16");
  says(complaint("model=" + model("layers = 2\n", "none.toml")), "unknown key 'layers'");
  says(complaint("model=" + model("", "empty.toml")), "has no [[tensor]]");
  says(complaint("banks=13"), "prefetcher.banks");
  says(complaint("receivers=7"), "7 receivers do not fit to the right of a core behind bank");
  says(complaint("write_ids=true,performance_mode=false"), "expected posted writes");
  says(complaint("feed=direct,compact=true"), "direct has no senders");
  says(complaint("depth=64"), "prefetcher.depth: asks for too much: 64 tensors");
  says(complaint("depth=6"), "prefetcher.gather_kib: asks for too much");
  says(complaint("model=" + model() + ",banks=3,layers=64"),
       "prefetcher.layers: asks for too much");
  says(complaint("hop_cores=64"), "prefetcher.hop_cores: 64; expected at most");
  says(complaint("pointers=local_pops,compact=true"), "prefetcher.pointers");
  says(complaint("pause=true"), "expected rival_kib");
  says(complaint("rival_kib=4"), "expected packets of 8 KiB");
}

}  // namespace
}  // namespace tvp
