// The coprocessor's interfaces to the tile: windows, back-pressure, idle state, and equal results
// for any horizon.

#include <tlm_utils/simple_target_socket.h>

#include <random>

#include "models/support/tile_scheduler.h"
#include "tests/support/fault_of.h"
#include "tests/unit/tensix/frontend/coprocessor_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

using support::BusMaster;
using support::MmioAccess;
using support::Watch;
using Times = std::vector<Cycle>;

/// Wakes like a core that sleeps on a group of locations.
struct Sleeper : support::Sleeper {
  void location_changed(Cycle when, unsigned) override { times.push_back(when); }
  Times times;
};

TEST(Coprocessor, PushWindowOfEveryCore) {
  Bench bench;
  auto& window = bench.coprocessor.windows().push();
  for (unsigned t = 0; t < 3; ++t) {
    const auto master = static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kT0) + t);
    EXPECT_FALSE(bench.mmio(window, master, true, 0xE40000, mvmul(t), 0).blocked);
    EXPECT_EQ(bench.coprocessor.issue().threads()[t].frontend.queued_before_mop(), 1U);
    EXPECT_TRUE(bench.mmio(window, master, true, 0xE50000, mvmul(t), 0).unmapped);
    EXPECT_FALSE(bench.mmio(window, BusMaster::kB, true, 0xE40000 + 0x10000 * t, 0x10, 0).blocked);
    EXPECT_EQ(bench.coprocessor.issue().threads()[t].frontend.queued_before_replay(), 1U);
  }
  EXPECT_TRUE(bench.mmio(window, BusMaster::kT0, false, 0xE40000, 0, 0).unmapped);
}

TEST(Coprocessor, FullFifoBlocksTheCoreUntilThereIsRoom) {
  Bench bench;
  bench.matrix.blocked = true;
  std::vector<std::uint32_t> program(40, mvmul());
  bench.push(1, 0, program);
  bench.run(200);
  // FIFO of T1: 16, then 8, then 2.
  EXPECT_EQ(bench.coprocessor.issue().threads()[1].frontend.queued_before_mop(), 16U);
  const MmioAccess full =
      bench.mmio(bench.coprocessor.windows().push(), BusMaster::kT1, true, 0xE40000, mvmul(), 200);
  EXPECT_TRUE(full.blocked);
  EXPECT_EQ(full.watch, Watch::kCoprocessor);
  Sleeper sleeper;
  bench.watch_hub.sleep(sleeper, 1U << static_cast<unsigned>(Watch::kCoprocessor), {});
  bench.at(0, 300, [&](Cycle now) {
    bench.matrix.blocked = false;
    MmioAccess post{.write = true, .now = now, .order = 2};
    bench.coprocessor.windows().access_semaphore(0, post);
  });
  bench.run(302);
  // The instruction is issued at 301; every FIFO moves in the same cycle.
  EXPECT_EQ(sleeper.times, (Times{301}));
  bench.run(1000);
  EXPECT_EQ(bench.matrix.seen.size(), 40U);
  for (std::size_t i = 1; i < 26; ++i) {
    EXPECT_EQ(bench.matrix.seen[i].when, 301 + i) << "one a cycle from full FIFOs";
  }
}

TEST(Coprocessor, IdleWhenTheLastEffectIsComplete) {
  Bench bench;
  bench.matrix.latency = 20;
  EXPECT_TRUE(bench.coprocessor.thread_idle(1));
  Sleeper sleeper;
  bench.push(1, 5, {mvmul()});
  bench.run(10);
  EXPECT_FALSE(bench.coprocessor.thread_idle(1));
  EXPECT_TRUE(bench.coprocessor.thread_idle(0));
  bench.watch_hub.sleep(sleeper, 1U << static_cast<unsigned>(Watch::kCoprocessor), {});
  bench.run(28);
  EXPECT_FALSE(bench.coprocessor.thread_idle(1));
  EXPECT_EQ(bench.coprocessor.issue().inspector().waiting_for(1),
            "completion of issued instructions");
  bench.run(100);
  EXPECT_TRUE(bench.coprocessor.thread_idle(1));
  EXPECT_EQ(sleeper.times, (Times{28}));  // the instruction is issued at 8
  EXPECT_EQ(bench.coprocessor.issue().next(), kNever);
}

