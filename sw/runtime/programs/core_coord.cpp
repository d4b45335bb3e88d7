#include "sw/runtime/programs/core_coord.h"

#include <algorithm>
#include <span>
#include <utility>

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

bool CoreRange::contains(const CoreRangeSet& other) const {
  return std::all_of(other.ranges().begin(), other.ranges().end(),
                     [&](const CoreRange& range) { return contains(range); });
}

std::optional<CoreRange> CoreRange::intersection(const CoreRange& other) const {
  if (!intersects(other)) return std::nullopt;
  return CoreRange(
      {std::max(start_coord.x, other.start_coord.x), std::max(start_coord.y, other.start_coord.y)},
      {std::min(end_coord.x, other.end_coord.x), std::min(end_coord.y, other.end_coord.y)});
}

bool CoreRange::adjacent(const CoreRange& other) const {
  if (intersects(other)) return false;
  const auto follows = [](std::uint64_t end, std::uint64_t start) { return end + 1 == start; };
  const bool columns = start_coord.x <= other.end_coord.x && other.start_coord.x <= end_coord.x;
  const bool rows = start_coord.y <= other.end_coord.y && other.start_coord.y <= end_coord.y;
  return (columns && (follows(end_coord.y, other.start_coord.y) ||
                      follows(other.end_coord.y, start_coord.y))) ||
         (rows &&
          (follows(end_coord.x, other.start_coord.x) || follows(other.end_coord.x, start_coord.x)));
}

std::optional<CoreRange> CoreRange::merge(const CoreRange& other) const {
  const bool columns = start_coord.x == other.start_coord.x && end_coord.x == other.end_coord.x;
  const bool rows = start_coord.y == other.start_coord.y && end_coord.y == other.end_coord.y;
  if (!(columns || rows) || !(intersects(other) || adjacent(other))) return std::nullopt;
  return CoreRange(
      {std::min(start_coord.x, other.start_coord.x), std::min(start_coord.y, other.start_coord.y)},
      {std::max(end_coord.x, other.end_coord.x), std::max(end_coord.y, other.end_coord.y)});
}

bool CoreRangeSet::intersects(const CoreRangeSet& other) const {
  for (const CoreRange& a : ranges_)
    for (const CoreRange& b : other.ranges_)
      if (a.intersects(b)) return true;
  return false;
}

bool CoreRangeSet::contains(const CoreRangeSet& other) const {
  return other.subtract(*this).empty();
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

CoreRangeSet CoreRangeSet::united(const std::vector<CoreRange>& ranges) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> cores;  // rows before columns
  for (const CoreRange& range : ranges) {
    check(range);
    for (const CoreCoord core : range) cores.emplace(core.y, core.x);
  }
  std::vector<CoreRange> runs;
  for (const auto& [y, x] : cores) {
    if (!runs.empty() && runs.back().end_coord.y == y && runs.back().end_coord.x + 1 == x)
      runs.back().end_coord.x = x;
    else
      runs.emplace_back(CoreCoord{x, y});
  }
  CoreRangeSet result;
  for (const CoreRange& run : runs) {
    const auto above =
        std::find_if(result.ranges_.begin(), result.ranges_.end(), [&](const CoreRange& range) {
          return range.start_coord.x == run.start_coord.x && range.end_coord.x == run.end_coord.x &&
                 range.end_coord.y + 1 == run.start_coord.y;
        });
    if (above == result.ranges_.end())
      result.ranges_.push_back(run);
    else
      above->end_coord.y = run.end_coord.y;
  }
  return result;
}

CoreRangeSet CoreRangeSet::intersection(const CoreRangeSet& other) const {
  std::vector<CoreRange> common;
  for (const CoreRange& a : ranges_)
    for (const CoreRange& b : other.ranges_)
      if (const auto both = a.intersection(b)) common.push_back(*both);
  return united(common);
}

CoreRangeSet CoreRangeSet::subtract(const CoreRangeSet& other) const {
  std::vector<CoreRange> rest;
  for (const CoreCoord core : cores())
    if (!other.contains(core)) rest.emplace_back(core);
  return united(rest);
}

bool CoreRangeSet::operator==(const CoreRangeSet& other) const {
  return std::set<CoreRange>(ranges_.begin(), ranges_.end()) ==
         std::set<CoreRange>(other.ranges_.begin(), other.ranges_.end());
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

CoreRangeSet select_from_corerangeset(const CoreRangeSet& ranges, std::uint32_t first,
                                      std::uint32_t last, bool row_wise) {
  const std::vector<CoreCoord> cores = corerange_to_cores(ranges, ~0UL, row_wise);
  if (first > last || last >= cores.size())
    bad_use("select_from_corerangeset", "cores " + std::to_string(first) + " to " +
                                            std::to_string(last) + " of " +
                                            std::to_string(cores.size()));
  const std::span chosen(cores.begin() + first, cores.begin() + last + 1);
  return CoreRangeSet(std::vector<CoreCoord>(chosen.begin(), chosen.end())).merge_ranges();
}

}  // namespace tvp::runtime
