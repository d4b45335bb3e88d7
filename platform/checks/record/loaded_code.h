#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foundation/elf_image.h"

namespace tvp::checks {

/// ELF files. All tiles that load a file share one image of it.
class ElfImages {
 public:
  /// Null if the file cannot be read. No core can execute it then.
  std::shared_ptr<const foundation::ElfImage> of(const std::string& path);

 private:
  std::map<std::string, std::weak_ptr<const foundation::ElfImage>> images_;
};

/// The code that the cores of a tile execute from L1, as the host has loaded it.
class LoadedCode {
 public:
  struct Change {
    std::uint32_t address = 0;  ///< address of the first byte that differs
    unsigned core = 0;          ///< tensix_vp_core: the owner of the code
  };

  /// The host has registered this image for a core: first the firmware, then the kernels in the
  /// order of their launches.
  void add(unsigned core, const std::string& path, ElfImages& images);
  /// The end of the last instruction of the tile's firmware; 0: there is none in L1. Everything
  /// below belongs to the firmware.
  std::uint32_t firmware_end() const;
  /// Address of a symbol in the firmware of a core; 0 if there is none.
  std::uint32_t address_in_firmware(unsigned core, const std::string& symbol) const;
  /// The first difference between code in L1 and its image.
  std::optional<Change> change(std::span<const std::uint8_t> l1) const;

 private:
  struct Code {
    unsigned core = 0;
    bool is_first = false;
    std::uint32_t begin = 0;
    std::shared_ptr<const foundation::ElfImage> image;
    std::size_t segment = 0;

    std::span<const std::uint8_t> bytes() const { return image->segments()[segment].data; }
    std::uint32_t end() const { return begin + static_cast<std::uint32_t>(bytes().size()); }
  };

  std::vector<Code> code_;
  std::map<unsigned, std::string> first_;  ///< first file of each core
};

/// The offset of the first byte of `expected` that differs from L1 at `begin`. A range beyond the
/// end of L1 has no difference.
std::optional<std::uint32_t> first_difference(std::span<const std::uint8_t> l1, std::uint32_t begin,
                                              std::span<const std::uint8_t> expected);

}  // namespace tvp::checks
