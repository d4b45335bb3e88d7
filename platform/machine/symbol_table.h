#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/riscv/source_lines.h"

namespace tvp::platform {

/// The ELF files that the cores execute, as the host registered them, for functions and source
/// lines in reports. A file that many cores share is read once.
class SymbolTable {
 public:
  /// False when the file cannot be read.
  bool add(unsigned chip, unsigned x, unsigned y, unsigned core, const std::string& elf_path);

  /// "kernel_main (sdpa/reader.cpp:42)", or "" when nothing is known of the address.
  std::string describe(unsigned chip, unsigned x, unsigned y, unsigned core,
                       std::uint32_t address) const;
  /// The instruction there is of a function of that name, or of one that is inlined into it.
  bool is_of(const std::string& function, unsigned chip, unsigned x, unsigned y, unsigned core,
             std::uint32_t address) const;

  /// The address is in what the core executed first, before other files came behind it: firmware,
  /// if there is any.
  bool is_of_first(unsigned chip, unsigned x, unsigned y, unsigned core,
                   std::uint32_t address) const;

 private:
  using Place = std::tuple<unsigned, unsigned, unsigned, unsigned>;
  std::optional<riscv::SourceLocation> locate(const Place& place, std::uint32_t address) const;

  struct Code {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  static std::vector<Code> code_of(const std::string& elf_path);

  std::map<std::string, std::shared_ptr<riscv::SourceLines>> files_;
  std::map<Place, std::vector<std::shared_ptr<riscv::SourceLines>>> of_core_;
  std::map<Place, std::vector<Code>> first_;
};

}  // namespace tvp::platform
