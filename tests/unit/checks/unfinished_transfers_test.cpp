#include "platform/checks/memory/unfinished_transfers.h"

#include <gtest/gtest.h>

#include "foundation/regs/tensix_opcodes.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

using support::Cycle;
namespace op = regs::tensix;

const std::uint32_t kPacr = op::encode_pacr(0, 0, 0xF, 0, 0, 0, 1);

struct Bench : RecordTest<UnfinishedTransfers> {
  using RecordTest::RecordTest;
  static ProbeEvent access(BusMaster agent, std::uint32_t address, std::uint32_t bytes, Cycle now,
                           Cycle done) {
    ProbeEvent event{
        .agent = agent, .bytes = bytes, .address = address, .cycle = now, .done = done};
    if (agent >= BusMaster::kPacker0 && agent <= BusMaster::kPacker3) {
      event.instruction = kPacr;
      event.thread = 2;
    }
    return event;
  }
  void access(bool is_write, ProbeEvent event) {
    event.kind = is_write ? ProbeEvent::Kind::kWritten : ProbeEvent::Kind::kRead;
    feed(event);
  }
  void announce(std::uint32_t instruction, std::uint8_t thread, Cycle now) {
    feed({.kind = ProbeEvent::Kind::kAnnounce,
          .instruction = instruction,
          .thread = thread,
          .cycle = now});
  }
};

TEST(UnfinishedTransfers, TransfersOfL1ThatMeet) {
  constexpr bool kRead = false;
  constexpr bool kWrite = true;
  struct Use {
    BusMaster agent;
    bool is_write;
    std::uint32_t address, bytes;
    Cycle now, done;
  };
  const struct {
    const char* what;
    Use first, second;
    bool found;
  } kRows[] = {
      {"reads what a packer still writes",
       {BusMaster::kPacker0, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kUnpacker0, kRead, 0x1020, 64, 49, 60},
       true},
      {"when it is done",
       {BusMaster::kPacker0, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kUnpacker0, kRead, 0x1020, 64, 50, 60},
       false},
      {"right behind it",
       {BusMaster::kPacker0, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kUnpacker0, kRead, 0x1040, 64, 20, 60},
       false},
      {"its last byte",
       {BusMaster::kPacker0, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kUnpacker0, kRead, 0x103F, 64, 20, 60},
       true},
      {"a NIU sends what a packer still writes",
       {BusMaster::kPacker3, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kNoc1, kRead, 0x1000, 32, 30, 60},
       true},
      {"a NIU writes what an unpacker still reads",
       {BusMaster::kUnpacker1, kRead, 0x1000, 64, 1, 9},
       {BusMaster::kNoc0, kWrite, 0x1000, 32, 3, 3},
       true},
      {"two that read",
       {BusMaster::kUnpacker1, kRead, 0x1000, 64, 10, 50},
       {BusMaster::kNoc0, kRead, 0x1000, 32, 30, 60},
       false},
      {"packers among themselves",
       {BusMaster::kPacker0, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kPacker1, kWrite, 0x1000, 64, 11, 51},
       false},
      {"NIUs among themselves",
       {BusMaster::kNoc0, kRead, 0x1000, 64, 10, 50},
       {BusMaster::kNoc1, kWrite, 0x1000, 64, 11, 11},
       false},
      {"the mover writes what an unpacker reads",
       {BusMaster::kMover, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kUnpacker0, kRead, 0x1000, 64, 11, 51},
       true},
      {"the host looks",
       {BusMaster::kPacker0, kWrite, 0x1000, 64, 10, 50},
       {BusMaster::kDebug, kRead, 0x1000, 64, 11, 11},
       false},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.what);
    Bench b;
    for (const Use& use : {row.first, row.second}) {
      b.access(use.is_write, Bench::access(use.agent, use.address, use.bytes, use.now, use.done));
    }
    EXPECT_EQ(b.faults.size(), row.found ? 1U : 0U);
  }
}

TEST(UnfinishedTransfers, NamesBothSides) {
  Bench b;
  b.access(true, Bench::access(BusMaster::kPacker2, 0x1000, 64, 10, 50));
  b.access(false, Bench::access(BusMaster::kNoc0, 0x1000, 32, 30, 60));
  ASSERT_EQ(b.faults.size(), 1U);
  EXPECT_EQ(b.faults[0],
            "chip0.tensix(1,2).coprocessor: NIU 0 reads L1 0x1000 to 0x101f from cycle 30 on, "
            "while packer 2 "
            "(PACR PackerMask=0xf Last=1 of T2) writes L1 0x1000 to 0x103f, from cycle 10 to 50. "
            "Expected the first transfer to be over, but a wait is missing. Add a barrier or a "
            "STALLWAIT before the second one.");
}

/// Commands of the tile's own NIUs, from the store that starts them until their counters move.
struct Command {
  BusMaster niu;
  bool is_read;  ///< a NoC read, which writes L1
  std::uint32_t address, bytes;
};

