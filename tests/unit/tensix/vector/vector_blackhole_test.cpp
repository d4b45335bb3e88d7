// The vector unit of Blackhole: new instructions and modes, and waits for results (ISA BlackholeA0,
// the page of each instruction).

#include "foundation/random.h"
#include "tests/support/fault_of.h"
#include "tests/unit/tensix/vector/vector_bench.h"

namespace tvp::tensix::coprocessor::test {
namespace {

namespace op = regs::tensix;

class VectorBlackhole : public VectorBench {
 protected:
  VectorBlackhole() : VectorBench(Generation::kBlackhole) {}

  Word draw() { return static_cast<Word>(random_.next()); }
  /// LReg0 to 3 get random lanes, some of them special.
  void fill() {
    static constexpr Word kSpecial[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                        0xFFC00001, 0x3F800000, 0x00400000, 0xFFFFFFFF, 0x007FFFFF};
    for (unsigned index = 0; index < 4; ++index) {
      set(index, [&](unsigned) {
        return draw() % 3 == 0 ? kSpecial[draw() % std::size(kSpecial)] : draw();
      });
      values_[index] = unit.lreg(index);
    }
  }
  static bool smaller(Word c, Word d) {
    const auto rank = [](Word x) {
      const auto magnitude = static_cast<std::int64_t>(x & 0x7FFFFFFF);
      return (x >> 31) != 0 ? -1 - magnitude : magnitude;
    };
    return rank(c) < rank(d);
  }

