#include "platform/machine/given_words.h"

namespace tvp::platform {

bool GivenWords::add(const Tile& tile, const Place& place, std::span<const std::uint8_t> l1) {
  if (place.address > l1.size() || place.bytes > l1.size() - place.address) return false;
  Given given{place};
  const auto there = l1.subspan(place.address, place.bytes);
  given.given_bytes.assign(there.begin(), there.end());
  given_[tile].push_back(std::move(given));
  return true;
}

std::optional<GivenWords::Change> GivenWords::change(const Tile& tile,
                                                     std::span<const std::uint8_t> l1,
                                                     const Foreign& foreign) const {
  const auto found = given_.find(tile);
  if (found == given_.end()) return std::nullopt;
  for (const Given& given : found->second) {
    for (std::uint32_t i = 0; i < given.bytes; ++i) {
      const std::uint32_t address = given.address + i;
      if (l1[address] == given.given_bytes[i]) continue;
      if (given.takes_stores && !foreign(address)) continue;
      return Change{address,
                    given.what + (given.each == 0 ? "" : " " + std::to_string(i / given.each))};
    }
  }
  return std::nullopt;
}

}  // namespace tvp::platform
