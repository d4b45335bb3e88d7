#include "sw/runtime/elf_image.h"

#include <elf.h>

#include <cstring>

#include "sw/runtime/errors.h"
#include "sw/runtime/read_file.h"

namespace tvp::runtime {
namespace {

/// Bounds-checked view of the file.
class File {
 public:
  File(const std::string& bytes, const std::string& path) : bytes_(bytes), path_(path) {}
  template <typename T>
  T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, range(offset, sizeof(T)), sizeof(T));
    return value;
  }
  const std::uint8_t* range(std::size_t offset, std::size_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      bad_use(path_, "is a truncated ELF file");
    return reinterpret_cast<const std::uint8_t*>(bytes_.data()) + offset;
  }
  std::string text(std::size_t offset) const {
    range(offset, 1);
    return bytes_.substr(offset, bytes_.find('\0', offset) - offset);
  }

 private:
  const std::string& bytes_;
  const std::string& path_;
};

}  // namespace

ElfImage ElfImage::load(const std::string& path) {
  ElfImage image;
  image.path_ = path;
  const std::string content = read_file(path);
  if (content.empty()) bad_use(path, "cannot be read");
  const File file(content, path);
  const auto header = file.at<Elf32_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS32 ||
      header.e_machine != EM_RISCV)
    bad_use(path, "is not an ELF file of a 32-bit RISC-V");
  image.entry_ = header.e_entry;

  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = file.at<Elf32_Phdr>(header.e_phoff + i * header.e_phentsize);
    if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
    const std::uint8_t* begin = file.range(segment.p_offset, segment.p_filesz);
    image.segments_.push_back(
        {segment.p_paddr, segment.p_vaddr, {begin, begin + segment.p_filesz}});
  }

  const auto section = [&](unsigned i) {
    return file.at<Elf32_Shdr>(header.e_shoff + i * header.e_shentsize);
  };
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const Elf32_Shdr s = section(i);
    if (s.sh_type == SHT_SYMTAB) {
      const Elf32_Shdr strings = section(s.sh_link);
      for (std::size_t at = 0; at + sizeof(Elf32_Sym) <= s.sh_size; at += sizeof(Elf32_Sym)) {
        const auto symbol = file.at<Elf32_Sym>(s.sh_offset + at);
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_name == 0) continue;
        if (ELF32_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
        image.symbols_.emplace(file.text(strings.sh_offset + symbol.st_name), symbol.st_value);
      }
    } else if (s.sh_type == SHT_PROGBITS &&
               file.text(section(header.e_shstrndx).sh_offset + s.sh_name) == ".tvp_zones") {
      for (std::size_t at = 0; at < s.sh_size; at += image.zones_.back().size() + 1)
        image.zones_.push_back(file.text(s.sh_offset + at));
    }
  }
  return image;
}

std::uint32_t ElfImage::symbol(const std::string& name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) bad_use(path_, "has no symbol " + name);
  return found->second;
}

}  // namespace tvp::runtime
