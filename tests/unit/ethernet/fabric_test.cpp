#include "foundation/regs/tensix_tile.h"
#include "tests/unit/ethernet/fabric_traffic.h"

namespace tvp::ethernet::test {
namespace {

constexpr unsigned kSlowHop = 64;  // cycles

/// Modules must exist before elaboration, so all systems are created first and each test takes the
/// next one of its kind.
class Fabric : public FabricTraffic {
 protected:
  static void SetUpTestSuite() {
    for (unsigned i = 0; i < 15; ++i) {
      pairs_.push_back(
          std::make_unique<FabricSystem>(("pair" + std::to_string(i)).c_str(), 2, false));
    }
    slow_ = std::make_unique<FabricSystem>("slow", 2, false, kSlowHop);
    const auto least = static_cast<unsigned>(noc::lookahead(noc::NocConfig()).event_to_tile);
    for (const char* name : {"soon", "soon_lockstep"})
      soon_.push_back(std::make_unique<FabricSystem>(name, 2, false, 0, least));
    for (const unsigned cycles : {1U, least - 1}) {
      const std::string name = "too_soon" + std::to_string(cycles);
      try {
        const FabricSystem too_soon(name.c_str(), 2, false, 0, cycles);
      } catch (const foundation::Fault& fault) {
        too_soon_.push_back(fault.what());
      }
    }
    for (unsigned i = 0; i < 4; ++i) {
      lines_.push_back(
          std::make_unique<FabricSystem>(("line" + std::to_string(i)).c_str(), 3, false));
      rings_.push_back(
          std::make_unique<FabricSystem>(("ring" + std::to_string(i)).c_str(), 4, true));
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static FabricSystem& pair() { return *pairs_.at(used_pairs_++); }
  /// A system whose packets take longer on the NoC than on the link.
  static FabricSystem& slow() { return *slow_; }
  /// A system with the shortest legal receive_cycles.
  static FabricSystem& soon(bool lockstep) { return *soon_[lockstep]; }
  /// The error for shorter ones.
  static const std::vector<std::string>& too_soon() { return too_soon_; }
  static FabricSystem& line() { return *lines_.at(used_lines_++); }
  static FabricSystem& ring() { return *rings_.at(used_rings_++); }

 private:
  static inline std::vector<std::unique_ptr<FabricSystem>> pairs_, lines_, rings_;
  static inline std::unique_ptr<FabricSystem> slow_;
  static inline std::vector<std::unique_ptr<FabricSystem>> soon_;
  static inline std::vector<std::string> too_soon_;
  static inline unsigned used_pairs_ = 0, used_lines_ = 0, used_rings_ = 0;
};

TEST_F(Fabric, ATileIsReachedByTheHostAndHeldInReset) {
  FabricSystem& s = pair();
  EthernetTile& tile = s.tile(0, kTarget);
  s.set_word(0, kTarget, 0x3FFFC, 0x12345678);
  EXPECT_EQ(s.word(0, kTarget, 0x3FFFC), 0x12345678u);
  std::uint32_t value = 0;
  auto* bytes = reinterpret_cast<std::uint8_t*>(&value);
  EXPECT_FALSE(tile.debug_read(0x40000, bytes, 4));      // beyond L1
  EXPECT_FALSE(tile.debug_read(0xFFB00000, bytes, 4));   // the core's local RAM
  EXPECT_FALSE(tile.debug_read(0x100000000, bytes, 4));  // beyond the tile
  EXPECT_TRUE(
      tile.debug_read(regs::ethernet::kTxq0 + regs::ethernet::txq::kMaxPktSizeBytes, bytes, 4));
  EXPECT_EQ(value, 1500u);
  s.set_word(0, kTarget, regs::ethernet::kAtomicCounter, 4);
  s.set_word(0, kTarget, regs::ethernet::kAtomicCounter, 5);
  EXPECT_EQ(s.word(0, kTarget, regs::ethernet::kAtomicCounter), 9u);

  EXPECT_EQ(tile.core().state(), riscv::CoreState::kInReset);
  s.load(0, kTarget, "receiver", {kSemaphore, 1});
  s.release();
  s.run(2000);
  EXPECT_EQ(tile.core().state(), riscv::CoreState::kSleepingOnPoll);
  s.hold();
  EXPECT_EQ(tile.core().state(), riscv::CoreState::kInReset);
}

// The core fetches in the cycle after the store that releases it.
TEST_F(Fabric, ACoreBeginsACycleAfterItIsLetGo) {
  constexpr std::uint32_t kSoftReset = regs::tensix_tile::kControl + regs::tensix_tile::kSoftReset0;
  FabricSystem& s = pair();
  const std::uint32_t code[] = {0xFFB122B7,   // lui t0, 0xFFB12
                                0x1F02A303,   // lw t1, 0x1F0(t0): the clock, one cycle in
                                0x10602023,   // sw t1, 0x100(zero)
                                0x0000006F};  // j .
  for (std::uint32_t i = 0; i < 4; ++i) s.set_word(0, kTarget, 4 * i, code[i]);
  for (const Cycle start : {Cycle{50}, Cycle{311}}) {
    s.run(start);
    s.set_word(0, kTarget, kSoftReset, 0);
    s.calendar(0).tile_woken(s.tile(0, kTarget).calendar_index());
    s.run(start + 100);
    EXPECT_EQ(s.word(0, kTarget, 0x100), start + 1 + 1);
    s.set_word(0, kTarget, kSoftReset, regs::tensix_tile::kResetB);
  }
}

TEST_F(Fabric, RoutersGreetEachOtherAndSleep) {
  FabricSystem& s = pair();
  s.load_routers("router_line");
  s.release();
  s.run(20000);
  for (unsigned chip = 0; chip < 2; ++chip) {
    const TileUse use = chip == 0 ? kEast : kWest;
    EXPECT_EQ(s.word(chip, use, router().status()), fabric::kStatusReadyForTraffic);
    EXPECT_EQ(s.tile(chip, use).core().state(), riscv::CoreState::kSleepingOnPoll);
  }
  const std::uint64_t executed = s.tile(0, kEast).core().executed_instructions();
  s.run(2'000'000);
  EXPECT_EQ(s.tile(0, kEast).core().executed_instructions(), executed);
}

TEST_F(Fabric, AFusedPacketWritesThenIncrementsOnTheOtherChip) {
  FabricSystem& s = pair();
  fill(s, 0, kClientA, kSource, kPayload, 1);
  s.load_routers("router_line");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, {PacketPlan{}}));
  s.load(1, kTarget, "receiver", {kSemaphore, 1});
  s.release();
  ASSERT_TRUE(s.run_until_done(1, kTarget, 100000));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo, kPayload));
  EXPECT_EQ(s.word(1, kTarget, kSemaphore), 1u);
  ASSERT_TRUE(s.run_until_done(0, kClientA, 100000));
  s.run(s.now() + 5000);
  s.check_conservation();
}