struct Commands : Bench {
  void start(const Command& c, Cycle now) {
    feed({.kind = ProbeEvent::Kind::kCommand,
          .agent = c.niu,
          .core = BusMaster::kNc,
          .request = c.is_read ? ProbeEvent::Request::kRead : ProbeEvent::Request::kWrite,
          .is_local = true,
          .bytes = c.bytes,
          .address = c.address,
          .cycle = now});
  }
  void sent(const Command& c, Cycle until) {
    feed({.kind = ProbeEvent::Kind::kSourceRead,
          .agent = c.niu,
          .bytes = c.bytes,
          .address = c.address,
          .done = until});
  }
  void end(const Command& c) {
    if (!c.is_read) return sent(c, 0);
    feed({.kind = ProbeEvent::Kind::kAnswer,
          .agent = c.niu,
          .is_local = true,
          .bytes = c.bytes,
          .address = c.address});
  }
  void use(BusMaster agent, bool is_write, std::uint32_t address, std::uint32_t bytes, Cycle now) {
    access(is_write, Bench::access(agent, address, bytes, now, now + 4));
  }
};

TEST(UnfinishedTransfers, UsesUnderCommandsOfNius) {
  constexpr Command kRead{BusMaster::kNoc1, true, 0x4000, 0x800};
  constexpr Command kWrite{BusMaster::kNoc0, false, 0x4000, 0x800};
  const struct {
    const char* what;
    Command command;
    BusMaster agent;
    bool is_write;
    std::uint32_t address;
    bool found;
  } kRows[] = {
      {"unpacks what has not come", kRead, BusMaster::kUnpacker0, false, 0x4100, true},
      {"the last bytes of it", kRead, BusMaster::kUnpacker0, false, 0x47F0, true},
      {"right in front of it", kRead, BusMaster::kUnpacker0, false, 0x3FF0, false},
      {"right behind it", kRead, BusMaster::kUnpacker0, false, 0x4800, false},
      {"packs to where answers come", kRead, BusMaster::kPacker1, true, 0x4100, true},
      {"loads what has not come", kRead, BusMaster::kB, false, 0x4100, true},
      {"stores to where answers come", kRead, BusMaster::kT2, true, 0x4100, true},
      {"packs over what has not left", kWrite, BusMaster::kPacker1, true, 0x4100, true},
      {"stores over what has not left", kWrite, BusMaster::kNc, true, 0x4100, true},
      {"loads what leaves", kWrite, BusMaster::kNc, false, 0x4100, false},
      {"unpacks what leaves", kWrite, BusMaster::kUnpacker1, false, 0x4100, false},
      {"others' requests", kRead, BusMaster::kNoc0, true, 0x4100, false},
      {"the host looks", kRead, BusMaster::kDebug, false, 0x4100, false},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.what);
    Commands b;
    b.use(row.agent, row.is_write, row.address, 16, 9);
    b.start(row.command, 20);
    EXPECT_TRUE(b.faults.empty());
    b.use(row.agent, row.is_write, row.address, 16, 500);
    EXPECT_EQ(b.faults.size(), row.found ? 1U : 0U);
    b.faults.clear();
    b.end(row.command);
    b.use(row.agent, row.is_write, row.address, 16, 501);
    EXPECT_TRUE(b.faults.empty());
  }
}

TEST(UnfinishedTransfers, CommandsUnderEachOther) {
  const Command read{BusMaster::kNoc0, true, 0x4000, 0x800};
  const Command write{BusMaster::kNoc1, false, 0x4400, 0x800};
  Commands b;
  b.start(read, 10);
  b.start(read, 11);  // to the same place, as a kernel that measures latency does
  b.start(Command{BusMaster::kNoc1, false, 0x4800, 0x800}, 12);
  EXPECT_TRUE(b.faults.empty());
  b.start(write, 20);
  ASSERT_EQ(b.faults.size(), 1U);
  EXPECT_EQ(b.faults[0],
            "chip0.tensix(1,2).coprocessor: NIU 1 (a write that NCRISC started at pc 0x0) reads L1 "
            "0x4400 to "
            "0x4bff from cycle 20 on, while NIU 0 (a read that NCRISC started at pc 0x0) writes L1 "
            "0x4000 to 0x47ff, from cycle 10 on, which is not over. "
            "Expected the first transfer to be over, but a wait is missing. Add a barrier or a "
            "STALLWAIT before the second one.");
  b.faults.clear();
  b.end(write);
  // Two reads were started. The packets of the first end one by one.
  b.end({BusMaster::kNoc0, true, 0x4000, 0x400});
  b.end({BusMaster::kNoc0, true, 0x4400, 0x400});
  b.start(write, 30);
  EXPECT_EQ(b.faults.size(), 1U);
  b.end(write);
  b.end(read);
  b.faults.clear();
  b.start(write, 40);
  EXPECT_TRUE(b.faults.empty());
  b.start(read, 41);  // overwrites data that has not left
  EXPECT_EQ(b.faults.size(), 1U);
}

