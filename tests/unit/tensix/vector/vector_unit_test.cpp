#include <algorithm>
#include <cmath>
#include <vector>

#include "foundation/regs/tensix_disassembler.h"
#include "tests/support/fault_of.h"
#include "tests/unit/tensix/vector/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;
using tvp::foundation::FaultKind;

class VectorUnitTest : public VectorBench {
 protected:
  /// Random bits with some corner values, equal for equal seeds.
  std::vector<std::uint32_t> operands(unsigned seed) {
    math_reference::Random source(seed);
    const std::uint32_t corners[] = {0,          0x80000000, 1,          0x80000001, 0x7FFFFFFF,
                                     0xFFFFFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000,
                                     0x3F800000, 0xBF800000, 0x00800000, 0x007FFFFF};
    std::vector<std::uint32_t> values(32);
    for (std::uint32_t& x : values) {
      x = source.below(3) == 0 ? corners[source.below(std::size(corners))] : source.bits();
    }
    return values;
  }
  void set_values(unsigned index, const std::vector<std::uint32_t>& values) {
    set(index, [&](unsigned lane) { return values[lane]; });
  }
  /// Runs `word`, which reads LReg2 as VC and LReg1 as VD (and VB), under a mask of lanes.
  void check(Word word,
             const std::function<std::uint32_t(std::uint32_t c, std::uint32_t d)>& wanted,
             std::uint32_t lanes = 0x5A5AF00F) {
    for (unsigned seed = 0; seed < 8; ++seed) {
      const auto c = operands(2 * seed);
      const auto d = operands(2 * seed + 1);
      enable(lanes);
      set_values(2, c);
      set_values(1, d);
      now += 2;
      run(word);
      expect(1, [&](unsigned lane) {
        return (lanes >> lane & 1) != 0 ? wanted(c[lane], d[lane]) : d[lane];
      });
      expect(2, [&](unsigned lane) { return c[lane]; });
      now += 2;
    }
  }
  void expect_firmware_fault(const std::function<void()>& action) {
    EXPECT_TRUE(tvp::test::faults([&] { action(); }, FaultKind::kFirmware, {}));
  }
};

// ---- Registers ----------------------------------------------------------------------------------

TEST_F(VectorUnitTest, HasConstantRegisters) {
  expect(8, [](unsigned) { return bits(0.8373F); });
  expect(9, [](unsigned) { return 0u; });
  expect(10, [](unsigned) { return bits(1.0F); });
  expect(15, [](unsigned lane) { return 2 * lane; });
  run(encode_sfpmov(10, 9, 0));  // not writable
  expect(9, [](unsigned) { return 0u; });
}

TEST_F(VectorUnitTest, LoadsImmediates) {
  run(encode_sfploadi(0, 0, 0xC040));
  expect(0, [](unsigned) { return bits(-3.0F); });
  run(encode_sfploadi(0, 1, 0xC500));
  expect(0, [](unsigned) { return bits(-5.0F); });
  run(encode_sfploadi(0, 2, 0x8001));
  expect(0, [](unsigned) { return 0x8001u; });
  run(encode_sfploadi(0, 4, 0x8001));
  expect(0, [](unsigned) { return 0xFFFF8001u; });
  run(encode_sfploadi(0, 8, 0x1234));
  expect(0, [](unsigned) { return 0x12348001u; });
  run(encode_sfploadi(0, 10, 0xABCD));
  expect(0, [](unsigned) { return 0x1234ABCDu; });
  expect_firmware_fault([this] { run(encode_sfploadi(0, 3, 0)); });
}

// ---- The simple sub-unit, one lane at a time ----------------------------------------------------

