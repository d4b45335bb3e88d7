#include "foundation/elf_image.h"

#include <gelf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/read_file.h"

namespace tvp::foundation {

namespace {
struct EndElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};

/// Calls visit(section, header) for every readable section.
template <typename Visit>
void for_each_section(Elf* elf, const Visit& visit) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr) visit(section, header);
  }
}

/// Empty if the file is too short for the section.
std::string_view content(Elf_Scn* section) {
  const Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

/// True if the architecture in the attributes section ("rv32i2p1_m2p0_c2p0") has the C extension.
/// The header's flag alone proves nothing: `.option rvc` sets it too, and riscv-arch-test uses that
/// only for alignment.
bool names_compressed(Elf* elf) {
  constexpr unsigned kAttributes = 0x70000003;  // SHT_RISCV_ATTRIBUTES
  bool compressed = false;
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != kAttributes) return;
    const std::string_view text = content(section);
    const std::size_t begin = text.find("rv32");
    if (begin == std::string_view::npos) return;
    const std::string_view name = text.substr(begin, text.find('\0', begin) - begin);
    for (std::size_t at = name.find("_c"); at != std::string_view::npos;
         at = name.find("_c", at + 1)) {
      if (at + 2 < name.size() && name[at + 2] >= '0' && name[at + 2] <= '9') compressed = true;
    }
  });
  return compressed;
}
}  // namespace

void ElfImage::refuse(const std::string& reason) const {
  throw Fault(FaultKind::kDescription, "", name_ + ": " + reason);
}

ElfImage ElfImage::from_file(const std::string& path) {
  ElfImage image;
  image.name_ = path;
  std::error_code error;
  if (!std::ifstream(path, std::ios::binary)) throw_errno(path, "cannot be read", errno);
  if (std::filesystem::is_directory(path, error)) image.refuse("is a directory");
  auto content = try_read_file(path);
  if (!content) image.refuse("cannot be read to an end");
  image.parse(std::move(*content));
  return image;
}

ElfImage ElfImage::from_memory(const std::vector<std::uint8_t>& bytes, const std::string& name) {
  ElfImage image;
  image.name_ = name;
  image.parse({bytes.begin(), bytes.end()});
  return image;
}

void ElfImage::parse(std::string content) {
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, EndElf> elf(elf_memory(content.data(), content.size()));
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF) refuse("not an ELF file");
  read_header(elf.get());
  read_segments(elf.get());
  read_sections(elf.get());
  read_symbols(elf.get());
}

void ElfImage::read_header(void* handle) {
  Elf* const elf = static_cast<Elf*>(handle);
  GElf_Ehdr header;
  if (gelf_getehdr(elf, &header) == nullptr) refuse("broken ELF header");
  if (gelf_getclass(elf) != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_machine != EM_RISCV) {
    refuse("not a 32-bit little-endian RISC-V file");
  }
  // A Tensix core would silently execute a word that does not end in 11 as a Tensix instruction.
  if ((header.e_flags & EF_RISCV_RVC) != 0 && names_compressed(elf)) {
    refuse("has compressed instructions (RVC), which no core has: compile with -march=rv32im");
  }
  if (header.e_type != ET_EXEC) refuse("not a linked executable");
  entry_ = static_cast<std::uint32_t>(header.e_entry);
}

void ElfImage::read_segments(void* handle) {
  Elf* const elf = static_cast<Elf*>(handle);
  std::size_t file_bytes = 0;
  const char* const file = elf_rawfile(elf, &file_bytes);
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) refuse("broken program headers");
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr program;
    if (gelf_getphdr(elf, static_cast<int>(i), &program) == nullptr) {
      refuse("broken program headers");
    }
    if (program.p_type != PT_LOAD || program.p_memsz == 0) continue;
    if (program.p_offset > file_bytes || program.p_filesz > file_bytes - program.p_offset ||
        program.p_filesz > program.p_memsz) {
      refuse("segment " + std::to_string(i) + " lies outside the file");
    }
    Segment segment;
    segment.address = static_cast<std::uint32_t>(program.p_vaddr);
    segment.load_address = static_cast<std::uint32_t>(program.p_paddr);
    segment.memory_bytes = static_cast<std::uint32_t>(program.p_memsz);
    segment.executable = (program.p_flags & PF_X) != 0;
    segment.data.assign(file + program.p_offset, file + program.p_offset + program.p_filesz);
    segments_.push_back(std::move(segment));
  }
}

