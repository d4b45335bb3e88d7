#include "models/tensix/coprocessor/address_counters.h"

#include <gtest/gtest.h>

#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor {
namespace {

/// Unlimited counters; the documented widths apply in comparisons only.
struct Fields {
  std::uint64_t x, x_cr, y, y_cr, z, z_cr, w, w_cr;
};

struct Model {
  Fields of[3][3][2] = {};  // thread, user (unpacker 0, 1, packers), channel

  static unsigned bits(std::uint32_t word, unsigned low, unsigned width) {
    return word >> low & ((1u << width) - 1);
  }
  void run(std::uint32_t word, unsigned thread) {
    const unsigned opcode = word >> 24;
    const unsigned override_field = opcode == 0x5E   ? 0
                                    : opcode == 0x50 ? bits(word, 16, 2)
                                                     : bits(word, 18, 2);
    const unsigned target = override_field == 0 ? thread : override_field - 1;
    for (unsigned user = 0; user < 3; ++user) {
      if (!bits(word, 21 + user, 1)) continue;
      Fields* c = of[target][user];
      if (opcode == 0x50) {
        Fields& f = c[bits(word, 20, 1)];
        const unsigned v = bits(word, 0, 18), which = bits(word, 18, 2);
        if (which == 0) f.x = v, f.x_cr = v;
        if (which == 1) f.y = v, f.y_cr = v;
        if (which == 2) f.z = v, f.z_cr = v;
        if (which == 3) f.w = v, f.w_cr = v;
        continue;
      }
      if (opcode == 0x5E) {
        c[0].x = c[0].x_cr = bits(word, 0, 10);
        c[1].x = c[1].x_cr = bits(word, 10, 10);
        continue;
      }
      for (unsigned channel = 0; channel < 2; ++channel) {
        Fields& f = c[channel];
        const unsigned a = bits(word, channel == 0 ? 6 : 12, 3);
        const unsigned b = bits(word, channel == 0 ? 9 : 15, 3);
        const bool do_a = bits(word, channel * 2, 1), do_b = bits(word, channel * 2 + 1, 1);
        switch (opcode) {
          case 0x51:
            if (do_a) f.x = f.x_cr = a;
            if (do_b) f.y = f.y_cr = b;
            break;
          case 0x52:
            f.x += a, f.y += b;
            break;
          case 0x53:
            if (do_a) f.x_cr += a, f.x = f.x_cr;
            if (do_b) f.y_cr += b, f.y = f.y_cr;
            break;
          case 0x54:
            if (do_a) f.z = f.z_cr = a;
            if (do_b) f.w = f.w_cr = b;
            break;
          case 0x55:
            f.z += a;
            f.w += b;
            break;
          case 0x56:
            if (do_a) f.z_cr += a, f.z = f.z_cr;
            if (do_b) f.w_cr += b, f.w = f.w_cr;
            break;
          default:
            break;
        }
      }
    }
  }
};

void expect_equal(const Model& model, const AddressCounters& counters, int step) {
  for (unsigned t = 0; t < 3; ++t) {
    for (unsigned user = 0; user < 3; ++user) {
      for (unsigned channel = 0; channel < 2; ++channel) {
        const Fields& f = model.of[t][user][channel];
        const AddressChannels& channels =
            user < 2 ? counters.of(t).unpacker[user] : counters.of(t).packers;
        const AddressCounter& c = channels.channel[channel];
        ASSERT_EQ(c.x, f.x % (1u << 18)) << step;
        ASSERT_EQ(c.x_cr, f.x_cr % (1u << 18)) << step;
        ASSERT_EQ(c.y, f.y % (1u << 13)) << step;
        ASSERT_EQ(c.y_cr, f.y_cr % (1u << 13)) << step;
        ASSERT_EQ(c.z, f.z % (1u << 8)) << step;
        ASSERT_EQ(c.z_cr, f.z_cr % (1u << 8)) << step;
        ASSERT_EQ(c.w, f.w % (1u << 8)) << step;
        ASSERT_EQ(c.w_cr, f.w_cr % (1u << 8)) << step;
      }
    }
  }
}

TEST(AddressCounters, RandomInstructionsWrapAtTheDocumentedWidths) {
  TestRandom random(3);
  AddressCounters counters;
  Model model;
  constexpr std::uint32_t kOpcodes[] = {0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x5E};
  for (int step = 0; step < 20000; ++step) {
    const std::uint32_t word = kOpcodes[random.below(8)] << 24 | random.bits(24);
    const unsigned thread = random.below(3);
    ASSERT_TRUE(counters.execute(word, thread));
    model.run(word, thread);
    expect_equal(model, counters, step);
  }
}

TEST(AddressCounters, LeavesOtherInstructionsAlone) {
  AddressCounters counters;
  EXPECT_FALSE(counters.execute(op::encode_setdvalid(1, 1), 0));
  EXPECT_FALSE(counters.execute(op::encode_unpacr_nop(0), 0));
}

TEST(AddressCounters, Reg2flopSetsACounterOrItsCarriageReturn) {
  AddressCounters counters;
  counters.set_one(2, 2, 1, 1, false, 0x12345);
  EXPECT_EQ(counters.of(2).packers.channel[1].y, 0x12345u & 0x1FFF);
  EXPECT_EQ(counters.of(2).packers.channel[1].y_cr, 0u);
  counters.set_one(0, 1, 0, 3, true, 0x1FF);
  EXPECT_EQ(counters.of(0).unpacker[1].channel[0].w, 0u);
  EXPECT_EQ(counters.of(0).unpacker[1].channel[0].w_cr, 0xFFu);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor
