// Order of requests, refused requests, and the reports of them.

#include <malloc.h>

#include <functional>

#include "models/noc/boot.h"
#include "platform/checks/record/l1_in_flight.h"
#include "tests/support/fault_of.h"
#include "tests/unit/noc/niu_fixture.h"

namespace tvp::noc::niu_test {
namespace {

class NiuRules : public NiuTest {};

TEST_P(NiuRules, StaticChannelKeepsOrder) {
  // The second of a long and an inline write to the same place wins.
  a.fill(0x1000, 8192, 16);
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  bench.run_until([&] { return !busy(a); });
  Command c;
  c.ctrl = kCmdWr | kCmdWrInline | static_vc(1);
  c.targ_lo = 0x2000;
  c.targ_mid = bench.mid(0, b);
  c.at_data = 0x600DF00D;
  c.at_len_be = 0xF;
  bench.issue(a, 0, 1, c);
  bench.settle();
  EXPECT_EQ(b.word(0x2000), 0x600DF00Du);
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_EQ(b.log[0].bytes, 8192u);
}

TEST_P(NiuRules, RequestsWithoutDataOvertakeOnAnotherChannel) {
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  bench.run_until([&] { return !busy(a); });
  Command read = read_command(b, 0x6000, 0x3000, 32);
  read.ctrl |= static_vc(0);
  bench.issue(a, 0, 1, read);
  bench.settle();
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_EQ(b.log[0].bytes, 32u) << "interleaved onto the link, done first";
}

TEST_P(NiuRules, DataOfWritesIsReadOneAfterTheOtherOnAllChannels) {
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  bench.run_until([&] { return !busy(a); });
  bench.issue(a, 0, 1, write_command(b, 0x1000, 0x6000, 32, static_vc(0)));
  EXPECT_LT(bench.run_until([&] { return !busy(a); }), bench.calendar.now() + 10)
      << "its channel is free";
  bench.settle();
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_EQ(b.log[0].bytes, 8192u);
  EXPECT_LE(b.log[1].now, b.log[0].now + 10) << "right behind it";
}

TEST_P(NiuRules, ReadWaitsForTheWriteBeforeItOnItsChannel) {
  b.set_word(0x2000, 1);
  a.set_word(0x1000, 2);
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 4, static_vc(2)));
  bench.run_until([&] { return !busy(a); });
  Command c = read_command(b, 0x2000, 0x3000, 4);
  c.ctrl |= static_vc(2);
  bench.issue(a, 0, 1, c);
  bench.settle();
  EXPECT_EQ(a.word(0x3000), 2u);
  ASSERT_EQ(b.log.size(), 2u);
  EXPECT_GE(b.log[1].now, b.log[0].now + kCommit);
}

// ISA NoC/Ordering.md: a NIU works on one request per virtual channel. Answers of 8 KiB take some
// 290 cycles each. Two of each channel are in flight and one is being read, so the reads after it
// have not reached the memory. A read on another channel has.
TEST_P(NiuRules, ANiuWorksOnOneReadAChannel) {
  constexpr unsigned kReads = 9;
  for (unsigned i = 0; i < kReads; ++i) {
    Command c = read_command(b, 0x2000, 0x4000, 8192);
    c.ctrl |= static_vc(1);
    bench.issue(a, 0, i % 4, c);
    bench.run_until([&] { return !busy(a); });
  }
  bench.calendar.run_until(bench.calendar.now() + 150);
  EXPECT_EQ(b.log.size(), 2u);
  Command other = read_command(b, 0x2000, 0x4000, 32);
  other.ctrl |= static_vc(2);
  bench.issue(a, 0, 0, other);
  bench.calendar.run_until(bench.calendar.now() + 100);
  ASSERT_EQ(b.log.size(), 3u);
  EXPECT_EQ(b.log[2].bytes, 32u);
  bench.settle();
  EXPECT_EQ(b.log.size(), kReads + 1);
}

