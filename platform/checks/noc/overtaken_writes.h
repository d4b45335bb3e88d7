#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about signals that may overtake the data that they announce.
///
/// A core writes data to another tile and signals to this tile before it knows that the data has
/// arrived. If the signal uses another NoC or virtual channel, it may arrive first (ISA
/// NoC/Ordering.md). On the same NoC and channel it arrives after the data. Such a signal may
/// announce something else. It therefore counts only if no signal that arrives after the data
/// follows before the next such write or the end of the program.
class OvertakenWrites : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "overtaken_writes"; }
  const char* summary() const override {
    return "signals that may arrive before the data that they announce";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr std::size_t kMost = 16;  ///< if there are more writes, the oldest are dropped
  /// A write of at most so many bytes counts as a flag that a core may poll.
  static constexpr std::uint32_t kMostOfSignal = 16;

  struct Write {
    ProbeEvent command;
    bool has_arrived = false;
    bool is_overtaken = false;
    ProbeEvent signal{};  ///< the command that may overtake the write
  };
  void program_ends();
  void command(const ProbeEvent& event);
  void writes(const ProbeEvent& event);
  void signals(const ProbeEvent& event);
  void know_arrived(BusMaster niu);
  void report(const Write& write);

  std::vector<Write> writes_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> reported_;  ///< core and pc, pc of the write
};

}  // namespace tvp::checks
