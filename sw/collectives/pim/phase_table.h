#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tvp::collectives {

/// From one rank to another; rank r is unit r.
struct Transfer {
  unsigned source = 0;
  unsigned destination = 0;
};

/// Transfers that share nothing, phase by phase.
using Phases = std::vector<std::vector<Transfer>>;

/// Sorts transfers into phases, as PIMnet fixes them ahead of time: in a phase no link serves two
/// transfers, no unit sends two and none receives two. A barrier between phases makes that a static
/// schedule without conflicts, however long each transfer takes.
class PhaseTable {
 public:
  /// The links that a transfer takes, each with a number of its own.
  using Way = std::function<std::vector<std::uint32_t>(const Transfer&)>;
  explicit PhaseTable(Way way) : way_(std::move(way)) {}

  /// Into the first phase from `earliest` on that has room for it; gives back which.
  std::size_t add(const Transfer& transfer, std::size_t earliest = 0);
  /// All of them, those with the longest ways first, which are hardest to place.
  void add_independent(const std::vector<Transfer>& transfers);

  Phases take();

 private:
  /// A bit a phase.
  using Busy = std::vector<std::uint64_t>;
  std::vector<Busy*> resources_of(const Transfer& transfer);
  static Busy& at(std::vector<Busy>& list, std::size_t number);

  const Way way_;
  Phases phases_;
  std::vector<Busy> links_;
  std::vector<Busy> senders_;
  std::vector<Busy> receivers_;
};

}  // namespace tvp::collectives
