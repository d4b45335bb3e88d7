#include "tests/unit/tensix/vector/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;
using tvp::foundation::Fault;

class VectorMacro : public VectorBench {
 protected:
  static constexpr unsigned kBf16 = 2;
  static constexpr unsigned kFp32 = 3;
  static constexpr unsigned kInt32 = 4;
  /// One byte of a sequence: instruction, delay and registers.
  static constexpr std::uint32_t step(unsigned instruction, unsigned delay, unsigned flags = 0) {
    return instruction | delay << 3 | flags;
  }
  static constexpr unsigned kNothing = 0;
  static constexpr unsigned kStore = 3;
  static constexpr unsigned kTemplate = 4;
  static constexpr unsigned kBonus = 0x40;  // result in, or store of, LReg16
  static constexpr unsigned kLoadedIsVb = 0x80;

  void set_sequence(unsigned macro, std::uint32_t simple, std::uint32_t mad, std::uint32_t round,
                    std::uint32_t store) {
    set_all(0, simple | mad << 8 | round << 16 | store << 24);
    run(encode_sfpconfig(0, 4 + macro, 0));
  }
  void set_misc(unsigned store_mod, unsigned uses_load_mod, unsigned waits_for_instructions) {
    run(encode_sfpconfig(store_mod | uses_load_mod << 4 | waits_for_instructions << 8, 8, 1));
  }
  void fill_dst(unsigned rows) {
    for (unsigned row = 0; row < rows; ++row) {
      registers->dst.define16(row);
      for (unsigned j = 0; j < 16; ++j) {
        registers->dst.write16(row, j,
                               in_dst(static_cast<float>(row) - 7.0F * static_cast<float>(j)));
      }
    }
  }
  static std::uint16_t in_dst(float value) {
    using namespace math_reference;
    return static_cast<std::uint16_t>(
        in_dst16(rounded(value, math_reference::kBf16), math_reference::kBf16));
  }
  static Word macro(unsigned index, unsigned vd, unsigned address, unsigned mod = kBf16) {
    return encode_sfploadmacro(index, vd & 3, mod, 0, address >> 1, vd >> 2);
  }
};

// ISA SFPCONFIG.md, "Instruction scheduling": the instruction directly after one that changes
// DISABLE_BACKDOOR_LOAD may see either value. It is refused only if that makes a difference: not a
// cycle later, nor for other registers, nor without a change.
TEST_F(VectorMacro, ABackdoorThatOpensOrClosesIsNotToBeUsedAtOnce) {
  constexpr unsigned kLaneConfig = 15, kValue = 1;
  const auto refused = [&](Word word) {
    try {
      run(word);
    } catch (const Fault& fault) {
      EXPECT_NE(std::string(fault.what()).find("DISABLE_BACKDOOR_LOAD"), std::string::npos);
      return true;
    }
    return false;
  };
  constexpr unsigned kOpen = 0, kClosed = 2;
  for (const unsigned before : {kOpen, kClosed}) {
    for (const unsigned after : {kOpen, kClosed}) {
      for (const unsigned later : {0u, 1u, 2u}) {
        for (const unsigned vd : {5u, 12u, 15u}) {
          SCOPED_TRACE(testing::PrintToString(std::vector<unsigned>{before, after, later, vd}));
          run(encode_sfpconfig(before, kLaneConfig, kValue));
          now += 10;
          run(encode_sfpconfig(after, kLaneConfig, kValue));
          now += later;
          EXPECT_EQ(refused(encode_sfpmuli(0x4000, vd, 0)),
                    vd > 11 && before != after && later == 0);
          now += 10;
        }
      }
    }
  }
}

