#include "platform/checks/memory/l1_accesses.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

constexpr std::uint32_t kFirst = 0x4000, kSecond = 0x5000, kBytes = 0x1000;
constexpr L1Buffers::Tile kOwn{1, 2}, kOther{3, 4}, kThird{5, 6};

/// Two buffers, one behind the other, on the own tile and on another one.
struct L1AccessesTest : testing::Test, CheckBench {
  using Kind = ProbeEvent::Kind;
  using Request = ProbeEvent::Request;

  L1AccessesTest() {
    tile.l1 = l1;
    tile.l1_buffers = &buffers;
    tile.probe = &probe;
    check = std::make_unique<L1Accesses>(tile);
    const std::array tiles{kOwn, kOther};
    buffers.set(kFirst, kBytes, tiles);
    buffers.set(kSecond, kBytes, tiles);
  }
  void feed(const ProbeEvent& event) {
    ASSERT_NE(check->kinds() & Probe::bit(event.kind), 0U);
    check->on(event);
  }
  void give(const std::vector<std::uint32_t>& words) {
    feed({.kind = Kind::kKernel, .core = BusMaster::kNc});
    for (const std::uint32_t word : words)
      feed({.kind = Kind::kArgument, .core = BusMaster::kNc, .value = word});
  }
  void reads(std::uint32_t to, std::uint32_t bytes) {
    feed({.kind = Kind::kCommand,
          .core = BusMaster::kNc,
          .is_local = true,
          .pc = 0x6000,
          .bytes = bytes,
          .address = to});
  }
  void writes(L1Buffers::Tile to, std::uint32_t address, std::uint32_t bytes) {
    feed({.kind = Kind::kCommand,
          .core = BusMaster::kNc,
          .request = Request::kWrite,
          .remote = ProbeEvent::Place::kTensix,
          .is_local = true,
          .x0 = to.x,
          .y0 = to.y,
          .x1 = to.x,
          .y1 = to.y,
          .pc = 0x6100,
          .bytes = bytes,
          .address = 0x8000,
          .remote_address = address});
  }
  void stores(std::uint32_t address) {
    feed({.kind = Kind::kWritten,
          .agent = BusMaster::kNc,
          .pc = 0x6200,
          .bytes = 4,
          .address = address});
  }
  void packs(std::uint32_t address, std::uint32_t bytes, BusMaster packer = BusMaster::kPacker0) {
    feed({.kind = Kind::kWritten,
          .agent = packer,
          .bytes = bytes,
          .thread = 2,
          .address = address,
          .offered = {.pc = 0x7000, .thread = 2}});
  }
  void circular(std::uint32_t address, std::uint32_t bytes) {
    feed({.kind = Kind::kBuffer, .bytes = bytes, .packets = 1, .address = address});
  }

  std::vector<std::uint8_t> l1 = std::vector<std::uint8_t>(0x10000);
  L1Buffers buffers;
  Probe probe;
  std::unique_ptr<L1Accesses> check;
};

TEST_F(L1AccessesTest, TheNextBufferIsReportedOnceIfTheKernelDoesNotKnowIt) {
  give({kFirst});
  reads(kFirst + 0xF00, 0x100);
  EXPECT_TRUE(warnings.empty());
  reads(kSecond, 0x100);
  reads(kSecond + 0x100, 0x100);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: reads 256 bytes at address 0x5000 of L1, in the buffer at "
            "0x5000, whose address is not among the arguments of its kernel. Expected an address "
            "in the buffer at 0x4000 to 0x5000, which is one. Check the number of the page.\n  in "
            "line 0x6000 of core 1");
}

TEST_F(L1AccessesTest, KernelsThatMayKnowTheBufferAreNotReported) {
  give({kFirst, kSecond + 0x40});
  reads(kSecond, 0x100);
  give({});
  reads(kSecond, 0x100);
  give({kFirst});
  circular(kSecond, kBytes);
  reads(kSecond, 0x100);
  feed({.kind = Kind::kProgramEnds});
  std::memcpy(l1.data() + 0x9000, &kSecond, 4);
  reads(kSecond, 0x100);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(L1AccessesTest, TransfersBeyondTheEndAreReported) {
  give({kFirst, kSecond});
  reads(kSecond + 0xF00, 0x100);
  EXPECT_TRUE(warnings.empty());
  reads(kFirst + 0xF00, 0x140);
  writes(kOther, kFirst + 0xF80, 0x100);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_TRUE(
      warnings[0].starts_with("chip0.tensix(1,2).NCRISC: reads 320 bytes at address 0x4f00 of L1, "
                              "and 64 of them are behind "
                              "the buffer at 0x4000 to 0x5000. "))
      << warnings[0];
  EXPECT_TRUE(
      warnings[1].starts_with("chip0.tensix(1,2).NCRISC: writes 256 bytes at address 0x4f80 of "
                              "tile (3,4), and 128 of them "))
      << warnings[1];
}

TEST_F(L1AccessesTest, ATileWithoutThatBufferIsReported) {
  give({kFirst});
  writes(kOther, kFirst, 0x100);
  EXPECT_TRUE(warnings.empty());
  writes(kThird, kFirst + 0x800, 0x100);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with(
      "chip0.tensix(1,2).NCRISC: writes 256 bytes at address 0x4800 of tile (5,6), where the "
      "buffer at 0x4000 to 0x5000 has no part and no other buffer is. "))
      << warnings[0];
}

TEST_F(L1AccessesTest, AnAddressOfSomethingElseThereIsNotReported) {
  give({kFirst, kFirst + 0x400});
  writes(kThird, kFirst + 0x800, 0x100);
  give({kFirst});
  buffers.add_circular(kThird, kFirst, kBytes);
  writes(kThird, kFirst + 0x800, 0x100);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(L1AccessesTest, StoresBehindTheBufferAreReported) {
  give({kFirst});
  stores(kFirst + 0xFFC);
  EXPECT_TRUE(warnings.empty());
  stores(kSecond);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with(
      "chip0.tensix(1,2).NCRISC: stores 4 bytes at address 0x5000 of L1, in the buffer at 0x5000"))
      << warnings[0];
}

TEST_F(L1AccessesTest, PacksBehindACircularBufferIntoABufferAreReportedOnce) {
  circular(kFirst + 0xE00, 0x200);
  packs(kFirst + 0xE00, 0x200);
  EXPECT_TRUE(warnings.empty());
  packs(kSecond, 0x100, BusMaster::kPacker1);
  packs(kSecond + 0x100, 0x100, BusMaster::kPacker2);
  packs(kFirst + 0xF00, 0x200);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with(
      "chip0.tensix(1,2).TRISC2: packs to address 0x50ff of L1, in the buffer at 0x5000 to 0x6000, "
      "over which no circular buffer lies. "))
      << warnings[0];
}

TEST_F(L1AccessesTest, PacksThatBeginInTheBufferAreNotReported) {
  circular(kFirst + 0xE00, 0x200);
  packs(kFirst + 0xF00, 0x100);
  packs(kSecond, 0x100);
  packs(kSecond + 0x100, 0x100, BusMaster::kPacker1);
  packs(kFirst + 0xD00, 0x80);
  packs(kFirst + 0xD80, 0x80, BusMaster::kPacker1);
  packs(kFirst + 0x200, 0x100);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(L1AccessesTest, ARemovedBufferIsForgotten) {
  give({kFirst});
  const std::array tiles{kOwn, kOther};
  buffers.set(kSecond, 0, tiles);
  reads(kSecond, 0x100);
  buffers.set(kFirst, 0, tiles);
  EXPECT_TRUE(buffers.is_empty());
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