TEST_F(VectorUnitTest, ManipulatesBits) {
  check(encode_sfpand(2, 1), [](auto c, auto d) { return c & d; });
  check(encode_sfpor(2, 1), [](auto c, auto d) { return c | d; });
  check(encode_sfpxor(2, 1), [](auto c, auto d) { return c ^ d; });
  check(encode_sfpnot(2, 1), [](auto c, auto) { return ~c; });
  check(encode_sfplz(2, 1, 0), [](auto c, auto) -> std::uint32_t {
    unsigned zeros = 0;
    while (zeros < 32 && (c >> (31 - zeros) & 1) == 0) ++zeros;
    return zeros;
  });
  check(encode_sfplz(2, 1, 4), [](auto c, auto) -> std::uint32_t {
    unsigned zeros = 1;
    while (zeros < 32 && (c >> (31 - zeros) & 1) == 0) ++zeros;
    return zeros;
  });
  check(encode_sfpshft(5, 2, 1, 1), [](auto, auto d) { return d << 5; });
  check(encode_sfpshft(0xFFF & -7, 2, 1, 1), [](auto, auto d) { return d >> 7; });
  check(encode_sfpshft(0, 2, 1, 0), [](auto c, auto d) {
    const auto amount = static_cast<std::int32_t>(c);
    return amount >= 0 ? d << (c % 32) : d >> ((32 - c % 32) % 32);
  });
  check(encode_sfpshft2(1, 2, 1, 5), [](auto c, auto d) {
    const auto amount = static_cast<std::int32_t>(c);
    return amount >= 0 ? d << (c % 32) : d >> ((32 - c % 32) % 32);
  });
  check(encode_sfpshft2(1, 2, 1, 6), [](auto, auto d) { return d << 1; });  // LReg1 << 1
}

TEST_F(VectorUnitTest, AddsIntegers) {
  check(encode_sfpiadd(0, 2, 1, 4), [](auto c, auto d) { return c + d; });
  check(encode_sfpiadd(0, 2, 1, 4 | 2), [](auto c, auto d) { return c - d; });
  check(encode_sfpiadd(0xFFF & -9, 2, 1, 4 | 1), [](auto c, auto) { return c - 9; });
  check(encode_sfpabs(2, 1, 0),
        [](auto c, auto) { return static_cast<std::int32_t>(c) < 0 ? ~c + 1 : c; });
  // -NaN stays negative; -infinity becomes infinity.
  check(encode_sfpabs(2, 1, 1), [](auto c, auto) { return c > 0xFF800000 ? c : c & 0x7FFFFFFF; });
}

TEST_F(VectorUnitTest, ManipulatesFieldsOfFp32) {
  const auto exponent = [](std::uint32_t x) { return x / 0x800000 % 256; };
  const auto with_exponent = [](std::uint32_t x, std::uint32_t e) {
    return (x & 0x807FFFFF) + (e % 256) * 0x800000;
  };
  check(encode_sfpexexp(2, 1, 0), [&](auto c, auto) { return exponent(c) - 127; });
  check(encode_sfpexexp(2, 1, 1), [&](auto c, auto) { return exponent(c); });
  check(encode_sfpexman(2, 1, 0), [](auto c, auto) { return c % 0x800000 + 0x800000; });
  check(encode_sfpexman(2, 1, 1), [](auto c, auto) { return c % 0x800000; });
  check(encode_sfpsetexp(0x9A, 2, 1, 1), [&](auto c, auto) { return with_exponent(c, 0x9A); });
  check(encode_sfpsetexp(0, 2, 1, 0), [&](auto c, auto d) { return with_exponent(c, d); });
  check(encode_sfpsetexp(0, 2, 1, 2),
        [&](auto c, auto d) { return with_exponent(c, exponent(d)); });
  check(encode_sfpsetman(0xABC, 2, 1, 1),
        [](auto c, auto) { return (c & 0xFF800000) + 0xABC * 2048; });
  check(encode_sfpsetman(0, 2, 1, 0),
        [](auto c, auto d) { return (c & 0xFF800000) + d % 0x800000; });
  check(encode_sfpsetsgn(1, 2, 1, 1), [](auto c, auto) { return c | 0x80000000; });
  check(encode_sfpsetsgn(0, 2, 1, 1), [](auto c, auto) { return c & 0x7FFFFFFF; });
  check(encode_sfpsetsgn(0, 2, 1, 0),
        [](auto c, auto d) { return (c & 0x7FFFFFFF) + (d >= 0x80000000 ? 0x80000000 : 0); });
  check(encode_sfpdivp2(0x82, 2, 1, 0), [&](auto c, auto) { return with_exponent(c, 0x82); });
  check(encode_sfpdivp2(0xFE, 2, 1, 1), [&](auto c, auto) {
    return exponent(c) == 255 ? c : with_exponent(c, exponent(c) + 0xFE);
  });
  check(encode_sfpmov(2, 1, 0), [](auto c, auto) { return c; });
  check(encode_sfpmov(2, 1, 1), [](auto c, auto) { return c ^ 0x80000000; });
}