TEST_F(VectorMacro, LoadsComputesAndStoresAVectorACycle) {
  fill_dst(64);
  run(encode_sfpmuli(0x4000, 12, 0));  // VD of 12: becomes template 0, times 2
  run(encode_sfpmov(0, 3, 8));
  expect(3, [](unsigned) { return encode_sfpmuli(0x4000, 12, 0); });
  set_misc(kBf16, 0, 0);
  set_sequence(2, kNothing, step(kTemplate, 0), kNothing, step(kStore, 2));
  const Cycle start = now;
  Cycle done = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const Issue answer = unit.issue(macro(2, i % 4, i / 2 * 4 + i % 2 * 2), 0, now);
    ASSERT_EQ(answer.unit_free, now + 1);
    now = answer.unit_free;
    done = answer.done;
  }
  EXPECT_EQ(now, start + 32);
  EXPECT_EQ(done, now - 1 + 1 + 2 + 1);  // the store runs three cycles after its load
  EXPECT_FALSE(unit.idle());
  registers->settle(done);
  EXPECT_TRUE(unit.idle());
  EXPECT_EQ(registers->pending_stores, nullptr);
  for (unsigned row = 0; row < 64; ++row) {
    for (unsigned j = 0; j < 16; ++j) {
      ASSERT_EQ(registers->dst.read16(row, j),
                in_dst(2 * (static_cast<float>(row) - 7.0F * static_cast<float>(j))))
          << row << "," << j;
    }
  }
}

TEST_F(VectorMacro, ExecutesAtTheirCycles) {
  fill_dst(8);
  run(encode_sfpiadd(1, 0, 12, 4 | 1));  // template 0: VD = VC + 1
  set_misc(kFp32, 0, 0);
  set_sequence(0, step(kTemplate, 3), kNothing, kNothing, kNothing);
  registers->dst.write16(0, 0, 0);
  const Cycle issued = run(macro(0, 1, 0));
  unit.settle(issued + 4);  // cycles before this one
  EXPECT_EQ(unit.lreg(1)[0], 0u);
  unit.settle(issued + 5);
  EXPECT_EQ(unit.lreg(1)[0], 1u);
}

TEST_F(VectorMacro, WaitsForInstructionsWhenTold) {
  fill_dst(8);
  run(encode_sfpiadd(1, 0, 12, 4 | 1));
  set_misc(kFp32, 0, 1);  // the simple sub-unit's delays count instructions
  set_sequence(0, step(kTemplate, 2), kNothing, kNothing, kNothing);
  registers->dst.write16(0, 0, 0);
  run(macro(0, 1, 0));
  now += 50;
  run(encode_sfpnop());  // 2 to 1
  now += 50;
  unit.settle(now);
  EXPECT_EQ(unit.lreg(1)[0], 0u);
  run(encode_sfpnop());  // 1 to 0
  unit.settle(now);
  EXPECT_EQ(unit.lreg(1)[0], 0u);
  unit.settle(now + 1);
  EXPECT_EQ(unit.lreg(1)[0], 1u);
}

TEST_F(VectorMacro, UsesTheBonusRegisterAndBothOperands) {
  fill_dst(8);
  set_all(2, bits(10.0F));
  // Template 1: VD = LReg10 * VB + LReg2; the loaded register becomes VB, the result LReg16.
  run(encode_sfpadd(10, 0, 2, 13, 0));
  set_misc(kBf16, 0xF, 0);  // stores in the format of the load
  set_sequence(1, kNothing, step(kTemplate + 1, 1, kLoadedIsVb | kBonus), kNothing,
               step(kStore, 4, kBonus));
  registers->dst.define32(4);
  for (unsigned row = 4; row < 8; ++row) {
    registers->dst.define32(row);
    for (unsigned j = 0; j < 16; ++j) registers->dst.write32(row, j, 0);
  }
  const Cycle issued = run(macro(1, 5, 5, kFp32));  // the low bit of the address is VD's third
  unit.settle(issued + 6);
  EXPECT_EQ(unit.lreg(5)[9], 0u);  // untouched
  EXPECT_EQ(unit.lreg(16)[9], bits(10.0F));
  // 10.0 = 0x41200000, exponent 0x82, mantissa 0x20.
  EXPECT_EQ(registers->dst.read32(5, 2), 0x20820000u);
  EXPECT_EQ(registers->dst.read32(5, 3), 0u);
}

