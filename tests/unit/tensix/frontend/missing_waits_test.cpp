// Tests the warnings about operations that begin before the hardware has finished their input.
#include "models/tensix/coprocessor/frontend/missing_waits.h"

#include <gtest/gtest.h>

#include <optional>

#include "foundation/warning_sink.h"
#include "models/regs/tensix_opcodes.h"
#include "models/support/watch.h"
#include "models/tensix/tile/l1.h"

namespace tvp::tensix::coprocessor::missing_waits_test {
namespace {

using support::BusMaster;
namespace op = regs::tensix;

struct Faults : foundation::FaultPolicy, foundation::WarningSink {
  void raise(const foundation::Fault& fault) override { raised.emplace_back(fault.what()); }
  void warn(const foundation::Fault& fault) override { warned.emplace_back(fault.what()); }
  std::vector<std::string> raised;
  std::vector<std::string> warned;
};

const std::uint32_t kPacr = op::encode_pacr(0, 0, 0xF, 0, 0, 0, 1);

struct Bench {
  explicit Bench(const char* mode = "fault") {
    config.missing_waits.set(mode);
    waits.emplace("tile.coprocessor", config, l1, offered, faults);
    if (waits->on()) {
      l1.in_flight().set_listener(&*waits);
      reads.set_listener(&*waits);
    }
  }
  static L1Access access(BusMaster agent, std::uint32_t address, std::uint32_t bytes, Cycle now,
                         Cycle done) {
    L1Access a{.agent = agent, .address = address, .bytes = bytes, .now = now, .done = done};
    if (agent >= BusMaster::kPacker0 && agent <= BusMaster::kPacker3) {
      a.instruction = kPacr;
      a.thread = 2;
    }
    return a;
  }
  CoprocessorConfig config;
  Offered offered;
  Faults faults;
  support::WatchHub hub;
  L1 l1{64 * 1024, hub};
  DstInFlight reads;
  std::optional<MissingWaits> waits;
};

TEST(MissingWaits, TransfersOfL1ThatMeet) {
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
      const L1Access access = Bench::access(use.agent, use.address, use.bytes, use.now, use.done);
      if (use.is_write) {
        b.l1.was_written(access, 0);
      } else {
        b.l1.was_read(access);
      }
    }
    EXPECT_EQ(b.faults.raised.size(), row.found ? 1U : 0U);
  }
}

TEST(MissingWaits, NamesBothSides) {
  Bench b;
  b.l1.was_written(Bench::access(BusMaster::kPacker2, 0x1000, 64, 10, 50), 0);
  b.l1.was_read(Bench::access(BusMaster::kNoc0, 0x1000, 32, 30, 60));
  ASSERT_EQ(b.faults.raised.size(), 1U);
  EXPECT_EQ(b.faults.raised[0],
            "tile.coprocessor: NIU 0 reads L1 0x1000 to 0x101f from cycle 30 on, while packer 2 "
            "(PACR PackerMask=0xf Last=1 of T2) writes L1 0x1000 to 0x103f, from cycle 10 to 50: a "
            "wait is missing");
}

/// Commands of the tile's own NIUs, from the store that starts them until their counters move.
struct Command {
  BusMaster niu;
  bool is_read;  ///< of the NoC, which writes L1
  std::uint32_t address, bytes;
};

struct Commands : Bench {
  void start(const Command& c, Cycle now) {
    l1.in_flight().command_started(c.niu, BusMaster::kNc, c.address, c.bytes, c.is_read, now);
  }
  void end(const Command& c) {
    if (c.is_read) {
      l1.in_flight().command_received(c.niu, c.address, c.bytes);
    } else {
      l1.in_flight().command_sent(c.niu, c.address, c.bytes, 0);
    }
  }
  void use(BusMaster agent, bool is_write, std::uint32_t address, std::uint32_t bytes, Cycle now) {
    const L1Access a = access(agent, address, bytes, now, now + 4);
    if (is_write) {
      l1.was_written(a, 0);
    } else {
      l1.was_read(a);
    }
  }
};

TEST(MissingWaits, UsesUnderCommandsOfNius) {
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
    EXPECT_TRUE(b.faults.raised.empty());
    b.use(row.agent, row.is_write, row.address, 16, 500);
    EXPECT_EQ(b.faults.raised.size(), row.found ? 1U : 0U);
    b.faults.raised.clear();
    b.end(row.command);
    b.use(row.agent, row.is_write, row.address, 16, 501);
    EXPECT_TRUE(b.faults.raised.empty());
  }
}