TEST_F(VectorUnitTest, CastsSignMagnitudeToFloat) {
  check(encode_sfpcast(2, 1, 0), [](auto c, auto) {
    const float magnitude = static_cast<float>(c & 0x7FFFFFFF);
    return bits(magnitude) | (c & 0x80000000);
  });
}

TEST_F(VectorUnitTest, MovesAllLanesWhenTold) {
  const auto c = operands(1);
  enable(0x0000FFFF);
  set_values(2, c);
  run(encode_sfpmov(2, 1, 2));
  expect(1, [&](unsigned lane) { return c[lane]; });
}

TEST_F(VectorUnitTest, SwapsMinimaAndMaxima) {
  const auto below = [](std::uint32_t c, std::uint32_t d) {  // -NaN < ... < -0 < +0 < ... < +NaN
    const auto order = [](std::uint32_t x) {
      const auto magnitude = static_cast<std::int64_t>(x & 0x7FFFFFFF);
      return x >= 0x80000000 ? -1 - magnitude : magnitude;
    };
    return order(c) < order(d);
  };
  const std::uint32_t smaller_in_vd[] = {0,          ~0u,        0x0000FFFF, 0x00FF00FF, 0xFF0000FF,
                                         0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000, 0};
  for (unsigned mod = 0; mod <= 9; ++mod) {
    for (unsigned seed = 0; seed < 4; ++seed) {
      const auto c = operands(seed);
      const auto d = operands(seed + 40);
      constexpr std::uint32_t kEnabled = 0xFFFF3FF7;
      enable(kEnabled);
      set_values(2, c);
      set_values(1, d);
      const Cycle issued = run(encode_sfpswap(2, 1, mod));
      const auto wanted = [&](unsigned lane, bool vd) {
        if ((kEnabled >> lane & 1) == 0) return vd ? d[lane] : c[lane];
        if (mod == 0) return vd ? c[lane] : d[lane];
        const std::uint32_t low = below(c[lane], d[lane]) ? c[lane] : d[lane];
        const std::uint32_t high = below(c[lane], d[lane]) ? d[lane] : c[lane];
        return ((smaller_in_vd[mod] >> lane & 1) != 0) == vd ? low : high;
      };
      expect(1, [&](unsigned lane) { return wanted(lane, true); });
      expect(2, [&](unsigned lane) { return wanted(lane, false); });
      EXPECT_EQ(run(encode_sfpmov(1, 3, 0)), issued + 2);  // stalled a cycle
    }
  }
  const Cycle issued = run(encode_sfpswap(2, 1, 0));
  EXPECT_EQ(run(encode_sfpnop()), issued + 1);
  EXPECT_EQ(run(encode_sfpmov(1, 3, 0)), issued + 2);
  now += 2;
  expect_firmware_fault([this] { run(encode_sfpswap(2, 1, 10)); });
}

TEST_F(VectorUnitTest, FindsTheIndexOfMinimaAndMaxima) {
  run(encode_sfpconfig(0x4, 15, 1));  // ENABLE_DEST_INDEX
  const auto a = operands(3);
  const auto b = operands(4);
  set_values(0, a);
  set_values(1, b);
  set_all(4, 111);
  set_all(5, 222);
  run(encode_sfpswap(0, 1, 1));  // VD = LReg1 = minimum
  const auto& minimum = unit.lreg(1);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool from_b = minimum[lane] == b[lane];
    EXPECT_EQ(unit.lreg(5)[lane], from_b ? 222u : 111u) << lane;
    EXPECT_EQ(unit.lreg(4)[lane], from_b ? 111u : 222u) << lane;
  }
}

