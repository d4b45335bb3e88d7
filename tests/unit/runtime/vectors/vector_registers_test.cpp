// The assignment of vector registers (sw/runtime/vectors). Random programs in the compiler's style
// must store the same before and after it. Impossible programs are refused.

#include "sw/runtime/vectors/vector_registers.h"

#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "foundation/regs/tensix_opcodes.h"
#include "tests/unit/runtime/vectors/vector_writer.h"

namespace tvp::runtime::vectors {
namespace {

namespace op = regs::tensix;
using test::expect_same;
using test::raw;
using test::refusal;
using test::Word;
using test::Writer;

TEST(VectorRegisters, StraightCodeWithUpToEightAlive) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Writer writer(seed, 1 + seed % 8);
    for (int i = 0; i < 60; ++i) writer.step();
    expect_same(writer.finished(), seed);
  }
}

TEST(VectorRegisters, NumbersWhoseProductsAndSumsBecomeOneInstruction) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Writer writer(seed, 2 + seed % 6);
    while (writer.has_room()) writer.load_number();
    writer.store(0, true);
    for (int i = 0; i < 14 && writer.alive() > 0; ++i) writer.change_number(writer.any());
    expect_same(writer.finished(), seed);
  }
}

TEST(VectorRegisters, LoopsCarryTheirVariables) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Writer writer(seed, 6);
    const std::size_t carried = 1 + seed % 4;
    for (std::size_t i = 0; i < carried; ++i) writer.load();
    writer.line("li\tt0," + std::to_string(1 + seed % 5));
    writer.label(".L2");
    for (int i = 0; i < 15; ++i) {
      // Variables stay in place; other loads are stored or dropped again.
      if (writer.alive() < 6 && writer.draw(3) == 0) {
        writer.load();
        writer.change(writer.alive() - 1);
        writer.change(writer.draw(carried));
        if (writer.draw(2) == 0) writer.store(writer.alive() - 1, false);
        writer.drop(writer.alive() - 1);
      } else {
        writer.change(writer.draw(carried));
      }
    }
    if (carried > 1 && writer.draw(2) == 0) {  // two exchange places
      writer.line("mv\tt6," + writer.at(0));
      writer.line("mv\t" + writer.at(0) + "," + writer.at(1));
      writer.line("mv\t" + writer.at(1) + ",t6");
    }
    writer.store(writer.draw(carried), false);
    writer.line("addi\tt0,t0,-1");
    writer.line("bnez\tt0,.L2");
    expect_same(writer.finished(), seed);
  }
}

// Late results reach into the next instruction: the first one of a block, and of the next block.
TEST(VectorRegisters, LoopsOfNumbersWaitForTheirSums) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Writer writer(seed, 4);
    for (unsigned i = 0; i < 1 + seed % 3; ++i) writer.load_number();
    writer.line("li\tt0,2");
    writer.label(".L2");
    for (int i = 0; i < 3; ++i) writer.change_number(writer.any());
    if (writer.draw(2) == 0) writer.store(writer.any(), false);
    writer.line("addi\tt0,t0,-1");
    writer.line("bnez\tt0,.L2");
    expect_same(writer.finished(), seed);
  }
}

// The caller's first instruction may read any register and use any sub-unit.
TEST(VectorRegisters, FunctionsEndWithWhatTheyMadeLate) {
  const std::string nop = raw(op::encode_sfpnop()).substr(6);
  const auto ends_with_nop = [&](Word word, const std::string& fields) {
    Writer writer(1, 8);
    const std::string value = writer.take();
    writer.line("sfpi.get\t0," + value);
    writer.issue(word, fields);
    writer.line("sfpi.set\t0," + value);
    writer.drop(0);
    const std::string text = assign_vector_registers(writer.finished());
    std::istringstream lines(text);
    std::string line, last_word;
    while (std::getline(lines, line))
      if (line.find(".word\t") != std::string::npos) last_word = line.substr(line.rfind('\t') + 1);
    return std::stoul(last_word, nullptr, 0) == std::stoul(nop);
  };
  const std::string one = Writer(1, 8).take();
  EXPECT_TRUE(ends_with_nop(op::encode_sfpadd(10, 0, 0, 0, 0),
                            ",d4=" + one + ",s12=" + one + ",s8=" + one));
  EXPECT_FALSE(ends_with_nop(op::encode_sfpmov(0, 0, 1), ",d4=" + one + ",s8=" + one));
}

