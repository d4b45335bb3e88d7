#include "tests/unit/dram/log_checker.h"

#include <algorithm>
#include <bitset>
#include <deque>
#include <map>
#include <optional>

namespace tvp::dram {

namespace {

using enum DramCommand;

bool reads(DramCommand c) { return c == kRead || c == kReadAuto; }
bool writes(DramCommand c) { return c == kWrite || c == kWriteAuto; }
bool column(DramCommand c) { return reads(c) || writes(c); }
bool precharges_itself(DramCommand c) { return c == kReadAuto || c == kWriteAuto; }

using Banks = std::bitset<256>;

struct LogChecker {
  const Preset& preset;
  const Organization& o = preset.organization;
  const Timing& t = preset.timing;

  unsigned rank(unsigned bank) const { return bank / o.banks_per_rank(); }
  unsigned group(unsigned bank) const { return bank / o.banks_per_group; }

  Banks banks_of(const IssuedCommand& c) const {
    Banks banks;
    for (unsigned bank = 0; bank < o.banks(); ++bank) {
      const bool same_rank = rank(bank) == rank(c.bank);
      const bool whole_rank = c.command == kPrechargeAll || c.command == kRefresh;
      const bool same_index = bank % o.banks_per_group == c.bank % o.banks_per_group;
      const bool group_refresh =
          c.command == kRefreshBank && o.bank_refresh == BankRefresh::kSameBankOfEveryGroup;
      banks[bank] = bank == c.bank || (same_rank && (whole_rank || (group_refresh && same_index)));
    }
    return banks;
  }

  /// The minimum distance from a to the later b, from the sentences of the standard.
  MemCycle distance(const IssuedCommand& a, const IssuedCommand& b, bool share_a_bank) const {
    const bool same_rank = rank(a.bank) == rank(b.bank);
    const bool same_group = group(a.bank) == group(b.bank);
    MemCycle least = 1;
    const auto need = [&](bool when, MemCycle cycles) {
      if (when) least = std::max(least, cycles);
    };
    if (!same_rank) return least;
    const DramCommand x = a.command, y = b.command;
    const MemCycle data_end = writes(x) ? t.cwl + t.bl : t.cl + t.bl;
    const bool refreshes_b = y == kRefresh || y == kRefreshBank;
    // Rules of one bank.
    if (share_a_bank) {
      need(x == kActivate && reads(y), t.trcd_rd);
      need(x == kActivate && writes(y), t.trcd_wr);
      need(x == kActivate && (y == kPrecharge || y == kPrechargeAll), t.tras);
      need(x == kActivate && (y == kActivate || refreshes_b), t.trc);
      need((x == kPrecharge || x == kPrechargeAll) && (y == kActivate || refreshes_b), t.trp);
      const bool precharge = y == kPrecharge || y == kPrechargeAll;
      need(reads(x) && precharge, t.trtp);
      need(writes(x) && precharge, data_end + t.twr);
      const bool anew = y == kActivate || refreshes_b;
      need(x == kReadAuto && anew, t.trtp + t.trp);
      need(x == kWriteAuto && anew, data_end + t.twr + t.trp);
      need(x == kRefresh && anew, t.trfc);
      need(x == kRefreshBank && anew, t.trfc_bank);
    }
    // Rules of one rank.
    need(x == kActivate && y == kActivate, same_group ? t.trrd_l : t.trrd_s);
    need(x == kActivate && y == kRefreshBank, t.trrd_l);
    need(x == kRefreshBank && y == kActivate, t.trrefd);
    need(x == kRefreshBank && refreshes_b, t.trfc_bank);
    need(reads(x) && reads(y), same_group ? t.tccd_l : t.tccd_s);
    need(writes(x) && writes(y), same_group ? t.tccd_l_wr : t.tccd_s);
    need(writes(x) && reads(y), data_end + (same_group ? t.twtr_l : t.twtr_s));
    const bool precharge_x = x == kPrecharge || x == kPrechargeAll;
    need(precharge_x && (y == kPrecharge || y == kPrechargeAll), t.tppd);
    return least;
  }