TEST_F(VectorUnitTest, TransposesRowsBetweenRegisters) {
  for (unsigned reg = 0; reg < 8; ++reg) {
    set(reg, [reg](unsigned lane) { return 100 * reg + lane; });
  }
  run(encode_sfptransp(0));
  for (unsigned reg = 0; reg < 8; ++reg) {
    expect(reg, [reg](unsigned lane) {
      return 100 * (reg / 4 * 4 + lane / 8) + reg % 4 * 8 + lane % 8;
    });
  }
}

// ---- The MAD sub-unit ---------------------------------------------------------------------------

TEST_F(VectorUnitTest, MultipliesAndAddsSmallNumbersExactly) {
  const auto small = [](unsigned lane, int scale) {
    return bits(static_cast<float>(static_cast<int>(lane) * scale - 40));
  };
  const auto f = [&](unsigned lane, int scale) { return value(small(lane, scale)); };
  set(0, [&](unsigned lane) { return small(lane, 3); });
  set(1, [&](unsigned lane) { return small(lane, 5); });
  set(2, [&](unsigned lane) { return small(lane, 7); });
  const auto expected = [](float x) { return x == 0 ? 0u : bits(x); };
  run_through(encode_sfpmad(0, 1, 2, 3, 0));
  expect(3, [&](unsigned lane) { return expected(f(lane, 3) * f(lane, 5) + f(lane, 7)); });
  run_through(encode_sfpadd(10, 1, 2, 3, 0));
  expect(3, [&](unsigned lane) { return expected(f(lane, 5) + f(lane, 7)); });
  run_through(encode_sfpmul(0, 1, 9, 3, 0));
  expect(3, [&](unsigned lane) { return expected(f(lane, 3) * f(lane, 5)); });
  run_through(encode_sfpmov(0, 3, 0));
  run_through(encode_sfpmuli(0x4020, 3, 0));  // 2.5
  expect(3, [&](unsigned lane) { return expected(f(lane, 3) * 2.5F); });
  run_through(encode_sfpaddi(0xC1A0, 3, 0));  // -20
  expect(3, [&](unsigned lane) { return expected(f(lane, 3) * 2.5F - 20.0F); });
}

TEST_F(VectorUnitTest, MultipliesIndirectly) {
  for (unsigned reg = 0; reg < 4; ++reg) set_all(reg, bits(static_cast<float>(reg + 2)));
  set_all(4, 0);
  set_all(5, 0);
  set(7, [](unsigned lane) { return 0xFF0u + lane % 4; });
  run_through(encode_sfpmad(0, 10, 9, 4, 4));  // VA from LReg7
  expect(4, [](unsigned lane) { return bits(static_cast<float>(lane % 4 + 2)); });
  set(7, [](unsigned lane) { return lane % 2 != 0 ? 5u : 12u; });
  run_through(encode_sfpmad(3, 3, 9, 6, 8));  // VD from LReg7; LReg12 is not writable
  expect(5, [](unsigned lane) { return lane % 2 != 0 ? bits(25.0F) : 0; });
}

