// The chooser's estimates and choices against runs of all candidates, at fixed sizes and at random
// ones. Larger systems run by name only:
//     system_algorithm_choices --gtest_also_run_disabled_tests --gtest_filter='*T3000'
// Each size prints a line: the choice, the best candidate, the loss in percent, and the estimates
// that are farthest from their runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "foundation/fault.h"
#include "sw/collectives/library/chooser.h"
#include "sw/runtime/devices/device_library.h"
#include "tests/system/benches/in_child.h"
#include "tests/system/collectives/executors.h"

namespace tvp::collectives {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSizes[] = {256, 16 * 1024, 64 * 1024, 1 << 20};
constexpr double kMostLoss = 0.1;
/// On PIM units the core combines, and the time that a chain of messages waits for it is not
/// modelled.
constexpr double kMostFactor = 2;
constexpr double kMostFactorOfUnits = 3;

/// Sizes of whole elements from 256 bytes to `most`, evenly spread over the powers of two.
std::vector<std::uint64_t> random_sizes(std::size_t count, std::uint64_t most) {
  std::mt19937_64 random(20261129);
  const double octaves = std::log2(static_cast<double>(most) / 256);
  std::vector<std::uint64_t> sizes;
  while (sizes.size() < count) {
    const double share = static_cast<double>(random() >> 11) / static_cast<double>(1ULL << 53);
    sizes.push_back(static_cast<std::uint64_t>(64 * std::exp2(octaves * share)) * 4);
  }
  return sizes;
}

/// Compares the chooser with all candidates on one machine.
class Comparison {
 public:
  Comparison(CollectiveExecutor& executor, Primitive primitive, double most_factor)
      : executor_(executor), chooser_(executor, empty_file()), most_factor_(most_factor) {
    question_.request.primitive = primitive;
    question_.request.ranks = executor.ranks();
  }

  void size(std::uint64_t bytes) {
    question_.bytes = bytes;
    double least = std::numeric_limits<double>::max();
    std::string best;
    std::string farthest;
    double worst = 1;
    for (const Estimate& each : chooser_.candidates(question_)) {
      if (!each.refusal.empty()) continue;
      const double ns = run(each);
      if (ns < least) best = each.algorithm;
      least = std::min(least, ns);
      const double factor = each.time_ns / ns;
      if (std::max(factor, 1 / factor) <= worst) continue;
      worst = std::max(factor, 1 / factor);
      farthest = each.algorithm + " " + shown(each.time_ns) + " of " + shown(ns);
    }
    const Choice choice = chooser_.choose(question_);
    const double loss = run(choice.candidates.front()) / least - 1;
    std::printf("  %8llu  %-20s %-20s %8s us  %5.1f %%   %s us\n",
                static_cast<unsigned long long>(bytes), choice.algorithm.c_str(), best.c_str(),
                shown(least).c_str(), 100 * loss, farthest.c_str());
    std::fflush(stdout);
    const std::string at = std::to_string(bytes) + " bytes: ";
    if (loss > kMostLoss) failures_ += at + "best is " + best + "\n" + choice.text();
    if (worst >= most_factor_) failures_ += at + "estimate of " + farthest + " us\n";
  }
  const std::string& failures() const { return failures_; }

 private:
  static TuningFile empty_file() {
    fs::create_directories(TVP_KERNEL_FOLDER);
    const std::string path = (fs::path(TVP_KERNEL_FOLDER) / "choices.json").string();
    fs::remove(path);
    return {path, "of a test", "system"};
  }
  static std::string shown(double ns) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", ns / 1000);
    return text;
  }
  double run(const Estimate& candidate) {
    return executor_
        .run(chooser_.schedule(question_, candidate),
             {.where = "test", .bytes = question_.bytes, .type = question_.type})
        .time_ns();
  }

  CollectiveExecutor& executor_;
  Chooser chooser_;
  const double most_factor_;
  Chooser::Question question_;
  std::string failures_;
};

void compare(const std::string& settings, const WithExecutor& with, Primitive primitive,
             const std::vector<std::uint64_t>& sizes, double most_factor = kMostFactor) {
  std::printf(
      "     bytes  choice               best                     time    loss   farthest "
      "estimate\n");
  std::fflush(stdout);
  const std::string answer = workloads::in_child(settings, [&](runtime::DeviceLibrary& library) {
    std::string failures;
    with(library, [&](CollectiveExecutor& executor) {
      Comparison comparison(executor, primitive, most_factor);
      for (const std::uint64_t bytes : sizes) comparison.size(bytes);
      failures = comparison.failures();
    });
    return failures;
  });
  EXPECT_EQ(answer, "right") << settings;
}

std::string torus_of_small_chips(const std::string& shape) {
  fs::create_directories(TVP_KERNEL_FOLDER);
  const fs::path file = fs::path(TVP_KERNEL_FOLDER) / "torus.toml";
  std::ofstream(file) << "schema = 1\nname = \"torus\"\n[topology]\nkind = \"torus\"\nshape = ["
                      << shape << "]\nlinks = 1\ndescription = \"small\"\n";
  return "system=" + file.string() + "\n";
}

