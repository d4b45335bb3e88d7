// Random vector unit instructions in each build, compared one by one with the oracle.

#include "tests/unit/tensix/vector/vector_oracle.h"

#include <memory>

#include "foundation/regs/tensix_disassembler.h"
#include "tests/unit/tensix/vector/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;
using math_reference::Random;
using tvp::tensix::coprocessor::VectorUnit;
using vector_oracle::kColumns;
using vector_oracle::kLanes;
using vector_oracle::kRows;
using vector_oracle::Machine;
using Build = VectorUnit::Build;
using Word = std::uint32_t;

/// Generates instructions such that stack and mode stay within the pages' definitions.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {}

  Word next(std::size_t stack) {
    const Word any = random_.bits();
    const Word vd = random_.below(12) << 4;
    const Word fields = (any & 0xFFFF0F) | vd;
    const auto of = [](Opcode opcode, Word bits) { return word(opcode) | (bits & 0xFFFFFF); };
    const auto with_mode = [&](Word mode) { return (fields & ~15u) | mode; };
    using enum Opcode;
    constexpr Opcode kPlain[] = {
        kSfpand,   kSfpor,    kSfpxor,    kSfpnot,    kSfpabs,    kSfpshft,   kSfpiadd, kSfplz,
        kSfpexexp, kSfpexman, kSfpsetexp, kSfpsetman, kSfpsetsgn, kSfpdivp2,  kSfpcast, kSfpmov,
        kSfpmad,   kSfpadd,   kSfpmul,    kSfpaddi,   kSfpmuli,   kSfplutfp32};
    switch (random_.below(24)) {
      case 0:
      case 1:
        return of(kSfpload, (any & 0x3FF) | (any & 0xF0000) | random_.below(8) << 20);
      case 2:
      case 3:
        return of(kSfpstore, (any & 0x3FF) | (any & 0xF0000) | vd << 16);
      case 4: {
        constexpr Word kModes[] = {0, 1, 2, 4, 8, 10};
        return of(kSfploadi, (any & 0xFFFF) | kModes[random_.below(6)] << 16 | vd << 16);
      }
      case 5:
        return of(kSfplut, (any & 0xF0000) | vd << 16);
      case 6:
        return of(kSfpstochrnd, fields & 0x3FFFFF);
      case 7:
        return of(kSfpshft2, with_mode(random_.below(7)));
      case 8:
        return of(kSfpswap, with_mode(random_.below(10)) & 0xFFF);
      case 9:
        return of(kSfptransp, 0);
      case 10:
        return of(kSfpsetcc, fields & 0x1FFF);
      case 11:
        return of(kSfpencc, random_.below(3) == 0 ? fields & 0x300F : 0x300A);
      case 12:
        return random_.below(2) == 0 && stack < 7 ? of(kSfppushc, 0) : of(kSfpcompc, 0);
      case 13: {
        const Word mode = random_.below(16);
        return stack == 0 && mode == 0 ? of(kSfpencc, 0x300A) : of(kSfppopc, mode);
      }
      case 14:
        return configures(any);
      default:
        return of(kPlain[random_.below(std::size(kPlain))], fields);
    }
  }
  /// Numbers near 1, fields at their limits, random bits.
  std::uint16_t datum() {
    const Word any = random_.bits();
    constexpr Word kExponents[] = {0, 1, 31, 126, 127, 128, 254, 255};
    switch (random_.below(4)) {
      case 0:
        return static_cast<std::uint16_t>(any);
      case 1:
        return static_cast<std::uint16_t>((any & 0xFF00) | kExponents[random_.below(8)]);
      case 2:
        return static_cast<std::uint16_t>((any & 0x8000) | kExponents[random_.below(8)]);
      default:
        return static_cast<std::uint16_t>((any & 0xFF00) | (120 + random_.below(16)));
    }
  }
  Random& random() { return random_; }

 private:
  /// SFPCONFIG, mostly with the previous value, so that later results stay meaningful.
  Word configures(Word any) {
    if (random_.below(3) != 0) return encode_sfpconfig(0, 15, 1);
    const unsigned vd = random_.below(16);
    if (vd == 15) return encode_sfpconfig(1u << random_.below(16) & ~2u, 15, 1 | (any & 6));
    return encode_sfpconfig(any >> 8, vd, any & 15);
  }

  Random random_;
};

class VectorOracle : public VectorBench, public ::testing::WithParamInterface<Build> {};

TEST_P(VectorOracle, DoesWhatThePagesSay) {
  if (!VectorUnit::has(GetParam())) GTEST_SKIP() << "not a machine for these";
  Program program(31 + static_cast<unsigned>(GetParam()));
  VectorUnit tested{"tested", *registers, config, faults, GetParam()};
  const auto machine = std::make_unique<Machine>();
  tested.seed(0x2545F491);
  machine->seed(0x2545F491);
  for (unsigned row = 0; row < kRows; ++row) registers->dst.define(row);
  for (unsigned round = 0; round < 300; ++round) {
    for (unsigned row = 0; row < kRows; ++row) {
      for (unsigned column = 0; column < kColumns; ++column)
        registers->dst.storage(row)[column] = machine->dst[row][column] = program.datum();
    }
    for (unsigned i = 0; i < 300; ++i) {
      const Word word = program.next(machine->stack_size());
      now = tested.issue(word, 0, now + 2).done;
      machine->execute(word);
      for (unsigned index = 0; index < 16; ++index)
        ASSERT_EQ(tested.lreg(index), machine->lreg(index))
            << "LReg" << index << " after " << disassemble(word);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        ASSERT_EQ(tested.enabled_lanes() >> lane & 1, machine->enabled(lane) ? 1u : 0u)
            << "lane " << lane << " after " << disassemble(word);
    }
    for (unsigned row = 0; row < kRows; ++row)
      ASSERT_EQ(registers->dst.storage(row), machine->dst[row]) << "row " << row;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, VectorOracle,
                         ::testing::Values(Build::kPortable, Build::kAvx2, Build::kAvx512),
                         [](const auto& each) -> std::string {
                           return each.param == Build::kPortable ? "Portable"
                                  : each.param == Build::kAvx2   ? "Avx2"
                                                                 : "Avx512";
                         });

}  // namespace