TEST_F(VectorUnitTest, EvaluatesPiecewiseLinearFunctions) {
  const auto x = [](unsigned lane) { return (static_cast<float>(lane) - 15.5F) / 4; };
  // Eight bits: 1.5 and 0.25, then 0 and 1.9375, then -0.5 and 0.0078125.
  set_all(0, (0x08u << 8) | 0x20);
  set_all(1, (0xFFu << 8) | 0x0F);
  set_all(2, (0x90u << 8) | 0x70);
  set(3, [&](unsigned lane) { return bits(x(lane)); });
  run_through(encode_sfplut(4, 0));
  const auto lut8 = [&](unsigned lane) {
    const float m = std::fabs(x(lane));
    return m < 1 ? 1.5F * m + 0.25F : m < 2 ? 1.9375F : -0.5F * m + 0.0078125F;
  };
  expect(4, [&](unsigned lane) { return bits(lut8(lane)); });
  run_through(encode_sfplut(4, 4));
  expect(4, [&](unsigned lane) { return bits(std::copysign(lut8(lane), x(lane))); });

  for (unsigned reg = 0; reg < 3; ++reg) {
    set_all(reg, bits(static_cast<float>(reg + 1)));
    set_all(4 + reg, bits(-0.5F * static_cast<float>(reg)));
  }
  run_through(encode_sfplutfp32(7, 0));
  expect(7, [&](unsigned lane) {
    const float m = std::fabs(x(lane));
    const float third = m < 1 ? 0.0F : m < 2 ? 1.0F : 2.0F;
    const float result = (third + 1) * m - 0.5F * third;
    return bits(result);
  });

  // FP16: 1, 2, 3, ... as slopes and halves as offsets.
  const std::uint32_t fp16[] = {0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
  for (unsigned reg = 0; reg < 3; ++reg) {
    set_all(reg, fp16[2 * reg] | (fp16[2 * reg + 1] << 16));
    set_all(4 + reg, 0x3800u | (0xB800u << 16));  // 0.5, -0.5
  }
  for (const unsigned mod : {2u, 3u}) {
    const float cut = mod == 2 ? 3.0F : 4.0F;
    set(3, [&](unsigned lane) { return bits(x(lane) * 1.2F); });
    run_through(encode_sfplutfp32(7, mod));
    expect(7, [&](unsigned lane) {
      const float m = std::fabs(x(lane) * 1.2F);
      const int sixth = m < 0.5F ? 0 : m < 1 ? 1 : m < 1.5F ? 2 : m < 2 ? 3 : m < cut ? 4 : 5;
      return bits(std::fma(static_cast<float>(sixth + 1), m, sixth % 2 == 0 ? 0.5F : -0.5F));
    });
  }
  set_all(7, 5);  // this mode writes to the register that LReg7 names
  set_all(5, 0);
  for (unsigned reg = 0; reg < 3; ++reg) set_all(reg, (fp16[reg] << 16) | 0x3800);
  set(3, [&](unsigned lane) { return bits(x(lane)); });
  run_through(encode_sfplutfp32(6, 10));
  expect(5, [&](unsigned lane) {
    const float m = std::fabs(x(lane));
    return bits((m < 1 ? 1.0F : m < 2 ? 2.0F : 3.0F) * m + 0.5F);
  });
}

TEST_F(VectorUnitTest, FaultsOnResultsThatAreNotThereYet) {
  EXPECT_EQ(unit.issue(encode_sfpmad(0, 1, 2, 3, 0), 0, now).done, now + 2);
  ++now;
  expect_firmware_fault([this] { run(encode_sfpmov(3, 4, 0)); });
  run(encode_sfpmul(0, 1, 9, 3, 0));
  run(encode_sfpmov(2, 4, 0));  // something else
  run(encode_sfpmov(3, 4, 0));
  run(encode_sfpadd(10, 1, 2, 3, 0));
  run(encode_sfpnop());
  run(encode_sfpstore(3, 4, 0, 0));
  run(encode_sfpaddi(0, 3, 0));
  expect_firmware_fault([this] { run(encode_sfpstore(3, 4, 0, 0)); });
}

// VB holds the shift of the modes that round integers, 4 and 5; the other modes do not read it.
TEST_F(VectorUnitTest, FaultsOnLateOperandsThatRoundingReads) {
  for (unsigned mode = 0; mode < 8; ++mode) {
    SCOPED_TRACE(mode);
    const auto reads = [&](unsigned late, unsigned vb, unsigned vc) {
      run(encode_sfpadd(10, 1, 2, late, 0));
      const auto faulted = tvp::test::faults(
          [&] { run(encode_sfpstochrnd(0, 0, vb, vc, 4, 0, mode)); }, FaultKind::kFirmware, {});
      now += 2;
      return faulted;
    };
    EXPECT_EQ(reads(3, 3, 5), mode == 4 || mode == 5);
    EXPECT_TRUE(reads(3, 5, 3));
    EXPECT_FALSE(reads(3, 5, 6));
  }
}

// ---- The round sub-unit -------------------------------------------------------------------------

TEST_F(VectorUnitTest, MovesAcrossLanes) {
  const auto fill = [this] {
    for (unsigned reg = 0; reg < 5; ++reg) {
      set(reg, [reg](unsigned lane) { return 100 * (reg + 1) + lane; });
    }
    now += 2;
  };
  fill();
  run(encode_sfpshft2(0, 0, 0, 0));
  expect(0, [](unsigned lane) { return 200 + lane; });
  expect(2, [](unsigned lane) { return 400 + lane; });
  expect(3, [](unsigned) { return 0u; });
  fill();
  run(encode_sfpshft2(0, 0, 0, 1));
  expect(1, [](unsigned lane) { return 300 + lane; });
  expect(3, [](unsigned lane) { return lane < 24 ? 108 + lane : 0; });
  fill();
  run(encode_sfpshft2(0, 4, 0, 2));
  const auto rotated = [](unsigned lane) { return lane % 8 != 0 ? lane - 1 : lane + 7; };
  expect(0, [](unsigned lane) { return 200 + lane; });
  expect(3, [&](unsigned lane) { return 500 + rotated(lane); });
  fill();
  run(encode_sfpshft2(0, 2, 1, 3));
  expect(1, [&](unsigned lane) { return 300 + rotated(lane); });
  now += 2;
  run(encode_sfpshft2(0, 4, 1, 4));  // leaves the last rotation's value in lane 7 of its group
  expect(1, [&](unsigned lane) { return lane % 8 != 0 ? 500 + lane - 1 : 300 + lane + 7; });
  now += 2;
  run(encode_sfpshft2(0, 9, 9, 3));
  run(encode_sfpnop());
  run(encode_sfpshft2(0, 4, 1, 4));
  expect(1, [&](unsigned lane) { return lane % 8 != 0 ? 500 + lane - 1 : 0; });
  expect_firmware_fault([this] { run(encode_sfpmov(5, 6, 0)); });
}

TEST_F(VectorUnitTest, RoundsFloats) {
  const auto nearest_away = [](std::uint32_t x, unsigned dropped) -> std::uint32_t {
    if ((x >> 23 & 255) == 0) return 0;
    if ((x >> 23 & 255) == 255) return x & 0xFF800000;
    const std::uint64_t half = 1u << (dropped - 1);
    return static_cast<std::uint32_t>((x + half) >> dropped << dropped);
  };
  check(encode_sfpstochrnd(0, 0, 0, 2, 1, 0, 0), [&](auto c, auto) { return nearest_away(c, 13); });
  check(encode_sfpstochrnd(0, 0, 0, 2, 1, 0, 1), [&](auto c, auto) { return nearest_away(c, 16); });
}

TEST_F(VectorUnitTest, RoundsFloatsToIntegers) {
  struct Mode {
    unsigned mod;
    bool sign;
    double largest;
  };
  for (const Mode& mode :
       {Mode{2, false, 255}, Mode{3, true, 127}, Mode{6, false, 65535}, Mode{7, true, 32767}}) {
    for (unsigned seed = 0; seed < 30; ++seed) {
      math_reference::Random source(seed);
      std::vector<std::uint32_t> c(32);
      for (std::uint32_t& x : c)
        x = (source.bits() & 0x807FFFFF) | ((120 + source.below(24)) << 23);
      c[0] = bits(0.5F);
      c[1] = bits(-2.5F);
      c[2] = bits(-0.49999997F);
      c[3] = 0x7FC00000;
      c[4] = bits(0.0F);
      set_values(2, c);
      run(encode_sfpstochrnd(0, 0, 0, 2, 1, 0, mode.mod));
      expect(1, [&](unsigned lane) -> std::uint32_t {
        const auto x = static_cast<double>(value(c[lane]));
        const double magnitude =
            std::isnan(x) ? mode.largest : std::fmin(std::round(std::fabs(x)), mode.largest);
        const bool negative = mode.sign && x < 0 && magnitude != 0;
        return (negative ? 0x80000000u : 0) | static_cast<std::uint32_t>(magnitude);
      });
    }
  }
}

TEST_F(VectorUnitTest, NarrowsIntegers) {
  const auto narrowed = [](std::uint32_t c, unsigned shift, double largest, bool sign) {
    const double magnitude = std::fmin(
        std::floor(std::ldexp(static_cast<double>(c & 0x7FFFFFFF), -static_cast<int>(shift)) + 0.5),
        largest);
    return (sign && c >= 0x80000000 && magnitude != 0 ? 0x80000000u : 0) |
           static_cast<std::uint32_t>(magnitude);
  };
  check(encode_sfpstochrnd(0, 22, 0, 2, 1, 1, 4),
        [&](auto c, auto) { return narrowed(c, 22, 255, false); });
  check(encode_sfpstochrnd(0, 23, 0, 2, 1, 1, 5),
        [&](auto c, auto) { return narrowed(c, 23, 127, true); });
  check(encode_sfpstochrnd(0, 0, 1, 2, 1, 0, 5),
        [&](auto c, auto d) { return narrowed(c, d % 32, 127, true); });
}

// ---- Predication --------------------------------------------------------------------------------

TEST_F(VectorUnitTest, SetsFlagsFromComparisons) {
  const auto c = operands(9);
  const std::function<bool(std::int32_t)> tests[] = {
      [](std::int32_t x) { return x < 0; },  {}, [](std::int32_t x) { return x != 0; }, {},
      [](std::int32_t x) { return x >= 0; }, {}, [](std::int32_t x) { return x == 0; }};
  for (unsigned mod = 0; mod < 8; mod += 2) {
    run(encode_sfpencc(3, 0, 10));
    set_values(2, c);
    run(encode_sfpsetcc(0, 2, 0, mod));
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(unit.enabled_lanes() >> lane & 1,
                static_cast<unsigned>(tests[mod](static_cast<std::int32_t>(c[lane]))));
    }
  }
  run(encode_sfpencc(3, 0, 10));
  run(encode_sfpsetcc(1, 0, 0, 1));
  EXPECT_EQ(unit.enabled_lanes(), ~0u);
  run(encode_sfpsetcc(0, 0, 0, 1));
  EXPECT_EQ(unit.enabled_lanes(), 0u);
  run(encode_sfpencc(0, 0, 10));  // off: all lanes, whatever the flags
  EXPECT_EQ(unit.enabled_lanes(), ~0u);
}

