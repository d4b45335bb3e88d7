// If chips stop or warn in the same window, the result does not depend on the number of host
// threads. Each simulation runs in a child process.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/runtime/host_api.h"
#include "tests/support/child_output.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

// All four chips count in L1. Chips with a second argument store to an invalid address after the
// number of rounds in the first argument.
constexpr const char* kKernel = R"(
void kernel_main() {
  const uint32_t rounds = get_arg_val<uint32_t>(0);
  const uint32_t stores = get_arg_val<uint32_t>(1);
  volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(0x100000);
  for (uint32_t i = 0; i < rounds; ++i) words[i % 64] = words[(i + 7) % 64] + i;
  for (uint32_t i = 0; i < stores; ++i) *reinterpret_cast<volatile uint32_t*>(0x90000000 + 4096 * i) = i;
  for (uint32_t i = 0; i < rounds; ++i) words[i % 64] = words[(i + 9) % 64] + i;
}
)";

/// Number of rounds and stores of each chip.
using Chips = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::string simulate(const std::string& settings, const Chips& chips) {
  const fs::path file = fs::path(TVP_KERNEL_FOLDER) / "threads" / "stores.cpp";
  const auto library = DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=quad_ring\n" + settings);
  MeshDevice mesh(*library, MeshDevice::Options{});
  std::string error;
  try {
    std::vector<Program> programs(chips.size());
    for (std::size_t i = 0; i < chips.size(); ++i) {
      // The tiles give a window enough work for threads.
      for (std::uint32_t x = 0; x < 8; ++x) {
        const CoreCoord core{x, 0};
        const auto kernel = CreateKernel(programs[i], file.string(), core, DataMovementConfig{});
        SetRuntimeArgs(programs[i], kernel, core, {chips[i].first, x == 5 ? chips[i].second : 0});
      }
    }
    mesh.enqueue_all(programs);
    mesh.finish();
  } catch (const std::exception& what) {
    error = what.what();
  }
  const auto report = nlohmann::json::parse(library->report());
  return nlohmann::json{{"error", error},
                        {"ps", library->time_ps()},
                        {"digest", report.at("state_digest")},
                        {"executed", report.at("executed_instructions")},
                        {"cores", report.at("cores")},
                        {"warnings", report.at("warnings")}}
      .dump(1);
}

std::string in_child(const std::string& settings, const Chips& chips) {
  const auto [text, status] = test::output_of_child([&] {
    try {
      return simulate(settings, chips);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  });
  EXPECT_EQ(status, 0);
  return text;
}

class StoppedThreads : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const fs::path folder = fs::path(TVP_KERNEL_FOLDER) / "threads";
    fs::create_directories(folder);
    std::ofstream(folder / "stores.cpp") << kKernel;
  }
  /// The result, which must be equal with any number of threads.
  static nlohmann::json outcome(const std::string& settings, const Chips& chips) {
    const std::string alone = in_child(settings, chips);
    for (const char* threads : {"threads=2\n", "threads=4\n"})
      EXPECT_EQ(in_child(threads + settings, chips), alone) << threads;
    return nlohmann::json::parse(alone);
  }
  static std::string error_of(const nlohmann::json& found) { return found.at("error"); }
};

TEST_F(StoppedThreads, AFaultLeavesTheSameBehind) {
  const auto found = outcome("", {{4000, 0}, {2000, 0}, {3000, 1}, {4000, 0}});
  // The chip is device 2 of the ring.
  EXPECT_NE(error_of(found).find("chip3.tensix"), std::string::npos) << error_of(found);
  EXPECT_NE(error_of(found).find("stores.cpp:7"), std::string::npos) << error_of(found);
}

/// If several chips fault in one window, the fault of the first chip stops the run, whatever the
/// order of threads.
TEST_F(StoppedThreads, OfTwoFaultsInAWindowItIsTheFirstChips) {
  const auto found = outcome("", {{4000, 0}, {3010, 1}, {3000, 1}, {3000, 1}});
  EXPECT_NE(error_of(found).find("chip1.tensix"), std::string::npos) << error_of(found);
}

TEST_F(StoppedThreads, WarningsComeInTheSameOrder) {
  const auto found = outcome("faults=warn\n", {{3015, 60}, {3000, 60}, {3000, 60}, {3000, 60}});
  EXPECT_EQ(found["error"], "");
  EXPECT_GE(found["warnings"].size(), 8U) << found["warnings"];
}

}  // namespace
}  // namespace tvp::runtime
