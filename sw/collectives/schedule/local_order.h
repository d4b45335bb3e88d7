#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// The steps of a rank that have certainly ended before another one begins: earlier steps of its
/// lane, its dependencies, and the steps before those.
class LocalOrder {
 public:
  /// All dependencies must name existing steps.
  explicit LocalOrder(const RankProgram& program);

  /// A step that waits for itself through others; if there is one, the order is undefined.
  const std::optional<Dependency>& circular() const { return circular_; }
  bool before(const Dependency& first, const Dependency& second) const;
  /// All steps, each after the steps before it.
  const std::vector<Dependency>& sequence() const { return sequence_; }
  /// Place of a step in that sequence.
  std::size_t index(const Dependency& at) const { return indices_[at.lane][at.step]; }

 private:
  /// The number of ended steps of each lane.
  using Clock = std::vector<std::uint32_t>;
  void place(const RankProgram& program, const Dependency& at);

  std::vector<std::vector<Clock>> clocks_;
  std::vector<std::vector<std::size_t>> indices_;
  std::vector<Dependency> sequence_;
  std::optional<Dependency> circular_;
};

}  // namespace tvp::collectives
