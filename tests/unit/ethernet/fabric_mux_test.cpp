#include "tests/unit/ethernet/fabric_traffic.h"

namespace tvp::ethernet::test {
namespace {

/// Modules must exist before elaboration, so all systems are created first and each test takes the
/// next one.
class FabricMux : public FabricTraffic {
 protected:
  static void SetUpTestSuite() {
    for (unsigned i = 0; i < 4; ++i)
      pairs_.push_back(
          std::make_unique<FabricSystem>(("pair" + std::to_string(i)).c_str(), 2, false));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static FabricSystem& pair() { return *pairs_.at(used_++); }

  /// A mux for the east router of chip 0 with clients A and B. B's packets have another target.
  /// Each packet has its own part of a client's data, so that a duplicate in place of another
  /// packet is detected. With `terminate`, client A ends the mux when it is done.
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
      // The last packet has the maximum length.
      plans[i].back().bytes = kPayload;
      s.load(0, kMuxClients[i], "client",
             client(s, 0, kMux, mux(), i, fabric::stream_mux_free_slots(i), plans[i], terminate));
    }
  }
  /// The data of `clients` clients with `packets` packets each.
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

// A link that loses frames returns slots late: router, mux and clients wait for each other.
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

// The last client ends the mux at once. Its earlier packets must still arrive.
TEST_F(FabricMux, AMuxThatIsToldToEndHasForwardedEverything) {
  FabricSystem& s = pair();
  load_mux(s, {std::vector<PacketPlan>(20)}, true);
  s.load(1, kTarget, "receiver", {kSemaphore, 20});
  s.release();
  ASSERT_TRUE(s.run_until_done(0, kMux, 500000));
  EXPECT_EQ(s.word(0, kMux, mux().status()), fabric::kStatusTerminated);
  ASSERT_TRUE(s.run_until_done(1, kTarget, 500000));
  expect_delivered(s, 20, 1);
  // The mux has released its connection to the router.
  EXPECT_EQ(s.word(0, kEast, router().connection_handshake(0)), fabric::kConnectionUnused);
  EXPECT_EQ(s.word(0, kEast, router().buffer_index(0)), 20U) << "where the next one goes on";
}

// The mux is ended while it is idle.
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
