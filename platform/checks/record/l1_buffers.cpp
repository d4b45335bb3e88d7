#include "platform/checks/record/l1_buffers.h"

#include <algorithm>

namespace tvp::checks {

void L1Buffers::set(std::uint32_t address, std::uint32_t bytes, std::span<const Tile> tiles) {
  ++changes_;
  Buffer buffer{.begin = address, .end = address + bytes};
  for (const Tile tile : tiles) buffer.tiles.set(tile.index());
  std::erase_if(buffers_, [&](const Buffer& known) {
    return known.begin == address && (known.tiles & buffer.tiles).any();
  });
  if (bytes == 0) return;
  const auto behind =
      std::upper_bound(buffers_.begin(), buffers_.end(), address,
                       [](std::uint32_t at, const Buffer& known) { return at < known.begin; });
  buffers_.insert(behind, buffer);
}

void L1Buffers::program_ends(Tile tile) { circulars_[tile.index()].clear(); }

void L1Buffers::add_circular(Tile tile, std::uint32_t address, std::uint64_t bytes) {
  if (bytes != 0) circulars_[tile.index()].push_back({address, address + bytes});
}

const L1Buffers::Buffer* L1Buffers::around(Tile tile, std::uint64_t address) const {
  for (const Buffer& buffer : buffers_)
    if (buffer.begin <= address && address < buffer.end && buffer.is_on(tile)) return &buffer;
  return nullptr;
}

const L1Buffers::Buffer* L1Buffers::first(Tile tile) const {
  const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                  [&](const Buffer& known) { return known.is_on(tile); });
  return found == buffers_.end() ? nullptr : &*found;
}

const L1Buffers::Buffer* L1Buffers::before(Tile tile, const Buffer& buffer) const {
  const Buffer* last = nullptr;
  for (const Buffer& known : buffers_)
    if (known.end <= buffer.begin && known.is_on(tile)) last = &known;
  return last;
}

const L1Buffers::Buffer* L1Buffers::behind(Tile tile, const Buffer& buffer) const {
  for (const Buffer& known : buffers_)
    if (known.begin >= buffer.end && known.is_on(tile)) return &known;
  return nullptr;
}

bool L1Buffers::has_circular(Tile tile, std::uint64_t address, std::uint64_t bytes) const {
  const std::vector<Range>& known = circulars_[tile.index()];
  return std::any_of(known.begin(), known.end(), [&](const Range& range) {
    return range.begin < address + bytes && address < range.end;
  });
}

}  // namespace tvp::checks