TEST_P(NiuRules, FewPacketsHoldAChannelAtOnce) {
  // The third packet on a channel gets it when the first one has left the NIU.
  for (unsigned i = 0; i < 2; ++i) {
    bench.issue(a, 0, i, write_command(b, 0x1000, 0x2000, 8192, static_vc(1)));
  }
  bench.run_until([&] { return !busy(a); });
  const Cycle start = bench.calendar.now();
  bench.issue(a, 0, 2, write_command(b, 0x1000, 0x2000, 32, static_vc(1)));
  const Cycle assigned = bench.run_until([&] { return !busy(a); });
  EXPECT_GT(assigned - start, 200u);
  bench.issue(a, 0, 3, write_command(b, 0x1000, 0x2000, 32, static_vc(0)));
  const Cycle again = bench.calendar.now();
  EXPECT_EQ(bench.run_until([&] { return !busy(a); }) - again, kAssign)
      << "another channel is free";
  bench.settle();
}

/// Bytes that the process has allocated; always 0 under AddressSanitizer.
std::size_t allocated() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// A stream without gaps must not keep memory of finished requests.
TEST_P(NiuRules, AStreamKeepsNoMemory) {
  for (auto& tile : bench.tiles) tile->logging = false;
  const auto stream = [&](unsigned packets) {
    for (unsigned i = 0; i < packets; ++i) {
      bench.run_until([&] { return !busy(a); });
      bench.issue(a, 0, 0, write_command(far, 0, 0x2000, 2048, kCmdVcStatic));
    }
  };
  stream(100);
  const std::size_t warm = allocated();
  stream(400);
  EXPECT_LE(allocated(), warm + 1024);
}

TEST_P(NiuRules, LinkedRequestsLeaveInOrderOnOneChannel) {
  a.fill(0x1000, 8192, 17);
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 8192, kCmdVcLinked | kCmdRespMarked));
  bench.issue(a, 0, 1, write_command(b, 0x1000, 0x2000, 32, kCmdVcLinked | kCmdRespMarked));
  bench.issue(a, 0, 2, write_command(b, 0x1040, 0x2000, 32));
  bench.settle();
  ASSERT_EQ(b.log.size(), 3u);
  EXPECT_EQ(b.log[0].bytes, 8192u);
  EXPECT_EQ(b.word(0x2000), a.word(0x1040));
}

TEST_P(NiuRules, AnotherDestinationInsideAChainIsAFault) {
  NocBench& chained = *benches()[GetParam() + 2];
  TestTile& source = chained.at(1, 1);
  chained.issue(source, 0, 0, write_command(b, 0x1000, 0x2000, 64, kCmdVcLinked));
  chained.run_until([&] { return !busy(source); });
  chained.issue(source, 0, 1, write_command(far, 0x1000, 0x2000, 64));
  EXPECT_THROW(chained.settle(), foundation::Fault);
}

TEST_P(NiuRules, StoreToABusyInitiatorIsAFault) {
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 64));
  EXPECT_THROW(a.store(0, kTargAddrLo, 0, bench.calendar.now()), foundation::Fault);
  bench.settle();
}