TEST_F(VectorUnitTest, NarrowsFlagsWithinEnabledLanes) {
  enable(0x0000FFFF);
  set(2, [](unsigned lane) { return lane % 2 == 0 ? ~0u : 1u; });
  run(encode_sfpiadd(0, 2, 2, 1));  // VD = VC + 0, flags where negative
  EXPECT_EQ(unit.enabled_lanes(), 0x00005555u);
  enable(0x0000FFFF);
  set(2, [](unsigned lane) { return lane % 2 == 0 ? ~0u : 1u; });
  run(encode_sfpiadd(0, 2, 2, 1 | 8));
  EXPECT_EQ(unit.enabled_lanes(), 0x0000AAAAu);
  enable(0x0000FFFF);
  set(2, [](unsigned lane) { return lane % 4 == 0 ? bits(0.25F) : bits(4.0F); });
  run(encode_sfpexexp(2, 3, 2));
  EXPECT_EQ(unit.enabled_lanes(), 0x00001111u);
  enable(0x0000FFFF);
  set(2, [](unsigned lane) { return lane % 4 == 0 ? 0u : 0x80000000u; });
  run(encode_sfplz(2, 3, 2));
  EXPECT_EQ(unit.enabled_lanes(), 0x0000EEEEu);
  enable(0x0000FFFF);
  run(encode_sfplz(2, 3, 2 | 4 | 8));  // without sign, inverted
  EXPECT_EQ(unit.enabled_lanes(), 0x0000FFFFu);
}