TEST(MissingWaits, CommandsUnderEachOther) {
  const Command read{BusMaster::kNoc0, true, 0x4000, 0x800};
  const Command write{BusMaster::kNoc1, false, 0x4400, 0x800};
  Commands b;
  b.start(read, 10);
  b.start(read, 11);  // to one place, as somebody does who measures
  b.start(Command{BusMaster::kNoc1, false, 0x4800, 0x800}, 12);
  EXPECT_TRUE(b.faults.raised.empty());
  b.start(write, 20);
  ASSERT_EQ(b.faults.raised.size(), 1U);
  EXPECT_EQ(b.faults.raised[0],
            "tile.coprocessor: NIU 1 (a write that NCRISC started at pc 0x0) reads L1 0x4400 to "
            "0x4bff from cycle 20 on, while NIU 0 (a read that NCRISC started at pc 0x0) writes L1 "
            "0x4000 to 0x47ff, from cycle 10 on, which is not over: a wait is missing");
  b.faults.raised.clear();
  b.end(write);
  // Twice, since two were started; the packets of a command end one by one.
  b.end({BusMaster::kNoc0, true, 0x4000, 0x400});
  b.end({BusMaster::kNoc0, true, 0x4400, 0x400});
  b.start(write, 30);
  EXPECT_EQ(b.faults.raised.size(), 1U);
  b.end(write);
  b.end(read);
  b.faults.raised.clear();
  b.start(write, 40);
  EXPECT_TRUE(b.faults.raised.empty());
  b.start(read, 41);  // over what has not left
  EXPECT_EQ(b.faults.raised.size(), 1U);
}

/// Data that counts as sent is still being read: a core may store there only after it has read the
/// counters.
TEST(MissingWaits, StoresOverWhatIsBeingSent) {
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
    b.l1.in_flight().command_sent(write.niu, write.address, write.bytes, 100);
    EXPECT_EQ(b.l1.in_flight().commands(), 1U);
    if (row.niu_looked_at >= 0) {
      b.l1.in_flight().counters_read(row.niu_looked_at == 0 ? BusMaster::kNoc0 : BusMaster::kNoc1);
    }
    b.l1.in_flight().core_accesses(BusMaster::kNc, 0x4000, 4, false, row.when);
    EXPECT_TRUE(b.faults.raised.empty());
    b.l1.in_flight().core_accesses(BusMaster::kNc, 0x4000, 4, true, row.when);
    EXPECT_EQ(b.faults.raised.size(), row.found ? 1U : 0U);
    // Others see the NIU itself read.
    b.faults.raised.clear();
    b.start({BusMaster::kNoc1, true, 0x4000, 0x800}, row.when);
    EXPECT_TRUE(b.faults.raised.empty());
  }
}

TEST(MissingWaits, CoresAskOnlyWhileAndWhereSomethingIsUnderWay) {
  Commands b;
  const std::uint32_t pc = 0x1234;
  const std::uint32_t mapped = 0x10000;
  std::uint32_t direct = 0;
  b.l1.in_flight().add({.master = BusMaster::kNc, .pc = &pc, .direct = &direct, .mapped = &mapped});
  EXPECT_EQ(direct, mapped);
  const Command read{BusMaster::kNoc0, true, 0x4000, 0x800};
  b.start(read, 10);
  EXPECT_EQ(direct, 0x4000U);
  b.use(BusMaster::kPacker0, true, 0x3000, 16, 11);
  EXPECT_EQ(direct, 0x3000U);
  b.l1.in_flight().core_accesses(BusMaster::kB, 0x8000, 4, true, 20);  // the packer is done
  EXPECT_EQ(direct, 0x4000U);
  b.end(read);
  EXPECT_EQ(direct, mapped);
  b.use(BusMaster::kUnpacker0, false, 0x5000, 64, 30);
  EXPECT_EQ(direct, 0x5000U);
  b.l1.in_flight().core_accesses(BusMaster::kB, 0x5000, 4, false, 31);
  EXPECT_TRUE(b.faults.raised.empty());
  b.l1.in_flight().core_accesses(BusMaster::kB, 0x503C, 4, true, 31);
  ASSERT_EQ(b.faults.raised.size(), 1U);
  EXPECT_EQ(b.faults.raised[0].find("tile.coprocessor: BRISC writes L1 0x503c to 0x503f from cycle "
                                    "31 on, while unpacker 0"),
            0U)
      << b.faults.raised[0];
  b.l1.in_flight().core_accesses(BusMaster::kB, 0x5000, 4, true, 34);
  EXPECT_EQ(b.faults.raised.size(), 1U);
  EXPECT_EQ(direct, mapped);
}

TEST(MissingWaits, StoresThatTellOthers) {
  Bench b;
  const std::uint32_t storereg = op::encode_storereg(12, 0x100);
  b.l1.was_written(Bench::access(BusMaster::kPacker0, 0x1000, 64, 10, 50), 0);
  b.waits->announces(storereg, 1, 30);  // of another thread
  b.waits->announces(storereg, 2, 50);  // done
  EXPECT_TRUE(b.faults.raised.empty());
  b.waits->announces(storereg, 2, 49);
  ASSERT_EQ(b.faults.raised.size(), 1U);
  EXPECT_EQ(b.faults.raised[0].find("tile.coprocessor.T2: STOREREG"), 0U) << b.faults.raised[0];
  EXPECT_NE(b.faults.raised[0].find("packer 0 (PACR PackerMask=0xf Last=1 of T2) writes L1 0x1000"),
            std::string::npos);
}

