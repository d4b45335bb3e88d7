#include "sw/runtime/core_coord.h"

#include <algorithm>

namespace tvp::runtime {

std::string CoreCoord::str() const {
  std::string text = "(";
  text.append(std::to_string(x)).append(", ").append(std::to_string(y)).append(")");
  return text;
}

std::vector<CoreCoord> CoreRangeSet::cores() const {
  std::vector<CoreCoord> all;
  for (const CoreRange& range : ranges_)
    for (std::uint32_t y = range.start.y; y <= range.end.y; ++y)
      for (std::uint32_t x = range.start.x; x <= range.end.x; ++x) {
        const CoreCoord core{x, y};
        if (std::find(all.begin(), all.end(), core) == all.end()) all.push_back(core);
      }
  return all;
}

bool CoreRangeSet::intersects(const CoreRangeSet& other) const {
  for (const CoreRange& a : ranges_)
    for (const CoreRange& b : other.ranges_)
      if (a.start.x <= b.end.x && b.start.x <= a.end.x && a.start.y <= b.end.y &&
          b.start.y <= a.end.y)
        return true;
  return false;
}

}  // namespace tvp::runtime
