#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tvp::foundation {

/// A linked 32-bit little-endian RISC-V ELF file: segments to load, entry, symbols and notes.
class ElfImage {
 public:
  struct Segment {
    std::uint32_t address = 0;       ///< run-time address
    std::uint32_t load_address = 0;  ///< where the image stores it; differs for copied data
    std::uint32_t memory_bytes = 0;  ///< at least data.size(); the rest is zero
    bool executable = false;
    std::vector<std::uint8_t> data;
  };
  struct Section {
    std::string name;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    bool allocated = false;  ///< occupies memory of the core
    bool executable = false;
    /// Content of a note for the host, which occupies no memory of the core. Debug information is
    /// not kept.
    std::string note;
  };
  struct Symbol {
    std::string name;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    bool function = false;
    bool local = false;
  };

  /// Throws Fault(kDescription) with the file's name and the reason.
  static ElfImage from_file(const std::string& path);
  static ElfImage from_memory(const std::vector<std::uint8_t>& bytes, const std::string& name);

  /// The file name.
  const std::string& name() const { return name_; }
  std::uint32_t entry() const { return entry_; }
  const std::vector<Segment>& segments() const { return segments_; }
  const std::vector<Section>& sections() const { return sections_; }
  /// The symbols, sorted by address, then name.
  const std::vector<Symbol>& symbols() const { return symbols_; }
  /// Address of the global symbol with this name, else of the first local one.
  std::optional<std::uint32_t> address_of(const std::string& symbol) const;
  /// The same; throws Fault(kDescription) if there is none.
  std::uint32_t symbol(const std::string& name) const;
  /// The function that covers `address`, or null.
  const Symbol* function_at(std::uint32_t address) const;
  /// The NUL-terminated strings of a section of notes. Empty if there is no such section.
  std::vector<std::string> notes(const std::string& section) const;
  /// True if both images have code at a common address.
  bool code_overlaps(const ElfImage& other) const;

 private:
  void parse(std::string content);
  void read_header(void* elf);
  void read_segments(void* elf);
  void read_sections(void* elf);
  void read_symbols(void* elf);
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string name_;
  std::uint32_t entry_ = 0;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::map<std::string, std::uint32_t> addresses_;
};

}  // namespace tvp::foundation
