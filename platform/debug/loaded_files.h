#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "platform/debug/target.h"

namespace tvp::debug {

/// The ELF files that the host has loaded into the cores of tiles, in its order. The first one of a
/// core is its executable.
class LoadedFiles {
 public:
  using Tile = std::array<unsigned, 3>;  ///< chip, x, y

  void add(const Tile& tile, unsigned core, const std::string& path);
  /// All that a core ever had.
  std::vector<std::string> of(const Tile& tile, unsigned core) const;
  /// Those behind the executable that are there still: none whose code lies where code was loaded
  /// later, for whichever core of the tile.
  std::vector<Target::Library> libraries(const Tile& tile, unsigned core) const;

 private:
  struct File {
    unsigned core = 0;
    std::string path;
  };
  std::map<Tile, std::vector<File>> files_;
};

}  // namespace tvp::debug
