#include "sw/runtime/core_coord.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace {

/// Coordinates of a NoC have six bits: no chip has more cores.
constexpr std::uint64_t kMostCores = 64 * 64;

void check(const CoreRange& range) {
  const auto refuse = [&](const char* text) {
    bad_use("core range " + range.start.str() + " to " + range.end.str(), text);
  };
  if (range.start.x > range.end.x || range.start.y > range.end.y)
    refuse("ends before it begins; expected its lowest column and row first");
  const std::uint64_t columns = std::uint64_t{range.end.x} - range.start.x + 1;
  const std::uint64_t rows = std::uint64_t{range.end.y} - range.start.y + 1;
  if (columns > kMostCores || rows > kMostCores || columns * rows > kMostCores)
    refuse("has more cores than any chip");
}

}  // namespace

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
    check(range);
    const auto [x0, y0] = range.start;
    // Offsets, since the last column or row may be the largest number that there is.
    const std::uint32_t right = range.end.x - x0, down = range.end.y - y0;
    if (row_wise) {
      for (std::uint32_t y = 0; y <= down; ++y)
        for (std::uint32_t x = 0; x <= right; ++x) add({x0 + x, y0 + y});
    } else {
      for (std::uint32_t x = 0; x <= right; ++x)
        for (std::uint32_t y = 0; y <= down; ++y) add({x0 + x, y0 + y});
    }
  }
  return all;
}

}  // namespace tvp::runtime
