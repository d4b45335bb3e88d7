#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tvp::debug {

/// What a debugger has to be told of a linked 32-bit ELF file.
struct ElfLayout {
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t bytes = 0;
  };

  /// Empty when it is none.
  static std::optional<ElfLayout> read(const std::string& path);
  bool code_overlaps(const ElfLayout& other) const;

  unsigned sections = 0;    ///< that take memory
  std::vector<Range> code;  ///< those with instructions
};

}  // namespace tvp::debug