// A packet from the link reaches a tile like any event of the chip: at the earliest after the NoC's
// latencies, and correctly at exactly that time.
TEST_F(Fabric, AReceiveQueueTakesAtLeastAsLongAsAnEventTakesToATile) {
  ASSERT_EQ(too_soon().size(), 2u);
  for (const std::string& text : too_soon())
    EXPECT_NE(text.find("with these NoC latencies"), std::string::npos) << text;
  std::vector<Cycle> ends;
  for (const bool lockstep : {false, true}) {
    FabricSystem& s = soon(lockstep);
    s.set_lockstep(lockstep);
    fill(s, 0, kClientA, kSource, kPayload, 20);
    s.load_routers("router_line");
    s.load(0, kClientA, "client", router_client(s, 0, kEast, {PacketPlan{}}));
    s.release();
    while (s.word(1, kTarget, kSemaphore) == 0 && s.now() < 100'000) s.run(s.now() + 1);
    EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo, kPayload));
    ends.push_back(s.now());
  }
  EXPECT_EQ(ends[0], ends[1]);
}

// The increment's tile differs from the data's tile, where the write takes longer. Only the
// router's wait for the flush keeps the order.
TEST_F(Fabric, AFusedIncrementWaitsForItsWriteOnAnotherTile) {
  FabricSystem& s = pair();
  fill(s, 0, kClientA, kSource, kPayload, 21);
  s.load_routers("router_line");
  s.load(0, kClientA, "client",
         router_client(s, 0, kEast, {PacketPlan{.semaphore_tile = kClientB}}));
  s.release();
  while (s.word(1, kClientB, kSemaphore) == 0 && s.now() < 100'000) s.run(s.now() + 1);
  ASSERT_EQ(s.word(1, kClientB, kSemaphore), 1u);
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo, kPayload));
}

