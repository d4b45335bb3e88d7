#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/ddr/ca_bus.h"
#include "models/ddr/dq_lanes.h"
#include "models/dram/timing/timing_checker.h"

namespace tvp::ddr {

/// The channel as a controller outside of the platform sees it: it executes commands, but decides
/// none. A command takes its slot of the command/address bus and, with data, all DQ pins. It keeps
/// the distances of dram::TimingChecker, and rows must be open or closed as it needs. Commands come
/// in the order of `earliest`.
class CommandChannel {
 public:
  struct Command {
    CaCommand code = CaCommand::kNoOperation;
    std::uint32_t ranks = 1;  ///< chip selects; at least one, and one only for a command to a bank
    unsigned bank = 0;        ///< number in the rank
    std::uint64_t row = 0;    ///< kActivate
    unsigned words = 1;       ///< kPim
  };
  enum class Result : std::uint8_t { kIssued, kTooEarly, kRowClosed, kRowOpen };
  struct Answer {
    Result result = Result::kIssued;
    MemCycle slot = 0;  ///< kTooEarly: the first legal one
    MemCycle end = 0;   ///< the cycle after the last slot
    DqLanes::Span data{};
  };

  /// `where` names the channel in faults.
  CommandChannel(const dram::Preset& preset, const std::string& where);

  /// Executes a command at its first legal time from `earliest` on. If `strict` is set, a command
  /// that could not be executed at `earliest` is refused.
  Answer issue(const Command& command, MemCycle earliest, bool strict);
  /// The open row of a bank, which must have one.
  std::uint64_t open_row(unsigned rank, unsigned bank) const {
    return rows_[rank * organization_.banks_per_rank() + bank];
  }

  const CaBus::Stats& command_stats() const { return commands_.stats(); }
  const DqLanes::Stats& data_stats() const { return data_.stats(0); }

 private:
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

  bool has_open_row(unsigned rank) const;
  Result check_rows(const Command& command) const;
  void change_rows(const Command& command);

  const dram::Organization organization_;
  const dram::Timing timing_;
  dram::TimingChecker checker_;
  CaBus commands_;
  DqLanes data_;
  std::vector<std::uint64_t> rows_;  ///< open row or kNoRow, one per bank
};

}  // namespace tvp::ddr
