// Functions in the builds for AVX2, for AVX-512 and for all machines.

#include <memory>
#include <string>

#include "foundation/regs/tensix_disassembler.h"
#include "tests/unit/tensix/vector/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;
using tvp::tensix::coprocessor::RegisterFiles;
using tvp::tensix::coprocessor::VectorUnit;
using Build = VectorUnit::Build;
using math_reference::Random;

unsigned any_format(Random& random) { return random.below(4) == 0 ? 6 : 2; }

/// Products, also of constants, and with registers that LReg7 names.
std::uint32_t any_product(Random& random) {
  const auto source = [&random] { return random.below(12); };
  const unsigned vd = random.below(9);
  const unsigned mod = random.below(8) == 0 ? 4 * random.below(4) : 0;
  switch (random.below(5)) {
    case 0:
      return encode_sfpadd(source(), source(), source(), vd, mod);
    case 1:
      return encode_sfpmul(source(), source(), source(), vd, mod);
    case 2:
      return encode_sfpaddi(random.below(65536), vd, 0);
    case 3:
      return encode_sfpmuli(random.below(65536), vd, 0);
    default:
      return encode_sfpmad(source(), source(), source(), vd, mod);
  }
}

/// Frequent instructions in usual and rare forms.
std::uint32_t any_frequent(Random& random) {
  const auto source = [&random] { return random.below(random.below(4) == 0 ? 16 : 8); };
  const unsigned vd = random.below(9);  // includes a read-only register
  const unsigned address = 2 * random.below(16);
  switch (random.below(18)) {
    case 0:
      return encode_sfpload(vd, any_format(random), 0, address);
    case 1:
      return encode_sfpstore(source(), any_format(random), 0, address);
    case 2:
    case 3: {
      constexpr unsigned kModes[] = {0, 1, 2, 4, 8, 10};
      return encode_sfploadi(vd, kModes[random.below(6)], random.below(65536));
    }
    case 4:
      return encode_sfpmov(source(), vd, random.below(3));
    case 5:
    case 6:
    case 7:
      return any_product(random);
    case 8:
      return encode_sfpshft(random.below(4096), source(), vd, random.below(2));
    case 9:
      return encode_sfpiadd(random.below(4096), source(), vd, random.below(16));
    case 10:
      return encode_sfpsetcc(0, source(), 0, 2 * random.below(4));
    case 11:
    case 12:
      return encode_sfpswap(random.below(9), vd, random.below(10));
    case 13:
      return encode_sfpstochrnd(0, 0, 0, source(), vd, 0, random.below(2));
    case 14:
      return encode_sfpcompc(0);
    case 15:
      return encode_sfpencc(random.below(4), 0, 10);
    default:
      return encode_sfpencc(3, 0, 10);
  }
}

/// A datum of Dst: random bits, or a number at a limit (sign, mantissa, exponent).
std::uint16_t any_datum(Random& random) {
  const std::uint32_t bits = random.bits();
  constexpr std::uint32_t kExponents[] = {0, 1, 126, 127, 128, 254, 255};
  switch (random.below(4)) {
    case 0:
      return static_cast<std::uint16_t>(bits);
    case 1:
      return static_cast<std::uint16_t>((bits & 0xFF00) | kExponents[random.below(7)]);
    case 2:
      return static_cast<std::uint16_t>((bits & 0x8000) | kExponents[random.below(7)]);
    default:
      return static_cast<std::uint16_t>((bits & 0xFF00) | (124 + random.below(7)));
  }
}

class VectorBuilds : public VectorBench, public ::testing::WithParamInterface<Build> {
 protected:
  void fill_dst(bool may_be_undefined) {
    for (unsigned row = 0; row < 64; ++row) {
      const bool undefined = may_be_undefined && random.below(8) == 0;
      for (RegisterFiles* each : {registers.get(), others.get()}) {
        each->dst.define16(row);
        if (undefined) each->dst.undefine16(row);
      }
      for (unsigned column = 0; column < 16 && !undefined; ++column) {
        const std::uint16_t datum = any_datum(random);
        for (RegisterFiles* each : {registers.get(), others.get()})
          each->dst.write16(row, column, datum);
      }
    }
  }
  void execute_on_both(Word word) {
    Issue answer = tested->issue(word, 0, now);
    Issue expected = other->issue(word, 0, now);
    while (answer.kind == Issue::Kind::kRetryAt) {
      now = answer.retry;
      ASSERT_EQ(expected.kind, Issue::Kind::kRetryAt);
      answer = tested->issue(word, 0, now);
      expected = other->issue(word, 0, now);
    }
    ASSERT_EQ(answer.done, expected.done);
    now = answer.done;
    ASSERT_EQ(tested->enabled_lanes(), other->enabled_lanes()) << disassemble(word);
    for (unsigned index = 0; index < VectorUnit::kRegisters; ++index)
      ASSERT_EQ(tested->lreg(index), other->lreg(index)) << disassemble(word);
  }
  void expect_same_dst() {
    for (unsigned row = 0; row < 64; ++row) {
      ASSERT_EQ(registers->dst.storage(row), others->dst.storage(row)) << "row " << row;
      ASSERT_EQ(registers->dst.marked16(row), others->dst.marked16(row)) << "row " << row;
    }
  }
  void expect_same(bool undefined, unsigned lane_config) {
    // (SFPCONFIG leaves columns alone whose flag is clear.)
    ASSERT_NO_FATAL_FAILURE(execute_on_both(encode_sfpencc(3, 0, 10)));
    ASSERT_NO_FATAL_FAILURE(execute_on_both(encode_sfpconfig(lane_config, 15, 1)));
    for (unsigned i = 0; i < 100; ++i) {
      fill_dst(undefined);
      for (unsigned k = 0; k < 100; ++k)
        ASSERT_NO_FATAL_FAILURE(execute_on_both(any_frequent(random)));
      ASSERT_NO_FATAL_FAILURE(expect_same_dst());
    }
  }

  const std::unique_ptr<RegisterFiles> others = std::make_unique<RegisterFiles>();
  std::unique_ptr<VectorUnit> tested =
      VectorUnit::has(GetParam())
          ? std::make_unique<VectorUnit>("tested", *registers, config, faults, GetParam())
          : nullptr;
  std::unique_ptr<VectorUnit> other =
      std::make_unique<VectorUnit>("portable", *others, config, faults, Build::kPortable);
};

TEST_P(VectorBuilds, DoesWhatTheFunctionsForAllMachinesDo) {
  if (tested == nullptr) GTEST_SKIP() << "not a machine for these";
  expect_same(false, 0);
}
TEST_P(VectorBuilds, FollowsWhatIsUndefinedAsThoseDo) {
  if (tested == nullptr) GTEST_SKIP() << "not a machine for these";
  expect_same(true, 0);
}
TEST_P(VectorBuilds, LooksAtLaneConfigAsThoseDo) {
  if (tested == nullptr) GTEST_SKIP() << "not a machine for these";
  // Indices beside minima, captured by loads; no stores; no loads; odd columns; order; rows.
  for (const unsigned bits :
       {1U << 2, 3U << 2, 1U << 4, 1U << 5, 1U << 6, 1U << 7, 1U << 8, 3U << 12})
    expect_same(false, bits);
}

INSTANTIATE_TEST_SUITE_P(Each, VectorBuilds, ::testing::Values(Build::kAvx2, Build::kAvx512),
                         [](const auto& each) -> std::string {
                           return each.param == Build::kAvx2 ? "Avx2" : "Avx512";
                         });

}  // namespace
