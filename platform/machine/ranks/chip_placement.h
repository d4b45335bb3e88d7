#pragma once

#include <string>
#include <vector>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// The rank of each chip of a system.
class ChipPlacement {
 public:
  /// `key` lists a rank for each chip, in the order of the description. Without it, each rank has
  /// chips that follow each other, as equally many as possible. Throws Fault(kDescription) if a
  /// rank has no chip.
  ChipPlacement(const SystemDescription& system, unsigned ranks, const std::string& key);

  /// `place`: that of the chip in the description.
  unsigned rank_of(std::size_t place) const { return ranks_[place]; }
  /// "chip 1" or "chips 2, 3"
  std::string chips_of(unsigned rank) const;

 private:
  std::vector<unsigned> ranks_;
  std::vector<unsigned> ids_;
};

}  // namespace tvp::platform
