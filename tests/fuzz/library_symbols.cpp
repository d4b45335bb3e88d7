#include "tests/fuzz/library_symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "foundation/read_file.h"

namespace tvp::test {

namespace {

template <typename T>
T at(const std::string& file, std::size_t offset) {
  T value{};
  if (offset + sizeof value <= file.size()) {
    std::memcpy(&value, file.data() + offset, sizeof value);
  }
  return value;
}

}  // namespace

std::vector<std::string> exported_functions(const std::string& library) {
  const std::string file = foundation::read_file(library);
  const auto header = at<Elf64_Ehdr>(file, 0);
  const auto section = [&](std::size_t i) {
    return at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  std::vector<std::string> names;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr symbols = section(i);
    if (symbols.sh_type != SHT_DYNSYM) continue;
    const Elf64_Shdr texts = section(symbols.sh_link);
    for (std::size_t s = 0; s < symbols.sh_size / sizeof(Elf64_Sym); ++s) {
      const auto symbol = at<Elf64_Sym>(file, symbols.sh_offset + s * sizeof(Elf64_Sym));
      const bool defined = symbol.st_shndx != SHN_UNDEF;
      if (!defined || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
      const std::string name = file.data() + texts.sh_offset + symbol.st_name;
      if (!name.starts_with("_Z")) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace tvp::test