TEST_F(VectorMacro, ReadsRegistersAsTheyWereBeforeTheCycle) {
  fill_dst(16);
  run(encode_sfpiadd(0x100, 0, 12, 4 | 1));
  set_misc(kInt32, 0, 0);
  // The store of LReg1 and the addition to it are in one cycle: the store sees the loaded value.
  set_sequence(3, step(kTemplate, 0), kNothing, kNothing, step(kStore, 0));
  for (unsigned row = 0; row < 4; ++row) {
    registers->dst.define32(row);
    for (unsigned j = 0; j < 16; ++j) registers->dst.write32(row, j, 0x41000003);
  }
  const std::uint32_t before = registers->dst.read32(1, 4);
  const Cycle issued = run(macro(3, 1, 0, kFp32));
  unit.settle(issued + 2);
  EXPECT_EQ(registers->dst.read32(1, 4), before);
  const std::uint32_t loaded = unit.lreg(1)[10];
  EXPECT_EQ(loaded, 0x00410003u + 0x100);  // exponent 0, high mantissa 0x41
}

// A scheduled store converts FP32 in each build. It truncates the mantissa and turns denormals into
// signed zeros (ISA SFPSTORE.md, ToBF16). Disabled lanes leave Dst unchanged.
TEST_F(VectorMacro, CutsToBf16WhatItStores) {
  using tvp::tensix::coprocessor::VectorUnit;
  using Builds = VectorUnit::Build;
  constexpr unsigned kRow = 256, kEven = kRow, kOdd = kRow | 2;
  constexpr std::uint32_t kOddOnes[] = {0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000,
                                        0x80FFFFFF, 0x3F80FFFF, 0xBF808000, 0x7F7FFFFF, 0x7F800000,
                                        0xFF800001, 0xFFFFFFFF, 0x0001FFFF, 0x3F818000};
  const auto datum = [&](unsigned row, unsigned column) {
    const std::uint32_t place = 16 * row + column;
    return place % 3 == 0 ? kOddOnes[place / 3 % std::size(kOddOnes)] : place * 0x9E3779B1;
  };
  const auto in_order_of_dst = [](std::uint32_t high) {
    return (high & 0x8000) | (high & 0x7F) << 8 | (high >> 7 & 0xFF);
  };
  for (const Builds build : {Builds::kPortable, Builds::kAvx2, Builds::kAvx512}) {
    if (!VectorUnit::has(build)) continue;
    for (const bool all_lanes : {true, false}) {
      for (const bool mode_of_load : {false, true}) {
        SCOPED_TRACE(testing::PrintToString(std::vector<bool>{all_lanes, mode_of_load}));
        registers = std::make_unique<tvp::tensix::coprocessor::RegisterFiles>();
        VectorUnit tested{"tested", *registers, config, faults, build};
        const auto issue = [&](Word word) { now = tested.issue(word, 0, now).done; };
        auto& dst = registers->dst;
        for (unsigned row = kRow; row < kRow + 4; ++row) {
          dst.define16(row);
          dst.define32(row);
          for (unsigned column = 0; column < 16; ++column) {
            const std::uint32_t x = datum(row, column);
            dst.write16(row, column, 0xBEEF);
            dst.write32(row, column, in_order_of_dst(x >> 16) << 16 | (x & 0xFFFF));
          }
        }
        if (mode_of_load) {  // BF16 on both sides
          for (unsigned row = kRow; row < kRow + 4; ++row) {
            for (unsigned column = 0; column < 16; ++column) {
              dst.write16(row, column,
                          static_cast<std::uint16_t>(in_order_of_dst(datum(row, column) >> 16)));
            }
          }
        }
        issue(encode_sfploadi(0, 10, 0));
        issue(encode_sfploadi(0, 8, step(kStore, 1) << 8));
        issue(encode_sfpconfig(0, 4 + 2, 0));
        issue(encode_sfpconfig(mode_of_load ? kFp32 | 0xF << 4 : kBf16, 8, 1));
        if (!all_lanes) {  // LReg15 is twice the number of the lane
          issue(encode_sfpmov(15, 6, 0));
          issue(encode_sfpshft(30, 0, 6, 1));
          issue(encode_sfpencc(3, 0, 10));
          issue(encode_sfpsetcc(0, 6, 0, 0));
          ASSERT_EQ(tested.enabled_lanes(), 0xAAAAAAAAU);
        }
        for (const unsigned address : {kEven, kOdd}) {
          issue(macro(2, 1, address, mode_of_load ? kBf16 : kFp32));
          for (unsigned i = 0; i < 4; ++i) issue(encode_sfpnop());
        }
        tested.settle(now);
        for (unsigned row = kRow; row < kRow + 4; ++row) {
          for (unsigned column = 0; column < 16; ++column) {
            const std::uint32_t x = datum(row, column);
            const bool off = !all_lanes && column / 2 % 2 == 0;
            const std::uint32_t cut = (x & 0x7F800000) == 0 ? x >> 31 << 15 : x >> 16;
            const std::uint32_t before = mode_of_load ? in_order_of_dst(x >> 16) : 0xBEEF;
            ASSERT_EQ(dst.read16(row, column), off ? before : in_order_of_dst(cut))
                << row << ", " << column << std::hex << " of " << x;
          }
        }
      }
    }
  }
}