// A slot is free once its write has left the router's tile, however long the write then takes, here
// over eight hops.
TEST_F(Fabric, ASlotIsFreeWhenItsWriteHasLeft) {
  FabricSystem& s = slow();
  fill(s, 0, kClientA, kSource, kPayload, 22);
  s.load_routers("router_line");
  s.load(0, kClientA, "client",
         router_client(s, 0, kEast, {{.kind = NOC_UNICAST_WRITE, .to_tile = kEast}}));
  s.release();
  const std::uint32_t done =
      router().connection_info(0) + offsetof(fabric::ConnectionInfo, read_counter);
  while (s.word(0, kEast, done) == 0 && s.now() < 1'000'000) s.run(s.now() + 10);
  ASSERT_EQ(s.word(0, kEast, done), 1u);
  EXPECT_FALSE(equal(s, 0, kClientA, kSource, 1, kEast, kTo, kPayload));
  s.run(s.now() + 5000);
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kEast, kTo, kPayload));
}

TEST_F(Fabric, EveryKindOfPacketDoesWhatItSays) {
  FabricSystem& s = pair();
  fill(s, 0, kClientA, kSource, kPayload, 2);
  std::vector<PacketPlan> plan;
  plan.push_back({.kind = NOC_UNICAST_WRITE, .bytes = 1024, .to = kTo});
  plan.push_back({.kind = NOC_UNICAST_INLINE_WRITE, .to = kTo + 0x2000, .value = 0xC0FFEE});
  plan.push_back({.kind = NOC_UNICAST_ATOMIC_INC, .to = kSemaphore, .value = 5});
  plan.push_back({.kind = NOC_UNICAST_ATOMIC_INC, .to = kSemaphore, .value = 2, .flush = false});
  plan.push_back({.kind = NOC_FUSED_UNICAST_ATOMIC_INC,
                  .bytes = 16,
                  .to = kTo + 0x3000,
                  .value = 10,
                  .flush = false});
  plan.push_back({.kind = NOC_UNICAST_SCATTER_WRITE,
                  .bytes = 2048,
                  .to = kTo + 0x4000,
                  .semaphore = kTo + 0x6000});
  plan.push_back({.kind = NOC_FUSED_UNICAST_ATOMIC_INC, .bytes = 48, .to = kTo + 0x6800});
  s.load_routers("router_line");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, plan));
  s.load(1, kTarget, "receiver", {kSemaphore, 18});
  s.release();
  ASSERT_TRUE(s.run_until_done(1, kTarget, 200000));
  EXPECT_EQ(s.word(1, kTarget, kSemaphore), 18u);
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo, 1024));
  EXPECT_EQ(s.word(1, kTarget, kTo + 0x2000), 0xC0FFEEu);
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo + 0x3000, 16));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo + 0x4000, 1024));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource + 1024, 1, kTarget, kTo + 0x6000, 1024));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo + 0x6800, 48));
}

