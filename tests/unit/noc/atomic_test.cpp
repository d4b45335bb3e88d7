#include "models/noc/niu/atomic.h"

#include <gtest/gtest.h>

#include <cstring>

#include "foundation/regs/noc.h"

namespace tvp::noc::atomic_test {
namespace {

using namespace regs::noc;

/// Eight halves of four words, the lower half of a word first.
using Halves = std::array<std::uint16_t, 8>;

Halves applied(const Halves& before, std::uint32_t at_len_be, std::uint32_t data) {
  AtomicLine line;
  std::memcpy(line.data(), before.data(), line.size());
  EXPECT_TRUE(apply_atomic(line, at_len_be, data));
  Halves after;
  std::memcpy(after.data(), line.data(), line.size());
  return after;
}

constexpr Halves kBefore{0x1111, 0x2222, 0x3333, 0x4444, 0x5555, 0x6666, 0x7777, 0x8888};

// ISA NoC/Atomics.md. The fields of AT_LEN_BE are written out here after its diagrams.
TEST(Atomic, SwapsTheHalvesOfItsMask) {
  for (unsigned mask = 0; mask < 256; ++mask) {
    Halves expected = kBefore;
    for (unsigned i = 0; i < 8; ++i) {
      if ((mask >> i) % 2 == 1) expected[i] = i % 2 == 1 ? 0xBEEF : 0xCAFE;
    }
    EXPECT_EQ(applied(kBefore, 0x3000 + 4 * mask, 0xBEEFCAFE), expected) << mask;
    EXPECT_EQ(at_swap_mask(mask), 0x3000 + 4 * mask);
  }
}

TEST(Atomic, SwapsOneWordByBothIndexForms) {
  for (unsigned word = 0; word < 4; ++word) {
    Halves expected = kBefore;
    expected[2 * word] = 0xCAFE;
    expected[2 * word + 1] = 0xBEEF;
    EXPECT_EQ(applied(kBefore, 0x6004 + word, 0xBEEFCAFE), expected);
    EXPECT_EQ(applied(kBefore, 0x7000 + 4 * word, 0xBEEFCAFE), expected);
    EXPECT_EQ(at_swap_index(word), 0x7000 + 4 * word);
    AtomicLine line{};
    EXPECT_FALSE(apply_atomic(line, 0x6000 + word, 1)) << "bit 2 must be set";
  }
}

TEST(Atomic, IncrementsTheLowBitsOfItsWidth) {
  for (unsigned word = 0; word < 4; ++word) {
    for (unsigned width = 0; width < 32; ++width) {
      // All ones plus one: the bits of the width become zero, those above stay.
      Halves ones = kBefore;
      ones[2 * word] = ones[2 * word + 1] = 0xFFFF;
      const std::uint64_t kept = 0xFFFFFFFFU >> width >> 1 << width << 1;
      Halves expected = kBefore;
      expected[2 * word] = static_cast<std::uint16_t>(kept);
      expected[2 * word + 1] = static_cast<std::uint16_t>(kept >> 16);
      EXPECT_EQ(applied(ones, 0x1000 + 4 * width + word, 1), expected) << width;
      EXPECT_EQ(at_increment(word, width), 0x1000 + 4 * width + word);
    }
  }
  Halves expected = kBefore;
  expected[2] = 0x3333 + 0x0FFF;
  EXPECT_EQ(applied(kBefore, at_increment(1), 0x0FFF), expected);
}

TEST(Atomic, ComparesAndSwapsNumbersOfFourBits) {
  for (unsigned word = 0; word < 4; ++word) {
    for (unsigned compare = 0; compare < 16; ++compare) {
      for (const unsigned there : {compare, compare + 1, compare + 16, compare + 0x10000}) {
        Halves before = kBefore;
        before[2 * word] = static_cast<std::uint16_t>(there);
        before[2 * word + 1] = static_cast<std::uint16_t>(there >> 16);
        Halves expected = before;
        const unsigned set = (compare * 7 + 3) % 16;
        if (there == compare) expected[2 * word] = static_cast<std::uint16_t>(set);
        EXPECT_EQ(applied(before, 0x4000 + 64 * set + 4 * compare + word, 0), expected);
        EXPECT_EQ(at_compare_and_swap(word, compare, set), 0x4000 + 64 * set + 4 * compare + word);
      }
    }
  }
}

TEST(Atomic, HasNoOtherOperations) {
  for (const std::uint32_t opcode : {0U, 2U, 5U}) {
    AtomicLine line{};
    EXPECT_FALSE(apply_atomic(line, opcode << 12 | 0xFFC, 1)) << opcode;
    EXPECT_EQ(line, AtomicLine{});
  }
}

}  // namespace
}  // namespace tvp::noc::atomic_test