std::vector<std::uint64_t> fixed() { return {std::begin(kSizes), std::end(kSizes)}; }
constexpr std::size_t kRandom = 10;

/// The time of a run that is right, in us.
double time_of(CollectiveExecutor& executor, Primitive primitive, const std::string& algorithm,
               std::uint64_t bytes, const std::vector<Tier>& axes) {
  ScheduleRequest request;
  request.primitive = primitive;
  request.ranks = executor.ranks();
  if (algorithm == "ring") {
    request.order = executor.ring(request.ranks);
  } else {
    request.tiers = axes;
  }
  const auto outcome =
      executor.run(algorithm_named(algorithm).schedule(request), {.where = "test", .bytes = bytes});
  if (outcome.wrong != 0) throw std::runtime_error(algorithm + ": " + outcome.reason);
  return outcome.time_ns() / 1000;
}

/// The parts of a torus use all ports of a rank at once, so it is faster than algorithms that use
/// one or two of them. Short messages of an all_gather or reduce_scatter are many on a torus.
std::string torus_is_fastest(CollectiveExecutor& executor, const std::vector<Tier>& axes) {
  struct Case {
    Primitive primitive;
    std::vector<std::uint64_t> bytes;
    std::vector<const char*> others;
  };
  const std::vector<std::uint64_t> long_ones = {128U * 1024, 1U << 20};
  const Case cases[] = {
      {Primitive::kAllReduce, {20'000U, 64U * 1024, 200'000U, 1U << 20}, {"ring", "hierarchy"}},
      {Primitive::kAllGather, long_ones, {"ring"}},
      {Primitive::kReduceScatter, long_ones, {"ring"}}};
  std::string failures;
  for (const Case& each : cases)
    for (const std::uint64_t bytes : each.bytes) {
      const double torus = time_of(executor, each.primitive, "torus", bytes, axes);
      for (const char* other : each.others) {
        const double time = time_of(executor, each.primitive, other, bytes, axes);
        if (torus < time) continue;
        failures += name_of(each.primitive) + " of " + std::to_string(bytes) + " bytes: torus " +
                    std::to_string(torus) + " us, " + other + " " + std::to_string(time) + " us\n";
      }
    }
  return failures;
}

TEST(AlgorithmChoices, TorusIsFasterThanRingAndHierarchy) {
  for (const std::uint32_t side : {3U, 4U}) {
    const std::string text = std::to_string(side) + ", " + std::to_string(side);
    EXPECT_EQ(workloads::in_child(torus_of_small_chips(text),
                                  [&](runtime::DeviceLibrary& library) {
                                    std::string failures;
                                    on_chips(library, [&](CollectiveExecutor& executor) {
                                      failures = torus_is_fastest(executor, {{side}, {side}});
                                    });
                                    return failures;
                                  }),
              "right")
        << text;
  }
}

TEST(AlgorithmChoices, Ring) {
  compare("system=small_ring\n", on_chips, Primitive::kAllReduce, fixed());
}
TEST(AlgorithmChoices, RingAtRandomSizes) {
  for (const Primitive each : {Primitive::kAllReduce, Primitive::kAllGather})
    compare("system=small_ring\n", on_chips, each, random_sizes(kRandom, 1 << 20));
}
TEST(AlgorithmChoices, DISABLED_QuadRing) {
  compare("system=quad_ring\n", on_chips, Primitive::kAllReduce, random_sizes(kRandom, 1 << 20));
}
TEST(AlgorithmChoices, StarAtRandomSizes) {
  for (const Primitive each :
       {Primitive::kAllReduce, Primitive::kAllGather, Primitive::kAllToAll, Primitive::kBroadcast})
    compare("system=pim_star\n", on_units, each, random_sizes(kRandom, 64 * 1024),
            kMostFactorOfUnits);
}
TEST(AlgorithmChoices, DISABLED_T3000) {
  compare("system=t3000\n", on_chips, Primitive::kAllReduce, fixed());
  compare("system=t3000\n", on_chips, Primitive::kAllReduce, random_sizes(kRandom, 1 << 20));
}
TEST(AlgorithmChoices, DISABLED_Torus) {
  const std::string system = torus_of_small_chips("4, 4");
  compare(system, on_chips, Primitive::kAllReduce, fixed());
  compare(system, on_chips, Primitive::kAllReduce, random_sizes(kRandom, 1 << 20));
}
TEST(AlgorithmChoices, DISABLED_PimRank) {
  compare("system=pim_rank\n", on_units, Primitive::kAllReduce, random_sizes(kRandom, 32 * 1024),
          kMostFactorOfUnits);
}

}  // namespace
}  // namespace tvp::collectives