/// The NIU still reads data that counts as sent. A core may store there after it has read the
/// counters.
TEST(UnfinishedTransfers, StoresOverDataThatIsBeingSent) {
  const Command write{BusMaster::kNoc0, false, 0x4000, 0x800};
  const struct {
    const char* what;
    Cycle when;
    int niu_looked_at;  ///< -1: none
    bool found;
  } kRows[] = {{"at once", 11, -1, true},
               {"before the last byte", 99, -1, true},
               {"behind it", 100, -1, false},
               {"behind a look at its counters", 30, 0, false},
               {"behind a look at the other's", 30, 1, true}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.what);
    Commands b;
    b.start(write, 5);
    b.sent(write, 100);
    EXPECT_EQ(b.l1().commands(), 1U);
    if (row.niu_looked_at >= 0) {
      b.feed({.kind = ProbeEvent::Kind::kCounterRead,
              .agent = row.niu_looked_at == 0 ? BusMaster::kNoc0 : BusMaster::kNoc1});
    }
    b.use(BusMaster::kNc, false, 0x4000, 4, row.when);
    EXPECT_TRUE(b.faults.empty());
    b.use(BusMaster::kNc, true, 0x4000, 4, row.when);
    EXPECT_EQ(b.faults.size(), row.found ? 1U : 0U);
    // Other agents are compared with the NIU's own reads.
    b.faults.clear();
    b.start({BusMaster::kNoc1, true, 0x4000, 0x800}, row.when);
    EXPECT_TRUE(b.faults.empty());
  }
}

TEST(UnfinishedTransfers, CoresAskOnlyWhileAndWhereSomethingIsUnderWay) {
  Commands b;
  const std::uint32_t pc = 0x1234, stored = 0;
  const std::uint32_t mapped = 0x10000;
  std::uint32_t direct = 0, beyond = 0;
  b.checks->probe().add({.master = BusMaster::kNc,
                         .pc = &pc,
                         .stored = &stored,
                         .direct = &direct,
                         .mapped = &mapped,
                         .beyond = &beyond});
  EXPECT_EQ(direct, mapped);
  const Command read{BusMaster::kNoc0, true, 0x4000, 0x800};
  b.start(read, 10);
  EXPECT_EQ(direct, 0x4000U);
  b.use(BusMaster::kPacker0, true, 0x3000, 16, 11);
  EXPECT_EQ(direct, 0x3000U);
  b.use(BusMaster::kB, true, 0x8000, 4, 20);  // the packer is done
  EXPECT_EQ(direct, 0x4000U);
  b.end(read);
  EXPECT_EQ(direct, mapped);
  b.use(BusMaster::kUnpacker0, false, 0x5000, 64, 30);
  EXPECT_EQ(direct, 0x5000U);
  b.use(BusMaster::kB, false, 0x5000, 4, 31);
  EXPECT_TRUE(b.faults.empty());
  b.use(BusMaster::kB, true, 0x503C, 4, 31);
  ASSERT_EQ(b.faults.size(), 1U);
  EXPECT_EQ(
      b.faults[0].find("chip0.tensix(1,2).coprocessor: BRISC writes L1 0x503c to 0x503f from cycle "
                       "31 on, while unpacker 0"),
      0U)
      << b.faults[0];
  b.use(BusMaster::kB, true, 0x5000, 4, 34);
  EXPECT_EQ(b.faults.size(), 1U);
  EXPECT_EQ(direct, mapped);
}

TEST(UnfinishedTransfers, StoresThatNotifyOthers) {
  Bench b;
  const std::uint32_t storereg = op::encode_storereg(12, 0x100);
  b.access(true, Bench::access(BusMaster::kPacker0, 0x1000, 64, 10, 50));
  b.announce(storereg, 1, 30);  // another thread
  b.announce(storereg, 2, 50);  // done
  EXPECT_TRUE(b.faults.empty());
  b.announce(storereg, 2, 49);
  ASSERT_EQ(b.faults.size(), 1U);
  EXPECT_EQ(b.faults[0].find("chip0.tensix(1,2).coprocessor.T2: STOREREG"), 0U) << b.faults[0];
  EXPECT_NE(b.faults[0].find("packer 0 (PACR PackerMask=0xf Last=1 of T2) writes L1 0x1000"),
            std::string::npos);
}

TEST(UnfinishedTransfers, AWarningOrNothing) {
  for (const auto waits : {Bench::Waits::kWarn, Bench::Waits::kOff}) {
    Bench b(waits);
    b.access(true, Bench::access(BusMaster::kPacker2, 0x1000, 64, 10, 50));
    b.access(false, Bench::access(BusMaster::kNoc0, 0x1000, 32, 30, 60));
    b.announce(op::encode_storereg(12, 0x100), 2, 20);
    EXPECT_TRUE(b.faults.empty());
    EXPECT_EQ(b.warnings.size(), waits == Bench::Waits::kWarn ? 2U : 0U);
  }
}

}  // namespace
}  // namespace tvp::checks