TEST_F(VectorUnitTest, ClearsFlagsThatAreNotInUse) {
  enable(~0u);
  run(encode_sfppushc(0));
  run(encode_sfpencc(0, 0, 2));  // flags true, not in use
  run(encode_sfpsetcc(0, 9, 0, 6));
  run(encode_sfppopc(0, 3));  // in use again, and with what was pushed
  EXPECT_EQ(unit.enabled_lanes(), 0u);
}

TEST_F(VectorUnitTest, NestsConditions) {
  enable(0x00FF00FF);
  run(encode_sfppushc(0));
  set(7, [](unsigned lane) { return lane % 2; });
  run(encode_sfpsetcc(0, 7, 0, 6));  // if (lane is even)
  EXPECT_EQ(unit.enabled_lanes(), 0x00550055u);
  run(encode_sfpcompc(0));  // else
  EXPECT_EQ(unit.enabled_lanes(), 0x00AA00AAu);
  run(encode_sfppopc(0, 0));
  EXPECT_EQ(unit.enabled_lanes(), 0x00FF00FFu);
  run(encode_sfpcompc(0));  // with an empty stack
  EXPECT_EQ(unit.enabled_lanes(), 0xFF00FF00u);

  // Peeking modes combine A, the flags, with B, those on the stack.
  const std::uint32_t a = 0x33333333;
  const std::uint32_t b = 0x55555555;
  const std::uint32_t wanted[] = {0,      b,       ~b,      a & b, a | b,    a & ~b, a | ~b, ~a & b,
                                  ~a | b, ~a & ~b, ~a | ~b, a ^ b, ~(a ^ b), ~a,     ~0u,    0};
  enable(b);
  run(encode_sfppushc(0));
  for (unsigned mod = 1; mod < 16; ++mod) {
    enable(a);
    run(encode_sfppopc(0, mod));
    EXPECT_EQ(unit.enabled_lanes(), wanted[mod]) << mod;
  }
  run(encode_sfppopc(0, 0));
  EXPECT_EQ(unit.enabled_lanes(), b);
  expect_firmware_fault([this] { run(encode_sfppopc(0, 0)); });
  for (unsigned i = 0; i < 8; ++i) run(encode_sfppushc(0));
  expect_firmware_fault([this] { run(encode_sfppushc(0)); });
  expect_firmware_fault([this] { run(encode_sfppopc(0, 1)); });
}

