#pragma once

#include <array>
#include <cstddef>

#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// The activations of a chip or rank whose banks have several sequencers. tRRD separates any two,
/// and at most four are within tFAW. Sequencers plan a few rows ahead of each other, so a claim may
/// fall between activations that are already planned. The window keeps the latest ones in order.
class ActivationWindow {
 public:
  explicit ActivationWindow(const Timing& timing) : trrd_(timing.trrd_l), tfaw_(timing.tfaw) {}

  /// Reserves the first cycle from `earliest` on at which another activation keeps all limits.
  MemCycle claim(MemCycle earliest);

 private:
  static constexpr std::size_t kKept = 64;
  bool fits(MemCycle at, std::size_t position) const;
  MemCycle time(std::size_t position) const { return times_[position]; }

  const MemCycle trrd_;
  const MemCycle tfaw_;
  std::array<MemCycle, kKept> times_{};  ///< ascending
  std::size_t count_ = 0;
};

}  // namespace tvp::dram
