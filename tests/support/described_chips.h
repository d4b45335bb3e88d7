#pragma once

#include "foundation/chip/chip_reader.h"

namespace tvp::tests {

/// Wormhole B0 as platform/chips describes it.
inline const foundation::ChipSpec& wormhole() {
  static const foundation::ChipSpec spec =
      foundation::load_chip("wormhole_b0", foundation::chip_folder());
  return spec;
}

/// The same of Blackhole A0.
inline const foundation::ChipSpec& blackhole() {
  static const foundation::ChipSpec spec =
      foundation::load_chip("blackhole_a0", foundation::chip_folder());
  return spec;
}

}  // namespace tvp::tests
