#include "sw/runtime/core_coord.h"

#include <algorithm>

namespace tvp::runtime {

std::string CoreCoord::str() const {
  std::string text = "(";
  text.append(std::to_string(x)).append(", ").append(std::to_string(y)).append(")");
  return text;
}

std::vector<CoreCoord> CoreRangeSet::cores() const { return corerange_to_cores(*this, ~0UL, true); }

bool CoreRangeSet::intersects(const CoreRangeSet& other) const {
  for (const CoreRange& a : ranges_)
    for (const CoreRange& b : other.ranges_)
      if (a.start.x <= b.end.x && b.start.x <= a.end.x && a.start.y <= b.end.y &&
          b.start.y <= a.end.y)
        return true;
  return false;
}

std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& ranges, std::size_t most,
                                          bool row_wise) {
  std::vector<CoreCoord> all;
  const auto add = [&](CoreCoord core) {
    if (all.size() < most && std::find(all.begin(), all.end(), core) == all.end())
      all.push_back(core);
  };
  for (const CoreRange& range : ranges.ranges()) {
    if (row_wise) {
      for (std::uint32_t y = range.start.y; y <= range.end.y; ++y)
        for (std::uint32_t x = range.start.x; x <= range.end.x; ++x) add({x, y});
    } else {
      for (std::uint32_t x = range.start.x; x <= range.end.x; ++x)
        for (std::uint32_t y = range.start.y; y <= range.end.y; ++y) add({x, y});
    }
  }
  return all;
}

}  // namespace tvp::runtime
