#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Writes of a tile's cores to other tiles that nobody knows to have arrived, while the same core
/// signals there on another way: another NoC or virtual channel, where the signal may be first (ISA
/// NoC/Ordering.md). One on the same way is behind them. A signal may be about something else: it
/// counts if none that is surely behind the write comes before the next such write, or the end of
/// the program.
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
  static constexpr std::size_t kMost = 16;  ///< of more, the oldest are forgotten
  /// Data of so few bytes counts as a flag that somebody may poll.
  static constexpr std::uint32_t kMostOfSignal = 16;

  struct Write {
    ProbeEvent command;
    bool has_arrived = false;
    bool is_overtaken = false;
    ProbeEvent signal{};  ///< that may overtake it
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
