// Every row of the table of Tensix instructions: fields, encoder, text and name must match.
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "foundation/random.h"
#include "foundation/regs/instruction_form.h"
#include "foundation/regs/tensix_disassembler.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::regs::tensix {
namespace {

struct Argument {
  std::string name;
  MovedField field;
};

/// A row, and its encoder called with the values of its fields.
struct Row {
  std::string type;
  Opcode opcode;
  std::vector<std::pair<std::string, Constant>> constants;
  std::vector<Argument> arguments;
  Word (*encode)(const Word* values);

  Word match() const {
    Word bits = word(opcode);
    for (const auto& [name, constant] : constants) bits |= constant(constant.value);
    return bits;
  }
};

// clang-format off
// The encoder with as many arguments as the row has fields.
#define COUNT_F(Name, low, width) + 1  // NOLINT(bugprone-macro-parentheses): a term of a sum
#define COUNT_G(Name, ...) + 1  // NOLINT(bugprone-macro-parentheses): a term of a sum
#define COUNT_A(Name, low, width)
#define COUNT_C(Name, low, width, value)
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) \
  FORM(Type, encoder, Type __VA_OPT__(,) __VA_ARGS__)
#define FORM(Type, encoder, Base, ...)                                       \
  Word call_##encoder([[maybe_unused]] const Word* value) {                  \
    return [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {            \
      return encode_##encoder(value[kAt]...);                                \
    }(std::make_index_sequence<0 TVP_EACH(COUNT_, __VA_ARGS__)>());          \
  }
#include "foundation/regs/tensix_opcodes.def"

