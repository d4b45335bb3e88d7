#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/dram/timing/dram_command.h"
#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// The earliest legal time of every command at every bank. An issued command updates tables of its
/// bank, bank group, rank and the other ranks. A query is the maximum of table entries. tFAW checks
/// the fourth activation back.
///
/// Banks have flat numbers: (rank * bank_groups + group) * banks_per_group + bank. A command to a
/// rank names any bank of it. The caller tracks open rows.
class TimingChecker {
 public:
  explicit TimingChecker(const Preset& preset);

  MemCycle earliest(DramCommand command, unsigned bank) const {
    const MemCycle at =
        later(earliest_of_bank(command, bank), earliest_of_group(command, group_of_[bank]));
    return command == DramCommand::kRefreshBank ? later(at, earliest_of_covered(bank)) : at;
  }
  /// earliest() consists of two parts: limits from the bank itself, and limits from other banks.
  MemCycle earliest_of_bank(DramCommand command, unsigned bank) const {
    return bank_[bank][index_of(command)];
  }
  /// `group` counts over all ranks.
  MemCycle earliest_of_group(DramCommand command, unsigned group) const {
    const unsigned c = index_of(command);
    const unsigned rank = rank_of_[group * organization_.banks_per_group];
    const MemCycle at = later(group_[group][c], later(rank_[rank][c], bus_free_));
    if (command != DramCommand::kActivate) return at;
    return later(at, window_[rank].times[window_[rank].oldest]);
  }
  unsigned group_of(unsigned bank) const { return group_of_[bank]; }

  /// Records a command at `at` without checking it against earliest().
  void issue(DramCommand command, unsigned bank, MemCycle at);

  unsigned rank_of(unsigned bank) const { return rank_of_[bank]; }
  /// Calls visit(bank) for each bank that a bank refresh of `bank` covers.
  template <typename Visit>
  void for_each_covered(unsigned bank, Visit visit) const {
    if (organization_.bank_refresh != BankRefresh::kSameBankOfEveryGroup) {
      visit(bank);
      return;
    }
    const unsigned per_rank = organization_.banks_per_rank();
    const unsigned first = bank / per_rank * per_rank + bank % organization_.banks_per_group;
    for (unsigned i = 0; i < organization_.bank_groups; ++i) {
      visit(first + i * organization_.banks_per_group);
    }
  }

 private:
  enum class Scope : std::uint8_t { kBank, kGroup, kRank, kOtherRanks };
  struct Rule {
    DramCommand next;
    Scope scope;
    unsigned distance;
  };
  using Times = std::array<MemCycle, kCommands>;
  struct Window {
    std::array<MemCycle, 4> times{};  ///< activation + tFAW of the last four
    unsigned oldest = 0;
  };

  static MemCycle later(MemCycle a, MemCycle b) { return a > b ? a : b; }
  static void push(Times& times, const Rule& rule, MemCycle at) {
    MemCycle& time = times[index_of(rule.next)];
    time = later(time, at + rule.distance);
  }
  MemCycle earliest_of_covered(unsigned bank) const;
  void make_rules();
  void rule(DramCommand from, DramCommand next, Scope scope, unsigned distance);
  void rule_columns(DramCommand from, bool write);
  void rule_refreshes();

  const Organization organization_;
  const Timing timing_;
  std::array<std::vector<Rule>, kCommands> rules_;
  std::array<unsigned, kCommands> slots_{};
  std::vector<std::uint8_t> rank_of_;
  std::vector<std::uint8_t> group_of_;  ///< counted over all ranks
  std::vector<Times> bank_;
  std::vector<Times> group_;
  std::vector<Times> rank_;
  std::vector<Window> window_;
  MemCycle bus_free_ = 0;
};

}  // namespace tvp::dram
