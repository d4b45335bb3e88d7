// Registers that a word of the source uses, and restrictions around it (ISA
// TensixCoprocessor/SFP*.md).
#include "sw/runtime/vectors/vector_code.h"

#include <gtest/gtest.h>

#include <set>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::runtime::vectors {
namespace {

namespace op = regs::tensix;
using Registers = std::set<int>;

struct Named {
  Registers read, written;
  bool operator==(const Named&) const = default;
  friend void PrintTo(const Named& named, std::ostream* out) {
    *out << "reads";
    for (const int reg : named.read) *out << " " << reg;
    *out << ", writes";
    for (const int reg : named.written) *out << " " << reg;
  }
};

Named named_by(Word word) {
  Named named;
  for (const Operand& operand : raw_operands(word)) {
    if (operand.role != Role::kDefine) named.read.insert(operand.fixed);
    if (operand.role != Role::kUse) named.written.insert(operand.fixed);
  }
  return named;
}

const Registers kAllOfThem = {0, 1, 2, 3, 4, 5, 6, 7};

TEST(RawWords, NameTheRegistersOfTheirPages) {
  for (Word to = 0; to < 8; ++to) {
    const Registers written = {static_cast<int>(to)};
    const auto expect = [&](Word word, const Registers& read) {
      EXPECT_EQ(named_by(word), (Named{read, written})) << std::hex << word;
    };
    const auto changes = [&](Word word, int from) { expect(word, {from, static_cast<int>(to)}); };
    expect(op::encode_sfpload(to, 4, 3, 0), {});
    expect(op::encode_sfploadi(to, 0, 1), {});
    expect(op::encode_sfploadi(to, 10, 1), written);  // half of it
    expect(op::encode_sfplut(to, 0), {0, 1, 2, 3});
    expect(op::encode_sfplutfp32(to, 0), kAllOfThem);
    expect(op::encode_sfpmuli(1, to, 0), written);
    expect(op::encode_sfpaddi(1, to, 0), written);
    expect(op::encode_sfpmad(2, 5, 7, to, 0), {2, 5, 7});
    expect(op::encode_sfpadd(10, 5, 7, to, 0), {5, 7});
    expect(op::encode_sfpmul(2, 5, 9, to, 0), {2, 5});
    expect(op::encode_sfpmov(6, to, 0), {6});
    expect(op::encode_sfpabs(6, to, 0), {6});
    changes(op::encode_sfpand(6, to), 6);
    changes(op::encode_sfpor(6, to), 6);
    changes(op::encode_sfpxor(6, to), 6);
    changes(op::encode_sfpiadd(0, 6, to, 4), 6);
    changes(op::encode_sfpshft(0, 6, to, 0), 6);
    EXPECT_EQ(named_by(op::encode_sfpstore(to, 4, 3, 0)), (Named{written, {}}));
    const Registers both = {3, static_cast<int>(to)};
    EXPECT_EQ(named_by(op::encode_sfpswap(3, to, 0)), (Named{both, both}));
  }
  EXPECT_EQ(named_by(op::encode_sfptransp(0)), (Named{kAllOfThem, kAllOfThem}));
  EXPECT_EQ(named_by(op::encode_sfpconfig(0, 11, 0)), (Named{{0}, {}}));
  EXPECT_EQ(named_by(op::encode_sfpnop()), Named{});
  EXPECT_EQ(named_by(op::encode_sfpencc(0, 0, 0)), Named{});
}

TEST(RawWords, HaveResultsThatComeLateOrFillTheUnit) {
  for (const Word late :
       {op::encode_sfpmad(0, 0, 0, 0, 0), op::encode_sfpadd(0, 0, 0, 0, 0),
        op::encode_sfpmul(0, 0, 0, 0, 0), op::encode_sfpaddi(0, 0, 0), op::encode_sfpmuli(0, 0, 0),
        op::encode_sfplut(0, 0), op::encode_sfplutfp32(0, 0)}) {
    EXPECT_TRUE(is_late(late)) << std::hex << late;
    EXPECT_FALSE(occupies(late)) << std::hex << late;
  }
  for (const Word filling : {op::encode_sfpswap(0, 0, 0), op::encode_sfpconfig(0, 11, 0),
                             op::encode_sfpshft2(0, 0, 0, 2), op::encode_sfpshft2(0, 0, 0, 4)}) {
    EXPECT_TRUE(occupies(filling)) << std::hex << filling;
    EXPECT_FALSE(is_late(filling)) << std::hex << filling;
  }
  for (const Word quick : {op::encode_sfpmov(0, 0, 0), op::encode_sfpload(0, 0, 0, 0),
                           op::encode_sfpshft2(0, 0, 0, 1), op::encode_sfpshft2(0, 0, 0, 5)}) {
    EXPECT_FALSE(occupies(quick)) << std::hex << quick;
    EXPECT_FALSE(is_late(quick)) << std::hex << quick;
  }
}

}  // namespace
}  // namespace tvp::runtime::vectors
