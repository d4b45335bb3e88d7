#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
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

/// All cores from `start_coord` to `end_coord`, both included. A loop over it goes row by row.
struct CoreRange {
  CoreCoord start_coord;
  CoreCoord end_coord;
  CoreRange(CoreCoord core) : start_coord(core), end_coord(core) {}  // NOLINT: a core is a range
  CoreRange(CoreCoord first, CoreCoord last) : start_coord(first), end_coord(last) {}
  bool contains(CoreCoord c) const {
    return c.x >= start_coord.x && c.x <= end_coord.x && c.y >= start_coord.y && c.y <= end_coord.y;
  }
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
  /// Returns the union with the other set.
  CoreRangeSet merge(const CoreRangeSet& other) const;
  CoreRangeSet merge(const std::vector<CoreRange>& other) const {
    return merge(CoreRangeSet(other));
  }
  std::string str() const;  ///< "{(x, y) to (x, y), ...}"
  bool intersects(const CoreRangeSet& other) const;

 private:
  std::vector<CoreRange> ranges_;
};

/// Returns the first `most` of the cores, row by row in each range, or column by column. The name
/// is tt-metal's.
std::vector<CoreCoord> corerange_to_cores(const CoreRangeSet& ranges, std::size_t most = ~0UL,
                                          bool row_wise = false);

}  // namespace tvp::runtime