TEST_P(NiuRules, RegistersEndWithTheirWindowAndAreTheBussAlone) {
  a.load(0, NiuRegisters::kWindowBytes, bench.calendar.now());
  EXPECT_EQ(a.last_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  // The bus attributes master and time are missing.
  tlm::tlm_generic_payload payload;
  std::uint32_t word = 0;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  sc_core::sc_time delay;
  (*a.regs[0])->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

TEST_P(NiuRules, MemoryThatRefusesIsNamed) {
  NocBench& refused = *benches()[GetParam() + 8];
  TestTile& dram = refused.at(0, 0);
  refused.issue(refused.at(1, 1), 0, 0, read_command(dram, TestTile::kMemoryBytes, 0x200, 32));
  EXPECT_TRUE(tvp::test::faults([&] { refused.settle(); }, {}, {"TLM_ADDRESS_ERROR_RESPONSE"}));
}

TEST_P(NiuRules, AlignmentRulesAreChecked) {
  struct Row {
    const char* what;
    Command command;
  };
  const std::uint32_t mmio = TestTile::kMmioBase;
  Command inline_to_dram;
  inline_to_dram.ctrl = kCmdWr | kCmdWrInline;
  inline_to_dram.targ_mid = bench.mid(0, 0, 0);
  const TestTile& dram = bench.at(0, 0);
  const std::vector<Row> rows = {
      {"L1 to L1 not congruent mod 16", write_command(b, 0x1000, 0x2004, 32)},
      {"read not congruent mod 16", read_command(b, 0x1008, 0x2000, 32)},
      {"DRAM to L1 not congruent mod 32", read_command(dram, 0x1010, 0x2000, 32)},
      {"8 bytes to MMIO", write_command(b, 0x1000, mmio, 8)},
      {"L1 to MMIO not congruent mod 16", write_command(b, 0x1000, mmio + 4, 4)},
      {"MMIO read across a word", read_command(b, mmio + 2, 0x2002, 4)},
      {"byte enables, destination mod 32", write_command(b, 0x1000, 0x2010, 1, kCmdWrBe)},
      {"byte enables, source mod 32", write_command(b, 0x1010, 0x2000, 1, kCmdWrBe)},
      {"byte enables to MMIO across words", write_command(b, 0x1002, mmio + 2, 1, kCmdWrBe)},
      {"byte enables to MMIO not congruent mod 16",
       write_command(b, 0x1004, mmio + 8, 1, kCmdWrBe)},
      {"byte enables from MMIO across words", write_command(b, mmio + 2, 0x2000, 1, kCmdWrBe)},
      {"inline to a tile without L1", inline_to_dram},
      {"atomic on MMIO", atomic_command(b, mmio, at_increment(0), 1)},
      {"atomic beside a word", atomic_command(b, 0x102, at_increment(0), 1)},
      {"atomic on DRAM", atomic_command(dram, 0x100, at_increment(0), 1)},
      {"split with odd addresses", write_command(b, 0x1008, 0x2008, 10000)},
      {"0 bytes", write_command(b, 0x1000, 0x2000, 0)},
  };
  for (const Row& row : rows) {
    EXPECT_THROW(bench.issue(b.index == 0 ? b : a, 0, 0, row.command), foundation::Fault)
        << row.what;
  }
  // The counters have not moved and no request is queued: a fault stops the run before the request.
  EXPECT_EQ(moved(a), "");
  EXPECT_NO_THROW(bench.issue(a, 0, 0, read_command(dram, 0x1020, 0x2000, 32)));
  bench.settle();
  // L1 addresses must agree modulo 16. Any word of MMIO may go to any other.
  EXPECT_NO_THROW(bench.issue(a, 0, 0, write_command(b, 0x1008, mmio + 8, 1, kCmdWrBe)));
  bench.settle();
  EXPECT_NO_THROW(bench.issue(a, 0, 0, write_command(b, mmio + 4, mmio + 8, 1, kCmdWrBe)));
  bench.settle();
}

/// The hang report of a NIU: requests with missing answers, and nothing at the end.
TEST_P(NiuRules, SaysWhichAnswersAreOutstanding) {
  const auto lines = [&] {
    std::vector<std::string> all;
    a.niu[0]->describe_pending(all);
    return all;
  };
  EXPECT_TRUE(lines().empty());
  Command c = read_command(far, 0x1000, 0x2000, 32);
  c.tag = 5 << kTagTransactionIdShift;
  bench.issue(a, 0, 0, c);
  bench.run_until([&] { return !busy(a); });
  const std::string expected =
      a.niu[0]->place().where + ": transaction id 5: 1 answers outstanding";
  const auto said = lines();
  EXPECT_EQ(std::count(said.begin(), said.end(), expected), 1) << said.size();
  bench.settle();
  EXPECT_TRUE(lines().empty());
}

TEST_P(NiuRules, AtomicsWithoutADocumentedOperationStop) {
  NocBench& other = *benches()[GetParam() + 4];
  TestTile& source = other.at(1, 1);
  other.issue(source, 0, 0, atomic_command(b, 0x100, 5U << kAtOpcodeShift, 1));
  EXPECT_TRUE(tvp::test::faults([&] { other.settle(); }, {}, {"atomic with AT_LEN_BE 0x5000"}));
}

// A rectangle may include a tile without L1 that takes broadcasts.
TEST_P(NiuRules, BroadcastAtomicsToATileWithoutL1Stop) {
  NocBench& other = *benches()[GetParam() + 6];
  other.at(0, 0).niu[0]->poke(kRouterCfg1, 0);
  Command c = atomic_command(b, 0x100, at_increment(0), 1, kCmdBrcstPacket);
  c.targ_mid = mid_broadcast(0, 0, 2, 2);
  other.issue(other.at(1, 1), 0, 0, c);
  EXPECT_TRUE(tvp::test::faults([&] { other.settle(); }, {}, {"atomic outside of L1"}));
}

TEST_P(NiuRules, CoordinatesOutsideAreAFault) {
  Command c = write_command(b, 0x1000, 0x2000, 32);
  c.ret_mid = mid_unicast(10, 1);
  EXPECT_THROW(bench.issue(a, 0, 0, c), foundation::Fault);
  c = write_command(b, 0x1000, 0x2000, 32, static_vc(4));
  EXPECT_THROW(bench.issue(a, 0, 0, c), foundation::Fault)
      << "broadcast class for a unicast request";
}

std::string fault_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const foundation::Fault& fault) {
    return fault.message();
  }
  return "no fault";
}