  unsigned slots(DramCommand c) const {
    if (c == kActivate) return t.activate_slots;
    return column(c) ? t.column_slots : t.other_slots;
  }
};

std::string describe(const IssuedCommand& c) {
  return std::string(name_of(c.command)) + " bank " + std::to_string(c.bank) + " at " +
         std::to_string(c.at);
}

struct Burst {
  MemCycle begin;
  MemCycle end;
  unsigned rank;
  bool write;
};

}  // namespace

std::string check_log(const CommandLog& log, const Preset& preset, unsigned postponed_refreshes) {
  const LogChecker checker{preset};
  const Timing& t = preset.timing;
  constexpr MemCycle kFar = 800;  // beyond the longest distance, tRFC of DDR5
  std::vector<std::optional<std::uint64_t>> open(preset.organization.banks());
  std::map<unsigned, std::deque<MemCycle>> activations;
  std::map<unsigned, std::uint64_t> refreshes;
  std::deque<Burst> bursts;
  std::vector<Banks> banks;
  for (const IssuedCommand& c : log) banks.push_back(checker.banks_of(c));
  std::size_t from = 0;
  for (std::size_t j = 0; j < log.size(); ++j) {
    const IssuedCommand& b = log[j];
    const Banks& banks_b = banks[j];
    while (log[from].at + kFar < b.at) ++from;
    for (std::size_t i = from; i < j; ++i) {
      const IssuedCommand& a = log[i];
      const bool share = (banks[i] & banks_b).any();
      const MemCycle least =
          std::max<MemCycle>(checker.distance(a, b, share), checker.slots(a.command));
      if (b.at < a.at + least) {
        return describe(a) + ", " + describe(b) + ": " + std::to_string(least) + " needed";
      }
    }
    // The open rows.
    for (unsigned bank = 0; bank < open.size(); ++bank) {
      if (!banks_b[bank]) continue;
      const bool must_be_closed =
          b.command == kActivate || b.command == kRefresh || b.command == kRefreshBank;
      if (must_be_closed && open[bank]) return describe(b) + ": bank is open";
      if (column(b.command) && open[bank] != b.row) return describe(b) + ": row is not open";
      if (b.command == kActivate) open[bank] = b.row;
      if (b.command == kPrecharge || b.command == kPrechargeAll || precharges_itself(b.command)) {
        open[bank].reset();
      }
    }
    const unsigned rank = checker.rank(b.bank);
    if (b.command == kActivate) {
      auto& times = activations[rank];
      times.push_back(b.at);
      if (times.size() > 5) times.pop_front();
      if (times.size() == 5 && times.back() < times.front() + t.tfaw) {
        return describe(b) + ": five activations within tFAW";
      }
    }
    // Bursts must not overlap, and rank or direction changes need a gap.
    if (column(b.command)) {
      const bool write = writes(b.command);
      const MemCycle begin = b.at + (write ? t.cwl : t.cl);
      const Burst burst{begin, begin + t.bl, rank, write};
      for (const Burst& other : bursts) {
        MemCycle gap = 0;
        if (other.rank != rank) gap = t.trtrs;
        if (other.rank == rank && !other.write && write) gap = t.trtw_gap;
        if (burst.begin < other.end + gap && other.begin < burst.end + gap) {
          return describe(b) + ": data bus is taken";
        }
      }
      bursts.push_back(burst);
      if (bursts.size() > 16) bursts.pop_front();
    }
    if (b.command == kRefresh || b.command == kRefreshBank) {
      // Postponed refreshes and closing the banks may delay a refresh.
      const bool all = b.command == kRefresh;
      const MemCycle interval = all ? t.trefi : t.trefi_bank;
      const MemCycle slack = t.tras + t.write_to_precharge() + t.trp + t.trfc + 200;
      const std::uint64_t number = ++refreshes[rank];
      if (b.at > (number + postponed_refreshes) * interval + slack) {
        return describe(b) + ": refresh number " + std::to_string(number) + " is late";
      }
    }
  }
  return "";
}

}  // namespace tvp::dram
