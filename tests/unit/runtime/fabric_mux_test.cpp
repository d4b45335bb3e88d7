#include "sw/runtime/fabric_mux.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <variant>

#include "foundation/fault.h"

namespace tvp::runtime::fabric_mux_test {
namespace {

TEST(FabricMux, ComesInTwoKinds) {
  for (const auto& [name, kind, source, level] :
       {std::tuple{"ours", FabricMuxKernel::kOurs, "firmware/fabric/mux.cpp",
                   KernelBuildOptLevel::O2},
        std::tuple{"published_order", FabricMuxKernel::kPublishedOrder,
                   "firmware/fabric/mux_published_order.cpp", KernelBuildOptLevel::O3}}) {
    EXPECT_EQ(fabric_mux_kernel(name), kind);
    Program program;
    CreateFabricMux(program, CoreCoord{0, 0}, {}, {}, kind);
    ASSERT_EQ(program.kernels().size(), 1U);
    EXPECT_EQ(program.kernels()[0].source, source);
    EXPECT_EQ(std::get<DataMovementConfig>(program.kernels()[0].config).opt_level, level);
  }
  try {
    fabric_mux_kernel("theirs");
    FAIL();
  } catch (const foundation::Fault& fault) {
    EXPECT_EQ(std::string(fault.what()), "mux: 'theirs': expected ours or published_order");
  }
}

}  // namespace
}  // namespace tvp::runtime::fabric_mux_test
