#include "models/tensix/coprocessor/frontend/dst_handover.h"

#include <gtest/gtest.h>

namespace tvp::tensix::coprocessor::dst_handover_test {
namespace {

namespace op = regs::tensix;

constexpr std::uint32_t kMask = 1U << DstHandover::kSemaphore;
const std::uint32_t kInit = op::encode_seminit(2, 0, kMask);
const std::uint32_t kPost = op::encode_sempost(kMask);
const std::uint32_t kGet = op::encode_semget(kMask);
const std::uint32_t kWaitForRoom = op::encode_semwait(1, kMask, 2);
const std::uint32_t kWaitForResult = op::encode_semwait(1, kMask, 1);
using Missing = DstHandover::Missing;
const std::uint32_t kPack = op::encode_pacr(0, 0, 0xF, 0, 0, 0, 1);

TEST(DstHandover, TellsOfPacksAheadOfCommitsOnceBothThreadsKeepToIt) {
  DstHandover handover;
  handover.synchronized(kInit, 2);
  EXPECT_FALSE(handover.is_ahead(kPack, 2, 0));
  handover.synchronized(kPost, 1);
  EXPECT_FALSE(handover.is_ahead(kPack, 2, 0));
  handover.synchronized(kGet, 2);
  EXPECT_TRUE(handover.is_ahead(kPack, 2, 0));
  EXPECT_FALSE(handover.is_ahead(kPack, 2, 1));
  EXPECT_FALSE(handover.is_ahead(kPack, 1, 0));
  // Zeros, and data that a packer still holds, are not read from Dst.
  EXPECT_FALSE(handover.is_ahead(op::encode_pacr(0, 1, 0xF, 0, 0, 0, 1), 2, 0));
  EXPECT_FALSE(handover.is_ahead(op::encode_pacr(0, 0, 0xF, 0, 0, 1, 1), 2, 0));
  EXPECT_FALSE(handover.is_ahead(op::encode_semget(kMask), 2, 0));
  handover.synchronized(kInit, 2);
  EXPECT_FALSE(handover.is_ahead(kPack, 2, 0));
}

TEST(DstHandover, LeavesOtherUsesOfTheSemaphoreAlone) {
  DstHandover handover;
  handover.synchronized(op::encode_sempost(kMask << 1), 1);
  handover.synchronized(kGet, 2);
  EXPECT_FALSE(handover.is_ahead(kPack, 2, 0));
  handover.synchronized(kPost, 0);
  EXPECT_FALSE(handover.is_ahead(kPack, 2, 0));
  handover.synchronized(kPost, 1);
  handover.synchronized(kGet, 1);
  EXPECT_FALSE(handover.is_ahead(kPack, 2, 0));
}

TEST(DstHandover, TellsOfStepsThatTheOtherThreadWaitsForAndThisOneDoesNot) {
  DstHandover handover;
  EXPECT_EQ(handover.synchronized(kPost, 1),
            Missing::kNothing);  // no thread follows the protocol yet
  handover.synchronized(kInit, 2);
  for (unsigned i = 0; i < 2; ++i) {
    EXPECT_EQ(handover.synchronized(kWaitForResult, 2), Missing::kNothing);
    EXPECT_EQ(handover.synchronized(kWaitForRoom, 1), Missing::kNothing);
    EXPECT_FALSE(handover.looks_at_changes());
    EXPECT_EQ(handover.synchronized(kPost, 1), Missing::kNothing);
    EXPECT_TRUE(handover.looks_at_changes());
    EXPECT_EQ(handover.packs(kPack, 2), Missing::kNothing);
    EXPECT_EQ(handover.synchronized(kGet, 2), Missing::kNothing);
    EXPECT_EQ(handover.packs(kPack, 2), Missing::kWait);
    EXPECT_EQ(handover.packs(kPack, 1), Missing::kNothing);
    EXPECT_TRUE(handover.is_kept_to());
  }
  EXPECT_EQ(handover.synchronized(kPost, 1), Missing::kAcquire);
  EXPECT_EQ(handover.synchronized(kGet, 2), Missing::kWait);
}

TEST(DstHandover, ResultsThatAreOnlyThereBeforeTheWaitAreTold) {
  DstHandover handover;
  handover.synchronized(kWaitForResult, 2);
  const auto part = [&](bool before, bool behind) {
    if (before) handover.changed();
    handover.synchronized(kWaitForRoom, 1);
    if (behind && handover.looks_at_changes()) handover.changed();
    return handover.synchronized(kPost, 1);
  };
  EXPECT_EQ(part(false, true), Missing::kNothing);
  EXPECT_EQ(part(true, false), Missing::kAcquire);
  EXPECT_EQ(part(true, true), Missing::kNothing);
  EXPECT_EQ(part(false, false), Missing::kNothing);
}

TEST(DstHandover, AnInitBetweenAWaitAndItsStepIsNone) {
  DstHandover handover;
  handover.synchronized(kWaitForResult, 2);
  handover.synchronized(kWaitForRoom, 1);
  handover.synchronized(kInit, 1);
  EXPECT_FALSE(handover.looks_at_changes());
  EXPECT_EQ(handover.synchronized(kPost, 1), Missing::kNothing);
  EXPECT_EQ(handover.synchronized(kGet, 2), Missing::kNothing);
}

TEST(DstHandover, WaitsForSomethingElseAreNone) {
  DstHandover handover;
  handover.synchronized(kWaitForResult, 2);
  handover.synchronized(kWaitForResult, 1);
  handover.synchronized(op::encode_semwait(1, kMask << 1, 2), 1);
  EXPECT_EQ(handover.synchronized(kPost, 1), Missing::kAcquire);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::dst_handover_test
