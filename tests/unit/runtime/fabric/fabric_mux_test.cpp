#include "sw/runtime/fabric/fabric_mux.h"

#include <gtest/gtest.h>

#include <variant>

#include "foundation/contract/fabric/worker_connection.h"
#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::runtime::fabric_mux_test {
namespace {

TEST(FabricMux, TellsItsClientsWhereTheirChannelIs) {
  using namespace contract::fabric;
  const MuxLayout mux = mux_layout(0x20000, 1024, 3, 5);
  const auto args = fabric_mux_client_args(mux, {18, 20}, 2, 6);
  const std::vector<std::uint32_t> expected{18,
                                            20,
                                            2,
                                            5,
                                            slot_bytes(1024),
                                            mux.channel_base(2),
                                            mux.connection_info(2),
                                            mux.connection_handshake(2),
                                            6,
                                            7,
                                            mux.status()};
  EXPECT_EQ(args, expected);
  EXPECT_EQ(tvp::test::fault_of([&] {
              fabric_mux_client_args(mux, {18, 20}, 3, 6);
            }),
            "mux: channel 3: expected one below 3");
}

TEST(FabricMux, HasTheArgumentsOfARoutersConnection) {
  using namespace contract::fabric;
  const MuxLayout mux = mux_layout(0x20000, 8192, 4, 6);
  const auto args = mux_connection_args(mux, {18, 20}, 3, 9);
  ASSERT_EQ(args.size(), std::size_t{kConnectionRuntimeArgs});
  EXPECT_EQ(args[kConnectionArgX] & 0xFF, 18U);
  EXPECT_EQ(args[kConnectionArgY], 20U);
  EXPECT_EQ(args[kConnectionArgChannelBase], mux.channel_base(3));
  EXPECT_EQ(args[kConnectionArgSlots], 6U);
  EXPECT_EQ(args[kConnectionArgHandshake], mux.connection_handshake(3));
  EXPECT_EQ(args[kConnectionArgStream], stream_mux_free_slots(3));
  EXPECT_EQ(args[kConnectionArgBufferIndexSemaphore], 11U);
  EXPECT_EQ(tvp::test::fault_of([&] {
              mux_connection_args(mux, {18, 20}, 4, 9);
            }),
            "mux: channel 4: expected one below 4");
}

TEST(FabricMux, EndsBySignalOrWithItsClients) {
  for (const FabricMuxEnd end : {FabricMuxEnd::kBySignal, FabricMuxEnd::kWithClients}) {
    Program program;
    CreateFabricMux(program, CoreCoord{0, 0}, {}, {}, end);
    ASSERT_EQ(program.kernels().size(), 1U);
    EXPECT_EQ(program.kernels()[0].source, "firmware/fabric/mux.cpp");
    const auto& config = std::get<DataMovementConfig>(program.kernels()[0].config);
    EXPECT_EQ(config.opt_level, KernelBuildOptLevel::O3);
    EXPECT_EQ(config.compile_args[contract::fabric::kMuxArgEndsWithClients],
              end == FabricMuxEnd::kWithClients ? 1U : 0U);
  }
}

}  // namespace
}  // namespace tvp::runtime::fabric_mux_test
