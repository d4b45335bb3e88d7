// Single policies: addresses, pages, order, refresh, write drain, histogram, queues.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "foundation/fault.h"
#include "models/dram/address_mapping.h"
#include "models/dram/controller/bank_queues.h"
#include "models/dram/controller/write_drain.h"
#include "models/dram/dram_config.h"
#include "models/dram/policies/policy_registry.h"
#include "tests/support/fault_of.h"

namespace tvp::dram::channel_policies_test {
namespace {

using foundation::Fault;

const Organization& ddr4() { return find_preset("ddr4_2400")->organization; }

std::string message_of(const std::string& fields) {
  try {
    AddressMapping(fields, ddr4(), false);
  } catch (const Fault& fault) {
    return fault.message();
  }
  return "";
}

TEST(AddressMapping, TakesFieldsFromTheHighestBitOn) {
  const AddressMapping mapping("row:rank:bank:bankgroup:column:channel", ddr4(), false);
  EXPECT_EQ(mapping.bytes(), 8ULL << 30);
  // 6 bits of burst, 7 of column, 2 of group, 2 of bank, 16 of row.
  EXPECT_EQ(mapping.decode(0x40), (Location{0, 0, 0, 1}));
  EXPECT_EQ(mapping.decode(1 << 13), (Location{0, 4, 0, 0}));  // next group
  EXPECT_EQ(mapping.decode(1 << 15), (Location{0, 1, 0, 0}));  // next bank of the group
  EXPECT_EQ(mapping.decode(1 << 17), (Location{0, 0, 1, 0}));
  EXPECT_EQ(mapping.decode((5ULL << 17) + (3 << 15) + (2 << 13) + (9 << 6) + 63),
            (Location{0, 11, 5, 9}));
}

TEST(AddressMapping, SplitsAField) {
  const AddressMapping mapping("row:column:bank:bankgroup:column3", ddr4(), false);
  EXPECT_EQ(mapping.decode(7 << 6), (Location{0, 0, 0, 7}));
  EXPECT_EQ(mapping.decode(1 << 9), (Location{0, 4, 0, 0}));
  EXPECT_EQ(mapping.decode(1 << 13), (Location{0, 0, 0, 8}));
}

TEST(AddressMapping, IsOneToOneForEveryPreset) {
  std::mt19937_64 random(1);
  for (const Preset& preset : presets()) {
    for (const char* fields : {"row:rank:bank:bankgroup:column:channel",
                               "row:column:channel:rank:bank:bankgroup:column2"}) {
      for (const bool hash : {false, true}) {
        const AddressMapping mapping(fields, preset.organization, hash);
        EXPECT_EQ(mapping.bytes(),
                  preset.organization.channel_bytes() * preset.organization.channels);
        for (int i = 0; i < 2000; ++i) {
          const std::uint64_t address =
              random() % mapping.bytes() / mapping.burst_bytes() * mapping.burst_bytes();
          const Location location = mapping.decode(address);
          ASSERT_LT(location.bank, preset.organization.banks());
          ASSERT_LT(location.row, preset.organization.rows);
          ASSERT_LT(location.column, preset.organization.bursts_per_row());
          ASSERT_EQ(mapping.encode(location), address);
        }
      }
    }
  }
}

TEST(AddressMapping, HashingSpreadsARowStride) {
  const AddressMapping plain("row:rank:bank:bankgroup:column:channel", ddr4(), false);
  const AddressMapping hashed("row:rank:bank:bankgroup:column:channel", ddr4(), true);
  std::set<unsigned> plain_banks, hashed_banks;
  for (std::uint64_t row = 0; row < 16; ++row) {
    plain_banks.insert(plain.decode(row << 17).bank);
    hashed_banks.insert(hashed.decode(row << 17).bank);
  }
  EXPECT_EQ(plain_banks.size(), 1U);
  EXPECT_EQ(hashed_banks.size(), 16U);
}

TEST(AddressMapping, SaysWhatIsWrong) {
  EXPECT_EQ(message_of("row:bank:column"), "'row:bank:column': the field bankgroup lacks 2 bits");
  EXPECT_EQ(message_of("row:banks:bankgroup:column"),
            "'row:banks:bankgroup:column': unknown field 'banks'; there are channel, rank, "
            "bankgroup, bank, row, column");
  EXPECT_EQ(message_of("row:bank:bankgroup:column:column2"),
            "");  // fields may be split this way
  EXPECT_EQ(message_of("row:column2:bank:bankgroup:column"),
            "'row:column2:bank:bankgroup:column': the field column is there twice");
  EXPECT_EQ(message_of("row:bank3:bankgroup:column"),
            "'row:bank3:bankgroup:column': 'bank3' has only 2 bits left");
  EXPECT_EQ(message_of("row:bank:bankgroup:column0"),
            "'row:bank:bankgroup:column0': 'column0' is no field with a number of bits");
  EXPECT_NE(message_of(""), "");
  EXPECT_TRUE(tvp::test::faults(
      [&] {
        AddressMapping("row:bank:bankgroup:column", find_preset("gddr6_14")->organization, false);
      },
      {}, {"the field channel lacks 1 bits"}));
  Organization odd = ddr4();
  odd.banks_per_group = 3;
  EXPECT_THROW(AddressMapping("row:bank:bankgroup:column", odd, false), Fault);
}

TEST(PagePolicy, ClosesAsItsNameSays) {
  EXPECT_FALSE(make_page_policy({.page = "open", .page_timeout_cycles = 9})->closes(false));
  EXPECT_EQ(make_page_policy({.page = "open", .page_timeout_cycles = 9})->idle_cycles(), kNeverMem);
  EXPECT_TRUE(make_page_policy({.page = "closed", .page_timeout_cycles = 9})->closes(false));
  EXPECT_FALSE(make_page_policy({.page = "closed", .page_timeout_cycles = 9})->closes(true));
  EXPECT_TRUE(make_page_policy({.page = "auto_precharge", .page_timeout_cycles = 9})->closes(true));
  EXPECT_FALSE(make_page_policy({.page = "timeout", .page_timeout_cycles = 9})->closes(false));
  EXPECT_EQ(make_page_policy({.page = "timeout", .page_timeout_cycles = 9})->idle_cycles(), 9U);
}

TEST(Scheduler, FcfsTakesTheOldestWhateverItCosts) {
  const std::vector<Candidate> candidates = {{10, 7, 0, 0, DramCommand::kRead, true},
                                             {90, 3, 1, 1, DramCommand::kPrecharge, false},
                                             {10, 5, 2, 2, DramCommand::kRead, true}};
  const auto fcfs = make_scheduler({.scheduler = "fcfs", .starvation_cap = 16});
  EXPECT_EQ(fcfs->pick(candidates), 1U);
  EXPECT_FALSE(fcfs->hit_may_pass(0));
}

TEST(Scheduler, FrFcfsTakesTheFirstReadyThenHitsThenTheOldest) {
  const auto scheduler = make_scheduler({.scheduler = "fr_fcfs", .starvation_cap = 2});
  std::vector<Candidate> candidates = {{12, 1, 0, 0, DramCommand::kRead, true},
                                       {10, 9, 1, 1, DramCommand::kActivate, false},
                                       {10, 8, 2, 2, DramCommand::kRead, true},
                                       {10, 7, 3, 3, DramCommand::kRead, true},
                                       {10, 2, 4, 4, DramCommand::kPrecharge, false}};
  EXPECT_EQ(scheduler->pick(candidates), 3U);
  candidates.erase(candidates.begin() + 2, candidates.begin() + 4);
  EXPECT_EQ(scheduler->pick(candidates), 2U);
  EXPECT_TRUE(scheduler->hit_may_pass(1));
  EXPECT_FALSE(scheduler->hit_may_pass(2));
}

TEST(WriteDrain, DrainsBetweenItsWatermarks) {
  WriteDrain drain(24, 8);
  EXPECT_FALSE(drain.update(5, 23));
  EXPECT_TRUE(drain.update(5, 24));
  EXPECT_TRUE(drain.update(5, 9));
  EXPECT_FALSE(drain.update(5, 8));
  EXPECT_FALSE(drain.update(5, 23));
  EXPECT_TRUE(drain.update(0, 1));  // no other work
  EXPECT_FALSE(drain.update(0, 0));
}

TEST(WriteDrain, TakesTurnsWhenBothKeepComing) {
  WriteDrain drain(24, 8);
  unsigned run[2] = {};
  unsigned longest[2] = {};
  for (int i = 0; i < 1000; ++i) {
    const bool write = drain.update(30, 30);
    drain.served();
    longest[write] = std::max(longest[write], ++run[write]);
    run[!write] = 0;
  }
  EXPECT_EQ(longest[0], 24U);
  EXPECT_EQ(longest[1], 24U);
}

TEST(RefreshPolicy, IsDueEachIntervalAndUrgentWhenNoMoreMayWait) {
  const auto refresh = make_refresh_policy({.refresh = "all_bank", .refresh_postpone = 2},
                                           *find_preset("ddr4_2400"));
  EXPECT_FALSE(refresh->demand(0, 9359).wanted);
  EXPECT_EQ(refresh->next_change(0), 9360U);
  EXPECT_TRUE(refresh->demand(0, 9360).wanted);
  EXPECT_FALSE(refresh->demand(0, 3 * 9360 - 1).urgent);
  EXPECT_EQ(refresh->next_change(9360), 3 * 9360U);
  EXPECT_TRUE(refresh->demand(0, 3 * 9360).urgent);
  refresh->issued(0, 1);
  EXPECT_TRUE(refresh->demand(0, 3 * 9360).wanted);
  EXPECT_FALSE(refresh->demand(0, 3 * 9360).urgent);
  EXPECT_EQ(refresh->idle_refreshes(0, 10 * 9360 + 1), 8U);  // of 2 .. 10 all but the last
  refresh->issued(0, 8);
  EXPECT_FALSE(refresh->demand(0, 10 * 9360 - 1).wanted);
  EXPECT_TRUE(refresh->demand(0, 10 * 9360).wanted);
}

TEST(RefreshPolicy, GoesRoundTheBanks) {
  const auto same =
      make_refresh_policy({.refresh = "bank", .refresh_postpone = 0}, *find_preset("ddr5_4800"));
  const auto per =
      make_refresh_policy({.refresh = "bank", .refresh_postpone = 0}, *find_preset("gddr6_14"));
  std::set<unsigned> same_banks, per_banks;
  for (int i = 0; i < 16; ++i) {
    same_banks.insert(same->demand(0, 0).bank);
    per_banks.insert(per->demand(0, 0).bank);
    same->issued(0, 1);
    per->issued(0, 1);
  }
  EXPECT_EQ(same_banks.size(), 4U);  // each names its bank of every group
  EXPECT_EQ(per_banks.size(), 16U);
}

TEST(RefreshPolicy, RanksTakeTurns) {
  Preset preset = *find_preset("ddr4_2400");
  preset.organization.ranks = 2;
  const auto refresh = make_refresh_policy({.refresh = "all_bank", .refresh_postpone = 0}, preset);
  EXPECT_TRUE(refresh->demand(0, 4680).wanted);
  EXPECT_FALSE(refresh->demand(1, 4680).wanted);
  EXPECT_TRUE(refresh->demand(1, 9360).wanted);
}

TEST(RefreshPolicy, RefusesWhatTheStandardDoesNotHave) {
  EXPECT_THROW(
      make_refresh_policy({.refresh = "bank", .refresh_postpone = 0}, *find_preset("ddr4_2400")),
      Fault);
  EXPECT_THROW(make_refresh_policy({.refresh = "all_bank", .refresh_postpone = 9},
                                   *find_preset("ddr4_2400")),
               Fault);
  EXPECT_THROW(make_refresh_policy({.refresh = "all_bank", .refresh_postpone = 5},
                                   *find_preset("ddr5_4800")),
               Fault);
  EXPECT_NO_THROW(make_refresh_policy({.refresh = "all_bank", .refresh_postpone = 4},
                                      *find_preset("ddr5_4800")));
}

TEST(BankQueues, HoldsWhatItsSizesSay) {
  BankQueues queues(4, 3, 2, 2);
  const auto request = [](unsigned bank, std::uint64_t row, bool write) {
    return MemoryRequest{0, row, bank, 0, write, false};
  };
  // Two requests in the bank's queue, three more in the transaction queue.
  for (std::uint64_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(queues.accepts(1, false));
    queues.add(request(1, i, false), 0);
  }
  EXPECT_FALSE(queues.accepts(1, false));
  EXPECT_TRUE(queues.accepts(0, false));
  EXPECT_TRUE(queues.accepts(1, true));
  EXPECT_NE(queues.find_row(1, false, 1), BankQueues::kNone);
  EXPECT_EQ(queues.find_row(1, false, 2), BankQueues::kNone);  // beyond the bank's queue
  queues.remove(queues.oldest(1, false));
  EXPECT_NE(queues.find_row(1, false, 2), BankQueues::kNone);
  EXPECT_TRUE(queues.accepts(1, false));
  EXPECT_EQ(queues.total(false), 4U);
  EXPECT_EQ(queues.banks(false).size(), 1U);
  while (queues.total(false) > 0) queues.remove(queues.oldest(1, false));
  EXPECT_TRUE(queues.empty());
  EXPECT_TRUE(queues.banks(false).empty());
}

/// Depths count 64 B, so a queue holds the same number of bytes with shorter bursts.
TEST(DramConfig, QueuesHoldAsManyBytesOfShorterBursts) {
  DramConfig config;
  config.write_low.set("3");
  for (const auto& [preset, bursts] :
       {std::pair{"ddr4_2400", 1U}, {"ddr5_4800", 1U}, {"gddr6_12", 2U}, {"gddr6_14", 2U}}) {
    config.preset.set(preset);
    const ChannelOptions options = config.channel_options();
    EXPECT_EQ(options.read_queue, 32 * bursts) << preset;
    EXPECT_EQ(options.write_queue, 32 * bursts) << preset;
    EXPECT_EQ(options.bank_queue, 8 * bursts) << preset;
    EXPECT_EQ(options.write_high, 24 * bursts) << preset;
    EXPECT_EQ(options.write_low, 3 * bursts) << preset;
  }
  config.write_low.set("0");
  EXPECT_EQ(config.channel_options().write_low, 0U);
}

}  // namespace
}  // namespace tvp::dram::channel_policies_test
