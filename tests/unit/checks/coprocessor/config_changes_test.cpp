#include "platform/checks/coprocessor/config_changes.h"

#include <gtest/gtest.h>

#include "foundation/regs/tensix_disassembler.h"
#include "foundation/regs/tensix_opcodes.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks::config_changes_test {
namespace {

namespace op = regs::tensix;
using Waits = TileContext::Waits;

const std::uint32_t kPacr = op::encode_pacr(0, 0, 0xF, 0, 0, 0, 1);
const std::uint32_t kWrite = op::encode_rmwcib0(0xF, 5, 7);

struct ConfigChangesTest : testing::Test, CheckBench {
  void change(const ProbeEvent& event) {
    ConfigChanges check(tile);
    if ((check.kinds() & Probe::bit(event.kind)) != 0) check.on(event);
  }
  static ProbeEvent event(BusMaster agent, Cycle done) {
    return {.kind = ProbeEvent::Kind::kReconfigured,
            .agent = agent,
            .index = 7,
            .instruction = kPacr,
            .thread = 2,
            .value = 1,
            .cycle = 10,
            .done = done,
            .offered = {.instruction = kWrite, .pc = 0x1234, .thread = 0}};
  }
};

TEST_F(ConfigChangesTest, NamesBothSides) {
  change(event(BusMaster::kPacker0, 20));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0], "chip0.tensix(1,2).coprocessor.T0: " + op::disassemble(kWrite) +
                             " of T0 changes configuration word 7 at cycle 10, while the packers "
                             "(" +
                             op::disassemble(kPacr) +
                             " of T2) still works with it until cycle 20: a wait is missing. These "
                             "bits may change only while the unit is idle. Put a STALLWAIT for the "
                             "packers before the change; thread T0, " +
                             op::disassemble(kWrite) + ", which its core pushed at pc 0x1234");
}

TEST_F(ConfigChangesTest, OfACoreWhileTheUnpackerWaits) {
  ProbeEvent store = event(BusMaster::kUnpacker1, kNever);
  store.offered = {};
  change(store);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find(".coprocessor: a store of a core changes configuration word 7"),
            std::string::npos);
  EXPECT_NE(warnings[0].find("while unpacker 1 ("), std::string::npos);
  EXPECT_NE(warnings[0].find("still waits for a bank"), std::string::npos) << warnings[0];
}

TEST_F(ConfigChangesTest, IsAFaultOrNothingIfChosen) {
  tile.config_waits = Waits::kFault;
  change(event(BusMaster::kUnpacker0, 20));
  EXPECT_EQ(faults.size(), 1U);
  tile.config_waits = Waits::kOff;
  change(event(BusMaster::kUnpacker0, 20));
  tile.config_waits = Waits::kWarn;
  tile.waits = Waits::kOff;
  change(event(BusMaster::kUnpacker0, 20));
  EXPECT_EQ(faults.size(), 1U);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks::config_changes_test