TEST_P(NiuRules, NodesThatAreNotThereAreNamedAsWrittenAndAsTranslated) {
  for (unsigned noc = 0; noc < 2; ++noc) boot_niu(*a.niu[noc], true);
  struct Row {
    unsigned noc;
    unsigned x, y;  ///< as in software
    const char* text;
    bool is_node = false;
  };
  // ISA NoC/Coordinates.md: entries 26 to 31 (x) and 28 to 31 (y) of the tables hold 0.
  const Row rows[] = {
      {0, 26, 18,
       "(26,18), translated to (0,1) of NoC 0 through an unused entry of the translation tables"},
      {0, 31, 16, "(31,16), translated to (0,0) of NoC 0 through an unused entry"},
      {0, 18, 28, "(18,28), translated to (1,0) of NoC 0 through an unused entry"},
      {0, 18, 31, "(18,31), translated to (1,0) of NoC 0 through an unused entry"},
      {1, 26, 28,
       "(26,28), translated to (0,0) of NoC 1, which is (9,11) of NoC 0 through an unused entry"},
      {0, 32, 0, "(32,0), translated to (0,0) of NoC 0: the translation tables look at five bits"},
      {0, 50, 50, "(50,50), translated to (1,1) of NoC 0: the tr"},
      {0, 63, 63, "(63,63), translated to (0,0) of NoC 0: the tr"},
      {0, 10, 1, "(10,1) of NoC 0, which is outside of the grid of 10 x 12"},
      {1, 15, 15, "(15,15) of NoC 1, which is outside of the grid of 10 x 12"},
      {0, 0, 2, "(0,2) of NoC 0, where no tile is", true},
      {0, 16, 19, "(16,19), translated to (0,2) of NoC 0, where no tile is", true},
      {1, 9, 9, "(9,9) of NoC 1, which is (0,2) of NoC 0, where no tile is", true},
      {1, 16, 19, "(16,19), translated to (9,9) of NoC 1, which is (0,2) of NoC 0, where no tile",
       true},
      {0, 0, 10, "(0,10) of NoC 0, the ARC tile, which is not on this NoC", true},
  };
  for (const Row& row : rows) {
    const std::uint32_t mid = mid_unicast(row.x, row.y);
    Command read = read_command(b, 0x1000, 0x2000, 32, row.noc);
    read.targ_mid = mid;
    Command answer = read_command(b, 0x1000, 0x2000, 32, row.noc);
    answer.ret_mid = mid;
    Command write = write_command(b, 0x1000, 0x2000, 32, kCmdRespMarked, row.noc);
    write.ret_mid = mid;
    Command atomic = atomic_command(b, 0x100, at_increment(0), 1);
    atomic.targ_mid = mid;
    Command atomic_answer = atomic_command(b, 0x100, at_increment(0), 1);
    atomic_answer.ret_mid = mid;
    for (const auto& [reg, command] :
         std::vector<std::pair<std::string, Command>>{{"TARG", read},
                                                      {"RET", answer},
                                                      {"RET", write},
                                                      {"TARG", atomic},
                                                      {"RET", atomic_answer}}) {
      const std::string text =
          fault_of([&, &command = command] { bench.issue(a, row.noc, 0, command); });
      EXPECT_EQ(text.find(reg + "_ADDR_MID names node " + row.text), 0u) << text;
    }
    Command broadcast = write_command(b, 0x1000, 0x2000, 32, kCmdRespMarked | kCmdBrcstPacket);
    broadcast.ret_mid = mid_broadcast(row.x, row.y, 18, 18);
    // The corner of a rectangle may be a node without a tile.
    if (row.is_node) continue;
    const std::string text = fault_of([&] { bench.issue(a, row.noc, 0, broadcast); });
    EXPECT_EQ(text.find(std::string("RET_ADDR_MID names node ") + row.text), 0u) << text;
  }
  EXPECT_EQ(moved(a), "") << "nothing was sent";
  // Reserved values are allowed in registers that the command does not use.
  Command plain = write_command(b, 0x1000, 0x2000, 32);
  plain.targ_mid = mid_unicast(31, 31);
  plain.ret_mid = mid_unicast(19, 18);
  EXPECT_NO_THROW(bench.issue(a, 0, 0, plain));
  bench.settle();
  for (unsigned noc = 0; noc < 2; ++noc) boot_niu(*a.niu[noc], false);
}