TEST(MissingWaits, RowsOfDstUnderPackers) {
  Bench b;
  // Rows 16 to 23 are read until cycle 18, 24 to 31 until 26.
  DstInFlight::User reader{.instruction = kPacr, .thread = 2, .issued = 10, .until = 18};
  b.reads.read(16, reader);
  reader.until = 26;
  b.reads.read(24, reader);
  b.offered = {.instruction = op::encode_zeroacc(0, 2, 0, 0, 0), .thread = 2};
  b.reads.changed(16, 18);
  b.reads.changed(23, 25);
  b.reads.changed(8, 11);
  b.reads.changed(32, 11);
  b.reads.changed(512, 512, 11);
  b.reads.changed(0, 512, 26);
  EXPECT_TRUE(b.faults.raised.empty());
  b.reads.changed(23, 17);
  b.reads.changed(24, 25);
  b.reads.changed(0, 512, 25);
  ASSERT_EQ(b.faults.raised.size(), 3U);
  EXPECT_NE(b.faults.raised[0].find("tile.coprocessor.T2: ZEROACC Mode=2 of T2 changes row 23 of "
                                    "Dst at cycle 17, while packers read it (PACR"),
            std::string::npos)
      << b.faults.raised[0];
  EXPECT_NE(b.faults.raised[2].find("row 24"), std::string::npos) << b.faults.raised[2];
}

TEST(MissingWaits, RowsOfDstUnderUnpackers) {
  Bench b;
  const std::uint32_t unpacr = op::encode_unpacr(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
  const DstInFlight::User writer{.instruction = unpacr, .thread = 0, .issued = 10, .until = 60};
  b.offered = {.instruction = kPacr, .thread = 2};
  // Packers are not done with rows 24 to 31.
  b.reads.read(24, {.instruction = kPacr, .thread = 2, .issued = 5, .until = 13});
  b.reads.written(16, writer);
  EXPECT_TRUE(b.faults.raised.empty());
  b.reads.written(24, writer);
  ASSERT_EQ(b.faults.raised.size(), 1U);
  EXPECT_NE(b.faults.raised[0].find("changes row 24 of Dst at cycle 10, while packers read it"),
            std::string::npos);
  b.faults.raised.clear();
  b.reads.used(16, 60);
  b.reads.used(8, 20);
  b.reads.changed(32, 20);
  b.reads.read(32, {.instruction = kPacr, .thread = 2, .issued = 20, .until = 28});
  EXPECT_TRUE(b.faults.raised.empty());
  b.reads.used(23, 59);
  b.reads.changed(16, 59);
  b.reads.changed(0, 512, 59);
  b.reads.read(24, {.instruction = kPacr, .thread = 2, .issued = 30, .until = 38});
  ASSERT_EQ(b.faults.raised.size(), 5U);
  EXPECT_EQ(b.faults.raised[0].find("tile.coprocessor.T2: PACR"), 0U);
  EXPECT_NE(b.faults.raised[0].find("uses row 23 of Dst at cycle 59, which an unpacker still "
                                    "writes (UNPACR"),
            std::string::npos)
      << b.faults.raised[0];
}

TEST(MissingWaits, ConfigurationThatChangesIsAWarningUnlessChosen) {
  const auto heard = [](const char* waits, const char* of_configuration) {
    Bench bench(waits);
    if (of_configuration != nullptr) bench.config.missing_config_waits.set(of_configuration);
    MissingWaits looks("tile.coprocessor", bench.config, bench.l1, bench.offered, bench.faults);
    if (looks.looks_at_configuration())
      looks.reconfigured_too_early(7, {.instruction = kPacr, .thread = 2}, "packers", 10, 20);
    return std::to_string(bench.faults.raised.size()) + " faults, " +
           std::to_string(bench.faults.warned.size()) + " warnings";
  };
  EXPECT_EQ(heard("fault", nullptr), "0 faults, 1 warnings");
  EXPECT_EQ(heard("fault", "fault"), "1 faults, 0 warnings");
  EXPECT_EQ(heard("fault", "off"), "0 faults, 0 warnings");
  EXPECT_EQ(heard("warn", "fault"), "0 faults, 1 warnings");
  EXPECT_EQ(heard("off", "fault"), "0 faults, 0 warnings");
}

TEST(MissingWaits, AWarningOrNothing) {
  for (const char* mode : {"warn", "off"}) {
    Bench b(mode);
    b.l1.was_written(Bench::access(BusMaster::kPacker2, 0x1000, 64, 10, 50), 0);
    b.l1.was_read(Bench::access(BusMaster::kNoc0, 0x1000, 32, 30, 60));
    b.waits->announces(op::encode_storereg(12, 0x100), 2, 20);
    EXPECT_TRUE(b.faults.raised.empty()) << mode;
    EXPECT_EQ(b.faults.warned.size(), *mode == 'w' ? 2U : 0U) << mode;
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::missing_waits_test
