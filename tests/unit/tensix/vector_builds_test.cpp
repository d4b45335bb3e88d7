// Functions for this machine and for all.

#include <memory>

#include "models/regs/tensix_disassembler.h"
#include "tests/unit/tensix/vector_bench.h"

namespace {

using namespace tvp::regs::tensix;

/// The most frequent instructions, in usual forms and others.
std::uint32_t any_frequent(math_reference::Random& random) {
  const auto lreg = [&random] { return random.below(8); };
  const unsigned address = 2 * random.below(16);
  const unsigned format = random.below(4) == 0 ? 6 : 2;
  switch (random.below(13)) {
    case 0:
      return encode_sfpload(lreg(), format, 0, address);
    case 1:
      return encode_sfpstore(lreg(), format, 0, address);
    case 2: {
      constexpr unsigned kModes[] = {0, 1, 2, 4, 8, 10};
      return encode_sfploadi(lreg(), kModes[random.below(6)], random.below(65536));
    }
    case 3:
      return encode_sfpmov(lreg(), lreg(), random.below(3));
    case 4:
      return encode_sfpmad(lreg(), lreg(), lreg(), lreg(), 0);
    case 5:
      return encode_sfpaddi(random.below(65536), lreg(), 0);
    case 6:
      return encode_sfpmuli(random.below(65536), lreg(), 0);
    case 7:
      return encode_sfpshft(random.below(4096), lreg(), lreg(), random.below(2));
    case 8:
      return encode_sfpiadd(random.below(4096), lreg(), lreg(), random.below(16));
    case 9:
      return encode_sfpsetcc(0, lreg(), 0, 2 * random.below(4));
    case 10:
      return encode_sfpstochrnd(0, 0, 0, lreg(), lreg(), 0, random.below(2));
    default:
      return encode_sfpencc(3, 0, 10);
  }
}

class VectorBuilds : public VectorBench {};

TEST_F(VectorBuilds, DoesTheSameInFunctionsForThisMachineAndForAll) {
  using tvp::tensix::coprocessor::RegisterFiles;
  using tvp::tensix::coprocessor::VectorUnit;
  const auto others = std::make_unique<RegisterFiles>();
  VectorUnit other("portable", *others, config, faults, VectorUnit::Build::kPortable);
  for (unsigned i = 0; i < 200; ++i) {
    // Some rows are undefined, and so what is made of them; in other rounds none is.
    for (unsigned row = 0; row < 64; ++row) {
      const bool undefined = i % 2 == 1 && random.below(8) == 0;
      for (RegisterFiles* each : {registers.get(), others.get()}) {
        each->dst.define16(row);
        if (undefined) each->dst.undefine16(row);
      }
      for (unsigned column = 0; column < 16 && !undefined; ++column) {
        const auto datum = static_cast<std::uint16_t>(random.bits());
        for (RegisterFiles* each : {registers.get(), others.get()})
          each->dst.write16(row, column, datum);
      }
    }
    for (unsigned k = 0; k < 100; ++k) {
      const Word word = any_frequent(random);
      const Issue answer = unit.issue(word, 0, now);
      const Issue expected = other.issue(word, 0, now);
      ASSERT_EQ(answer.done, expected.done);
      now = answer.done;
      ASSERT_EQ(unit.enabled_lanes(), other.enabled_lanes()) << disassemble(word);
      for (unsigned index = 0; index < 8; ++index)
        ASSERT_EQ(unit.lreg(index), other.lreg(index)) << disassemble(word);
    }
    for (unsigned row = 0; row < 64; ++row) {
      ASSERT_EQ(registers->dst.storage(row), others->dst.storage(row)) << "row " << row;
      ASSERT_EQ(registers->dst.marked16(row), others->dst.marked16(row)) << "row " << row;
    }
  }
}

}  // namespace