// ---- Configuration ------------------------------------------------------------------------------

TEST_F(VectorUnitTest, WritesConstantRegisters) {
  set(0, [](unsigned lane) { return 1000 + lane; });
  run(encode_sfpconfig(0, 12, 0));
  expect(12, [](unsigned lane) { return 1000 + lane % 8; });
  run(encode_sfpconfig(0x0004, 12, 9));  // only column 1
  expect(12, [](unsigned lane) { return lane % 8 == 1 ? bits(1 / 512.0F) : 1000 + lane % 8; });
  // The constants of ISA SFPCONFIG.md, whatever the immediate.
  const std::uint32_t defaults[] = {0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9};
  for (unsigned i = 0; i < 4; ++i) {
    run(encode_sfpconfig(0x1234, 11 + i, 1));
    expect(11 + i, [&](unsigned) { return defaults[i]; });
  }
}

TEST_F(VectorUnitTest, MasksRowsOfLanesAndColumnsOfMoves) {
  run(encode_sfpconfig(0x6000, 15, 1));  // ROW_MASK 6
  EXPECT_EQ(unit.enabled_lanes(), 0xFF0000FFu);
  run(encode_sfpmov(15, 3, 8));
  expect(3, [](unsigned lane) { return lane / 8 == 1 || lane / 8 == 2 ? 0 : 0x6000u; });
  run(encode_sfpconfig(0x2000, 15, 1 | 6));  // xor
  EXPECT_EQ(unit.enabled_lanes(), 0xFF00FFFFu);
  run(encode_sfpconfig(0, 15, 1));
  run(encode_sfpconfig(0x0200, 15, 1));
  EXPECT_EQ(registers->block_dest_mov, 0x5555);
  run(encode_sfpconfig(0x0400, 15, 1 | 2));
  EXPECT_EQ(registers->block_dest_mov, 0xFFFF);
}

TEST_F(VectorUnitTest, NamesWhatItDoesNotHave) {
  EXPECT_TRUE(tvp::test::faults([&] { run(0x9A000000); }, FaultKind::kUnmodelled, {}));
}

}  // namespace
