#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/dram/channel_options.h"
#include "models/dram/channel_stats.h"
#include "models/dram/controller/bank_queues.h"
#include "models/dram/controller/scheduler.h"
#include "models/dram/controller/write_drain.h"
#include "models/dram/memory_request.h"
#include "models/dram/policies/page_policy.h"
#include "models/dram/policies/refresh_policy.h"
#include "models/dram/timing/shared_pins.h"
#include "models/dram/timing/timing_checker.h"

namespace tvp::dram {

/// A channel of DRAM and its controller, in cycles of CK. Event-driven: `advance` goes from one
/// command to the next, and nothing happens while nothing is asked for. Knows no SystemC and moves
/// no bytes: the owner does, in the order of the completions.
///
/// The owner calls, in order of time: enqueue(request, t), which no decision at t precedes, and
/// advance(until), which takes all decisions before `until`.
class DramChannel {
 public:
  DramChannel(const Preset& preset, const ChannelOptions& options);

  bool accepts(unsigned bank, bool write) const { return queues_.accepts(bank, write); }
  /// `accepts` must hold. `at` must not be before an earlier call's time.
  void enqueue(const MemoryRequest& request, MemCycle at);
  void advance(MemCycle until);

  /// When the next command is issued if nothing else arrives; kNeverMem when nothing waits.
  MemCycle next_decision();
  bool idle() const { return queues_.empty(); }
  /// No refresh keeps requests waiting before.
  MemCycle next_refresh() const { return refresh_quiet_until_; }
  MemCycle now() const { return now_; }

  /// Completions of all commands issued so far and not yet taken, in the order of their effects.
  const std::vector<Completion>& completions() const { return completions_; }
  void clear_completions() { completions_.clear(); }

  const ChannelStats& stats() const { return stats_; }
  const Preset& preset() const { return preset_; }
  /// Others use the same pins: a command that its banks permit asks there for its place, and what
  /// it gets is kept, whatever arrives meanwhile. Null when the channel has its pins to itself.
  void set_pins(SharedPins* pins) { pins_ = pins; }
  /// Every command is also written there.
  void set_log(CommandLog* log) { log_ = log; }

 private:
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};
  static constexpr std::uint64_t kLast = ~std::uint64_t{0};  ///< order of what serves no request

  using GroupTimes = std::array<MemCycle, kCommands>;

  struct Bank {
    std::uint64_t open_row = kNoRow;
    MemCycle last_column = 0;
    unsigned passed = 0;  ///< row hits that went before the oldest request
    /// The bank's next command by direction, with the earliest time that the bank itself allows.
    Candidate next[2];
    bool known[2] = {false, false};
    unsigned group = 0;    ///< flat
    bool blocked = false;  ///< a refresh comes first,
    bool serves = false;   ///< but not before the request that the row was opened for
  };

  bool forward(const MemoryRequest& request, MemCycle at);
  bool has_pins();
  void plan();
  void plan_refresh();
  void plan_refresh(unsigned rank, const RefreshDemand& demand);
  void plan_requests(bool write);
  void plan_idle_rows();
  void plan_bank(unsigned bank, bool write);
  unsigned next_of(unsigned bank, bool write) const;
  void skip_idle_refreshes(MemCycle until);
  void count_refreshes(DramCommand command, unsigned bank, std::uint64_t count);
  bool rank_is_idle(unsigned rank) const;
  void issue(const Candidate& candidate);
  void issue_column(const Candidate& candidate);
  void record(DramCommand command, unsigned bank, std::uint64_t row);
  bool wants_row(unsigned bank) const;
  void close(unsigned bank);
  static void forget_plan(Bank& bank) { bank.known[0] = bank.known[1] = false; }

  const Preset preset_;
  const ChannelOptions options_;
  TimingChecker checker_;
  BankQueues queues_;
  const std::unique_ptr<PagePolicy> page_;
  const std::unique_ptr<Scheduler> scheduler_;
  const std::unique_ptr<RefreshPolicy> refresh_;
  WriteDrain drain_;

  MemCycle now_ = 0;
  std::vector<Bank> banks_;
  std::vector<unsigned> open_banks_;  ///< of each rank
  std::vector<unsigned> waiting_;     ///< requests of each rank
  unsigned held_reads_ = 0;           ///< reads that wait for a partial write to their burst
  bool any_blocked_ = false;
  MemCycle refresh_quiet_until_ = 0;  ///< no rank wants a refresh before

  SharedPins* pins_ = nullptr;
  bool granted_ = false;  ///< next_ has its place on the pins
  bool planned_ = false;
  Candidate next_{};                   ///< valid if planned_
  MemCycle replan_at_ = 0;             ///< a refresh falls due before next_
  std::vector<Candidate> candidates_;  ///< room for all; candidate_count_ are valid
  std::size_t candidate_count_ = 0;
  std::vector<GroupTimes> group_earliest_;  ///< of commands, as far as other banks are concerned
  Candidate refresh_next_{};

  std::vector<Completion> completions_;
  ChannelStats stats_;
  CommandLog* log_ = nullptr;
};

}  // namespace tvp::dram
