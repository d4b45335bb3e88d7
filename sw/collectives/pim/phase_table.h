#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tvp::collectives {

/// A message between two ranks; rank r is unit r.
struct Transfer {
  unsigned source = 0;
  unsigned destination = 0;
};

/// Transfers without shared resources, phase by phase.
using Phases = std::vector<std::vector<Transfer>>;

/// Sorts transfers into phases in advance, as PIMnet does. In a phase no link serves two transfers,
/// no unit sends two and no unit receives two. With a barrier between phases this is a static
/// schedule without conflicts for any transfer times.
class PhaseTable {
 public:
  /// Returns the numbers of the links that a transfer takes.
  using Way = std::function<std::vector<std::uint32_t>(const Transfer&)>;
  explicit PhaseTable(Way way) : way_(std::move(way)) {}

  /// Adds a transfer to the first phase from `earliest` on that has room for it. Returns the phase.
  std::size_t add(const Transfer& transfer, std::size_t earliest = 0);
  /// The same for transfers that must be in one phase, as those that a switch combines.
  std::size_t add_together(const std::vector<Transfer>& transfers, std::size_t earliest = 0);
  /// Adds transfers, those with the longest ways first, because they are the hardest to place.
  void add_independent(const std::vector<Transfer>& transfers);

  Phases take();

 private:
  /// One bit for each phase.
  using Busy = std::vector<std::uint64_t>;
  std::vector<Busy*> resources_of(const std::vector<Transfer>& transfers);
  static Busy& at(std::vector<Busy>& list, std::size_t number);

  const Way way_;
  Phases phases_;
  std::vector<Busy> links_;
  std::vector<Busy> senders_;
  std::vector<Busy> receivers_;
};

}  // namespace tvp::collectives
