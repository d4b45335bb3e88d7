// Random numbers of SFPMOV, SFPSTOCHRND and SFPCAST (ISA VectorUnit.md, PRNG).

#include <bit>
#include <vector>

#include "tests/unit/tensix/vector/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;

class VectorRandom : public VectorBench {};

TEST_F(VectorRandom, DrawsRandomBitsFromAnLfsr) {
  unit.seed(0x12345678);
  const auto next = [](std::uint32_t state) {
    unsigned ones = 0;
    for (const unsigned tap : {0u, 1u, 21u, 31u}) ones += state >> tap & 1;
    return (ones % 2 == 0 ? 0x80000000u : 0) | state >> 1;
  };
  std::vector<std::uint32_t> state(32);
  run(encode_sfpmov(9, 0, 8));
  for (unsigned lane = 0; lane < 32; ++lane) state[lane] = unit.lreg(0)[lane];
  for (unsigned i = 0; i < 50; ++i) {
    run(encode_sfpmov(9, 0, 8));
    for (std::uint32_t& x : state) x = next(x);
    expect(0, [&](unsigned lane) { return state[lane]; });
  }
  // Stochastic rounding uses as many of the next random bits as it drops.
  set_all(2, 0x3F801234);
  run(encode_sfpstochrnd(1, 0, 0, 2, 1, 0, 1));
  for (std::uint32_t& x : state) x = next(x);
  expect(1, [&](unsigned lane) -> std::uint32_t {
    return 0x1234u >= (state[lane] & 0x7FFFFF) >> 7 ? 0x3F810000 : 0x3F800000;
  });
  unit.seed(std::rotr(0x1234u << 7 | 0x55, 9));  // lane 9 uses the dropped bits and more
  run(encode_sfpstochrnd(1, 0, 0, 2, 1, 0, 1));
  EXPECT_EQ(unit.lreg(1)[9], 0x3F810000u) << "what lies below them does not count";
}

// Every SFPSTOCHRND advances the PRNG in enabled lanes, and so does a stochastic SFPCAST, also
// without a destination (SFPSTOCHRND_*.md, SFPCAST.md).
TEST_F(VectorRandom, DrawsRandomBitsThatItDoesNotUse) {
  const auto moves_on = [&](Word word, std::uint32_t enabled = ~0u) {
    unit.seed(0x12345678);
    run(encode_sfpmov(9, 0, 8));
    run(encode_sfpmov(9, 1, 8));
    set_all(2, 0x40490FDB);
    enable(enabled);
    unit.seed(0x12345678);
    run_through(word);
    run(encode_sfpencc(3, 0, 10));
    run(encode_sfpmov(9, 3, 8));
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const std::uint32_t drawn = unit.lreg(3)[lane];
      EXPECT_EQ(drawn,
                unit.lreg((enabled >> lane & 1) != 0 && drawn != unit.lreg(0)[lane] ? 1 : 0)[lane]);
      lanes |= static_cast<std::uint32_t>(drawn != unit.lreg(0)[lane]) << lane;
    }
    return lanes;
  };
  for (unsigned mode = 0; mode < 8; ++mode) {
    for (const unsigned stochastic : {0u, 1u}) {
      EXPECT_EQ(moves_on(encode_sfpstochrnd(stochastic, 0, 0, 2, 4, 0, mode)), ~0u) << mode;
      EXPECT_EQ(moves_on(encode_sfpstochrnd(stochastic, 0, 0, 2, 4, 0, mode), 0xF0F0), 0xF0F0u);
    }
  }
  EXPECT_EQ(moves_on(encode_sfpstochrnd(0, 0, 0, 2, 9, 0, 1)), ~0u) << "LReg9 is not written";
  EXPECT_EQ(moves_on(encode_sfpcast(2, 4, 1)), ~0u);
  EXPECT_EQ(moves_on(encode_sfpcast(2, 9, 1), 7), 7u);
  EXPECT_EQ(moves_on(encode_sfpcast(2, 4, 0)), 0u);
  EXPECT_EQ(moves_on(encode_sfpmov(2, 4, 0)), 0u);
}

}  // namespace
