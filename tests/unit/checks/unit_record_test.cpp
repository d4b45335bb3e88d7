#include "platform/checks/record/unit_record.h"

#include <gtest/gtest.h>

namespace tvp::checks {
namespace {

using Kind = ProbeEvent::Kind;
using Transfer = UnitRecord::Transfer;

ProbeEvent message(std::uint32_t unit, std::uint32_t channel, std::uint32_t pc) {
  return {.kind = Kind::kCommand,
          .agent = BusMaster::kPimStop,
          .pc = pc,
          .index = channel,
          .value = unit};
}
ProbeEvent transfer(ProbeEvent::Request request, std::uint32_t wram, std::uint64_t bank) {
  return {.kind = Kind::kCommand,
          .agent = BusMaster::kPimDma,
          .request = request,
          .pc = 0x40,
          .bytes = 64,
          .thread = 3,
          .address = wram,
          .remote_address = bank};
}

TEST(UnitRecord, CountsMessagesByUnitAndChannel) {
  UnitRecord record;
  record.on(message(2, 1, 0x10));
  record.on(message(2, 1, 0x14));
  record.on(message(2, 3, 0x18));
  EXPECT_EQ(record.sent_to(2, 1).count, 2U);
  EXPECT_EQ(record.sent_to(2, 1).pc, 0x14U);
  EXPECT_EQ(record.sent_to(1, 1).count, 0U);
  EXPECT_EQ(record.sent_on(3).first, 2U);
  EXPECT_EQ(record.sent_on(3).second.pc, 0x18U);
  EXPECT_EQ(record.sent_on(2).second.count, 0U);
  ProbeEvent order = message(2, 1, 0x20);
  order.is_broadcast = true;
  record.on(order);
  EXPECT_EQ(record.sent_to(2, 1).count, 2U);
  record.on({.kind = Kind::kReset});
  EXPECT_EQ(record.sent_to(2, 1).count, 0U);
}

TEST(UnitRecord, KeepsTransfersInTheirOrder) {
  UnitRecord record;
  record.on(transfer(ProbeEvent::Request::kRead, 0x100, 0x1000));
  record.on(transfer(ProbeEvent::Request::kWrite, 0x200, 0x2000));
  record.on({.kind = Kind::kServed, .bytes = 8, .index = 5, .value = 7, .address = 0x300});
  const auto all = record.transfers();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].kind, Transfer::Kind::kToWram);
  EXPECT_EQ(all[0].bank, 0x1000U);
  EXPECT_EQ(all[0].thread, 3U);
  EXPECT_EQ(all[1].kind, Transfer::Kind::kToBank);
  EXPECT_EQ(all[1].wram, 0x200U);
  EXPECT_EQ(all[2].kind, Transfer::Kind::kMessage);
  EXPECT_EQ(all[2].source, 7U);
  EXPECT_EQ(all[2].channel, 5U);
}

TEST(UnitRecord, DropsTheOldestTransfers) {
  UnitRecord record;
  for (std::uint32_t i = 0; i < 3000; ++i) record.on(transfer(ProbeEvent::Request::kRead, 0, i));
  const auto all = record.transfers();
  ASSERT_EQ(all.size(), 2048U);
  EXPECT_EQ(all.front().bank, 3000U - 2048U);
  EXPECT_EQ(all.back().bank, 2999U);
}

}  // namespace
}  // namespace tvp::checks
