#include "models/tensix/coprocessor/frontend/dst_part.h"

#include <gtest/gtest.h>

namespace tvp::tensix::coprocessor::dst_part_test {
namespace {

namespace op = regs::tensix;

constexpr std::uint32_t kMask = 1U << DstHandover::kSemaphore;
const std::uint32_t kPost = op::encode_sempost(kMask);
const std::uint32_t kWait = op::encode_semwait(1, kMask, 2);

DstPart started(unsigned parts) {
  DstPart part;
  part.synchronized(op::encode_seminit(parts, 0, kMask), 1);
  part.synchronized(kWait, 1);
  return part;
}
bool outside(DstPart& part, unsigned row, bool dst32 = false) {
  part.selected(row, dst32);
  return part.is_outside();
}

TEST(DstPart, HalvesTakeTurnsWithCommits) {
  DstPart part = started(2);
  EXPECT_FALSE(outside(part, 0));
  EXPECT_FALSE(outside(part, 7 * 64));
  EXPECT_TRUE(outside(part, 8 * 64));
  part.synchronized(kPost, 1);
  EXPECT_TRUE(outside(part, 0));
  EXPECT_FALSE(outside(part, 512));
  EXPECT_FALSE(outside(part, 512 + 7 * 64));
  EXPECT_TRUE(outside(part, 512 + 8 * 64));
  part.synchronized(op::encode_seminit(2, 0, kMask), 1);
  part.synchronized(kWait, 1);
  EXPECT_FALSE(outside(part, 0));
}

TEST(DstPart, RowsOf32BitsTakeTwice) {
  DstPart part = started(2);
  EXPECT_FALSE(outside(part, 3 * 64, true));
  EXPECT_TRUE(outside(part, 4 * 64, true));
  part.synchronized(kPost, 1);
  EXPECT_FALSE(outside(part, 256, true));
  EXPECT_FALSE(outside(part, 512, true));  // tt-metal's second half begins there
  EXPECT_TRUE(outside(part, 0, true));
}

TEST(DstPart, AllOfDst) {
  DstPart part = started(1);
  part.synchronized(kPost, 1);
  EXPECT_FALSE(outside(part, 15 * 64));
  EXPECT_TRUE(outside(part, 16 * 64));
  EXPECT_FALSE(outside(part, 7 * 64, true));
  EXPECT_TRUE(outside(part, 8 * 64, true));
  part.told();
  EXPECT_FALSE(part.is_outside());
}

TEST(DstPart, FirmwareThatDoesNotWaitForPartsMayDoAsItLikes) {
  DstPart part;
  EXPECT_FALSE(outside(part, 1024));
  part.synchronized(op::encode_seminit(2, 0, kMask), 1);
  EXPECT_FALSE(outside(part, 512));
  part.synchronized(kWait, 2);
  EXPECT_FALSE(outside(part, 512));
  part.synchronized(op::encode_seminit(4, 0, kMask), 1);
  part.synchronized(kWait, 1);
  EXPECT_FALSE(outside(part, 512));
}

TEST(DstPart, OtherSemaphoresAndThreadsChangeNoTurn) {
  DstPart part = started(2);
  part.synchronized(op::encode_sempost(kMask << 1), 1);
  part.synchronized(kPost, 0);
  part.synchronized(op::encode_seminit(1, 0, kMask << 1), 1);
  EXPECT_TRUE(outside(part, 512));
  EXPECT_FALSE(outside(part, 0));
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::dst_part_test