TEST_P(NiuRules, CoordinatesOfDramOnTheOtherNocAreTold) {
  const std::string told =
      "TARG_ADDR_MID names node (0,0) of NoC 1, which is (9,11) of NoC 0, a Tensix tile; on NoC 0 "
      "(0,0) is DRAM, which NoC 1 knows as (9,11): coordinates of the other NoC";
  for (const bool translate : {false, true}) {
    boot_niu(*a.niu[1], translate);
    bench.faults.warnings.clear();
    Command read = read_command(b, 0x1000, 0x2000, 32, 1);
    read.targ_mid = mid_unicast(0, 0);
    bench.issue(a, 1, 0, read);
    bench.settle();
    ASSERT_EQ(bench.faults.warnings.size(), translate ? 1U : 0U);
    for (const std::string& warning : bench.faults.warnings)
      EXPECT_NE(warning.find(told), std::string::npos) << warning;
  }
  boot_niu(*a.niu[1], false);
}

TEST_P(NiuRules, CommandsThatFindATranslatedAddressMeanWhatWasWritten) {
  // Translation leaves (0,0) of NoC 1 in the register, which a kernel may reuse unchanged.
  boot_niu(*a.niu[1], true);
  boot_niu(*far.niu[1], true);
  bench.faults.warnings.clear();
  const std::uint32_t name = far.niu[1]->peek(kNocIdLogical);
  Command read = read_command(far, 0x1000, 0x2000, 32, 1);
  read.targ_mid = mid_unicast(name & 63, name >> 6);
  bench.issue(a, 1, 0, read);
  bench.settle();
  ASSERT_EQ(a.niu[1]->peek(kTargAddrMid), mid_unicast(0, 0));
  for (int again = 0; again < 2; ++again) {
    a.store(1, kCmdCtrl, 1, bench.calendar.now());
    bench.calendar.tile_woken(a.index);
    bench.settle();
  }
  EXPECT_EQ(far.log.size(), 3u);
  EXPECT_TRUE(bench.faults.warnings.empty()) << bench.faults.warnings.front();
  // Software that writes the value again gets the fault.
  read.targ_mid = bench.mid(1, b);
  bench.issue(a, 1, 0, read);
  bench.settle();
  read.targ_mid = mid_unicast(0, 0);
  bench.issue(a, 1, 0, read);
  bench.settle();
  EXPECT_EQ(bench.faults.warnings.size(), 1u);
  boot_niu(*far.niu[1], false);
  boot_niu(*a.niu[1], false);
}

TEST_P(NiuRules, EveryCoordinateReachesWhatItNamesOrIsAFault) {
  boot_niu(*a.niu[0], true);
  for (unsigned y = 0; y < 64; ++y) {
    for (unsigned x = 0; x < 64; ++x) {
      const bool named = (x < 10 || (x >= 16 && x < 26)) && (y < 12 || (y >= 16 && y < 28));
      Command c = read_command(b, 0x1000, 0x2000, 32);
      c.targ_mid = mid_unicast(x, y);
      c.ret_lo = 0x2001;  // another fault, which comes after that of the node
      const std::string text = fault_of([&] { bench.issue(a, 0, 0, c); });
      // Faults of addresses may also name a node, later in the text.
      const bool node = text.find("names node") < text.find(": TARG_ADDR ");
      // Some nodes of column 0 have no tile.
      if (named && (x == 0 || x == 16)) continue;
      EXPECT_EQ(node, !named) << x << "," << y << ": " << text;
    }
  }
  boot_niu(*a.niu[0], false);
}