  foundation::Random random_{7};
  Lanes values_[4];
};

TEST_F(VectorBlackhole, ComparesInTheTotalOrder) {
  for (unsigned round = 0; round < 50; ++round) {
    fill();
    run(op::encode_sfpgt(1, 0, 8));
    expect(0, [&](unsigned i) { return smaller(values_[1][i], values_[0][i]) ? ~0U : 0U; });
    run(op::encode_sfple(2, 3, 8));
    expect(3, [&](unsigned i) { return smaller(values_[2][i], values_[3][i]) ? 0U : ~0U; });
  }
}

TEST_F(VectorBlackhole, ComparisonsSetFlagsAndTheTopOfTheStack) {
  run(op::encode_sfpencc(3, 0, 10));
  set(0, [](unsigned lane) { return lane; });
  set_all(1, 10);
  run(op::encode_sfppushc(0));
  run(op::encode_sfpgt(1, 0, 2));  // AND: lanes above 10
  run(op::encode_sfpgt(1, 0, 1));
  EXPECT_EQ(unit.enabled_lanes(), 0xFFFFF800U);
  run(op::encode_sfple(1, 0, 2 | 4));  // OR: also the others
  run(op::encode_sfppopc(0, 0));
  EXPECT_EQ(unit.enabled_lanes(), 0xFFFFFFFFU);
  run(op::encode_sfppushc(0));
  run(op::encode_sfpgt(1, 0, 2));
  run(op::encode_sfppopc(0, 0));
  EXPECT_EQ(unit.enabled_lanes(), 0xFFFFF800U);
}

TEST_F(VectorBlackhole, ApproximatesReciprocalsAndPowers) {
  // Entries and limits of SFPARECIP.md.
  const std::pair<Word, Word> kReciprocals[] = {{0x3F800000, 0x3F7F0000}, {0x3F8FFFFF, 0x3F640000},
                                                {0x3FFF0000, 0x3F000000}, {0xC0000000, 0xBEFF0000},
                                                {0x00000000, 0x7F800000}, {0x807FFFFF, 0xFF800000},
                                                {0x7E800000, 0x00000000}, {0xFF800000, 0x80000000}};
  for (const auto& [x, wanted] : kReciprocals) {
    set_all(1, x);
    run(op::encode_sfparecip(0, 1, 0, 0));
    expect(0, [&](unsigned) { return wanted; });
  }
  const std::pair<Word, Word> kPowers[] = {{0x3F800000, 0x402D0000}, {0x3C800000, 0x3F820000},
                                           {0x3CBE1234, 0x3F831234}, {0x3F31FFFF, 0x3FFFFFFF},
                                           {0x3F320000, 0x40000000}, {0x3FFF0001, 0x40EA0001},
                                           {0xBF800000, 0xC02D0000}, {0x007FFFFF, 0x3F800000},
                                           {0x3C7F4321, 0x3F814321}, {0x40001234, 0x40801234}};
  for (const auto& [x, wanted] : kPowers) {
    set_all(1, x);
    run(op::encode_sfparecip(0, 1, 0, 2));
    expect(0, [&](unsigned) { return wanted; });
  }
  // The condition is the sign of VB, and the result of the other lanes VC.
  set(2, [](unsigned lane) { return lane % 2 == 0 ? 0x80000000U : 5U; });
  set_all(1, 0xC0000000);
  run(op::encode_sfparecip(2, 1, 0, 1));
  expect(0, [](unsigned lane) { return lane % 2 == 0 ? 0x3EFF0000U : 0xC0000000U; });
}

TEST_F(VectorBlackhole, MultipliesIntegersOf23Bits) {
  for (unsigned round = 0; round < 50; ++round) {
    fill();
    const auto product = [&](unsigned lane) {
      return std::uint64_t{values_[0][lane] & 0x7FFFFF} * (values_[1][lane] & 0x7FFFFF);
    };
    run(op::encode_sfpmul24(0, 1, 9, 4, 0));
    run(op::encode_sfpmul24(0, 1, 9, 5, 1));
    run(op::encode_sfpnop());
    expect(4, [&](unsigned lane) { return static_cast<Word>(product(lane) & 0x7FFFFF); });
    expect(5, [&](unsigned lane) { return static_cast<Word>(product(lane) >> 23); });
  }
}

TEST_F(VectorBlackhole, NewModes) {
  for (unsigned round = 0; round < 50; ++round) {
    fill();
    run(op::encode_sfpand(1, 4) | 2 << 12 | 1);
    expect(4, [&](unsigned i) { return values_[1][i] & values_[2][i]; });
    run(op::encode_sfpor(1, 4) | 2 << 12 | 1);
    expect(4, [&](unsigned i) { return values_[1][i] | values_[2][i]; });
    run(op::encode_sfpshft(0xFFF & static_cast<Word>(-7), 1, 4, 7));
    expect(4, [&](unsigned i) {
      return static_cast<Word>(static_cast<std::int32_t>(values_[1][i]) >> 7);
    });
    run(op::encode_sfpshft(5, 2, 4, 5));
    expect(4, [&](unsigned i) { return values_[2][i] << 5; });
    run(op::encode_sfpcast(1, 4, 2));
    expect(4, [&](unsigned i) {
      return values_[1][i] >> 31 != 0 ? 0U - values_[1][i] : values_[1][i];
    });
    run(op::encode_sfpcast(1, 4, 3));
    expect(4, [&](unsigned i) {
      const Word x = values_[1][i];
      return x >> 31 != 0 ? 0x80000000U | (0U - x) : x;
    });
  }
  set_all(0, bits(3.0F));
  set_all(1, bits(5.0F));
  set_all(2, bits(1.0F));
  const float kWanted[] = {16, -14, 14, -16};
  for (unsigned mod = 0; mod < 4; ++mod) {
    run(op::encode_sfpmad(0, 1, 2, 4, mod));
    run(op::encode_sfpnop());
    expect(4, [&](unsigned) { return bits(kWanted[mod]); });
  }
}

TEST_F(VectorBlackhole, SfppushcChangesTheTop) {
  run(op::encode_sfpencc(3, 0, 10));
  set(0, [](unsigned lane) { return lane; });
  set_all(1, 7);
  const auto above = [&] { run(op::encode_sfpgt(1, 0, 1)); };  // lanes 8 to 31
  const auto top = [&] {
    run(op::encode_sfppopc(0, 1));  // peeks
    return unit.enabled_lanes();
  };
  run(op::encode_sfppushc(0));
  above();
  run(op::encode_sfppushc(0) | 2);  // not B
  EXPECT_EQ(top(), 0x000000FFU);
  run(op::encode_sfppushc(0) | 13);  // flags inverted, also the current ones
  EXPECT_EQ(unit.enabled_lanes(), 0xFFFFFF00U);
  EXPECT_EQ(top(), 0xFFFFFF00U);
  run(op::encode_sfppushc(0) | 15);
  EXPECT_EQ(top(), 0U);
  run(op::encode_sfppushc(0) | 14);
  EXPECT_EQ(top(), ~0U);
}

// Wormhole faults here (vector_unit_test.cpp).
TEST_F(VectorBlackhole, InstructionsWaitForLateResults) {
  set_all(0, bits(2.0F));
  set_all(1, bits(3.0F));
  now += 4;
  const Cycle first = run(op::encode_sfpmul(0, 1, 9, 2, 0));
  EXPECT_EQ(run(op::encode_sfpmov(2, 3, 0)), first + 2);
  expect(3, [](unsigned) { return bits(6.0F); });
  const Cycle second = run(op::encode_sfpmul(0, 1, 9, 2, 0));
  EXPECT_EQ(run(op::encode_sfpmov(1, 3, 0)), second + 1) << "reads something else";
  const Cycle third = run(op::encode_sfpmul24(0, 1, 9, 2, 0));
  EXPECT_EQ(run(op::encode_sfpmad(0, 2, 9, 4, 0)), third + 2);
  EXPECT_TRUE(::tvp::test::faults(
      [&] {
        run(op::encode_sfpmul(0, 1, 9, 2, 0));
        run(op::encode_sfpiadd(0, 1, 2, 0));
      },
      {}, {"SFPIADD reads LReg2 in the cycle before the result"}))
      << "the silicon does not see this read";
}

class VectorWormhole : public VectorBench {};

TEST_F(VectorWormhole, HasNoInstructionsOfBlackhole) {
  for (const Word word : {op::encode_sfpgt(0, 1, 1), op::encode_sfple(0, 1, 1),
                          op::encode_sfparecip(0, 1, 2, 0), op::encode_sfpmul24(0, 1, 2, 3, 0)}) {
    EXPECT_TRUE(::tvp::test::faults([&] { run(word); }, {}, {"is an instruction of Blackhole"}));
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::test
