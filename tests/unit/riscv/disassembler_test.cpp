// The disassembler compared with objdump of the cross binutils.
#include "models/riscv/decode/disassembler.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "foundation/process.h"
#include "models/riscv/decode/decoder.h"
#include "tests/unit/riscv/assembler.h"

namespace tvp::riscv::disassembler_test {
namespace {

constexpr const char* kObjdump = "riscv64-unknown-elf-objdump";

/// Texts of objdump for `words` at address 0, with one space after the mnemonic.
std::vector<std::string> objdump(const std::vector<std::uint32_t>& words) {
  const std::string path = ::testing::TempDir() + "disassembler_test_words.bin";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
  const auto objdump = foundation::Process::run(
      {.command = {kObjdump, "-D", "-b", "binary", "-m", "riscv:rv32", "-M", "no-aliases", path}});
  EXPECT_EQ(objdump.exit_code(), 0) << objdump.said();
  std::vector<std::string> texts;
  std::istringstream lines(objdump.said());
  for (std::string s; std::getline(lines, s);) {
    // "   0:\t00150513          \taddi\ta0,a0,1"
    const auto colon = s.find(":\t");
    const auto tab = colon == std::string::npos ? colon : s.find('\t', colon + 2);
    if (tab == std::string::npos) continue;
    std::string text = s.substr(tab + 1);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    if (const auto note = text.find(" #"); note != std::string::npos) text.resize(note);
    if (const auto gap = text.find('\t'); gap != std::string::npos) text[gap] = ' ';
    texts.push_back(text);
  }
  std::remove(path.c_str());
  return texts;
}

TEST(Disassembler, AgreesWithObjdump) {
  constexpr std::uint32_t kOpcodes[] = {0x37, 0x17, 0x6F, 0x67, 0x63, 0x03,
                                        0x23, 0x13, 0x33, 0x33, 0x2F};
  constexpr std::uint32_t kFunct7[] = {0, 1, 4, 5, 0x10, 0x14, 0x20, 0x30, 0x34};
  std::mt19937 random(1);
  std::vector<std::uint32_t> words;
  while (words.size() < 20000) {
    std::uint32_t w = static_cast<std::uint32_t>(random());
    const std::uint32_t opcode = kOpcodes[random() % 11];
    w = (w & ~0x7FU) | opcode;
    const bool shift = opcode == 0x13 && (w >> 12 & 3) == 1;
    if (opcode == 0x33 || shift) {
      w = (w & 0x01FFFFFFU) | kFunct7[random() % 9] << 25;
    }
    // Compares words that the core executes only, since objdump supports more extensions. It lacks
    // Zba and Zbb without an ELF that names them.
    const auto code = static_cast<Code>(decode(w, 0).code);
    if (code != Code::kInvalid && !is_bit_manipulation(code)) words.push_back(w);
  }
  for (std::uint32_t fence = 0; fence < 256; ++fence) words.push_back(fence << 20 | 0x0F);
  words.push_back(0x8330000F);
  words.push_back(assembler::ecall());
  words.push_back(assembler::ebreak());
  const std::vector<std::string> expected = objdump(words);
  ASSERT_EQ(expected.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    ASSERT_EQ(disassemble(words[i], static_cast<std::uint32_t>(4 * i)), expected[i])
        << std::hex << words[i] << " at " << 4 * i;
  }
}

// Words of the cross assembler.
TEST(Disassembler, BitManipulation) {
  constexpr std::pair<std::uint32_t, const char*> kWords[] = {
      {0x60049513, "clz a0,s1"},       {0x60149513, "ctz a0,s1"},
      {0x60249513, "cpop a0,s1"},      {0x60449513, "sext.b a0,s1"},
      {0x60549513, "sext.h a0,s1"},    {0x0804C533, "zext.h a0,s1"},
      {0x2874D513, "orc.b a0,s1"},     {0x6984D513, "rev8 a0,s1"},
      {0x21F4A533, "sh1add a0,s1,t6"}, {0x21F4C533, "sh2add a0,s1,t6"},
      {0x21F4E533, "sh3add a0,s1,t6"}, {0x41F4F533, "andn a0,s1,t6"},
      {0x41F4E533, "orn a0,s1,t6"},    {0x41F4C533, "xnor a0,s1,t6"},
      {0x0BF4E533, "max a0,s1,t6"},    {0x0BF4F533, "maxu a0,s1,t6"},
      {0x0BF4C533, "min a0,s1,t6"},    {0x0BF4D533, "minu a0,s1,t6"},
      {0x61F49533, "rol a0,s1,t6"},    {0x61F4D533, "ror a0,s1,t6"},
      {0x61D4D513, "rori a0,s1,0x1d"},
  };
  for (const auto& [word, text] : kWords) EXPECT_EQ(disassemble(word, 0), text);
}

// Words that the base instruction set leaves undefined must not be decoded.
TEST(Disassembler, InvalidWords) {
  for (std::uint32_t w :
       {0x00000000U, 0xFFFFFFFFU, 0x00002063U, 0x00003063U, 0x00003003U, 0x00006003U, 0x00007003U,
        0x00003023U, 0x00001067U, 0x02001013U, 0x40001013U, 0x42005013U, 0x40001033U, 0x04000033U,
        0x00100F73U, 0x30200073U, 0x0000100FU, 0x00000057U}) {
    char text[32];
    std::snprintf(text, sizeof text, ".word 0x%08x", w);
    EXPECT_EQ(disassemble(w, 0), text);
  }
}

// ISA PushTensixInstruction.md: the operand is the word rotated right by two.
TEST(Disassembler, Ttinsn) {
  EXPECT_EQ(disassemble(0x00000004, 0), ".ttinsn 0x00000001  # opcode 0x0 0x1");
  EXPECT_EQ(disassemble(0x8000000E, 0), ".ttinsn 0xa0000003  # ATGETM Index=3");
  EXPECT_EQ(disassemble(assembler::ttinsn(0x26018010), 0),
            ".ttinsn 0x26018010  # MVMUL AddrMod=3 DstRow=0x10");
  EXPECT_EQ(disassemble(assembler::ttinsn(0x26018010), 0, Generation::kBlackhole),
            ".ttinsn 0x26018010  # MVMUL AddrMod=6 DstRow=0x10");
}

}  // namespace
}  // namespace tvp::riscv::disassembler_test
