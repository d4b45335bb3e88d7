#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
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

}  // namespace tvp::runtime

template <>
struct std::hash<tvp::runtime::CoreCoord> {
  std::size_t operator()(const tvp::runtime::CoreCoord& core) const noexcept {
    return std::hash<std::uint64_t>{}(std::uint64_t{core.x} << 32 | core.y);
  }
};

namespace tvp::runtime {

class CoreRangeSet;

/// All cores from `start_coord` to `end_coord`, both included. A loop over it goes row by row.
struct CoreRange {
  CoreCoord start_coord;
  CoreCoord end_coord;
  CoreRange(CoreCoord core) : start_coord(core), end_coord(core) {}  // NOLINT: a core is a range
  CoreRange(CoreCoord first, CoreCoord last) : start_coord(first), end_coord(last) {}
  bool contains(CoreCoord c) const {
    return c.x >= start_coord.x && c.x <= end_coord.x && c.y >= start_coord.y && c.y <= end_coord.y;
  }
  bool contains(const CoreRange& other) const {
    return contains(other.start_coord) && contains(other.end_coord);
  }
  bool contains(const CoreRangeSet& other) const;
  bool intersects(const CoreRange& other) const {
    return start_coord.x <= other.end_coord.x && other.start_coord.x <= end_coord.x &&
           start_coord.y <= other.end_coord.y && other.start_coord.y <= end_coord.y;
  }
  /// The cores that both have.
  std::optional<CoreRange> intersection(const CoreRange& other) const;
  /// True if the ranges share no core, and a core of one is beside or below a core of the other.
  bool adjacent(const CoreRange& other) const;
  /// One range for both, if they meet and have the same columns or the same rows.
  std::optional<CoreRange> merge(const CoreRange& other) const;
  /// Columns and rows.
  CoreCoord grid_size() const {
    return {end_coord.x - start_coord.x + 1, end_coord.y - start_coord.y + 1};
  }
  std::size_t size() const { return std::size_t{grid_size().x} * grid_size().y; }
  std::string str() const { return start_coord.str() + " to " + end_coord.str(); }
  auto operator<=>(const CoreRange&) const = default;

  class Iterator {
   public:
    using value_type = CoreCoord;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    Iterator() = default;
    Iterator(CoreCoord first, std::uint32_t columns, std::size_t index)
        : first_(first), columns_(columns), index_(index) {
      find();
    }
    /// An lvalue as in tt-metal, so that loops may write `auto& core`. The next step overwrites it.
    CoreCoord& operator*() const { return now_; }
    Iterator& operator++() {
      ++index_;
      find();
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    void find() {
      now_ = {first_.x + static_cast<std::uint32_t>(index_ % columns_),
              first_.y + static_cast<std::uint32_t>(index_ / columns_)};
    }

    CoreCoord first_;
    std::uint32_t columns_ = 1;
    std::size_t index_ = 0;
    mutable CoreCoord now_;
  };
  Iterator begin() const { return {start_coord, grid_size().x, 0}; }
  Iterator end() const { return {start_coord, grid_size().x, size()}; }
};

class CoreRangeSet {
 public:
  CoreRangeSet() = default;
  CoreRangeSet(CoreCoord core) : ranges_{CoreRange(core)} {}  // NOLINT
  CoreRangeSet(CoreRange range) : ranges_{range} {}           // NOLINT
  /// Throws Fault(kDescription) for ranges that share a core.
  explicit CoreRangeSet(std::vector<CoreRange> ranges);
  explicit CoreRangeSet(const std::vector<CoreCoord>& cores) {
    for (const CoreCoord core : cores) ranges_.emplace_back(core);
  }
  /// A template, so that it is no candidate for braced lists.
  template <std::same_as<std::set<CoreRange>> Set>
  explicit CoreRangeSet(const Set& ranges)
      : CoreRangeSet(std::vector<CoreRange>(ranges.begin(), ranges.end())) {}

  const std::vector<CoreRange>& ranges() const { return ranges_; }
  bool contains(CoreCoord core) const {
    for (const CoreRange& range : ranges_)
      if (range.contains(core)) return true;
    return false;
  }
  /// True if it contains all cores of the other.
  bool contains(const CoreRangeSet& other) const;
  /// The name of 2024.
  bool core_coord_in_core_ranges(CoreCoord core) const { return contains(core); }
  /// Row by row within each range, without duplicates. Throws Fault(kDescription) for a range that
  /// ends before it begins.
  std::vector<CoreCoord> cores() const;
  std::uint32_t num_cores() const { return static_cast<std::uint32_t>(cores().size()); }
  /// Number of ranges.
  std::size_t size() const { return ranges_.size(); }
  bool empty() const { return ranges_.empty(); }
  /// The smallest range that contains all of them. Throws Fault(kDescription) if there are none.
  CoreRange bounding_box() const;
  /// Returns the union with other ranges, a vector or set of ranges that may overlap, as few
  /// ranges.
  CoreRangeSet merge(const CoreRangeSet& other) const { return merge(other.ranges_); }
  template <typename Ranges>
  CoreRangeSet merge(const Ranges& other) const {
    std::vector<CoreRange> all = ranges_;
    all.insert(all.end(), std::begin(other), std::end(other));
    return united(all);
  }
  /// The same cores as few ranges: runs of a row, joined with equal runs of the rows below.
  CoreRangeSet merge_ranges() const { return united(ranges_); }
  CoreRangeSet intersection(const CoreRangeSet& other) const;
  /// The cores that the other does not have.
  CoreRangeSet subtract(const CoreRangeSet& other) const;
  std::string str() const;  ///< "{(x, y) to (x, y), ...}"
  bool intersects(const CoreRangeSet& other) const;
  /// True for the same ranges in any order.
  bool operator==(const CoreRangeSet& other) const;

 private:
  static CoreRangeSet united(const std::vector<CoreRange>& ranges);

  std::vector<CoreRange> ranges_;
};

/// Returns the first `most` of the cores, row by row in each range, or column by column. The name
/// is tt-metal's.
std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& ranges, std::size_t most = ~0UL,
                                          bool row_wise = false);

/// Returns the cores with numbers from `first` to `last`, both included, in the order of
/// corerange_to_cores. Throws Fault(kDescription) for a number that the set does not have.
CoreRangeSet select_from_corerangeset(const CoreRangeSet& ranges, std::uint32_t first,
                                      std::uint32_t last, bool row_wise = false);

}  // namespace tvp::runtime
