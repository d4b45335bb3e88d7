#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platform/machine/loaded_code.h"

namespace tvp::platform {

/// The words that the host gives to a tile's program beside its code: the table of circular buffers
/// and the arguments of kernels. A write there has a wrong address or a semaphore that no core has.
/// Its effect shows in another kernel or in the next program.
class GivenWords {
 public:
  using Tile = LoadedCode::Tile;
  struct Place {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t each = 0;     ///< bytes of one of several, which have numbers; 0: there is one
    std::string what{};         ///< "the arguments of reader.cpp"
    bool takes_stores = false;  ///< kernels may keep something there by stores of their own
  };
  struct Change {
    std::uint32_t address = 0;  ///< of the first byte that is not as it was given
    std::string what{};
  };
  /// True if an agent other than a core of the tile has written a byte.
  using Foreign = std::function<bool(std::uint32_t)>;

  /// As its bytes are now. False when it does not lie in L1.
  bool add(const Tile& tile, const Place& place, std::span<const std::uint8_t> l1);
  /// Nothing is given to the tile's program any more.
  void forget(const Tile& tile) { given_.erase(tile); }
  /// The first that is not as it was given.
  std::optional<Change> change(const Tile& tile, std::span<const std::uint8_t> l1,
                               const Foreign& foreign) const;

 private:
  struct Given : Place {
    std::vector<std::uint8_t> given_bytes{};
  };
  std::map<Tile, std::vector<Given>> given_;
};

}  // namespace tvp::platform