struct Waker : support::Sleeper {
  std::vector<Cycle> woken;
  void location_changed(Cycle when, unsigned) override { woken.push_back(when); }
};

TEST_P(NiuRules, ChangesWakeWhoeverWatchesTheNiu) {
  Waker waker;
  a.watches.sleep(waker, 1u << static_cast<unsigned>(support::Watch::kNiu0), {});
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 32));
  bench.settle(300);
  const Cycle acknowledged = bench.calendar.now();
  EXPECT_FALSE(waker.woken.empty());
  EXPECT_LT(waker.woken.front(), acknowledged);
  a.watches.cancel(waker);
}

/// Records the transfers in flight of a tile's NIU during its lifetime.
struct InFlight : checks::L1InFlight::Listener, support::Probe::Listener {
  Niu& niu;
  support::Probe probe;
  checks::L1InFlight l1{probe};
  std::vector<checks::L1InFlight::Transfer> first;
  explicit InFlight(Niu& of) : niu(of) {
    l1.set_listener(this);
    probe.listen(*this, checks::L1InFlight::kinds());
    niu.set_probe(&probe);
  }
  ~InFlight() override { niu.set_probe(nullptr); }
  void on(const support::ProbeEvent& event) override { l1.on(event); }
  void too_early(const checks::L1InFlight::Transfer& earlier,
                 const checks::L1InFlight::Transfer&) override {
    first.push_back(earlier);
  }
};

TEST_P(NiuRules, TellsWhatItsCommandsUseOfL1AndWhenItsCountersCallThemOver) {
  InFlight in_flight(*a.niu[0]);
  checks::L1InFlight& of_a = in_flight.l1;
  const auto now = [&] { return bench.calendar.now(); };
  const auto store = [&](std::uint32_t address) {
    of_a.core_accesses(support::BusMaster::kB, address, 4, true, now());
    return in_flight.first.size();
  };
  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 320));
  EXPECT_EQ(of_a.commands(), 1u);
  EXPECT_EQ(store(0x0FFC), 0u);
  EXPECT_EQ(store(0x1140), 0u);
  EXPECT_EQ(store(0x113C), 1u);
  // The counter of sent requests changes first. The bytes are read until the counter of outgoing
  // ones changes.
  bench.run_until([&] { return moved(a, 0, kMstNonpostedWrReqSent) == 1; });
  EXPECT_EQ(store(0x1000), 2u) << "nobody has looked";
  a.load(0, kNodeId, now());
  a.load(0, kNiuCfg0, now());
  a.load(0, kInitiatorStatus, now());
  EXPECT_EQ(store(0x1000), 3u) << "nobody has looked at a counter";
  a.load(0, kStatusCounters + 4 * (kCounters - 1), now());
  EXPECT_EQ(store(0x1000), 3u);
  EXPECT_EQ(of_a.commands(), 0u);
  bench.settle();

  bench.issue(a, 0, 0, write_command(b, 0x1000, 0x2000, 320));
  bench.run_until([&] { return moved(a, 0, kMstWriteReqsOutgoingId) == 0; });
  EXPECT_EQ(store(0x1000), 3u) << "all bytes are read";
  bench.settle();

  bench.issue(a, 0, 1, read_command(far, 0x4000, 0x5000, 9000));
  bench.run_until([&] { return moved(a, 0, kMstRdRespReceived) == 1; });
  EXPECT_EQ(store(0x5000), 4u) << "half of it has come";
  EXPECT_TRUE(in_flight.first.back().is_write);
  bench.settle();
  EXPECT_EQ(of_a.commands(), 0u);

  Command elsewhere = read_command(b, 0x100, 0x5000, 32);
  elsewhere.ret_mid = bench.mid(0, far);
  bench.issue(a, 0, 1, elsewhere);
  bench.issue(a, 0, 2, atomic_command(b, 0x100, at_increment(0, 31), 1));
  EXPECT_EQ(of_a.commands(), 0u);
  bench.settle();
}

INSTANTIATE_TEST_SUITE_P(Torus, NiuRules, ::testing::Values(0u, 1u), [](const auto& instance) {
  return instance.param == 0 ? std::string("fast") : std::string("detailed");
});

}  // namespace
}  // namespace tvp::noc::niu_test
