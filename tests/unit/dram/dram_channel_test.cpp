#include "models/dram/dram_channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tests/unit/dram/log_checker.h"

namespace tvp::dram::dram_channel_test {
namespace {

using enum DramCommand;

struct Bench {
  explicit Bench(const char* preset_name, const ChannelOptions& options = {}, unsigned ranks = 1)
      : preset(with_ranks(preset_name, ranks)), channel(preset, options) {
    channel.set_log(&log);
  }
  static Preset with_ranks(const char* name, unsigned ranks) {
    Preset preset = *find_preset(name);
    preset.organization.ranks = ranks;
    return preset;
  }
  void read(std::uint64_t tag, unsigned bank, std::uint64_t row, unsigned column, MemCycle at) {
    channel.enqueue({tag, row, bank, column, false, false}, at);
  }
  void write(std::uint64_t tag, unsigned bank, std::uint64_t row, unsigned column, MemCycle at,
             bool partial = false) {
    channel.enqueue({tag, row, bank, column, true, partial}, at);
  }
  std::vector<std::uint64_t> order(MemCycle until = 5000) {
    channel.advance(until);
    std::vector<std::uint64_t> tags;
    for (const Completion& c : channel.completions()) tags.push_back(c.tag);
    return tags;
  }
  std::vector<DramCommand> commands() const {
    std::vector<DramCommand> list;
    for (const IssuedCommand& c : log) list.push_back(c.command);
    return list;
  }
  Preset preset;
  DramChannel channel;
  CommandLog log;
};

ChannelOptions options_with(const std::string& page, const std::string& scheduler,
                            const std::string& refresh, unsigned postpone = 0) {
  ChannelOptions options;
  options.page = page;
  options.scheduler = scheduler;
  options.refresh = refresh;
  options.refresh_postpone = postpone;
  options.response_cycles = 0;
  return options;
}

TEST(DramChannel, ReadsAClosedAnOpenAndAnotherRow) {
  Bench bench("ddr4_2400", options_with("open", "fr_fcfs", "all_bank"));
  bench.read(1, 0, 5, 0, 100);
  bench.read(2, 0, 5, 1, 300);
  bench.read(3, 0, 6, 0, 500);
  EXPECT_EQ(bench.order(), (std::vector<std::uint64_t>{1, 2, 3}));
  const auto& done = bench.channel.completions();
  EXPECT_EQ(done[0].done, 100 + 17 + 17 + 4U);
  EXPECT_EQ(done[1].done, 300 + 17 + 4U);
  EXPECT_EQ(done[2].done, 500 + 17 + 17 + 17 + 4U);
  const ChannelStats& stats = bench.channel.stats();
  EXPECT_EQ(stats.row_misses, 1U);
  EXPECT_EQ(stats.row_hits, 1U);
  EXPECT_EQ(stats.row_conflicts, 1U);
}

// A request that arrives at the end of a step may overtake one that is due then.
TEST(DramChannel, CommandsDueAtTheEndOfAStepBelongToTheNext) {
  Bench bench("ddr4_2400", options_with("open", "fr_fcfs", "off"));
  bench.read(1, 0, 5, 0, 100);
  bench.channel.advance(bench.channel.next_decision() + 1);
  ASSERT_EQ(bench.commands(), std::vector{kActivate});
  const MemCycle due = bench.channel.next_decision();
  ASSERT_EQ(due, 117U);
  bench.channel.advance(due);
  EXPECT_EQ(bench.commands(), std::vector{kActivate});
  bench.channel.advance(due + 1);
  EXPECT_EQ(bench.commands(), (std::vector{kActivate, kRead}));
}

TEST(DramChannel, FrFcfsLetsHitsPassUpToItsCap) {
  ChannelOptions options = options_with("open", "fr_fcfs", "off");
  options.starvation_cap = 3;
  Bench bench("ddr4_2400", options);
  bench.read(0, 0, 1, 0, 0);
  bench.read(1, 0, 2, 0, 1);  // another row
  for (unsigned i = 2; i < 8; ++i) bench.read(i, 0, 1, i, 1);
  EXPECT_EQ(bench.order(), (std::vector<std::uint64_t>{0, 2, 3, 4, 1, 5, 6, 7}));
}

TEST(DramChannel, FcfsKeepsTheOrder) {
  Bench bench("ddr4_2400", options_with("open", "fcfs", "off"));
  bench.read(0, 0, 1, 0, 0);
  bench.read(1, 0, 2, 0, 1);
  bench.read(2, 0, 1, 1, 1);
  bench.read(3, 5, 1, 0, 1);
  EXPECT_EQ(bench.order(), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(DramChannel, ClosedPagePrechargesWithTheLastWish) {
  Bench bench("ddr4_2400", options_with("closed", "fr_fcfs", "off"));
  bench.read(0, 0, 1, 0, 0);
  bench.read(1, 0, 1, 1, 0);
  bench.order();
  EXPECT_EQ(bench.commands(), (std::vector<DramCommand>{kActivate, kRead, kReadAuto}));
  bench.write(2, 0, 9, 0, 6000);
  bench.order(9000);
  EXPECT_EQ(bench.log[3].command, kActivate);  // no precharge
  EXPECT_EQ(bench.log[3].at, 6000U);
  EXPECT_EQ(bench.log[4].command, kWriteAuto);
}

TEST(DramChannel, TimeoutPageClosesAfterAWhile) {
  ChannelOptions options = options_with("timeout", "fr_fcfs", "off");
  options.page_timeout_cycles = 100;
  Bench bench("ddr4_2400", options);
  bench.read(0, 0, 1, 0, 0);
  bench.order();
  EXPECT_EQ(bench.commands(), (std::vector<DramCommand>{kActivate, kRead, kPrecharge}));
  EXPECT_EQ(bench.log[2].at, 17 + 100U);
}

// A read and a write to the row wait longer than the timeout behind requests of another bank.
TEST(DramChannel, TimeoutPageStaysOpenForWhatWaits) {
  ChannelOptions options = options_with("timeout", "fr_fcfs", "off");
  options.page_timeout_cycles = 100;
  options.read_queue = 64;
  options.starvation_cap = 1000;
  Bench bench("ddr4_2400", options);
  bench.read(0, 0, 1, 0, 0);
  for (unsigned i = 1; i <= 50; ++i) bench.read(i, 1, 2, i, 1);
  bench.read(51, 0, 1, 1, 2);
  bench.write(52, 0, 1, 2, 2);
  EXPECT_EQ(bench.order().back(), 52U);
  unsigned activations = 0;
  for (const IssuedCommand& c : bench.log) activations += c.bank == 0 && c.command == kActivate;
  EXPECT_EQ(activations, 1U);
}

TEST(DramChannel, CollectsWritesAndDrainsThem) {
  ChannelOptions options = options_with("open", "fr_fcfs", "off");
  options.write_high = 4;
  options.write_low = 1;
  Bench bench("ddr4_2400", options);
  for (unsigned i = 0; i < 4; ++i) bench.write(100 + i, 0, 1, 64 + i, 0);
  for (unsigned i = 0; i < 3; ++i) bench.read(i, 0, 1, i, 0);
  // The high watermark comes first: three writes, then the reads, then the last write.
  EXPECT_EQ(bench.order(), (std::vector<std::uint64_t>{100, 101, 102, 0, 1, 2, 103}));
}

TEST(DramChannel, AnswersReadsFromTheWriteQueue) {
  Bench bench("ddr4_2400", options_with("open", "fr_fcfs", "off"));
  bench.read(1, 3, 1, 0, 10);
  bench.write(2, 0, 1, 0, 10);
  bench.read(3, 0, 1, 0, 11);
  bench.channel.advance(12);
  ASSERT_EQ(bench.channel.completions().size(), 1U);
  const Completion& completion = bench.channel.completions().front();
  EXPECT_EQ(completion.tag, 3U);
  EXPECT_TRUE(completion.forwarded);
  EXPECT_EQ(completion.writer_tag, 2U);
}

TEST(DramChannel, KeepsTheOrderOfABurst) {
  Bench bench("ddr4_2400", options_with("open", "fr_fcfs", "off"));
  bench.read(1, 0, 1, 0, 0);
  bench.write(2, 0, 1, 0, 0, true);  // after the read before it
  bench.read(3, 0, 1, 0, 0);         // after the part of the burst is written
  bench.write(4, 0, 1, 0, 0);
  EXPECT_EQ(bench.order(), (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

// Other users have the pins from 100 to 200. A request is queued behind them and keeps its place.
TEST(DramChannel, WaitsForSharedPins) {
  struct Pins : SharedPins {
    MemCycle take(DramCommand command, unsigned, MemCycle earliest) override {
      asked.push_back(command);
      return earliest >= 100 && earliest < 200 ? 200 : earliest;
    }
    std::vector<DramCommand> asked;
  } pins;
  Bench bench("ddr4_2400", options_with("open", "fr_fcfs", "all_bank"));
  bench.channel.set_pins(&pins);
  bench.read(1, 0, 5, 0, 90);   // ACT at 90, its read could be at 107
  bench.read(2, 4, 5, 0, 120);  // comes while that one waits
  EXPECT_EQ(bench.order(), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(pins.asked, (std::vector<DramCommand>{kActivate, kRead, kActivate, kRead}));
  EXPECT_EQ(bench.log[1].at, 200U);
  EXPECT_EQ(bench.log[2].at, 201U);
  EXPECT_EQ(bench.log[3].at, 201 + 17U);
  EXPECT_EQ(bench.channel.completions()[0].done, 200 + 17 + 4U);
}

TEST(DramChannel, DoesNothingWhileIdle) {
  Bench bench("ddr4_2400");
  bench.channel.set_log(nullptr);
  EXPECT_EQ(bench.channel.next_decision(), kNeverMem);
  bench.read(1, 0, 1, 0, 0);
  bench.channel.advance(1000);
  EXPECT_EQ(bench.channel.next_decision(), kNeverMem);
  const MemCycle far = 9360ULL * 1000000 + 5000;
  bench.read(2, 0, 1, 0, far);
  bench.channel.advance(far + 100);
  // All refreshes are done, but only the first and the last one were simulated.
  EXPECT_EQ(bench.channel.stats().command(kRefresh), 1000000U);
  EXPECT_EQ(bench.channel.stats().skipped_refreshes, 999998U);
  EXPECT_EQ(bench.channel.completions()[1].done, far + 17 + 17 + 4 + 2U);
}

// A read with precharge at 9360 - x makes the bank ready for a refresh tRTP + tRP later. If that is
// exactly when the refresh is due, the rank counts as idle from then on. One cycle later, the first
// refresh must wait, and only later ones are idle.
TEST(DramChannel, RefreshesAreIdleOnesFromTheMomentThatTheBankIsReady) {
  for (const unsigned late : {0U, 1U}) {
    Bench bench("ddr4_2400", options_with("closed", "fr_fcfs", "all_bank"));
    const Timing& t = bench.preset.timing;
    bench.channel.advance(100);
    const MemCycle ready = std::max(t.trcd_rd + t.trtp, t.tras) + t.trp;
    bench.read(1, 0, 1, 0, t.trefi - ready + late);
    bench.channel.advance(4 * t.trefi + 1);
    ASSERT_EQ(bench.log.size(), 6U);
    for (unsigned i = 2; i < 6; ++i) {
      EXPECT_EQ(bench.log[i].command, kRefresh);
      EXPECT_EQ(bench.log[i].at, (i - 1) * t.trefi + (i == 2 ? late : 0));
    }
    EXPECT_EQ(bench.channel.stats().skipped_refreshes, 3U - late);
  }
}

TEST(DramChannel, PostponesRefreshesWhileBusy) {
  ChannelOptions options = options_with("open", "fr_fcfs", "all_bank", 4);
  Bench bench("ddr4_2400", options);
  MemCycle at = 0;
  for (unsigned i = 0; at < 8 * 9360; ++i) {
    while (!bench.channel.accepts(0, false))
      bench.channel.advance(bench.channel.next_decision() + 1);
    at = bench.channel.now();
    bench.read(i, 0, 1, i % 128, at);
  }
  const auto first = std::find_if(bench.log.begin(), bench.log.end(),
                                  [](const IssuedCommand& c) { return c.command == kRefresh; });
  ASSERT_NE(first, bench.log.end());
  EXPECT_GE(first->at, 5 * 9360U);
  // The pause without requests clears the debt.
  bench.channel.advance(at + 8 * 500);
  EXPECT_EQ(bench.channel.stats().command(kRefresh), 8U);
  EXPECT_EQ(check_log(bench.log, bench.preset, 4), "");
}

// An activation happens just before a same-bank refresh is due (1170 cycles). The row cannot be
// closed before tRAS, so its request is served, and the bank is not activated a second time.
TEST(DramChannel, BankRefreshWaitsForTheRowThatWasJustOpened) {
  Bench bench("ddr5_4800", options_with("open", "fr_fcfs", "bank"));
  bench.read(1, 0, 5, 0, 1160);
  bench.read(2, 0, 6, 0, 1160);  // another row of the bank has to wait for the refresh
  EXPECT_EQ(bench.order(1170 + 1000), (std::vector<std::uint64_t>{1, 2}));
  ASSERT_GE(bench.log.size(), 5U);
  EXPECT_EQ(bench.commands(), (std::vector<DramCommand>{kActivate, kRead, kPrecharge, kRefreshBank,
                                                        kActivate, kRead}));
  const auto at = [&](unsigned i) { return bench.log[i].at; };
  EXPECT_EQ(at(1), 1160 + 36U);       // tRCD
  EXPECT_EQ(at(2), 1160 + 77U);       // tRAS, not the read, permits the precharge
  EXPECT_EQ(at(3), 1160 + 77 + 36U);  // tRP
  EXPECT_EQ(at(4), at(3) + 312U);     // tRFCsb
  EXPECT_EQ(bench.channel.completions()[0].done, 1160 + 36 + 36 + 8U);
}

TEST(DramChannel, BankRefreshLeavesTheOtherBanksAlone) {
  for (const char* name : {"ddr5_4800", "gddr6_12"}) {
    for (const bool per_bank : {false, true}) {
      ChannelOptions options = options_with("open", "fr_fcfs", per_bank ? "bank" : "all_bank");
      Bench bench(name, options);
      MemCycle worst = 0;
      // Single requests to a few banks: the longest wait is for a refresh.
      for (unsigned i = 0; i < 4000; ++i) {
        const MemCycle at = bench.channel.now();
        bench.read(i, i % 8, 1, 0, at);
        while (bench.channel.completions().empty()) {
          bench.channel.advance(bench.channel.next_decision() + 1);
        }
        const MemCycle done = bench.channel.completions().front().done;
        worst = std::max(worst, done - at);
        bench.channel.clear_completions();
        bench.channel.advance(done);
      }
      const Timing& t = bench.preset.timing;
      EXPECT_EQ(check_log(bench.log, bench.preset, 0), "");
      EXPECT_GT(worst, per_bank ? t.trfc_bank - t.trfc_bank / 2 : t.trfc - 1) << name;
      if (per_bank) {
        EXPECT_LT(worst, t.trfc) << name;
      }
      EXPECT_GT(bench.channel.stats().command(per_bank ? kRefreshBank : kRefresh), 10U);
    }
  }
}

/// The parameters of one run of random requests.
struct Mix {
  const char* preset;
  unsigned ranks;
  const char* page;
  const char* scheduler;
  const char* refresh;
  unsigned postpone;
  bool finishes_rows = false;
};

const Mix kMixes[] = {
    {"ddr4_2400", 1, "open", "fr_fcfs", "all_bank", 0},
    {"ddr4_2400", 2, "open", "fr_fcfs", "all_bank", 8},
    {"ddr4_2400", 4, "closed", "fr_fcfs", "all_bank", 0},
    {"ddr4_2400", 1, "timeout", "fcfs", "all_bank", 2},
    {"ddr4_2400", 2, "auto_precharge", "fr_fcfs", "all_bank", 0},
    {"ddr5_4800", 1, "auto_precharge", "fr_fcfs", "bank", 0},
    {"ddr5_4800", 1, "open", "fr_fcfs", "all_bank", 4},
    {"ddr5_4800", 2, "closed", "fr_fcfs", "bank", 0},
    {"ddr5_4800", 1, "timeout", "fr_fcfs", "bank", 4},
    {"gddr6_14", 1, "open", "fr_fcfs", "bank", 0},
    {"gddr6_12", 1, "closed", "fcfs", "all_bank", 0},
    {"gddr6_12", 1, "open", "fr_fcfs", "bank", 8},
    {"ddr4_2400", 2, "open", "fr_fcfs", "all_bank", 0, true},
    {"ddr5_4800", 1, "closed", "fr_fcfs", "bank", 0, true},
    {"gddr6_12", 1, "timeout", "fcfs", "bank", 4, true},
};

class RandomTraffic : public ::testing::TestWithParam<Mix> {};

/// Random requests, whole and partial. All pairs of the log and all bytes are checked.
TEST_P(RandomTraffic, KeepsEveryDistanceAndEveryByte) {
  const Mix& mix = GetParam();
  ChannelOptions options = options_with(mix.page, mix.scheduler, mix.refresh, mix.postpone);
  options.finishes_rows = mix.finishes_rows;
  Bench bench(mix.preset, options, mix.ranks);
  std::mt19937 engine(17);
  const auto random = [&] { return static_cast<unsigned>(engine()); };
  struct Sent {
    std::uint64_t key = 0;
    bool write = false;
    bool partial = false;
    bool answered = false;
    std::uint64_t value = 0;  // a write's bytes; a read's expected bytes
  };
  std::vector<Sent> sent;
  std::map<std::uint64_t, std::uint64_t> shadow, memory;
  struct Latency {
    double sum = 0;
    std::uint64_t count = 0, max = 0;
  } latencies[2];  // index: direction, from the completions
  // A burst has two halves here; a partial write leaves the upper one.
  const auto merge = [](std::uint64_t old, const Sent& write) {
    return write.partial ? (old & ~0xFFFFFFFFULL) | (write.value & 0xFFFFFFFF) : write.value;
  };
  const auto take = [&] {
    for (const Completion& c : bench.channel.completions()) {
      Sent& s = sent[c.tag];
      ASSERT_FALSE(s.answered);
      s.answered = true;
      ASSERT_GT(c.done, c.arrival);
      Latency& latency = latencies[s.write];
      latency.sum += static_cast<double>(c.done - c.arrival);
      latency.max = std::max<std::uint64_t>(latency.max, c.done - c.arrival);
      ++latency.count;
      if (s.write) {
        memory[s.key] = merge(memory[s.key], s);
      } else {
        ASSERT_EQ(c.forwarded ? sent[c.writer_tag].value : memory[s.key], s.value) << c.tag;
      }
    }
    bench.channel.clear_completions();
  };
  const unsigned banks = bench.preset.organization.banks();
  MemCycle at = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    // Bursts of activity and pauses on a few rows and columns, so that all conflicts occur.
    at =
        std::max(at, bench.channel.now()) + (random() % 200 == 0 ? random() % 15000 : random() % 9);
    const bool write = random() % 100 < (i / 4000 % 2 == 0 ? 30U : 70U);
    const unsigned bank = random() % 3 == 0 ? random() % banks : random() % 3;
    const std::uint64_t row = random() % 4;
    const unsigned column = random() % 6;
    while (!bench.channel.accepts(bank, write)) {
      bench.channel.advance(bench.channel.next_decision() + 1);
    }
    at = std::max(at, bench.channel.now());
    const bool partial = write && random() % 4 == 0;
    const std::uint64_t key = (row * 1000 + bank) * 100 + column;
    Sent s{key, write, partial, false, std::uint64_t{random()} << 32 | random()};
    if (write) {
      shadow[key] = merge(shadow[key], s);
    } else {
      s.value = shadow[key];
    }
    sent.push_back(s);
    bench.channel.enqueue({i, row, bank, column, write, partial}, at);
    take();
    if (HasFatalFailure()) return;
  }
  while (!bench.channel.idle()) bench.channel.advance(bench.channel.next_decision() + 1);
  take();
  EXPECT_EQ(std::count_if(sent.begin(), sent.end(), [](const Sent& s) { return !s.answered; }), 0);
  EXPECT_EQ(shadow, memory);
  const ChannelStats& stats = bench.channel.stats();
  for (const bool write : {false, true}) {
    const auto& counted = write ? stats.write_latency : stats.read_latency;
    EXPECT_EQ(counted.count(), latencies[write].count);
    EXPECT_EQ(write ? stats.writes : stats.reads, latencies[write].count);
    EXPECT_EQ(counted.max(), latencies[write].max);
    EXPECT_DOUBLE_EQ(counted.mean(),
                     latencies[write].sum / static_cast<double>(latencies[write].count));
  }
  // Refreshes of idle ranks are logged rank by rank.
  std::stable_sort(bench.log.begin(), bench.log.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  EXPECT_EQ(check_log(bench.log, bench.preset, mix.postpone), "");
  EXPECT_GT(bench.channel.stats().forwarded, 0U);
  EXPECT_GT(bench.log.size(), 20000U);
}

INSTANTIATE_TEST_SUITE_P(Mixes, RandomTraffic, ::testing::ValuesIn(kMixes),
                         [](const auto& test) { return std::to_string(test.index); });

/// The checker must detect a violation.
TEST(LogChecker, SeesOneCycleTooEarly) {
  const Preset& preset = *find_preset("ddr4_2400");
  const CommandLog right = {{0, kActivate, 0, 1},
                            {17, kRead, 0, 1},
                            {23, kRead, 0, 1},
                            {39, kPrecharge, 0, 1},
                            {56, kActivate, 0, 2}};
  EXPECT_EQ(check_log(right, preset, 0), "");
  for (std::size_t i = 1; i < right.size(); ++i) {
    CommandLog wrong = right;
    for (std::size_t j = i; j < right.size(); ++j) --wrong[j].at;
    EXPECT_NE(check_log(wrong, preset, 0), "") << i;
  }
  EXPECT_NE(check_log({{0, kActivate, 0, 1}, {17, kRead, 0, 2}}, preset, 0), "");
  EXPECT_NE(check_log({{0, kActivate, 0, 1}, {60, kRefresh, 0, 0}}, preset, 0), "");
  EXPECT_NE(check_log({{11000, kRefresh, 0, 0}}, preset, 0), "");
}

}  // namespace
}  // namespace tvp::dram::dram_channel_test
