#include "models/dram/timing/timing_checker.h"

namespace tvp::dram {

namespace {

/// A distance between data bursts can correspond to less than a cycle between commands.
unsigned at_least_one(unsigned sum, unsigned minus) { return sum > minus ? sum - minus : 1; }

}  // namespace

const char* name_of(DramCommand command) {
  constexpr std::array<const char*, kCommands> kNames = {"ACT", "PRE", "PREA", "RD",  "WR",
                                                         "RDA", "WRA", "REF",  "REFB"};
  return kNames[index_of(command)];
}

TimingChecker::TimingChecker(const Preset& preset)
    : organization_(preset.organization),
      timing_(preset.timing),
      bank_(organization_.banks()),
      group_(organization_.ranks * organization_.bank_groups),
      rank_(organization_.ranks),
      window_(organization_.ranks) {
  for (unsigned bank = 0; bank < organization_.banks(); ++bank) {
    rank_of_.push_back(static_cast<std::uint8_t>(bank / organization_.banks_per_rank()));
    group_of_.push_back(static_cast<std::uint8_t>(bank / organization_.banks_per_group));
  }
  slots_.fill(timing_.other_slots);
  slots_[index_of(DramCommand::kActivate)] = timing_.activate_slots;
  for (DramCommand column :
       {DramCommand::kRead, DramCommand::kWrite, DramCommand::kReadAuto, DramCommand::kWriteAuto}) {
    slots_[index_of(column)] = timing_.column_slots;
  }
  make_rules();
}

void TimingChecker::rule(DramCommand from, DramCommand next, Scope scope, unsigned distance) {
  rules_[index_of(from)].push_back({next, scope, distance});
}

void TimingChecker::make_rules() {
  using enum DramCommand;
  const Timing& t = timing_;
  for (DramCommand read : {kRead, kReadAuto}) rule(kActivate, read, Scope::kBank, t.trcd_rd);
  for (DramCommand write : {kWrite, kWriteAuto}) rule(kActivate, write, Scope::kBank, t.trcd_wr);
  rule(kActivate, kPrecharge, Scope::kBank, t.tras);
  rule(kActivate, kPrechargeAll, Scope::kRank, t.tras);
  rule(kActivate, kActivate, Scope::kBank, t.trc);
  rule(kActivate, kActivate, Scope::kGroup, t.trrd_l);
  rule(kActivate, kActivate, Scope::kRank, t.trrd_s);
  for (DramCommand precharge : {kPrecharge, kPrechargeAll}) {
    const Scope scope = precharge == kPrecharge ? Scope::kBank : Scope::kRank;
    rule(precharge, kActivate, scope, t.trp);
    rule(precharge, kPrecharge, Scope::kRank, t.tppd);
    rule(precharge, kPrechargeAll, Scope::kRank, t.tppd);
  }
  for (DramCommand column : {kRead, kReadAuto}) rule_columns(column, false);
  for (DramCommand column : {kWrite, kWriteAuto}) rule_columns(column, true);
  rule_refreshes();
}

void TimingChecker::rule_columns(DramCommand from, bool write) {
  using enum DramCommand;
  const Timing& t = timing_;
  for (DramCommand next : {kRead, kReadAuto}) {
    if (write) {
      rule(from, next, Scope::kGroup, t.write_to_read(true));
      rule(from, next, Scope::kRank, t.write_to_read(false));
      rule(from, next, Scope::kOtherRanks, at_least_one(t.cwl + t.bl + t.trtrs, t.cl));
    } else {
      rule(from, next, Scope::kGroup, t.tccd_l);
      rule(from, next, Scope::kRank, t.tccd_s);
      rule(from, next, Scope::kOtherRanks, t.bl + t.trtrs);
    }
  }
  for (DramCommand next : {kWrite, kWriteAuto}) {
    if (write) {
      rule(from, next, Scope::kGroup, t.tccd_l_wr);
      rule(from, next, Scope::kRank, t.tccd_s);
      rule(from, next, Scope::kOtherRanks, t.bl + t.trtrs);
    } else {
      rule(from, next, Scope::kRank, t.read_to_write());
      rule(from, next, Scope::kOtherRanks, at_least_one(t.cl + t.bl + t.trtrs, t.cwl));
    }
  }
  const unsigned to_precharge = write ? t.write_to_precharge() : t.trtp;
  rule(from, kPrecharge, Scope::kBank, to_precharge);
  rule(from, kPrechargeAll, Scope::kRank, to_precharge);
  if (from == kReadAuto || from == kWriteAuto) {
    rule(from, kActivate, Scope::kBank, to_precharge + t.trp);
    rule(from, kRefreshBank, Scope::kBank, to_precharge + t.trp);
    rule(from, kRefresh, Scope::kRank, to_precharge + t.trp);
  }
}

void TimingChecker::rule_refreshes() {
  using enum DramCommand;
  const Timing& t = timing_;
  rule(kActivate, kRefresh, Scope::kRank, t.trc);
  rule(kPrecharge, kRefresh, Scope::kRank, t.trp);
  rule(kPrechargeAll, kRefresh, Scope::kRank, t.trp);
  for (DramCommand next : {kActivate, kRefresh, kRefreshBank}) {
    rule(kRefresh, next, Scope::kRank, t.trfc);
  }
  if (organization_.bank_refresh == BankRefresh::kNone) return;
  rule(kActivate, kRefreshBank, Scope::kBank, t.trc);
  rule(kActivate, kRefreshBank, Scope::kRank, t.trrd_l);
  rule(kPrecharge, kRefreshBank, Scope::kBank, t.trp);
  rule(kPrechargeAll, kRefreshBank, Scope::kRank, t.trp);
  rule(kRefreshBank, kActivate, Scope::kBank, t.trfc_bank);
  rule(kRefreshBank, kActivate, Scope::kRank, t.trrefd);
  rule(kRefreshBank, kRefreshBank, Scope::kRank, t.trfc_bank);
  rule(kRefreshBank, kRefresh, Scope::kRank, t.trfc_bank);
}

MemCycle TimingChecker::earliest_of_covered(unsigned bank) const {
  MemCycle at = 0;
  for_each_covered(bank, [&](unsigned covered) {
    at = later(at, bank_[covered][index_of(DramCommand::kRefreshBank)]);
  });
  return at;
}

void TimingChecker::issue(DramCommand command, unsigned bank, MemCycle at) {
  const unsigned rank = rank_of_[bank];
  bus_free_ = at + slots_[index_of(command)];
  for (const Rule& r : rules_[index_of(command)]) {
    switch (r.scope) {
      case Scope::kBank:
        if (command == DramCommand::kRefreshBank) {
          for_each_covered(bank, [&](unsigned covered) { push(bank_[covered], r, at); });
        } else {
          push(bank_[bank], r, at);
        }
        break;
      case Scope::kGroup:
        push(group_[group_of_[bank]], r, at);
        break;
      case Scope::kRank:
        push(rank_[rank], r, at);
        break;
      case Scope::kOtherRanks:
        for (unsigned other = 0; other < organization_.ranks; ++other) {
          if (other != rank) push(rank_[other], r, at);
        }
        break;
    }
  }
  if (command == DramCommand::kActivate) {
    Window& window = window_[rank];
    window.times[window.oldest] = at + timing_.tfaw;
    window.oldest = (window.oldest + 1) % 4;
  }
}

}  // namespace tvp::dram
