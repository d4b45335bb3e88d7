#include "sw/workloads/dram_loopback/dram_loopback.h"

#include <gtest/gtest.h>

#include "sw/runtime/devices/device_library.h"

namespace tvp::workloads {
namespace {

TEST(DramLoopback, BytesComeBack) {
  const auto library = runtime::DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  DramLoopback workload;
  std::vector<std::string> lines;
  Context context{*library, 7, [&](const std::string& line) { lines.push_back(line); }, 0};
  for (auto* setting : workload.settings().settings())
    if (setting->info().name == "dprint") setting->set("true");
  const Result result = workload.run(context);
  EXPECT_TRUE(result.passed) << result.reason;
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], "0:(0,0):BR: wrote 64 pages");
  ASSERT_EQ(result.phases.size(), 1U);
  // 64 dependent reads of 2 KiB take at least 64 flits each, and less than 1 ms.
  const double ns = result.phases[0].end_ns - result.phases[0].begin_ns;
  EXPECT_GT(ns, 64 * 64.0);
  EXPECT_LT(ns, 1e6);
}

}  // namespace
}  // namespace tvp::workloads