void ElfImage::read_sections(void* handle) {
  Elf* const elf = static_cast<Elf*>(handle);
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return;
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    const char* const name = elf_strptr(elf, names, header.sh_name);
    Section& added = sections_.emplace_back();
    added.name = name == nullptr ? "" : name;
    added.address = static_cast<std::uint32_t>(header.sh_addr);
    added.bytes = static_cast<std::uint32_t>(header.sh_size);
    added.allocated = (header.sh_flags & SHF_ALLOC) != 0;
    added.executable = (header.sh_flags & SHF_EXECINSTR) != 0;
    if (header.sh_type == SHT_PROGBITS && !added.allocated && !added.name.starts_with(".debug")) {
      added.note = content(section);
    }
  });
}

void ElfImage::read_symbols(void* handle) {
  Elf* const elf = static_cast<Elf*>(handle);
  for_each_section(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_SYMTAB) return;
    Elf_Data* const data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const int type = GELF_ST_TYPE(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || type == STT_SECTION || type == STT_FILE) continue;
      const char* const text = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (text == nullptr || *text == '\0') continue;
      symbols_.push_back({text, static_cast<std::uint32_t>(symbol.st_value),
                          static_cast<std::uint32_t>(symbol.st_size), type == STT_FUNC,
                          GELF_ST_BIND(symbol.st_info) == STB_LOCAL});
    }
  });
  std::sort(symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
    return std::tie(a.address, a.name) < std::tie(b.address, b.name);
  });
  for (const bool local : {false, true}) {
    for (const Symbol& s : symbols_) {
      if (s.local == local) addresses_.emplace(s.name, s.address);
    }
  }
}

std::optional<std::uint32_t> ElfImage::address_of(const std::string& symbol) const {
  const auto found = addresses_.find(symbol);
  if (found == addresses_.end()) return std::nullopt;
  return found->second;
}

std::uint32_t ElfImage::symbol(const std::string& name) const {
  const auto address = address_of(name);
  if (!address) refuse("has no symbol " + name);
  return *address;
}

const ElfImage::Symbol* ElfImage::function_at(std::uint32_t address) const {
  const auto behind =
      std::upper_bound(symbols_.begin(), symbols_.end(), address,
                       [](std::uint32_t a, const Symbol& s) { return a < s.address; });
  for (auto s = behind; s != symbols_.begin();) {
    --s;
    if (s->function && address - s->address < s->bytes) return &*s;
  }
  return nullptr;
}

std::vector<std::string> ElfImage::notes(const std::string& section) const {
  std::vector<std::string> texts;
  for (const Section& s : sections_) {
    if (s.name != section) continue;
    for (std::size_t at = 0; at < s.note.size(); at += texts.back().size() + 1) {
      texts.push_back(s.note.substr(at, s.note.find('\0', at) - at));
    }
  }
  return texts;
}

bool ElfImage::code_overlaps(const ElfImage& other) const {
  const auto has_code = [](const Section& s) {
    return s.allocated && s.executable && s.bytes != 0;
  };
  return std::any_of(sections_.begin(), sections_.end(), [&](const Section& a) {
    return std::any_of(other.sections_.begin(), other.sections_.end(), [&](const Section& b) {
      return has_code(a) && has_code(b) &&
             (a.address - b.address < b.bytes || b.address - a.address < a.bytes);
    });
  });
}

}  // namespace tvp::foundation
