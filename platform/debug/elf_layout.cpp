#include "platform/debug/elf_layout.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace tvp::debug {

std::optional<ElfLayout> ElfLayout::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Elf32_Ehdr header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS32 ||
      header.e_shentsize != sizeof(Elf32_Shdr)) {
    return std::nullopt;
  }
  ElfLayout layout;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf32_Shdr section;
    const std::size_t at = header.e_shoff + i * sizeof section;
    if (at + sizeof section > bytes.size()) return std::nullopt;
    std::memcpy(&section, bytes.data() + at, sizeof section);
    if ((section.sh_flags & SHF_ALLOC) == 0) continue;
    ++layout.sections;
    if ((section.sh_flags & SHF_EXECINSTR) != 0 && section.sh_size != 0) {
      layout.code.push_back({section.sh_addr, section.sh_size});
    }
  }
  return layout;
}

bool ElfLayout::code_overlaps(const ElfLayout& other) const {
  return std::any_of(code.begin(), code.end(), [&](const Range& a) {
    return std::any_of(other.code.begin(), other.code.end(), [&](const Range& b) {
      return a.first - b.first < b.bytes || b.first - a.first < a.bytes;
    });
  });
}

}  // namespace tvp::debug