TEST(VectorRegisters, BranchesOfTheCoreMeetAgain) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Writer writer(seed, 7);
    for (std::size_t i = 0; i < 3 + seed % 4; ++i) writer.load();
    for (unsigned branch = 0; branch < 3; ++branch) {
      const std::string number = std::to_string(branch);
      writer.line("li\tt0," + std::to_string(writer.draw(2)));
      writer.line("beqz\tt0,.Lelse" + number);
      for (int i = 0; i < 5; ++i) writer.change(writer.any());
      writer.line("j\t.Lend" + number);
      writer.label(".Lelse" + number);
      for (int i = 0; i < 5; ++i) writer.change(writer.any());
      if (writer.draw(2) == 0) {
        const std::string one = writer.at(0), other = writer.at(1);
        writer.line("mv\t" + one + "," + other);
      }
      writer.label(".Lend" + number);
      for (int i = 0; i < 5; ++i) writer.change(writer.any());
    }
    expect_same(writer.finished(), seed);
  }
}

TEST(VectorRegisters, LanesThatAreNotEnabledKeepTheirValues) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Writer writer(seed, 6);
    for (std::size_t i = 0; i < 2 + seed % 3; ++i) writer.load();
    for (int i = 0; i < 6; ++i) {
      writer.predicated(static_cast<int>(seed % 3));
      writer.change(writer.any());
    }
    expect_same(writer.finished(), seed);
  }
}

TEST(VectorRegisters, ConstantsAreLoadedAgainWhereRegistersRunOut) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Writer writer(seed, 16);
    std::vector<std::string> constants;
    for (unsigned i = 0; i < 5; ++i) {
      constants.push_back(writer.take());
      writer.issue(op::encode_sfploadi(0, 2, 1000 + 77 * i + seed), ",d20=" + constants.back());
    }
    for (int i = 0; i < 6; ++i) writer.load();  // with the constants, eleven are alive
    for (int i = 0; i < 20; ++i) {
      const std::string& to = writer.at(5 + writer.draw(6));
      writer.issue(op::encode_sfpxor(0, 0),
                   ",m4=" + to + ",s8=" + constants[writer.draw(constants.size())]);
    }
    for (int i = 0; i < 6; ++i) writer.store(5, true);
    expect_same(writer.finished(), seed);
  }
}

TEST(VectorRegisters, WordsOfTheSourceItselfStayAndFindTheirRegisters) {
  for (unsigned in = 0; in < 8; ++in) {
    for (unsigned out = 0; out < 8; ++out) {
      Writer writer(1, 8);
      writer.line(raw(op::encode_sfploadi(in, 0, 0x4000)));
      const std::string from = writer.take();
      writer.line("sfpi.get\t" + std::to_string(in) + "," + from);
      const std::string sum = writer.take();
      writer.issue(op::encode_sfpadd(10, 0, 0, 0, 0),
                   ",d4=" + sum + ",s12=" + from + ",s8=" + from);
      writer.line("sfpi.set\t" + std::to_string(out) + "," + sum);
      // The next instruction reads the sum at once; the one after it does not.
      writer.line(raw(op::encode_sfpstore(out, 4, 3, 7)));
      writer.load();
      expect_same(writer.finished(), 8 * in + out);
    }
  }
}

/// A word that reads and writes LRegs of the source's choice, and the LReg that it writes.
std::pair<Word, unsigned> any_raw(Writer& writer) {
  const auto reg = [&] { return static_cast<Word>(writer.draw(8)); };
  const Word to = reg();
  switch (writer.draw(12)) {
    case 0:
      return {op::encode_sfplut(to, 0), to};
    case 1:
      return {op::encode_sfplutfp32(to, 0), to};
    case 2:
      return {op::encode_sfpmad(reg(), reg(), reg(), to, 0), to};
    case 3:
      return {op::encode_sfpadd(10, reg(), reg(), to, 0), to};
    case 4:
      return {op::encode_sfpmul(reg(), reg(), 9, to, 0), to};
    case 5:
      return {op::encode_sfpmuli(writer.draw(65536), to, 0), to};
    case 6:
      return {op::encode_sfpaddi(writer.draw(65536), to, 0), to};
    case 7:
      return {op::encode_sfpiadd(0, reg(), to, 4), to};
    case 8:
      return {op::encode_sfpshft(0, reg(), to, 0), to};
    case 9:
      return {op::encode_sfpxor(reg(), to), to};
    case 10:
      return {op::encode_sfpmov(reg(), to, 0), to};
    default:
      return {op::encode_sfploadi(to, 10, writer.draw(65536)), to};
  }
}

