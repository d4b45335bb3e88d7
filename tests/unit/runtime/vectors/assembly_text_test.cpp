// How the reader parses the compiler's assembly.

#include "sw/runtime/vectors/assembly_text.h"

#include <gtest/gtest.h>

namespace tvp::runtime::vectors {
namespace {

using Operands = std::vector<std::string>;

TEST(AssemblyText, TakesLinesToPieces) {
  const AssemblyText text(
      "loop:\n"
      "\tlw\ta5, 0(sp)\t# a comment, with a comma\n"
      "# nothing\n"
      "\n"
      "\tret");
  ASSERT_EQ(text.lines().size(), 5U);
  EXPECT_EQ(text.lines()[0].label, "loop");
  EXPECT_EQ(text.lines()[0].mnemonic, "");
  EXPECT_EQ(text.lines()[1].mnemonic, "lw");
  EXPECT_EQ(text.lines()[1].operands, (Operands{"a5", "0(sp)"}));
  EXPECT_EQ(text.lines()[2].mnemonic, "");
  EXPECT_EQ(text.lines()[4].mnemonic, "ret");
}

// A quoted name may contain commas, comment marks, and escaped quotes.
TEST(AssemblyText, KeepsQuotedOperandsWhole) {
  const auto operands = [](const std::string& line) {
    return AssemblyText(line).lines().at(0).operands;
  };
  EXPECT_EQ(operands(R"(.string "a, b", 3)"), (Operands{R"("a, b")", "3"}));
  EXPECT_EQ(operands(R"(.string "a # b", 3)"), (Operands{R"("a # b")", "3"}));
  EXPECT_EQ(operands(R"(.string "a\", b", 3)"), (Operands{R"("a\", b")", "3"}));
  EXPECT_EQ(operands(R"(.string "\"", "a, b")"), (Operands{R"("\"")", R"("a, b")"}));
}

TEST(AssemblyText, FindsFunctionsTheirSourcesAndTables) {
  const AssemblyText text(
      "\t.file 1 \"dir/a \\\"b\\\".cpp\"\n"
      "\t.type\tf, @function\n"
      "f:\n"
      "\t.loc 1 42 3\n"
      "\tnop\n"
      "\t.size\tf, .-f\n"
      "\t.section\t.rodata\n"
      "\t.word\t.L4\n"
      "\t.section\t.debug_info\n"
      "\t.4byte\t.L5\n");
  ASSERT_EQ(text.functions().size(), 1U);
  EXPECT_EQ(text.functions()[0].name, "f");
  EXPECT_EQ(text.functions()[0].begin, 2U);
  EXPECT_EQ(text.functions()[0].end, 5U);
  EXPECT_EQ(text.source_of(4), "dir/a \"b\".cpp:42");
  EXPECT_EQ(text.addressed_labels(), Operands{".L4"});
}

// A .file without a number names the input for the symbol table, and is no source of .loc.
TEST(AssemblyText, FindsSourcesByTheirNumbers) {
  const AssemblyText text(
      "\t.file \"first.cpp\"\n"
      "\t.file 0 \"second.cpp\"\n"
      "\t.loc 0 7 1\n"
      "\tnop\n");
  EXPECT_EQ(text.source_of(3), "second.cpp:7");
}

TEST(AssemblyText, KnowsRegistersByBothNames) {
  EXPECT_EQ(AssemblyText::integer_register("zero"), 0);
  EXPECT_EQ(AssemblyText::integer_register("x31"), 31);
  EXPECT_EQ(AssemblyText::integer_register("a0"), 10);
  EXPECT_EQ(AssemblyText::integer_register("s11"), 27);
  EXPECT_EQ(AssemblyText::integer_register("t6"), 31);
  EXPECT_EQ(AssemblyText::integer_register("x32"), -1);
  EXPECT_EQ(AssemblyText::integer_register("label"), -1);
}

}  // namespace
}  // namespace tvp::runtime::vectors
