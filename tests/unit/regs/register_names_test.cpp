#include "foundation/regs/register_names.h"

#include <gtest/gtest.h>

#include <set>

#include "foundation/regs/ethernet.h"
#include "foundation/regs/noc.h"
#include "foundation/regs/overlay.h"
#include "foundation/regs/pim.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::regs {
namespace {

TEST(RegisterNames, AreThoseOfTheDocumentation) {
  EXPECT_EQ(noc::register_name(noc::kCmdCtrl), "CMD_CTRL of initiator 0");
  EXPECT_EQ(noc::register_name(2 * noc::kCmdBufOffset + noc::kTargAddrLo),
            "TARG_ADDR_LO of initiator 2");
  EXPECT_EQ(noc::register_name(noc::counter_offset(noc::kMstWrAckReceived)), "MST_WR_ACK_RECEIVED");
  EXPECT_EQ(noc::register_name(noc::counter_offset(noc::kMstReqsOutstandingId + 3)),
            "MST_REQS_OUTSTANDING_ID[3]");
  EXPECT_EQ(noc::register_name(noc::kXIdTranslateTable0 + 8), "X_ID_TRANSLATE_TABLE_0[2]");
  EXPECT_EQ(noc::register_name(0x58), "register 0x58");
  EXPECT_EQ(noc::register_name(0x8000), "register 0x8000");
  EXPECT_EQ(overlay::register_name(overlay::kRemoteDestBufSpaceAvailable),
            "REMOTE_DEST_BUF_SPACE_AVAILABLE");
  EXPECT_EQ(overlay::register_name(overlay::kScratch + 5), "SCRATCH[5]");
  EXPECT_EQ(overlay::register_name(16), "register 16");
  EXPECT_EQ(ethernet::txq_register_name(ethernet::txq::kMaxPktSizeBytes),
            "ETH_TXQ_MAX_PKT_SIZE_BYTES");
  EXPECT_EQ(ethernet::rxq_register_name(ethernet::rxq::kBufPtr), "ETH_RXQ_BUF_PTR");
  EXPECT_EQ(tensix_tile::control_register_name(tensix_tile::kSoftReset0), "SOFT_RESET_0");
  EXPECT_EQ(tensix_tile::control_register_name(0), "register 0x0");
  EXPECT_EQ(pim::register_name(pim::kDma + pim::dma::kWramAddress), "DMA WRAM_ADDRESS");
  EXPECT_EQ(pim::register_name(pim::kBarrier + 8), "register 0xffb13008");
  EXPECT_EQ(pim::register_name(pim::kTasklets + pim::tasklet::kMeet), "tasklet MEET");
}

// Registers of a block must have different offsets and names.
TEST(RegisterNames, RowsOfABlockDoNotOverlap) {
  const auto check = [](std::span<const Register> block, std::uint32_t stride) {
    EXPECT_FALSE(block.empty());
    std::set<std::uint32_t> places;
    std::set<std::string> names;
    for (const Register& r : block) {
      EXPECT_TRUE(names.insert(r.name).second) << r.name;
      if (r.offset == noc::kNone) continue;
      for (std::uint32_t i = 0; i < r.count; ++i) {
        EXPECT_TRUE(places.insert(r.offset + i * stride).second) << r.text(i);
      }
    }
  };
  for (const auto block : {noc::initiator_registers(), noc::niu_registers(),
                           noc::initiator_registers(Generation::kBlackhole),
                           noc::niu_registers(Generation::kBlackhole), ethernet::txq_registers(),
                           ethernet::rxq_registers(), tensix_tile::control_registers(),
                           pim::control_registers(), pim::dma_registers(), pim::stop_registers(),
                           pim::barrier_registers(), pim::tasklet_registers()}) {
    check(block, 4);
  }
  check(noc::counters(), 1);
  check(overlay::stream_registers(), 1);
}

}  // namespace
}  // namespace tvp::regs