std::vector<Row> rows() {
  std::vector<Row> rows;
#define ADD_F(Name, low, width) rows.back().arguments.push_back({#Name, {{low, width}, {low, width}}});
#define ADD_G(Name, low, width, other_low, other_width) \
  rows.back().arguments.push_back({#Name, {{low, width}, {other_low, other_width}}});
#define ADD_A(Name, low, width)
#define ADD_C(Name, low, width, value) \
  rows.back().constants.push_back({#Name, Constant{{low, width}, value}});
#define INSTRUCTION(Type, encoder, MNEMONIC, opcode, ...) \
  FORM(Type, encoder, Type __VA_OPT__(,) __VA_ARGS__)
#define FORM(Type, encoder, Base, ...)                                       \
  rows.push_back({#Type, Opcode::k##Base, {}, {}, call_##encoder});          \
  TVP_EACH(ADD_, __VA_ARGS__)
#include "foundation/regs/tensix_opcodes.def"
  return rows;
}
// clang-format on

/// The parts of a text like "MVMUL AddrMod=1 DstRow=0x10".
struct Text {
  explicit Text(const std::string& line) {
    std::istringstream in(line);
    in >> mnemonic;
    for (std::string part; in >> part;) {
      const std::size_t equals = part.find('=');
      if (equals == std::string::npos) {
        rest = static_cast<Word>(std::stoul(part, nullptr, 0));
      } else {
        fields[part.substr(0, equals)] =
            static_cast<Word>(std::stoul(part.substr(equals + 1), nullptr, 0));
      }
    }
  }
  std::string mnemonic;
  std::map<std::string, Word> fields;
  Word rest = 0;
};

TEST(TensixTable, FieldsOfARowShareNoBitWithEachOtherOrTheOpcode) {
  for (const Row& row : rows()) {
    Word taken = 0xFF000000;
    std::set<std::string> names;
    const auto take = [&](const std::string& name, const Field& field) {
      EXPECT_GE(field.width, 1U) << row.type << " " << name;
      EXPECT_LE(field.low + field.width, 24U) << row.type << " " << name;
      EXPECT_EQ(taken & field(~Word{0}), 0U) << row.type << " " << name;
      EXPECT_TRUE(names.insert(name).second) << row.type << " has " << name << " twice";
      taken |= field(~Word{0});
    };
    for (const auto& [name, constant] : row.constants) {
      take(name, constant);
      EXPECT_LE(constant.value, constant.mask()) << row.type << " " << name;
    }
    unsigned above = 24;
    for (const Argument& argument : row.arguments) {
      take(argument.name, argument.field);
      EXPECT_LT(argument.field.low, above)
          << row.type << ": " << argument.name << " is not in the order from the high bits";
      above = argument.field.low;
    }
  }
}

TEST(TensixTable, EncodersPlaceEachArgumentInItsFieldAndCutIt) {
  foundation::Random random(1);
  for (const Row& row : rows()) {
    for (unsigned round = 0; round < 20; ++round) {
      std::vector<Word> values;
      Word expected = row.match();
      for (const Argument& argument : row.arguments) {
        values.push_back(static_cast<Word>(random.next()));
        expected |= argument.field(values.back());
      }
      ASSERT_EQ(row.encode(values.data()), expected) << row.type;
    }
  }
}

TEST(TensixTable, TheTextOfAWordMakesTheWordAgain) {
  foundation::Random random(2);
  for (const Row& row : rows()) {
    for (unsigned round = 0; round < 20; ++round) {
      std::vector<Word> values;
      for (const Argument& argument : row.arguments) {
        values.push_back(static_cast<Word>(random.next()) & argument.field.mask());
      }
      const Word instruction = row.encode(values.data());
      const Text text(disassemble(instruction));
      EXPECT_EQ(text.mnemonic, opcode_name(row.opcode));
      EXPECT_EQ(text.rest, 0U) << disassemble(instruction);
      Word again = word(row.opcode);
      std::size_t named = 0;
      const auto value_of = [&](const std::string& name) {
        const auto found = text.fields.find(name);
        if (found == text.fields.end()) return Word{0};
        ++named;
        return found->second;
      };
      for (const auto& [name, constant] : row.constants) again |= constant(value_of(name));
      for (const Argument& argument : row.arguments) {
        again |= argument.field(value_of(argument.name));
      }
      ASSERT_EQ(again, instruction) << disassemble(instruction);
      ASSERT_EQ(named, text.fields.size()) << disassemble(instruction);
    }
  }
}

TEST(TensixTable, FieldsOfBlackholeShareNoBitAndHaveTheirNamesInTheText) {
  for (const Row& row : rows()) {
    Word taken = 0xFF000000;
    for (const auto& [name, constant] : row.constants) taken |= constant(~Word{0});
    for (const Argument& argument : row.arguments) {
      const Word bits = argument.field.blackhole(~Word{0});
      EXPECT_EQ(taken & bits, 0U) << row.type << " " << argument.name;
      EXPECT_GE(argument.field.blackhole.width, argument.field.width) << row.type;
      taken |= bits;
      const Text text(
          disassemble(row.match() | argument.field.blackhole(1), Generation::kBlackhole));
      EXPECT_EQ(text.fields.at(argument.name), 1U) << row.type;
      EXPECT_EQ(text.rest, 0U) << row.type << " " << argument.name;
    }
  }
  // tt-llk, tt_llk_blackhole/common/inc/ckernel_ops.h
  EXPECT_EQ(disassemble(0x26018010, Generation::kBlackhole), "MVMUL AddrMod=6 DstRow=0x10");
  EXPECT_EQ(disassemble(0x7012E004, Generation::kBlackhole),
            "SFPLOAD Vd=1 Mod0=2 AddrMod=7 Imm10=4");
}

// Models execute one form; InstructionForm makes it of the words of each generation.
TEST(TensixTable, WordsOfEachGenerationBecomeTheSameForm) {
  const InstructionForm& wormhole = InstructionForm::of(Generation::kWormhole);
  const InstructionForm& blackhole = InstructionForm::of(Generation::kBlackhole);
  foundation::Random random(3);
  unsigned wider = 0;
  for (const Row& row : rows()) {
    for (unsigned round = 0; round < 50; ++round) {
      Word of_wormhole = row.match();
      Word of_blackhole = row.match();
      Word internal = row.match();
      for (const Argument& argument : row.arguments) {
        const Word value = static_cast<Word>(random.next());
        of_wormhole |= argument.field(value);
        of_blackhole |= argument.field.blackhole(value);
        internal |= argument.field.internal(value);
        wider += argument.field.is_wider() && argument.field.of(internal) > 3;
      }
      ASSERT_EQ(blackhole.internal(of_blackhole), internal) << row.type;
      ASSERT_EQ(blackhole.external(internal), of_blackhole) << row.type;
      ASSERT_EQ(disassemble(internal), disassemble(of_blackhole, Generation::kBlackhole));
      ASSERT_EQ(wormhole.internal(of_wormhole), of_wormhole) << row.type;
      ASSERT_EQ(wormhole.external(of_wormhole), of_wormhole) << row.type;
      ASSERT_EQ(disassemble(of_wormhole), disassemble(of_wormhole, Generation::kWormhole));
    }
  }
  EXPECT_GT(wider, 0U);
  // Wormhole ignores the bit that models use for the third bit of AddrMod.
  const Word ignored = Word{1} << MovedField::kHighBit;
  EXPECT_EQ(wormhole.internal(encode_mvmul(0, 0, 0, 1, 16) | ignored),
            encode_mvmul(0, 0, 0, 1, 16));
  // So does Blackhole, but not in MOVB2D, where it is BroadcastCol0.
  EXPECT_EQ(disassemble(blackhole.internal(0x26018010 | ignored)), "MVMUL AddrMod=6 DstRow=0x10");
  EXPECT_EQ(disassemble(blackhole.internal(0x13018010 | ignored)),
            "MOVB2D AddrMod=6 BroadcastCol0=1 DstRow=0x10");
}

TEST(TensixTable, TheTextTellsBitsThatBelongToNothing) {
  EXPECT_EQ(disassemble(encode_mvmul(0, 0, 0, 1, 16)), "MVMUL AddrMod=1 DstRow=0x10");
  EXPECT_EQ(disassemble(encode_nop()), "NOP");
  EXPECT_EQ(disassemble(encode_nop() | 0x1234), "NOP 0x1234");
  EXPECT_EQ(disassemble(encode_setdmareg_special(2, 15, 8, 3, 16)),
            "SETDMAREG Special=1 ResultSize=2 WhichPackers=0xf InputSource=8 InputHalfReg=3 "
            "ResultHalfReg=0x10");
  EXPECT_EQ(disassemble(word(Opcode::kUnpacrNop) | 6), "UNPACR_NOP 0x6") << "no form of it";
  EXPECT_EQ(disassemble(word(Opcode::kRareb) | 5), "RAREB 0x5") << "without a page";
  EXPECT_EQ(disassemble(0xFF000001), "opcode 0xff 0x1");
}

// An instruction word matches at most one form.
TEST(TensixTable, FormsOfAnOpcodeExcludeEachOther) {
  const std::vector<Row> all = rows();
  for (const Row& a : all) {
    for (const Row& b : all) {
      if (&a == &b || a.opcode != b.opcode) continue;
      bool differ = false;
      for (const auto& [name_a, of_a] : a.constants) {
        for (const auto& [name_b, of_b] : b.constants) {
          const Word common = of_a(~Word{0}) & of_b(~Word{0});
          differ = differ || ((of_a(of_a.value) ^ of_b(of_b.value)) & common) != 0;
        }
      }
      EXPECT_TRUE(differ) << a.type << " and " << b.type;
    }
  }
}

// The name of an ISA page starts a mnemonic; letters after a lower-case letter distinguish forms.
// RMWCIB.md describes four opcodes.
TEST(TensixTable, MnemonicsAreNamesOfPages) {
  const char* const kPages[] = {"ADDRCRXY",
                                "ADDRCRZW",
                                "ATCAS",
                                "ATGETM",
                                "ATINCGET",
                                "ATINCGETPTR",
                                "ATSWAP",
                                "BITWOPDMAREG",
                                "CLEARDVALID",
                                "CMPDMAREG",
                                "ELWADD",
                                "ELWMUL",
                                "GMPOOL",
                                "INCADCXY",
                                "INCADCZW",
                                "LOADIND",
                                "LOADREG",
                                "MOVA2D",
                                "MOVB2A",
                                "MOVB2D",
                                "MOVD2A",
                                "MOVD2B",
                                "MOVDBGA2D",
                                "MVMUL",
                                "PACR",
                                "PACR_SETREG",
                                "RDCFG",
                                "REG2FLOP_ADC",
                                "REG2FLOP_Configuration",
                                "REPLAY",
                                "RMWCIB",
                                "SEMWAIT",
                                "SETADC",
                                "SETADCXY",
                                "SETADCZW",
                                "SETC16",
                                "SETDMAREG_Special",
                                "SETDVALID",
                                "SFPADD",
                                "SFPADDI",
                                "SFPAND",
                                "SFPCAST",
                                "SFPCONFIG",
                                "SFPIADD",
                                "SFPLOAD",
                                "SFPLOADI",
                                "SFPLOADMACRO",
                                "SFPLUT",
                                "SFPLUTFP32",
                                "SFPLZ",
                                "SFPMAD",
                                "SFPMOV",
                                "SFPMUL",
                                "SFPMULI",
                                "SFPOR",
                                "SFPPOPC",
                                "SFPPUSHC",
                                "SFPSETEXP",
                                "SFPSETMAN",
                                "SFPSETSGN",
                                "SFPSHFT",
                                "SFPSHFT2",
                                "SFPSTOCHRND_FloatFloat",
                                "SFPSTOCHRND_FloatInt",
                                "SFPSTOCHRND_IntInt",
                                "SFPSTORE",
                                "SFPSWAP",
                                "SHIFTDMAREG",
                                "SHIFTXA",
                                "STALLWAIT",
                                "STOREIND_L1",
                                "STOREIND_MMIO",
                                "STOREIND_Src",
                                "STOREREG",
                                "UNPACR_NOP_OverlayClear",
                                "UNPACR_NOP_SETDVALID",
                                "UNPACR_NOP_SETREG",
                                "UNPACR_NOP_ZEROSRC",
                                "UNPACR_Regular",
                                "WRCFG",
                                "ZEROACC",
                                "ZEROSRC"};
  std::set<std::string> mnemonics;
  for (const Row& row : rows()) mnemonics.insert(opcode_name(row.opcode));
  for (const std::string page : kPages) {
    bool found = false;
    for (const std::string& mnemonic : mnemonics) {
      const std::string tail = page.substr(std::min(page.size(), mnemonic.size()));
      found = found || (page.starts_with(mnemonic) && (tail.empty() || tail[0] == '_')) ||
              (mnemonic.starts_with(page) && mnemonic.size() == page.size() + 1 &&
               std::isdigit(static_cast<unsigned char>(mnemonic.back())) != 0);
    }
    EXPECT_TRUE(found) << page;
  }
}

}  // namespace
}  // namespace tvp::regs::tensix
