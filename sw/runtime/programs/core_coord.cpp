#include "sw/runtime/programs/core_coord.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace {

/// Coordinates of a NoC have six bits: no chip has more cores.
constexpr std::uint64_t kMostCores = 64 * 64;

void check(const CoreRange& range) {
  const auto refuse = [&](const char* text) { bad_use("core range " + range.str(), text); };
  if (range.start_coord.x > range.end_coord.x || range.start_coord.y > range.end_coord.y)
    refuse("ends before it begins; expected its lowest column and row first");
  const std::uint64_t columns = std::uint64_t{range.end_coord.x} - range.start_coord.x + 1;
  const std::uint64_t rows = std::uint64_t{range.end_coord.y} - range.start_coord.y + 1;
  if (columns > kMostCores || rows > kMostCores || columns * rows > kMostCores)
    refuse("has more cores than any chip");
}

}  // namespace

std::string CoreCoord::str() const {
  std::string text = "(";
  text.append(std::to_string(x)).append(", ").append(std::to_string(y)).append(")");
  return text;
}

CoreRangeSet::CoreRangeSet(std::vector<CoreRange> ranges) : ranges_(std::move(ranges)) {
  for (auto a = ranges_.begin(); a != ranges_.end(); ++a)
    for (auto b = ranges_.begin(); b != a; ++b)
      if (CoreRangeSet(*a).intersects(CoreRangeSet(*b)))
        bad_use("CoreRangeSet", "ranges " + b->str() + " and " + a->str() +
                                    " overlap; expected ranges without common cores");
}

std::vector<CoreCoord> CoreRangeSet::cores() const { return corerange_to_cores(*this, ~0UL, true); }

bool CoreRangeSet::intersects(const CoreRangeSet& other) const {
  for (const CoreRange& a : ranges_)
    for (const CoreRange& b : other.ranges_)
      if (a.start_coord.x <= b.end_coord.x && b.start_coord.x <= a.end_coord.x &&
          a.start_coord.y <= b.end_coord.y && b.start_coord.y <= a.end_coord.y)
        return true;
  return false;
}

CoreRange CoreRangeSet::bounding_box() const {
  if (ranges_.empty()) bad_use("bounding_box", "the set has no cores");
  CoreRange box = ranges_.front();
  for (const CoreRange& range : ranges_) {
    box.start_coord = {std::min(box.start_coord.x, range.start_coord.x),
                       std::min(box.start_coord.y, range.start_coord.y)};
    box.end_coord = {std::max(box.end_coord.x, range.end_coord.x),
                     std::max(box.end_coord.y, range.end_coord.y)};
  }
  return box;
}

CoreRangeSet CoreRangeSet::merge(const CoreRangeSet& other) const {
  CoreRangeSet both = *this;
  for (const CoreRange& range : other.ranges_) {
    check(range);
    if (!intersects(range)) {
      both.ranges_.push_back(range);
      continue;
    }
    for (const CoreCoord core : range)
      if (!contains(core)) both.ranges_.emplace_back(core);
  }
  return both;
}

std::string CoreRangeSet::str() const {
  std::string text = "{";
  for (const CoreRange& range : ranges_) text += (text.size() == 1 ? "" : ", ") + range.str();
  return text + "}";
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
    const auto [x0, y0] = range.start_coord;
    // Offsets, since the last column or row may be the largest number that there is.
    const std::uint32_t right = range.end_coord.x - x0, down = range.end_coord.y - y0;
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
