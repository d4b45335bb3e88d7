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
  /// All files that the core ever had.
  std::vector<std::string> of(const Tile& tile, unsigned core) const;
  /// Files after the executable that are still in memory. A file is gone once later code of any
  /// core of the tile overlaps its code.
  std::vector<Target::Library> libraries(const Tile& tile, unsigned core) const;

 private:
  struct File {
    unsigned core = 0;
    std::string path;
  };
  std::map<Tile, std::vector<File>> files_;
};

}  // namespace tvp::debug