// Clamping of tt-llk's fast exponential: a swap whose template names LReg14.
TEST_F(VectorMacro, ClampsWhatItLoadsToARegisterOfTheTemplates) {
  constexpr float kLeast = -88.5F;
  fill_dst(64);
  set_all(0, bits(kLeast));
  run(encode_sfpconfig(0, 14, 0));
  set_all(0, encode_sfpswap(0, 14, 1));
  run(encode_sfpconfig(0, 0, 0));
  set_misc(kBf16, 0, 0);
  set_sequence(1, step(kTemplate, 0), kNothing, kNothing, step(kStore, 2));
  for (unsigned i = 0; i < 32; ++i) {
    run(macro(1, i % 4, i / 2 * 4 + i % 2 * 2));
    run(encode_sfpnop());
  }
  now += 4;
  unit.settle(now);
  unsigned clamped = 0;
  for (unsigned row = 0; row < 64; ++row) {
    for (unsigned j = 0; j < 16; ++j) {
      const float value = static_cast<float>(row) - 7.0F * static_cast<float>(j);
      clamped += value < kLeast ? 1 : 0;
      ASSERT_EQ(registers->dst.read16(row, j), in_dst(std::max(value, kLeast))) << row << "," << j;
    }
  }
  EXPECT_GT(clamped, 0u);
  EXPECT_EQ(unit.lreg(14)[0], bits(kLeast));
}

TEST_F(VectorMacro, FaultsOnARegularInstructionForABusySubUnit) {
  fill_dst(8);
  run(encode_sfpiadd(1, 0, 12, 4 | 1));
  set_misc(kFp32, 0, 0);
  set_sequence(0, step(kTemplate, 0), kNothing, kNothing, kNothing);
  run(macro(0, 1, 0));
  EXPECT_THROW(run(encode_sfpmov(2, 3, 0)), Fault);
}

TEST_F(VectorMacro, ReplacesWhatASubUnitCannotExecute) {
  fill_dst(8);
  run(encode_sfpiadd(1, 0, 12, 4 | 1));
  set_misc(kFp32, 0, 0);
  set_sequence(0, kNothing, step(kTemplate, 0), kNothing, kNothing);  // an addition for MAD: NOP
  const Cycle issued = run(macro(0, 1, 0));
  const auto loaded = unit.lreg(1);
  unit.settle(issued + 5);
  EXPECT_EQ(unit.lreg(1), loaded);
  set_sequence(0, kNothing, kNothing, kNothing, step(kTemplate, 0));
  EXPECT_THROW(run(macro(0, 1, 0)), Fault);
}

}  // namespace