// More packets than all slots on the way, so that every credit is used several times.
TEST_F(Fabric, CreditsLastForManyPackets) {
  FabricSystem& s = pair();
  fill(s, 0, kClientA, kSource, kPayload + 64 * 16, 3);
  std::vector<PacketPlan> plan;
  for (std::uint32_t i = 0; i < 75; ++i) {
    plan.push_back({.bytes = 16 + 16 * (i % 200), .source = kSource + 16 * (i % 64)});
  }
  s.load_routers("router_line");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, plan));
  s.load(1, kTarget, "receiver", {kSemaphore, 75});
  s.release();
  ASSERT_TRUE(s.run_until_done(1, kTarget, 1'000'000));
  ASSERT_TRUE(s.run_until_done(0, kClientA, 1'000'000));
  EXPECT_TRUE(equal(s, 0, kClientA, plan.back().source, 1, kTarget, kTo, plan.back().bytes));
  EXPECT_EQ(s.word(1, kTarget, kSemaphore), 75u);
}

TEST_F(Fabric, PacketsSurviveALossyLink) {
  FabricSystem& s = pair();
  s.ethernet.drop_rate.set("0.05");
  s.ethernet.corrupt_rate.set("0.05");
  fill(s, 0, kClientA, kSource, kPayload, 4);
  s.load_routers("router_line");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, std::vector<PacketPlan>(10)));
  s.load(1, kTarget, "receiver", {kSemaphore, 10});
  s.release();
  ASSERT_TRUE(s.run_until_done(1, kTarget, 5'000'000));
  EXPECT_GT(s.tile(0, kEast).queues().tx(0).resends(), 0u);
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo, kPayload));
}

TEST_F(Fabric, AClientMayComeBack) {
  FabricSystem& s = pair();
  s.load_routers("router_line");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, std::vector<PacketPlan>(3)));
  s.release();
  ASSERT_TRUE(s.run_until_done(0, kClientA, 100000));
  s.load(0, kClientB, "client", router_client(s, 0, kEast, std::vector<PacketPlan>(11)));
  s.release();
  ASSERT_TRUE(s.run_until_done(0, kClientB, 500000));
  s.run(s.now() + 20000);
  EXPECT_EQ(s.word(1, kTarget, kSemaphore), 14u);
}

// The client ends once its packets are on the link. The router is then terminated, and must still
// wait for the writes.
TEST_F(Fabric, RoutersEndGracefullyWhenAllIsDone) {
  FabricSystem& s = pair();
  s.load_routers("router_line");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, std::vector<PacketPlan>(6)));
  s.release();
  ASSERT_TRUE(s.run_until_done(0, kClientA, 200000));
  EXPECT_LT(s.word(1, kTarget, kSemaphore), 6u);
  s.set_word(0, kEast, router().termination_signal(), fabric::kTerminateGracefully);
  s.calendar(0).tile_woken(s.tile(0, kEast).calendar_index());
  ASSERT_TRUE(s.run_until_done(0, kEast, 300000));
  EXPECT_EQ(s.word(0, kEast, router().status()), fabric::kStatusTerminated);
  EXPECT_EQ(s.word(1, kTarget, kSemaphore), 6u);
  s.set_word(1, kWest, router().termination_signal(), fabric::kTerminateGracefully);
  s.calendar(1).tile_woken(s.tile(1, kWest).calendar_index());
  ASSERT_TRUE(s.run_until_done(1, kWest, 400000));
}

TEST_F(Fabric, OnlyTheRoutersStoresMakeAPacketCross) {
  FabricSystem& s = pair();
  fill(s, 0, kClientA, kSource, kPayload, 8);
  s.load(0, kEast, "idle");
  s.load(1, kWest, "idle");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, {PacketPlan{}}));
  s.release();
  s.run(200000);
  EXPECT_EQ(s.word(1, kTarget, kSemaphore), 0u);
  EXPECT_FALSE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo, kPayload));
  EXPECT_EQ(s.link(0).end(0).statistics().packets, 0u);
}

