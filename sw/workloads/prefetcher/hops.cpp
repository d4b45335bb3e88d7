#include "sw/workloads/prefetcher/hops.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::workloads::prefetcher {

using runtime::CoreCoord;

Hops::Hops(const runtime::ChipLayout& layout, const std::vector<RingCore>& ring,
           const std::vector<CoreCoord>& taken, std::uint32_t count)
    : layout_(layout), ring_(ring), ways_(ring.size()) {
  std::vector<CoreCoord> free;
  for (std::uint32_t y = 0; y < layout.grid_size().y; ++y)
    for (std::uint32_t x = 0; x < layout.grid_size().x; ++x)
      if (std::find(taken.begin(), taken.end(), CoreCoord{x, y}) == taken.end())
        free.push_back({x, y});
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!shorten_longest(free))
      runtime::bad_use("prefetcher.hop_cores", std::to_string(count) + "; expected at most " +
                                                   std::to_string(i) +
                                                   ", which shorten the ring's ways");
    const std::vector<CoreCoord> used = cores();
    std::erase_if(free, [&](CoreCoord core) {
      return std::find(used.begin(), used.end(), core) != used.end();
    });
  }
}

std::vector<CoreCoord> Hops::cores() const {
  std::vector<CoreCoord> all;
  for (const auto& way : ways_) all.insert(all.end(), way.begin(), way.end());
  return all;
}

std::uint32_t Hops::distance(CoreCoord from, CoreCoord to) const {
  const CoreCoord a = layout_.worker_noc0(from);
  const CoreCoord b = layout_.worker_noc0(to);
  const std::uint32_t columns = layout_.spec().columns, rows = layout_.spec().rows;
  return (a.x + columns - b.x) % columns + (a.y + rows - b.y) % rows;
}

std::vector<CoreCoord> Hops::stops(std::size_t place) const {
  std::vector<CoreCoord> all{ring_[place].core};
  all.insert(all.end(), ways_[place].begin(), ways_[place].end());
  all.push_back(ring_[(place + ring_.size() - 1) % ring_.size()].core);
  return all;
}

bool Hops::shorten_longest(const std::vector<CoreCoord>& free) {
  std::size_t way = 0, at = 0;
  std::uint32_t longest = 0;
  CoreCoord from, to;
  for (std::size_t place = 0; place < ring_.size(); ++place) {
    const std::vector<CoreCoord> all = stops(place);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const std::uint32_t length = distance(all[i], all[i + 1]);
      if (length <= longest) continue;
      longest = length, way = place, at = i, from = all[i], to = all[i + 1];
    }
  }
  const auto longer_part = [&](CoreCoord core) {
    return std::max(distance(from, core), distance(core, to));
  };
  const auto best = std::min_element(free.begin(), free.end(), [&](CoreCoord a, CoreCoord b) {
    return longer_part(a) < longer_part(b);
  });
  if (best == free.end() || longer_part(*best) >= longest) return false;
  ways_[way].insert(ways_[way].begin() + static_cast<std::ptrdiff_t>(at), *best);
  return true;
}

}  // namespace tvp::workloads::prefetcher
