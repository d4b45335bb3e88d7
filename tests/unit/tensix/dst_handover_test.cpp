#include "models/tensix/coprocessor/dst_handover.h"

#include <gtest/gtest.h>

namespace tvp::tensix::coprocessor::dst_handover_test {
namespace {

namespace op = regs::tensix;

constexpr std::uint32_t kMask = 1U << DstHandover::kSemaphore;
const std::uint32_t kInit = op::encode_seminit(2, 0, kMask);
const std::uint32_t kPost = op::encode_sempost(kMask);
const std::uint32_t kGet = op::encode_semget(kMask);
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
  // Zeros and what a packer still holds are not of Dst.
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

}  // namespace
}  // namespace tvp::tensix::coprocessor::dst_handover_test
