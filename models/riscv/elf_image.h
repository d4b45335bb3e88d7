#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tvp::riscv {

/// A linked 32-bit little-endian RISC-V ELF file: what to load, where to start, what is where.
class ElfImage {
 public:
  struct Segment {
    std::uint32_t address = 0;       ///< where it runs
    std::uint32_t load_address = 0;  ///< where it is stored; differs for copied data
    std::uint32_t memory_bytes = 0;  ///< at least data.size(); the rest is zero
    bool executable = false;
    std::vector<std::uint8_t> data;
  };
  struct Symbol {
    std::string name;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    bool function = false;
  };

  /// Throws Fault(kDescription) with the file's name and the reason.
  static ElfImage from_file(const std::string& path);
  static ElfImage from_memory(const std::vector<std::uint8_t>& bytes, const std::string& name);

  const std::string& name() const { return name_; }
  std::uint32_t entry() const { return entry_; }
  const std::vector<Segment>& segments() const { return segments_; }
  /// Sorted by address, then name.
  const std::vector<Symbol>& symbols() const { return symbols_; }
  std::optional<std::uint32_t> address_of(const std::string& symbol) const;
  /// The function that covers `address`, or null.
  const Symbol* function_at(std::uint32_t address) const;

 private:
  void read(void* elf);
  void read_symbols(void* elf);
  [[noreturn]] void refuse(const std::string& reason) const;

  std::string name_;
  std::uint32_t entry_ = 0;
  std::vector<Segment> segments_;
  std::vector<Symbol> symbols_;
};

}  // namespace tvp::riscv
