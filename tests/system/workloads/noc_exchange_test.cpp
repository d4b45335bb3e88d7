#include "sw/workloads/noc_exchange/noc_exchange.h"

#include <gtest/gtest.h>

#include "sw/runtime/devices/device_library.h"

namespace tvp::workloads {
namespace {

TEST(NocExchange, BlocksGoToAndFroOnBothNocs) {
  const auto library = runtime::DeviceLibrary::open(TVP_LIBRARY);
  library->configure("system=single_chip");
  for (const char* noc : {"0", "1"}) {
    NocExchange workload;
    for (auto* setting : workload.settings().settings()) {
      if (setting->info().name == "noc") setting->set(noc);
      if (setting->info().name == "rounds") setting->set("9");
    }
    Context context{*library, 3, [](const std::string&) {}, 0};
    const Result result = workload.run(context);
    EXPECT_TRUE(result.passed) << "NoC " << noc << ": " << result.reason;
  }
}

}  // namespace
}  // namespace tvp::workloads