TEST(Coprocessor, MopExpanderDoneIsNotified) {
  Bench bench;
  auto& window = bench.coprocessor.windows().mop_config();
  EXPECT_TRUE(bench.mmio(window, BusMaster::kB, true, 0, 1, 0).unmapped);
  EXPECT_TRUE(bench.mmio(window, BusMaster::kT1, true, 36, 1, 0).unmapped);
  EXPECT_TRUE(bench.mmio(window, BusMaster::kT1, false, 0, 0, 0).unmapped);
  bench.mmio(window, BusMaster::kT1, true, 4, 0, 0);            // flags
  bench.mmio(window, BusMaster::kT1, true, 4 * 3, mvmul(), 0);  // InsnA0
  bench.push(1, 0, {op::encode_mop(0, 9, 0)});
  bench.run(5);
  EXPECT_FALSE(bench.coprocessor.mop_expander_done(1));
  EXPECT_TRUE(bench.coprocessor.mop_expander_done(0));
  EXPECT_THROW(bench.mmio(window, BusMaster::kT1, true, 4, 0, 5), foundation::Fault);
  bench.run(10);
  EXPECT_FALSE(bench.coprocessor.mop_expander_done(1));
  bench.run(11);  // ten instructions leave the expander at 1..10
  EXPECT_TRUE(bench.coprocessor.mop_expander_done(1));
  bench.run(100);
  EXPECT_EQ(bench.matrix.times(), (Times{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(bench.coprocessor.issue().counters().issued(1), 10U);
  EXPECT_EQ(bench.coprocessor.issue().counters().issued(1, 0x26), 10U);
}

TEST(Coprocessor, GprWindow) {
  Bench bench;
  auto& window = bench.coprocessor.windows().gprs();
  bench.mmio(window, BusMaster::kB, true, 4 * (2 * 64 + 5), 0x55, 0);
  bench.mmio(window, BusMaster::kT1, true, 4 * 7, 0x77, 0);
  EXPECT_EQ(bench.coprocessor.state().gprs[2][5], 0x55U);
  EXPECT_EQ(bench.coprocessor.state().gprs[1][7], 0x77U);
  EXPECT_EQ(bench.mmio(window, BusMaster::kT2, false, 4 * 5, 0, 0).data, 0x55U);
  EXPECT_EQ(bench.mmio(window, BusMaster::kB, false, 4 * (64 + 7), 0, 0).data, 0x77U);
  EXPECT_EQ(bench.mmio(window, BusMaster::kB, false, 0, 0, 0).watch, Watch::kGpr);
  EXPECT_TRUE(bench.mmio(window, BusMaster::kT0, false, 4 * 64, 0, 0).unmapped);
  EXPECT_TRUE(bench.mmio(window, BusMaster::kB, false, 4 * 192, 0, 0).unmapped);
}

// Scalar instructions wake cores that sleep on a GPR; other units do not.
TEST(Coprocessor, ScalarInstructionsWakeWhoPollsGprs) {
  struct Poller : support::Sleeper {
    void location_changed(Cycle when, unsigned) override { woken.push_back(when); }
    std::vector<Cycle> woken;
  } poller;
  Bench bench;
  bench.watch_hub.sleep(poller, 1U << static_cast<unsigned>(Watch::kGpr), {});
  bench.push(1, 0, {mvmul(), sfpnop()});
  bench.run(20);
  EXPECT_TRUE(poller.woken.empty());
  bench.push(1, 20, {op::encode_setdmareg(0x1234, 10)});
  bench.run(40);
  EXPECT_EQ(bench.coprocessor.state().gprs[1][5] & 0xFFFF, 0x1234U);
  ASSERT_EQ(poller.woken.size(), 1U);
  EXPECT_GE(poller.woken[0], 20U);
  bench.watch_hub.cancel(poller);
}

TEST(Coprocessor, CollisionAtTheMuxIsAFault) {
  Bench bench;
  bench.push(0, 0, {mvmul()});
  bench.at(1, 1, [&](Cycle now) { bench.coprocessor.issue().push_from_b(0, mvmul(1), now, 3); });
  EXPECT_THROW(bench.run(50), foundation::Fault);
}

TEST(Coprocessor, SetdvalidHandsBanksOver) {
  Bench bench;
  bench.push(0, 0, {op::encode_setc16(4, 2), op::encode_setdvalid(1, 1)});
  bench.run(20);
  RegisterFiles& files = bench.coprocessor.state().registers;
  EXPECT_EQ(files.srca.bank[0].allowed_client, SrcClient::kMatrixUnit);
  EXPECT_EQ(files.srcb.bank[0].allowed_client, SrcClient::kMatrixUnit);
  EXPECT_EQ(files.srca.unpacker_bank, 1);
  EXPECT_EQ(files.srcb.unpacker_row[0], 32);
}

TEST(Coprocessor, AddressCounterInstructionsOfThreeThreadsInOneCycle) {
  Bench bench;
  bench.matrix.occupancy = 0;
  for (unsigned t = 0; t < 3; ++t) {
    bench.push(t, 0, {op::encode_setadc(0, 0, 1, 0, 1, 100 + t), mvmul(t)});
  }
  bench.run(20);
  for (unsigned t = 0; t < 3; ++t) {
    EXPECT_EQ(bench.coprocessor.state().adcs.of(t).unpacker[0].channel[0].y, 100 + t);
  }
  EXPECT_EQ(bench.matrix.times(), (Times{4, 4, 4}));
}

TEST(Coprocessor, WaitingCostsNothing) {
  Bench bench;
  // Three threads wait for each other's semaphores and for a bank for a long time.
  bench.push(0, 0, {op::encode_semwait(0x1FF, 1, 1), mvmul()});
  bench.push(1, 0, {op::encode_stallwait(0x1FF, 1U << 10), mvmul()});
  bench.push(2, 0, {op::encode_atgetm(2), op::encode_semwait(0x1FF, 2, 1), mvmul()});
  bench.run(1000000000);
  EXPECT_LT(bench.coprocessor.issue().counters().active_cycles(), 20U);
}

// ---- Random programs: any horizon gives the same ------------------------------------------------

struct Outcome {
  std::vector<FakeUnit::Seen> matrix, vector, packers, unpacker0, unpacker1;
  Gprs gprs;
  BackendConfig config;
  std::vector<std::uint8_t> l1;
  std::array<unsigned, 8> semaphores;
  std::array<bool, 3> idle;
};

constexpr unsigned kFirstSemaphore = 2;

/// The last two of 19 kinds are for the expanders.
std::uint32_t random_instruction(std::mt19937& generator, unsigned thread,
                                 std::uint32_t kinds = 19) {
  const auto below = [&generator](std::uint32_t n) {
    return static_cast<std::uint32_t>(generator() % n);
  };
  switch (below(kinds)) {
    case 0:
      return mvmul(below(64));
    case 1:
      return sfpnop();
    case 2:
      return unpacr(below(2));
    case 3:
      return pacr(below(16));
    case 4:
      return op::encode_stallwait(below(512), below(256));
    case 5:
      return op::encode_sempost(1U << (kFirstSemaphore + below(3)));
    case 6:
      return op::encode_semget(1U << (kFirstSemaphore + below(3)));
    case 7:
      return op::encode_setdmareg(below(65536), 16 + below(112));
    case 8:
      return op::encode_adddmareg(below(2), 8 + below(40), below(64), below(64));
    case 9:
      return op::encode_wrcfg(8 + below(40), below(2), below(188) & ~4U);
    case 10:
      return op::encode_rmwcib1(below(256), below(256), below(150));
    case 11:  // two in one cycle would be a fault
      return thread == 0 ? op::encode_rdcfg(8 + below(40), below(188)) : nop();
    case 12:
      return op::encode_setc16(7 + below(20), below(65536));
    case 13:
      return op::encode_loadind(below(4), 2 + below(4), below(4), 8 + below(40), 0);
    case 14:
      return op::encode_storeind_l1(below(4), 2 + below(4), below(4), 8 + below(40), 0);
    case 15:
      return op::encode_atincget(below(32), below(4), 8 + below(40), 0);
    case 16:
      return nop();
    case 17:
      return op::encode_replay(below(32), 1 + below(20), below(2), 0);
    default:
      return op::encode_mop(below(2), below(5), below(65536));
  }
}

/// Writes the configuration (unchanged) in every cycle, so that every waiting thread is tried in
/// each.
class Prodder : public support::Agent {
 public:
  Prodder(Bench& bench, Cycle end) : bench_(bench), end_(end) { set_next(0); }
  void run() override {
    while (may_act(next())) {
      bench_.mmio(bench_.coprocessor.windows().config(), BusMaster::kB, true, 4 * 187, 0, next(),
                  order());
      set_next(next() + 1 < end_ ? next() + 1 : kNever);
    }
  }

 private:
  Bench& bench_;
  Cycle end_;
};

enum class How { kFree, kLockstep, kProdded };

Outcome run_random(unsigned seed, How how) {
  constexpr Cycle kEnd = 30000;
  std::mt19937 generator(seed);
  Bench bench("random");
  Prodder prodder(bench, kEnd);
  if (how == How::kProdded) bench.scheduler.add(prodder);
  bench.matrix.latency = 5;
  bench.packers.occupancy = 7;
  bench.packers.latency = 19;
  bench.unpacker0.occupancy = 16;
  bench.unpacker0.latency = 30;
  for (unsigned t = 0; t < 3; ++t) {
    bench.coprocessor.state().gprs[t][0] = 0x100;
    auto& window = bench.coprocessor.windows().mop_config();
    const auto master = static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kT0) + t);
    bench.mmio(window, master, true, 0, 3, 0);
    bench.mmio(window, master, true, 4, 3, 0);
    for (unsigned i = 2; i < 9; ++i) bench.mmio(window, master, true, 4 * i, mvmul(i), 0);
    std::vector<std::uint32_t> recorded{op::encode_replay(0, 32, generator() % 2, 1)};
    for (int i = 0; i < 32; ++i) recorded.push_back(random_instruction(generator, t, 17));
    bench.push(t, 0, recorded);
    Cycle when = 33;
    for (int i = 0; i < 150; ++i) {
      when += generator() % 3 == 0 ? generator() % 40 : 1;
      bench.push(t, when, {random_instruction(generator, t)});
      if (generator() % 10 == 0) {
        const auto which = kFirstSemaphore + static_cast<unsigned>(generator() % 3);
        const auto data = static_cast<std::uint32_t>(generator() % 2);
        bench.at(t, when, [&bench, which, data, t](Cycle now) {
          MmioAccess access{.write = true, .data = data, .now = now, .order = 2 + t};
          bench.coprocessor.windows().access_semaphore(which, access);
        });
      }
    }
  }
  bench.run(kEnd, how == How::kLockstep);
  Outcome outcome{bench.matrix.seen,
                  bench.vector.seen,
                  bench.packers.seen,
                  bench.unpacker0.seen,
                  bench.unpacker1.seen,
                  bench.coprocessor.state().gprs,
                  bench.coprocessor.state().config,
                  {bench.l1.bytes(), bench.l1.bytes() + 0x20000},
                  {},
                  {}};
  for (unsigned i = 0; i < 8; ++i) {
    outcome.semaphores[i] = bench.coprocessor.backend().sync().semaphore(i).value;
  }
  for (unsigned t = 0; t < 3; ++t) outcome.idle[t] = bench.coprocessor.thread_idle(t);
  return outcome;
}

void expect_equal(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.matrix, b.matrix);
  EXPECT_EQ(a.vector, b.vector);
  EXPECT_EQ(a.packers, b.packers);
  EXPECT_EQ(a.unpacker0, b.unpacker0);
  EXPECT_EQ(a.unpacker1, b.unpacker1);
  EXPECT_EQ(a.gprs.thread, b.gprs.thread);
  EXPECT_EQ(a.config.bank, b.config.bank);
  EXPECT_EQ(a.config.thread, b.config.thread);
  EXPECT_EQ(a.l1, b.l1);
  EXPECT_EQ(a.semaphores, b.semaphores);
  EXPECT_EQ(a.idle, b.idle);
}

