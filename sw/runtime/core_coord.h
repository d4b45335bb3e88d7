#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace tvp::runtime {

/// A core by column and row: logical among the workers of a chip, or of a NoC, as the context says.
/// Ethernet cores are logically (0, channel).
struct CoreCoord {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  auto operator<=>(const CoreCoord&) const = default;
  std::string str() const;  ///< "(x, y)"
};

/// All cores from `start` to `end`, both included.
struct CoreRange {
  CoreCoord start;
  CoreCoord end;
  CoreRange(CoreCoord core) : start(core), end(core) {}  // NOLINT: a core is a range
  CoreRange(CoreCoord first, CoreCoord last) : start(first), end(last) {}
  bool contains(CoreCoord c) const {
    return c.x >= start.x && c.x <= end.x && c.y >= start.y && c.y <= end.y;
  }
  bool operator==(const CoreRange&) const = default;
};

class CoreRangeSet {
 public:
  CoreRangeSet() = default;
  CoreRangeSet(CoreCoord core) : ranges_{CoreRange(core)} {}  // NOLINT
  CoreRangeSet(CoreRange range) : ranges_{range} {}           // NOLINT
  explicit CoreRangeSet(std::vector<CoreRange> ranges) : ranges_(std::move(ranges)) {}
  explicit CoreRangeSet(const std::vector<CoreCoord>& cores) {
    for (const CoreCoord core : cores) ranges_.emplace_back(core);
  }

  const std::vector<CoreRange>& ranges() const { return ranges_; }
  bool contains(CoreCoord core) const {
    for (const CoreRange& range : ranges_)
      if (range.contains(core)) return true;
    return false;
  }
  /// Row by row within each range; a core of two ranges comes once. Throws Fault(kDescription) for
  /// a range that ends before it begins.
  std::vector<CoreCoord> cores() const;
  std::uint32_t num_cores() const { return static_cast<std::uint32_t>(cores().size()); }
  bool intersects(const CoreRangeSet& other) const;

 private:
  std::vector<CoreRange> ranges_;
};

/// The first `most` of the cores, row by row in each range, or column by column. By tt-metal's
/// name.
std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& ranges, std::size_t most = ~0UL,
                                          bool row_wise = false);

}  // namespace tvp::runtime