// Two words of the source load a register's halves, so its old value is not needed, even around a
// loop. All eight registers are free in the rest of the loop.
TEST(VectorRegisters, HalvesThatTheSourceItselfLoadsReplaceTheWholeRegister) {
  for (const unsigned first : {8U, 10U}) {
    Writer writer(1, 8);
    writer.line("li\tt0,3");
    writer.label(".L2");
    writer.line(raw(op::encode_sfploadi(5, first, 0x1234)));
    writer.line(raw(op::encode_sfploadi(5, 18 - first, 0x4321)));
    writer.line(raw(op::encode_sfpstore(5, 4, 3, 7)));
    for (int i = 0; i < 8; ++i) writer.load();
    while (writer.alive() > 0) writer.store(0, true);
    writer.line("addi\tt0,t0,-1");
    writer.line("bnez\tt0,.L2");
    expect_same(writer.finished(), first);
  }
  // One half alone keeps the other half.
  Writer writer(1, 8);
  writer.line("li\tt0,3");
  writer.label(".L2");
  writer.line(raw(op::encode_sfploadi(5, 8, 0x1234)));
  writer.line(raw(op::encode_sfpstore(5, 4, 3, 7)));
  for (int i = 0; i < 8; ++i) writer.load();
  while (writer.alive() > 0) writer.store(0, true);
  writer.line("addi\tt0,t0,-1");
  writer.line("bnez\tt0,.L2");
  EXPECT_THROW(assign_vector_registers(writer.finished() + "\t.word\twork\n"), VectorError);
}

// A word of the source finds its operand even if another value takes the register later.
TEST(VectorRegisters, WordsOfTheSourceItselfFindWhatTheyRead) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Writer writer(seed, 8);
    const auto fill = [&](unsigned reg) {
      writer.line("sfpi.set\t" + std::to_string(reg) + "," + writer.at(0));
    };
    const auto set = [&](unsigned reg) {
      writer.load();
      fill(reg);
      writer.drop(0);
    };
    if (seed % 2 == 0) {
      for (unsigned reg = 0; reg < 8; ++reg) set(reg);
    } else {  // all with the same, which has only one place of its own
      writer.load();
      for (unsigned reg = 0; reg < 8; ++reg) fill(reg);
      writer.drop(0);
    }
    const auto [word, to] = any_raw(writer);
    writer.line(raw(word));
    for (unsigned reg = 0; reg < 8; ++reg)
      if (reg != to) set(reg);
    for (unsigned reg = 0; reg < 8; ++reg) writer.line(raw(op::encode_sfpstore(reg, 4, 3, reg)));
    expect_same(writer.finished(), seed);
  }
}

TEST(VectorRegisters, CallsStay) {
  const auto function = [](const std::string& name, const std::string& call) {
    return "\t.type\t" + name + ", @function\n" + name + ":\n" + call + "\tsfpi.issue\t" +
           std::to_string(op::encode_sfpload(0, 4, 3, 0)) + ",d20=a0\n\tsfpi.issue\t" +
           std::to_string(op::encode_sfpstore(0, 4, 3, 0)) + ",s20=a0\n\tret\n\t.size\t" + name +
           ", .-" + name + "\n";
  };
  const std::string text = function("other", "") + function("work", "\tcall\tother\n");
  EXPECT_NE(assign_vector_registers(text).find("\tcall\tother\n"), std::string::npos);
}

// While all lanes are enabled, an assignment replaces the old value, which needs no register until
// then. Eight other vectors must fit.
TEST(VectorRegisters, AssignmentsOfAllLanesForgetWhatWasThere) {
  Writer writer(3, 20);
  writer.load();
  for (int i = 0; i < 8; ++i) writer.load();
  const auto change = [&](std::size_t to, std::size_t from) {
    writer.issue(op::encode_sfpxor(0, 0), ",m4=" + writer.at(to) + ",s8=" + writer.at(from));
  };
  for (std::size_t i = 1; i < 8; ++i) change(i, i + 1);
  writer.drop(8);
  writer.line("sfpi.assign\t" + writer.at(0) + "," + writer.at(1));
  change(1, 2);
  expect_same(writer.finished(), 3);
}

