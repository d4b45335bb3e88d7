#pragma once

#include <string>
#include <vector>

namespace tvp::pim {

/// The levels of a PIM system from the inside out: bank < chip < rank < … The number of levels is
/// configurable. Units are numbered with the innermost level as the fastest index.
class PimHierarchy {
 public:
  struct Level {
    std::string name;
    unsigned count = 1;  ///< number within one of the next level
  };

  /// Parses "bank=8 chip=4 rank=2". Throws Fault(kDescription) with what was expected.
  static PimHierarchy parse(const std::string& text);

  const std::vector<Level>& levels() const { return levels_; }
  unsigned units() const { return units_; }
  /// Number of units up to and including `level`, for example 8 for the banks of a chip.
  unsigned units_within(unsigned level) const;
  /// Levels whose units share a memory channel: all inside the one called "channel", or else the
  /// first three and a fourth called "dimm".
  unsigned levels_of_channel() const;

  /// Number of the unit at each level.
  std::vector<unsigned> place_of(unsigned unit) const;
  /// Throws Fault(kDescription) for a place outside the hierarchy.
  unsigned unit_at(const std::vector<unsigned>& place) const;
  /// "chip2.bank5", outermost first.
  std::string name_of(unsigned unit) const;

 private:
  std::vector<Level> levels_;
  unsigned units_ = 1;
};

}  // namespace tvp::pim
