#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// What is surely over in a rank before one of its steps begins: earlier steps of its lane, what
/// it depends on, and what is before those.
class LocalOrder {
 public:
  /// Dependencies must name steps that there are.
  explicit LocalOrder(const RankProgram& program);

  /// A step that waits for itself through others, if there is one; the order is then of no use.
  const std::optional<Dependency>& circular() const { return circular_; }
  bool before(const Dependency& first, const Dependency& second) const;
  /// All steps, each after those that are before it.
  const std::vector<Dependency>& sequence() const { return sequence_; }
  /// Place of a step in that sequence.
  std::size_t index(const Dependency& at) const { return indices_[at.lane][at.step]; }

 private:
  /// How many steps of each lane are over.
  using Clock = std::vector<std::uint32_t>;
  void place(const RankProgram& program, const Dependency& at);

  std::vector<std::vector<Clock>> clocks_;
  std::vector<std::vector<std::size_t>> indices_;
  std::vector<Dependency> sequence_;
  std::optional<Dependency> circular_;
};

}  // namespace tvp::collectives