// A condition's value for a variable is computed in the variable's register; seven other values
// take all the rest.
TEST(VectorRegisters, ValuesOfVariablesAreMadeInTheirRegisters) {
  Writer writer(4, 20);
  for (int i = 0; i < 8; ++i) writer.load();
  writer.issue(op::encode_sfppushc(0), "");
  writer.issue(op::encode_sfpsetcc(0, 0, 0, 0), ",s8=" + writer.at(3));
  writer.load();
  writer.issue(op::encode_sfpxor(0, 0), ",m4=" + writer.at(8) + ",s8=" + writer.at(5));
  writer.line("sfpi.assign\t" + writer.at(0) + "," + writer.at(8));
  writer.drop(8);
  writer.issue(op::encode_sfppopc(0, 0), "");
  expect_same(writer.finished(), 4);
}

TEST(VectorRegisters, MoreThanEightAliveAreRefusedWithTheirNumberAndLine) {
  for (std::size_t alive = 7; alive <= 12; ++alive) {
    Writer writer(1, 20);
    for (std::size_t i = 0; i < alive; ++i) {
      writer.line(".loc 1 " + std::to_string(10 + i) + " 3");
      writer.load();
    }
    // Sums of each value with the next, none of which can be loaded later.
    writer.line(".loc 1 40 3");
    for (std::size_t i = 0; i < alive; ++i)
      writer.issue(op::encode_sfpxor(0, 0),
                   ",m4=" + writer.at(i) + ",s8=" + writer.at((i + 1) % alive));
    const std::string text = refusal(writer.finished() + "\t.word\twork\n");
    if (alive <= 8) {
      EXPECT_EQ(text, "") << alive;
    } else {
      EXPECT_NE(text.find(std::to_string(alive) + " vectors are needed at the same time"),
                std::string::npos)
          << text;
      EXPECT_TRUE(text.starts_with("kernel.cpp:")) << text;
    }
  }
}

TEST(VectorRegisters, VectorsThatCannotBeFollowedAreRefused) {
  const std::string head = "\t.type\twork, @function\nwork:\n\tsfpi.issue\t" +
                           std::to_string(op::encode_sfpload(0, 4, 3, 0)) + ",d20=a0\n";
  const std::string tail = "\tsfpi.issue\t" + std::to_string(op::encode_sfpstore(0, 4, 3, 0)) +
                           ",s20=a1\n\tret\n\t.size\twork, .-work\n\t.word\twork\n";
  const char* const kCannot = "a vector comes from memory, goes there, or passes a call";
  // Loads from memory outside the stack, results of arithmetic, values across calls.
  EXPECT_NE(refusal(head + "\tlw\ta1,0(a5)\n" + tail).find(kCannot), std::string::npos);
  EXPECT_NE(refusal(head + "\taddi\ta1,a0,1\n" + tail).find(kCannot), std::string::npos);
  EXPECT_NE(refusal(head + "\tmv\ta1,a0\n\tcall\tother\n" + tail).find(kCannot), std::string::npos);
  EXPECT_NE(
      refusal(head + "\tsfpi.turn\ta1,a0\n" + tail).find("unknown vector operation sfpi.turn"),
      std::string::npos);
  EXPECT_EQ(refusal(head + "\tmv\ta1,a0\n" + tail), "");
}

TEST(VectorRegisters, ArithmeticOnAVectorIsRefusedInEveryRegister) {
  for (const char* name :
       {"ra", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a7", "s11", "t6"}) {
    const std::string reg = name;
    const auto text = [&](const std::string& between) {
      return "\t.type\twork, @function\nwork:\n\tsfpi.issue\t" +
             std::to_string(op::encode_sfpload(0, 4, 3, 0)) + ",d20=" + reg + "\n" + between +
             "\tsfpi.issue\t" + std::to_string(op::encode_sfpstore(0, 4, 3, 0)) + ",s20=" + reg +
             "\n\tret\n\t.size\twork, .-work\n\t.word\twork\n";
    };
    EXPECT_EQ(refusal(text("")), "") << reg;
    EXPECT_NE(refusal(text("\taddi\t" + reg + "," + reg + ",1\n")), "") << reg;
  }
}

TEST(VectorRegisters, ACompilersOwnCopyThatNobodyCallsIsTakenOut) {
  Writer writer(2, 20);
  for (int i = 0; i < 10; ++i) writer.load();
  for (std::size_t i = 0; i < 10; ++i)
    writer.issue(op::encode_sfpxor(0, 0), ",m4=" + writer.at(i) + ",s8=" + writer.at((i + 1) % 10));
  const std::string text = writer.finished();
  EXPECT_NE(assign_vector_registers(text).find("ebreak"), std::string::npos);
  EXPECT_NE(refusal(text + "\t.word\twork\n"), "");
}

}  // namespace
}  // namespace tvp::runtime::vectors