/// A router's transaction id must not remain set, and its read initiator must be usable for reads,
/// also after it has forwarded writes with it.
void expect_initiators_as_kernels_find_them(ethernet::EthernetTile& tile) {
  using namespace regs::noc;
  constexpr std::uint32_t kReads = 1 * kCmdBufOffset;  // for tt-metal's NCRISC_RD_CMD_BUF
  for (unsigned noc = 0; noc < 2; ++noc) {
    for (std::uint32_t initiator = 0; initiator < 4; ++initiator) {
      EXPECT_EQ(tile.niu(noc).peek(initiator * kCmdBufOffset + kPacketTag), 0u);
    }
    EXPECT_EQ(tile.niu(noc).peek(kReads + kCtrl) & (kCmdAt | kCmdWr | kCmdWrInline), 0u);
    EXPECT_NE(tile.niu(noc).peek(kReads + kCtrl), 0u);
  }
}

TEST_F(Fabric, PacketsAreForwardedAndWrittenAlongALine) {
  FabricSystem& s = line();
  fill(s, 0, kClientA, kSource, kPayload, 9);
  std::vector<PacketPlan> plan(20, {.hops = 2, .to = kTo});
  plan.insert(plan.end(), 20, {.hops = 1, .range = 2, .bytes = 512, .to = kTo + 0x2000});
  s.load_routers("router_line");
  s.load(0, kClientA, "client", router_client(s, 0, kEast, plan));
  s.load(2, kTarget, "receiver", {kSemaphore, 40});
  s.load(1, kTarget, "receiver", {kSemaphore, 20});
  s.release();
  ASSERT_TRUE(s.run_until_done(2, kTarget, 1'000'000));
  ASSERT_TRUE(s.run_until_done(1, kTarget, 1'000'000));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 2, kTarget, kTo, kPayload));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 2, kTarget, kTo + 0x2000, 512));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo + 0x2000, 512));
  EXPECT_FALSE(equal(s, 0, kClientA, kSource, 1, kTarget, kTo, 16));
  // Each program ends on request: its barriers wait for exactly the number of requested answers.
  Cycle limit = 1'000'000;
  for (const auto& [chip, use] :
       {std::pair{0U, kEast}, std::pair{1U, kWest}, std::pair{1U, kEast}, std::pair{2U, kWest}}) {
    s.set_word(chip, use, router().termination_signal(), fabric::kTerminateGracefully);
    s.calendar(chip).tile_woken(s.tile(chip, use).calendar_index());
    EXPECT_TRUE(s.run_until_done(chip, use, limit += 100'000)) << chip << " " << use;
    expect_initiators_as_kernels_find_them(s.tile(chip, use));
  }
}

// The first link has sixteen slots, the second one two, and a client is half way. Slots fill up at
// the far end and in the forwarding router. Nothing may be overwritten.
TEST_F(Fabric, FullBuffersHoldPacketsBackAndKeepEveryByte) {
  constexpr std::uint32_t kPackets = 40;
  constexpr std::uint32_t kBytes = 512;
  FabricSystem& s = line();
  const fabric::RouterLayout narrow =
      fabric::router_layout(bare::kFabricBase, kPayload, {.sender_slots = 8, .receiver_slots = 2});
  std::vector<PacketPlan> through;
  for (std::uint32_t i = 0; i < kPackets; ++i)
    through.push_back(
        {.hops = 2, .bytes = kBytes, .source = kSource + i * kBytes, .to = kTo + i * kBytes});
  const std::vector<PacketPlan> crossing(kPackets, {.bytes = 1024, .to = kTo + kPackets * kBytes});
  for (unsigned chip = 0; chip < 2; ++chip)
    fill(s, chip, kClientA, kSource, kPackets * kBytes, 30 + chip);
  s.load_routers(std::vector<std::string>{"router_line", "router_narrow"});
  const std::uint32_t stream = fabric::stream_sender_free_slots(0);
  s.load(0, kClientA, "client", router_client(s, 0, kEast, through));
  s.load(1, kClientA, "client", client(s, 1, kEast, narrow, 0, stream, crossing));
  s.load(2, kTarget, "receiver", {kSemaphore, 2 * kPackets});
  s.release();
  ASSERT_TRUE(s.run_until_done(2, kTarget, 1'000'000));
  EXPECT_TRUE(equal(s, 0, kClientA, kSource, 2, kTarget, kTo, kPackets * kBytes));
  EXPECT_TRUE(equal(s, 1, kClientA, kSource, 2, kTarget, kTo + kPackets * kBytes, 1024));
}

// All chips send three hops around a ring of four with the fewest slots. A cycle of full buffers
// would deadlock.
TEST_F(Fabric, ARingOfFullBuffersDoesNotDeadlock) {
  FabricSystem& s = ring();
  const fabric::RouterLayout tiny = fabric::router_layout(
      bare::kFabricBase, kPayload,
      {.rings = true, .sender_slots = 1, .forward_slots = 1, .receiver_slots = 2});
  s.load_routers("router_tiny");
  for (unsigned chip = 0; chip < 4; ++chip) {
    s.load(chip, kClientA, "client",
           client(s, chip, kEast, tiny, 0, fabric::stream_sender_free_slots(0),
                  std::vector<PacketPlan>(15, {.hops = 3, .bytes = 2048})));
    s.load(chip, kTarget, "receiver", {kSemaphore, 15});
  }
  s.release();
  for (unsigned chip = 0; chip < 4; ++chip) {
    EXPECT_TRUE(s.run_until_done(chip, kTarget, 2'000'000)) << chip;
  }
}

TEST_F(Fabric, LockstepAndDefaultAgreeOnEveryBitAndCycle) {
  std::vector<std::vector<std::uint32_t>> digests;
  const fabric::RouterLayout layout =
      fabric::router_layout(bare::kFabricBase, kPayload, fabric::kRingRouters);
  for (const bool lockstep : {false, true}) {
    FabricSystem& s = ring();
    s.set_lockstep(lockstep);
    s.ethernet.drop_rate.set("0.02");
    s.load_routers("router_ring");
    for (unsigned chip = 0; chip < 4; ++chip) {
      fill(s, chip, kClientA, kSource, kPayload, 10 + chip);
      std::vector<PacketPlan> plan;
      for (std::uint32_t i = 0; i < 6; ++i) {
        plan.push_back({.hops = 1 + (i + chip) % 3, .bytes = 16 + 704 * i});
      }
      s.load(chip, kClientA, "client",
             client(s, chip, chip % 2 ? kEast : kWest, layout, fabric::kClientChannel,
                    fabric::stream_sender_free_slots(fabric::kClientChannel), plan));
      s.load(chip, kTarget, "receiver", {kSemaphore, 3});
    }
    s.release();
    s.run(150000);
    std::vector<std::uint32_t> digest;
    for (unsigned chip = 0; chip < 4; ++chip) {
      for (unsigned use = 0; use < kTiles; ++use) {
        EthernetTile& t = s.tile(chip, static_cast<TileUse>(use));
        std::uint32_t h = 0;
        for (std::uint32_t i = 0; i < t.l1_size_bytes(); ++i) h = (h ^ t.l1_bytes()[i]) * 16777619U;
        digest.push_back(h);
        for (unsigned i = 0; i < 64; ++i) digest.push_back(t.niu(0).counter(i));
      }
    }
    digests.push_back(digest);
  }
  EXPECT_EQ(digests[0], digests[1]);
}

// tt-metal test_all_ethernet_links_latency, sender round trip on Wormhole.
TEST_F(Fabric, ARoundTripOfTwoCoresTakesWhatIsPublished) {
  const struct {
    std::uint32_t bytes;
    double published_ns;
  } rows[] = {{16, 894},    {128, 911},   {256, 966},   {512, 984},
              {1024, 1245}, {2048, 1479}, {4096, 1803}, {8192, 2451}};
  FabricSystem& s = pair();
  for (const auto& row : rows) {
    s.load(0, kEast, "echo", {1, row.bytes, 3});
    s.load(1, kWest, "echo", {0, row.bytes, 3});
    s.set_word(0, kEast, 0x20000 + row.bytes, 0);
    s.set_word(1, kWest, 0x20000 + row.bytes, 0);
    s.set_word(0, kEast, bare::kDone, 0);
    s.set_word(1, kWest, bare::kDone, 0);
    s.release();
    ASSERT_TRUE(s.run_until_done(0, kEast, s.now() + 100000));
    ASSERT_TRUE(s.run_until_done(1, kWest, s.now() + 100000));
    const std::uint32_t measured = s.word(0, kEast, bare::kResults + 8);
    RecordProperty("bytes_" + std::to_string(row.bytes), static_cast<int>(measured));
    EXPECT_NEAR(measured, row.published_ns, 0.1 * row.published_ns) << row.bytes;
    s.hold();
  }
}

// The published times for one hop of a 1D line at 16 B on a T3000: 769 to 789 ns, and 711 for a
// further hop.
TEST_F(Fabric, AHopTakesAboutWhatIsPublished) {
  Cycle arrival[3] = {};
  Cycle sent = 0;
  for (std::uint32_t hops = 1; hops <= 2; ++hops) {
    FabricSystem& s = line();
    s.load_routers("router_line");
    s.load(0, kClientA, "client",
           router_client(s, 0, kEast, {{.hops = hops, .bytes = 16, .flush = false}}));
    s.load(hops, kTarget, "receiver", {kSemaphore, 1});
    s.release();
    ASSERT_TRUE(s.run_until_done(hops, kTarget, 100000));
    sent = s.word(0, kClientA, bare::kResults + 8);
    arrival[hops] = s.word(hops, kTarget, bare::kResults) - sent;
  }
  RecordProperty("one_hop_cycles", static_cast<int>(arrival[1]));
  RecordProperty("further_hop_cycles", static_cast<int>(arrival[2] - arrival[1]));
  EXPECT_NEAR(static_cast<double>(arrival[1]), 779, 78);
  // Both routers of a chip are neighbors here, which saves most of a round trip of the NoC. `vp
  // validate --only fabric` uses the real places.
  EXPECT_NEAR(static_cast<double>(arrival[2] - arrival[1]), 711, 107);
}

// The published rates for packets of 4 KiB on a T3000: 8.40 GB/s to the neighbor, 11.78 GB/s along
// a line. The line carries 12.5 * 4096 / (4160 + 3 * 50) = 11.9 GB/s of payload.
TEST_F(Fabric, ALinkIsKeptBusyByOneClient) {
  Cycle end[2] = {};
  const std::uint32_t packets[] = {20, 60};
  for (unsigned i = 0; i < 2; ++i) {
    FabricSystem& s = pair();
    s.load_routers("router_line");
    s.load(0, kClientA, "client",
           router_client(s, 0, kEast,
                         std::vector<PacketPlan>(packets[i], {.bytes = 4096, .flush = false})));
    s.load(1, kTarget, "receiver", {kSemaphore, packets[i]});
    s.release();
    ASSERT_TRUE(s.run_until_done(1, kTarget, 1'000'000));
    end[i] = s.word(1, kTarget, bare::kResults);
  }
  const double bytes_per_ns = 40 * 4096.0 / static_cast<double>(end[1] - end[0]);
  RecordProperty("mb_per_s", static_cast<int>(bytes_per_ns * 1000));
  EXPECT_GT(bytes_per_ns, 8.4);
  EXPECT_LT(bytes_per_ns, 12.0);
}

}  // namespace
}  // namespace tvp::ethernet::test
