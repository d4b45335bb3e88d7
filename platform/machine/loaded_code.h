#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "foundation/elf_image.h"

namespace tvp::platform {

/// The code that cores execute from the L1 of their tile, as the host has loaded it, and the jump
/// by which BRISC comes out of reset. No kernel changes them on purpose: one that does has a wrong
/// address, and what comes of it, often in another core's firmware, says nothing of the cause.
class LoadedCode {
 public:
  struct Tile {
    unsigned chip = 0;
    unsigned x = 0;
    unsigned y = 0;
    auto operator<=>(const Tile&) const = default;
  };
  struct Change {
    std::uint32_t address = 0;       ///< of the first byte that is not as it was
    std::optional<unsigned> core{};  ///< whose code it is; none: it is the jump
  };

  /// Adds an image that was registered for a core and lies in its tile's memory: firmware first,
  /// then one kernel after the other.
  void add(const Tile& tile, unsigned core, const std::string& elf_path);
  /// Behind the last instruction of a tile's firmware, and what it calls its own below; 0: there is
  /// none in its memory.
  std::uint32_t firmware_end(const Tile& tile) const;
  /// Address of a symbol in the firmware of a core; 0 if there is none.
  std::uint32_t address_in_firmware(const Tile& tile, unsigned core,
                                    const std::string& symbol) const;
  /// A program begins.
  void begins(const Tile& tile, std::span<const std::uint8_t> l1);
  /// Nothing more is expected of the tile until the next program.
  void ends(const Tile& tile);
  /// Where a tile that runs a program has other code than was loaded.
  std::optional<Change> change(const Tile& tile, std::span<const std::uint8_t> l1) const;

 private:
  static constexpr std::uint32_t kJumpBytes = 4;
  struct Code {
    unsigned core = 0;
    bool is_first = false;
    std::uint32_t begin = 0;
    std::shared_ptr<const foundation::ElfImage> image;
    std::size_t segment = 0;

    std::span<const std::uint8_t> bytes() const { return image->segments()[segment].data; }
    std::uint32_t end() const { return begin + static_cast<std::uint32_t>(bytes().size()); }
  };
  struct State {
    std::vector<Code> code;
    std::map<unsigned, std::string> first;  ///< by core, the file
    bool runs = false;
    std::vector<std::uint8_t> jump;
  };
  std::shared_ptr<const foundation::ElfImage> image_of(const std::string& elf_path);

  std::map<Tile, State> tiles_;
  std::map<std::string, std::weak_ptr<const foundation::ElfImage>> images_;
};

}  // namespace tvp::platform
