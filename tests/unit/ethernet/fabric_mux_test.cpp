#include "tests/unit/ethernet/fabric_traffic.h"

namespace tvp::ethernet::test {
namespace {

/// Modules cannot be made once a simulation is elaborated, so all systems are made first and each
/// test takes the next one.
class FabricMux : public FabricTraffic {
 protected:
  static void SetUpTestSuite() {
    for (unsigned i = 0; i < 4; ++i)
      pairs_.push_back(
          std::make_unique<FabricSystem>(("pair" + std::to_string(i)).c_str(), 2, false));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static FabricSystem& pair() { return *pairs_.at(used_++); }

  /// A mux in front of the east router of chip 0, and clients A and B, as many as have packets; B's
  /// are for another place. Each packet has its own part of what a client sends, so that one that
  /// went twice in another's place is missed. With `terminate` client A ends the mux when it is
  /// done.
  static void load_mux(FabricSystem& s, std::vector<std::vector<PacketPlan>> plans,
                       bool terminate = false) {
    s.load_routers("router_line");
    s.load(0, kMux, "mux", {s.x(0, kEast), s.y(0, kEast)});
    for (unsigned i = 0; i < plans.size(); ++i) {
      fill(s, 0, kMuxClients[i], kSource, kMuxClientDistance, 5 + i);
      std::uint32_t part = 0;
      for (PacketPlan& packet : plans[i]) {
        packet.bytes = kPart;
        packet.source = kSource + part;
        packet.to = kTo + i * kMuxClientDistance + part;
        part += kPart;
      }
      // The last one is as long as packets can be.
      plans[i].back().bytes = kPayload;
      s.load(0, kMuxClients[i], "client",
             client(s, 0, kMux, mux(), i, fabric::stream_mux_free_slots(i), plans[i], terminate));
    }
  }
  /// The data that `clients` of a mux send, each in this many packets.
  static void expect_delivered(FabricSystem& s, std::uint32_t packets, unsigned clients = 2) {
    for (unsigned i = 0; i < clients; ++i) {
      EXPECT_TRUE(equal(s, 0, kMuxClients[i], kSource, 1, kTarget, kTo + i * kMuxClientDistance,
                        (packets - 1) * kPart + kPayload));
    }
    EXPECT_EQ(s.word(1, kTarget, kSemaphore), clients * packets);
  }
  static constexpr TileUse kMuxClients[] = {kClientA, kClientB};
  static constexpr std::uint32_t kMuxClientDistance = 0x2000;
  static constexpr std::uint32_t kPart = 192;

 private:
  static inline std::vector<std::unique_ptr<FabricSystem>> pairs_;
  static inline unsigned used_ = 0;
};

TEST_F(FabricMux, TwoClientsShareALinkThroughAMux) {
  FabricSystem& s = pair();
  load_mux(s, {std::vector<PacketPlan>(12), std::vector<PacketPlan>(12)});
  s.load(1, kTarget, "receiver", {kSemaphore, 24});
  s.release();
  ASSERT_TRUE(s.run_until_done(1, kTarget, 500000));
  ASSERT_TRUE(s.run_until_done(0, kClientA, 500000));
  ASSERT_TRUE(s.run_until_done(0, kClientB, 500000));
  expect_delivered(s, 12);
  s.run(s.now() + 50000);
  EXPECT_EQ(s.tile(0, kMux).core().state(), riscv::CoreState::kSleepingOnPoll);
  EXPECT_EQ(s.tile(0, kEast).core().state(), riscv::CoreState::kSleepingOnPoll);
}

// A link that loses frames gives slots back late: router, mux and clients wait for each other.
TEST_F(FabricMux, AMuxWaitsForARouterThatIsSlow) {
  FabricSystem& s = pair();
  s.ethernet.drop_rate.set("0.05");
  load_mux(s, {std::vector<PacketPlan>(20), std::vector<PacketPlan>(20)});
  s.load(1, kTarget, "receiver", {kSemaphore, 40});
  s.release();
  ASSERT_TRUE(s.run_until_done(1, kTarget, 5'000'000));
  ASSERT_TRUE(s.run_until_done(0, kClientA, 5'000'000));
  ASSERT_TRUE(s.run_until_done(0, kClientB, 5'000'000));
  EXPECT_GT(s.tile(0, kEast).queues().tx(0).resends(), 0u);
  expect_delivered(s, 20);
}

// The last client ends the mux at once; what it sent before has to arrive all the same.
TEST_F(FabricMux, AMuxThatIsToldToEndHasForwardedEverything) {
  FabricSystem& s = pair();
  load_mux(s, {std::vector<PacketPlan>(20)}, true);
  s.load(1, kTarget, "receiver", {kSemaphore, 20});
  s.release();
  ASSERT_TRUE(s.run_until_done(0, kMux, 500000));
  EXPECT_EQ(s.word(0, kMux, mux().status()), fabric::kStatusTerminated);
  ASSERT_TRUE(s.run_until_done(1, kTarget, 500000));
  expect_delivered(s, 20, 1);
  // It has given its connection to the router back, for others to take.
  EXPECT_EQ(s.word(0, kEast, router().connection_handshake(0)), fabric::kConnectionUnused);
  EXPECT_EQ(s.word(0, kEast, router().buffer_index(0)), 20U) << "where the next one goes on";
}

// Told to end when nothing is left, in the middle of its work.
TEST_F(FabricMux, AMuxEndsWhenItsChannelsAreEmpty) {
  FabricSystem& s = pair();
  load_mux(s, {std::vector<PacketPlan>(20)});
  s.load(1, kTarget, "receiver", {kSemaphore, 20});
  s.release();
  while (s.word(1, kTarget, kSemaphore) < 3 && s.now() < 500000) s.run(s.now() + 100);
  ASSERT_LT(s.word(1, kTarget, kSemaphore), 10u);
  s.set_word(0, kMux, mux().termination_signal(), fabric::kTerminateGracefully);
  s.calendar(0).tile_woken(s.tile(0, kMux).calendar_index());
  ASSERT_TRUE(s.run_until_done(0, kMux, 500000));
  EXPECT_EQ(s.word(0, kMux, mux().status()), fabric::kStatusTerminated);
  ASSERT_TRUE(s.run_until_done(1, kTarget, 500000));
  expect_delivered(s, 20, 1);
}

}  // namespace
}  // namespace tvp::ethernet::test
