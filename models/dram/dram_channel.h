#pragma once

#include <memory>
#include <span>
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

/// A DRAM channel and its controller, in cycles of CK. The model is event-driven: `advance` goes
/// from one command to the next, and an idle channel costs nothing. It does not use SystemC and
/// moves no bytes. The owner moves them in the order of the completions.
///
/// The owner calls, in order of time, enqueue(request, t) before any decision at t is taken, and
/// advance(until), which takes all decisions before `until`.
class DramChannel {
 public:
  DramChannel(const Preset& preset, const ChannelOptions& options);

  bool accepts(unsigned bank, bool write) const { return queues_.accepts(bank, write); }
  /// Requires that `accepts` holds. `at` must not be before the time of an earlier call.
  void enqueue(const MemoryRequest& request, MemCycle at);
  void advance(MemCycle until);

  /// The time of the next command if no other request arrives; kNeverMem if no request waits.
  MemCycle next_decision();
  bool idle() const { return queues_.empty(); }
  /// Before this time no refresh delays requests.
  MemCycle next_refresh() const { return refresh_quiet_until_; }
  MemCycle now() const { return now_; }

  /// Completions of issued commands that the owner has not taken yet, in the order of their
  /// effects.
  const std::vector<Completion>& completions() const { return completions_; }
  void clear_completions() { completions_.clear(); }

  const ChannelStats& stats() const { return stats_; }
  const Preset& preset() const { return preset_; }
  /// Shares the pins with other users. A command that its banks permit asks `pins` for slots and
  /// keeps them, whatever arrives meanwhile. Null if the channel has its pins to itself.
  void set_pins(SharedPins* pins) { pins_ = pins; }
  /// Also writes every command to this log.
  void set_log(CommandLog* log) { log_ = log; }

 private:
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};
  /// Order of a command that serves no request.
  static constexpr std::uint64_t kLast = ~std::uint64_t{0};

  using GroupTimes = std::array<MemCycle, kCommands>;

  struct Bank {
    std::uint64_t open_row = kNoRow;
    MemCycle last_column = 0;
    unsigned passed = 0;  ///< row hits that have passed the oldest request
    /// The bank's next command for each direction, with the earliest time that the bank permits.
    Candidate next[2];
    bool known[2] = {false, false};
    unsigned opened_for = BankQueues::kNone;  ///< slot of the waiting request that opened the row
    bool opened_write = false;                ///< its direction
    unsigned group = 0;                       ///< number over all ranks
    bool blocked = false;                     ///< a refresh goes first,
    bool serves = false;                      ///< but after the request that the row was opened for
  };

  bool forward(const MemoryRequest& request, MemCycle at);
  bool has_pins();
  void plan();
  void plan_refresh();
  void plan_refresh(unsigned rank, const RefreshDemand& demand);
  void plan_requests(bool write);
  template <typename GroupAt>
  void plan_banks(std::span<const unsigned> waiting, bool write, GroupAt group_at);
  void plan_turn(bool write);
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
  std::vector<unsigned> open_banks_;  ///< number for each rank
  std::vector<unsigned> waiting_;     ///< number of requests for each rank
  unsigned held_reads_ = 0;           ///< reads that wait for a partial write to their burst
  bool bus_writes_ = false;           ///< direction that has the data bus
  bool any_blocked_ = false;
  MemCycle refresh_quiet_until_ = 0;  ///< no rank needs a refresh before

  SharedPins* pins_ = nullptr;
  bool granted_ = false;  ///< next_ has its slots on the pins
  bool planned_ = false;
  Candidate next_{};        ///< valid if planned_
  MemCycle replan_at_ = 0;  ///< a refresh becomes due before next_
  /// Has the maximum size; candidate_count_ entries are valid.
  std::vector<Candidate> candidates_;
  std::size_t candidate_count_ = 0;
  /// Earliest times of commands with respect to other banks.
  std::vector<GroupTimes> group_earliest_;
  Candidate refresh_next_{};

  std::vector<Completion> completions_;
  ChannelStats stats_;
  CommandLog* log_ = nullptr;
};

}  // namespace tvp::dram