TEST(Coprocessor, AnyHorizonGivesTheSame) {
  std::size_t issued = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Outcome free = run_random(seed, How::kFree);
    expect_equal(free, run_random(seed, How::kLockstep));
    EXPECT_TRUE(free.idle[0] && free.idle[1] && free.idle[2]);
    issued += free.matrix.size();
  }
  EXPECT_GT(issued, 3000U) << "the programs must do something";
}

TEST(Coprocessor, SkippedCyclesAreThoseInWhichNothingHappens) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    expect_equal(run_random(seed, How::kFree), run_random(seed, How::kProdded));
  }
}

// ---- The socket of the scalar unit; last, since elaboration ends the creation of modules --------

struct Registers : sc_core::sc_module {
  tlm_utils::simple_target_socket<Registers> socket{"socket"};
  explicit Registers(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Registers::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    const auto* bus = payload.get_extension<support::BusAccess>();
    accesses.push_back({payload.is_write(), static_cast<std::uint32_t>(payload.get_address()),
                        bus->now, bus->master});
    auto* shared = payload.get_extension<support::BusAccess>();
    if (block_until > bus->now) {
      shared->blocked = true;
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      return;
    }
    shared->latency = latency;
    if (payload.is_write()) {
      std::memcpy(&value, payload.get_data_ptr(), 4);
    } else {
      std::memcpy(payload.get_data_ptr(), &value, 4);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  struct Access {
    bool write;
    std::uint32_t address;
    Cycle now;
    BusMaster master;
  };
  std::vector<Access> accesses;
  std::uint32_t value = 0, latency = 7;
  Cycle block_until = 0;
};

TEST(CoprocessorSocket, LoadregStoreregAndStoreindReachTheBus) {
  Bench bench;
  Registers registers("registers");
  bench.coprocessor.thcon.bind(registers.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bench.coprocessor.state().gprs[1][5] = 0xFEED;
  bench.coprocessor.state().gprs[1][6] = 0x20000;
  bench.coprocessor.state().gprs[1][7] = 0x80;  // offset half 14, counts sixteenths
  bench.push(1, 0,
             {op::encode_storereg(5, 0x11000 / 4), op::encode_loadreg(8, 0x20010 / 4),
              op::encode_stallwait(kBlockMatrix, 1), mvmul()});
  bench.run(100);
  ASSERT_EQ(registers.accesses.size(), 2U);
  EXPECT_TRUE(registers.accesses[0].write);
  EXPECT_EQ(registers.accesses[0].address, 0xFFB11000U);
  EXPECT_EQ(registers.accesses[0].now, 3U);
  EXPECT_EQ(registers.accesses[0].master, BusMaster::kThcon);
  EXPECT_EQ(registers.accesses[1].address, 0xFFB20010U);
  EXPECT_EQ(registers.accesses[1].now, 10U);  // the bus was busy with the store for 7 cycles
  EXPECT_EQ(bench.coprocessor.state().gprs[1][8], 0xFEEDU);
  // The load takes ten cycles, until 20; the wait adds one.
  EXPECT_EQ(bench.matrix.times(), (Times{21}));

  registers.block_until = 220;
  bench.push(1, 200, {op::encode_storeind_mmio(14, 3, 5, 6), mvmul()});
  bench.run(300);
  EXPECT_EQ(registers.accesses.back().address, 0xFFB20008U);
  EXPECT_EQ(registers.accesses.back().now, 220U);
  EXPECT_EQ(bench.coprocessor.state().gprs[1][7], 0x90U) << "incremented once, not at every retry";

  bench.push(1, 400, {op::encode_loadreg(8, 0x10FFC / 4)});
  EXPECT_TRUE(tvp::test::faults([&] { bench.run(500); }, {}, {"; thread T1, LOADREG"}));
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
