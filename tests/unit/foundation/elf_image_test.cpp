#include "foundation/elf_image.h"

#include <elf.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "foundation/fault.h"
#include "foundation/read_file.h"
#include "tests/support/fault_of.h"
#include "tests/unit/foundation/elf_program.h"

namespace tvp::foundation {
namespace {

class Elf : public ElfProgram {
 protected:
  static std::string reason(const std::string& file) {
    return tvp::test::fault_of([&] { ElfImage::from_file(file); }, FaultKind::kDescription,
                               "accepted");
  }
  static std::vector<std::uint8_t> program() {
    const std::string text = read_file(path("program.elf"));
    return {text.begin(), text.end()};
  }
  static std::string reason(const std::vector<std::uint8_t>& bytes) {
    return tvp::test::fault_of([&] { ElfImage::from_memory(bytes, "x"); }, FaultKind::kDescription,
                               "accepted");
  }
  static std::size_t first_load(const std::vector<std::uint8_t>& bytes) {
    Elf32_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
      Elf32_Phdr program;
      std::memcpy(&program, bytes.data() + header.e_phoff + i * sizeof program, sizeof program);
      if (program.p_type == PT_LOAD) return i;
    }
    return 0;
  }
  template <typename T>
  static void put(std::vector<std::uint8_t>& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
};

TEST_F(Elf, SegmentsEntryAndSymbols) {
  const ElfImage image = ElfImage::from_file(path("program.elf"));
  EXPECT_EQ(image.entry(), 0x1000U);
  ASSERT_EQ(image.segments().size(), 2U);
  const ElfImage::Segment& code = image.segments()[0];
  EXPECT_EQ(code.address, 0x1000U);
  EXPECT_TRUE(code.executable);
  EXPECT_EQ(code.data.size(), code.memory_bytes);
  const ElfImage::Segment& data = image.segments()[1];
  EXPECT_EQ(data.address, 0xFFB00000U);
  EXPECT_EQ(data.load_address, 0x8000U);
  const auto counter = image.address_of("counter");
  ASSERT_TRUE(counter.has_value());
  const std::uint8_t* at = data.data.data() + (*counter - data.address);
  EXPECT_EQ(at[0] | at[1] << 8 | at[2] << 16 | at[3] << 24, 0x11223344);
  EXPECT_EQ(data.memory_bytes, data.data.size() + 64);

  EXPECT_EQ(image.address_of("_start"), 0x1000U);
  EXPECT_EQ(image.symbol("_start"), 0x1000U);
  EXPECT_FALSE(image.address_of("nothing").has_value());
  const auto twice = image.address_of("twice");
  ASSERT_TRUE(twice.has_value());
  ASSERT_NE(image.function_at(*twice + 4), nullptr);
  EXPECT_EQ(image.function_at(*twice + 4)->name, "twice");
  EXPECT_EQ(image.function_at(0x500), nullptr);
  EXPECT_EQ(image.function_at(*counter), nullptr);
}

TEST_F(Elf, SectionsAndNotes) {
  const ElfImage image = ElfImage::from_file(path("program.elf"));
  std::vector<std::string> in_memory;
  for (const auto& section : image.sections()) {
    if (section.allocated) in_memory.push_back(section.name);
  }
  EXPECT_EQ(in_memory, (std::vector<std::string>{".text", ".data", ".bss"}));
  EXPECT_EQ(image.notes(".tvp_notes"), (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(image.notes(".nowhere").empty());
}

TEST_F(Elf, CodeOverlapsWhereInstructionsShareAnAddress) {
  const ElfImage image = ElfImage::from_file(path("program.elf"));
  EXPECT_TRUE(image.code_overlaps(image));
  compile("-nostdlib -nostartfiles -Wl,--no-warn-rwx-segments -Wl,-Ttext=0x3000", "moved.elf");
  const ElfImage moved = ElfImage::from_file(path("moved.elf"));
  EXPECT_FALSE(image.code_overlaps(moved));
  EXPECT_FALSE(moved.code_overlaps(image));
}

TEST_F(Elf, GlobalSymbolsGoBeforeLocalOnesOfTheSameName) {
  std::ofstream(path("program.S")) << ".text\nlower: nop\n.data\n.globl upper\nupper: .word 0\n";
  build("-nostdlib -Wl,-Ttext=0x1000,-Tdata=0x2000,--defsym=_start=0x1000", "symbols.elf",
        "program.S");
  const ElfImage image = ElfImage::from_file(path("symbols.elf"));
  EXPECT_EQ(image.address_of("lower"), 0x1000U);
  EXPECT_EQ(image.address_of("upper"), 0x2000U);
  for (const auto& symbol : image.symbols()) {
    if (symbol.name == "lower" || symbol.name == "upper") {
      EXPECT_EQ(symbol.local, symbol.name == "lower");
    }
  }
}

TEST_F(Elf, RefusesWhatItCannotLoad) {
  EXPECT_EQ(reason(path("absent")), path("absent") + ": cannot be read: No such file or directory");
  EXPECT_EQ(reason(::testing::TempDir()), ::testing::TempDir() + ": is a directory");
  EXPECT_EQ(reason(path("program.c")), path("program.c") + ": not an ELF file");
  EXPECT_EQ(reason("/proc/self/exe"), "/proc/self/exe: not a 32-bit little-endian RISC-V file");
  compile("-c", "object.o");
  EXPECT_EQ(reason(path("object.o")), path("object.o") + ": not a linked executable");
  EXPECT_EQ(
      tvp::test::fault_of([&] { ElfImage::from_file(path("program.elf")).symbol("nothing"); }),
      path("program.elf") + ": has no symbol nothing");
}

// Each file is the good file with one defect.
TEST_F(Elf, RefusesBrokenFiles) {
  const std::vector<std::uint8_t> good = program();
  ASSERT_EQ(reason(good), "accepted");
  const struct {
    std::size_t at;
    std::uint32_t value;
    const char* reason;
  } kCases[] = {
      {EI_DATA, ELFDATA2MSB, "x: not a 32-bit little-endian RISC-V file"},
      {EI_CLASS, 7, "x: not an ELF file"},
      {EI_MAG1, 'X', "x: not an ELF file"},
  };
  for (const auto& c : kCases) {
    std::vector<std::uint8_t> bytes = good;
    bytes[c.at] = static_cast<std::uint8_t>(c.value);
    EXPECT_EQ(reason(bytes), c.reason) << c.at;
  }
  const std::size_t code = first_load(good);
  const std::string outside = "x: segment " + std::to_string(code) + " lies outside the file";
  Elf32_Ehdr header;
  std::memcpy(&header, good.data(), sizeof header);
  const std::size_t at = header.e_phoff + code * sizeof(Elf32_Phdr);
  for (const std::size_t field : {offsetof(Elf32_Phdr, p_offset), offsetof(Elf32_Phdr, p_filesz)}) {
    std::vector<std::uint8_t> bytes = good;
    put(bytes, at + field, std::uint32_t{0xFFFFFFF0});
    EXPECT_EQ(reason(bytes), outside);
  }
  std::vector<std::uint8_t> more_file_than_memory = good;
  put(more_file_than_memory, at + offsetof(Elf32_Phdr, p_memsz), std::uint32_t{4});
  EXPECT_EQ(reason(more_file_than_memory), outside);
}

// A truncated or corrupt file must give a fault or an image.
TEST_F(Elf, SurvivesEveryTruncationAndMadNumbers) {
  const std::vector<std::uint8_t> good = program();
  for (std::size_t size = 0; size < good.size(); size += size < 200 ? 1 : 37) {
    reason(
        std::vector<std::uint8_t>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  Elf32_Ehdr header;
  std::memcpy(&header, good.data(), sizeof header);
  const auto mad = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      for (const std::uint8_t value : std::to_array<std::uint8_t>({0x00, 0x7F, 0x80, 0xFF})) {
        std::vector<std::uint8_t> bytes = good;
        bytes[at] = value;
        reason(bytes);
      }
    }
  };
  mad(0, sizeof header);
  mad(header.e_phoff, header.e_phoff + sizeof(Elf32_Phdr) * header.e_phnum);
  mad(header.e_shoff, header.e_shoff + sizeof(Elf32_Shdr) * header.e_shnum);
}

}  // namespace
}  // namespace tvp::foundation
