// Traffic sources, the player, and published calibration figures of DDR4-2400.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "models/dram/traffic/burst_values.h"
#include "models/dram/traffic/dram_traffic_config.h"
#include "models/dram/traffic/pattern_source.h"
#include "models/dram/traffic/traffic_player.h"
#include "tests/support/fault_of.h"

namespace tvp::dram::traffic_test {
namespace {

using foundation::Fault;

TEST(PatternSource, WalksItsWorkingSet) {
  TrafficRequest request;
  PatternSource stream({.kind = PatternSource::Kind::kStream,
                        .requests = 5,
                        .working_set_bytes = 256,
                        .burst_bytes = 64});
  for (const std::uint64_t address : {0, 64, 128, 192, 0}) {
    ASSERT_TRUE(stream.next(request));
    EXPECT_EQ(request.address, address);
    EXPECT_FALSE(request.write);
  }
  EXPECT_FALSE(stream.next(request));
  PatternSource strided({.kind = PatternSource::Kind::kStrided,
                         .requests = 64,
                         .working_set_bytes = 4096,
                         .stride_bytes = 1024,
                         .burst_bytes = 64});
  std::set<std::uint64_t> addresses;
  while (strided.next(request)) addresses.insert(request.address);
  EXPECT_EQ(addresses.size(), 64U);  // everything, once
}

TEST(PatternSource, DrawsFromItsSeed) {
  const PatternSource::Options options{.kind = PatternSource::Kind::kRandom,
                                       .requests = 20000,
                                       .working_set_bytes = 1 << 20,
                                       .burst_bytes = 64,
                                       .read_share = 0.7,
                                       .rate = 0.25,
                                       .seed = 3};
  PatternSource one(options), two(options);
  TrafficRequest a, b;
  unsigned reads = 0;
  std::vector<unsigned> quarter(4);
  for (unsigned i = 0; one.next(a); ++i) {
    ASSERT_TRUE(two.next(b));
    ASSERT_EQ(a.address, b.address);
    ASSERT_EQ(a.write, b.write);
    ASSERT_EQ(a.not_before, i * 4);
    ASSERT_EQ(a.address % 64, 0U);
    reads += a.write ? 0 : 1;
    ++quarter[a.address >> 18];
  }
  EXPECT_NEAR(reads, 14000, 5 * std::sqrt(20000 * 0.21));
  for (const unsigned count : quarter) EXPECT_NEAR(count, 5000, 5 * std::sqrt(20000 * 0.1875));
}

struct Figures {
  double ns_per_request;
  double gb_per_s;
  TrafficPlayer::Totals totals;
  std::string error;
};

Figures play(const char* preset_name, const std::string& mapping, PatternSource::Options options,
             unsigned outstanding, const ChannelOptions& channel = {}) {
  const Preset& preset = *find_preset(preset_name);
  MemorySystem memory(preset, channel, mapping, false);
  options.burst_bytes = preset.organization.burst_bytes();
  PatternSource source(options);
  TrafficPlayer player(memory, source, outstanding);
  player.run(kNeverMem);
  EXPECT_TRUE(player.finished());
  const double ns = static_cast<double>(player.totals().last_done) * preset.timing.tck.ns();
  const auto n = static_cast<double>(options.requests);
  return {ns / n, n * options.burst_bytes / ns, player.totals(), player.error()};
}

/// Random bursts in 8 GiB with random gaps.
class RandomArrivals : public TrafficSource {
 public:
  RandomArrivals(unsigned requests, double rate, double read_share)
      : left_(requests), rate_(rate), read_share_(read_share) {}
  bool next(TrafficRequest& request) override {
    if (left_ == 0) return false;
    --left_;
    at_ -= std::log(random_.unit()) / rate_;
    request.not_before = static_cast<MemCycle>(at_);
    request.address = random_.next() % (1U << 27) * 64;
    request.write = random_.fraction() >= read_share_;
    return true;
  }

 private:
  unsigned left_;
  double rate_;
  double read_share_;
  double at_ = 0;
  foundation::Random random_{5};
};

constexpr const char* kPeerMapping = "row:rank:bank:bankgroup:column:channel";

/// Published behavior of DRAMsim3 for DDR4_8Gb_x8_2400.ini with one rank: 64 B reads, open page.
TEST(Calibration, Ddr4RowHitUnloaded) {
  // The same 8 KB repeatedly, one request at a time: RL + BL/2 + 2, and a refresh every 7.8 us.
  const Figures f =
      play("ddr4_2400", kPeerMapping, {.requests = 200000, .working_set_bytes = 8192}, 1);
  EXPECT_NEAR(f.ns_per_request, 20.2, 0.03 * 20.2);
}

TEST(Calibration, Ddr4RandomUnloaded) {
  const Figures f = play(
      "ddr4_2400", kPeerMapping,
      {.kind = PatternSource::Kind::kRandom, .requests = 200000, .working_set_bytes = 1 << 28}, 1);
  EXPECT_NEAR(f.ns_per_request, 48.2, 0.03 * 48.2);
}

TEST(Calibration, Ddr4StreamIsHeldByTccdLWithinARow) {
  // A row has 128 bursts of one bank, 6 cycles each. If the queue reaches into the next row, which
  // is in another group, bursts alternate every 4 cycles.
  const PatternSource::Options stream{.requests = 200000, .working_set_bytes = 1 << 26};
  const Figures f = play("ddr4_2400", kPeerMapping, stream, 64);
  EXPECT_NEAR(f.gb_per_s, 15.08, 0.03 * 15.08);
  // With groups above the burst, the pins limit the rate, apart from refresh.
  const Figures interleaved =
      play("ddr4_2400", "row:rank:bank:column:bankgroup:channel", stream, 64);
  EXPECT_NEAR(interleaved.gb_per_s, 19.2 * (1 - 420.0 / 9360), 0.02 * 19.2);
}

TEST(Calibration, Ddr4RandomIsHeldByTfawAndRefresh) {
  const PatternSource::Options random{
      .kind = PatternSource::Kind::kRandom, .requests = 200000, .working_set_bytes = 1 << 28};
  const Figures f = play("ddr4_2400", kPeerMapping, random, 64);
  EXPECT_NEAR(f.gb_per_s, 11.20, 0.03 * 11.20);
  EXPECT_LT(f.gb_per_s, 4 * 64 / (26 * 5.0 / 6) * (1 - 420.0 / 9360));
}

TEST(TrafficPlayer, BeginsInTheFirstCycle) {
  // RCD + CL + BL/2 of DDR4-2400 17-17-17, plus two as in the calibration model.
  const Figures f = play("ddr4_2400", kPeerMapping, {.requests = 1, .working_set_bytes = 8192}, 1);
  EXPECT_EQ(f.totals.last_done, 17U + 17 + 4 + 2);
  EXPECT_EQ(f.totals.read_latency.max(), f.totals.last_done);
}

TEST(TrafficPlayer, OpenLoopKeepsItsRateUntilItSaturates) {
  PatternSource::Options options{.kind = PatternSource::Kind::kRandom,
                                 .requests = 50000,
                                 .working_set_bytes = 1 << 26,
                                 .rate = 0.05};  // at most 0.154 per cycle
  const Figures light = play("ddr4_2400", kPeerMapping, options, 1024);
  EXPECT_NEAR(light.gb_per_s, 0.05 * 64 / (5.0 / 6), 0.05);
  options.rate = 0.3;
  const Figures heavy = play("ddr4_2400", kPeerMapping, options, 1024);
  EXPECT_NEAR(heavy.gb_per_s, 11.2, 0.4);
  EXPECT_GT(heavy.totals.read_latency.percentile(0.5),
            20 * light.totals.read_latency.percentile(0.5));
}

TEST(TrafficPlayer, BankRefreshGivesBandwidthBack) {
  const PatternSource::Options random{
      .kind = PatternSource::Kind::kRandom, .requests = 50000, .working_set_bytes = 1 << 26};
  for (const char* preset : {"gddr6_12", "gddr6_14"}) {
    ChannelOptions options;
    double gb_per_s[3];
    unsigned i = 0;
    for (const char* refresh : {"all_bank", "bank", "off"}) {
      options.refresh = refresh;
      gb_per_s[i++] = play(preset, kPeerMapping, random, 64, options).gb_per_s;
    }
    EXPECT_LT(gb_per_s[0], gb_per_s[1]) << preset;
    EXPECT_LT(gb_per_s[1], gb_per_s[2]) << preset;
  }
}

// A same-bank refresh occupies a quarter of the banks for 130 ns, an all-bank refresh all of them
// for 295 ns. Requests at a fixed rate show the difference in mean and tail. With all-bank
// refreshes, 7.6 % of requests wait half of 295 ns, plus the queue that has grown; with same-bank
// ones, a quarter of 27 %.
TEST(TrafficPlayer, SameBankRefreshShortensTheTail) {
  PatternSource::Options random{.kind = PatternSource::Kind::kRandom,
                                .requests = 50000,
                                .working_set_bytes = 1 << 26,
                                .rate = 0.4 / 2.4};  // 0.4 a ns: 25.6 of 38.4 GB/s
  ChannelOptions options;
  const Figures all_bank = play("ddr5_4800", kPeerMapping, random, 4096, options);
  options.refresh = "bank";
  const Figures same_bank = play("ddr5_4800", kPeerMapping, random, 4096, options);
  EXPECT_LT(same_bank.totals.read_latency.mean(), 0.85 * all_bank.totals.read_latency.mean());
  EXPECT_LT(static_cast<double>(same_bank.totals.read_latency.percentile(0.99)),
            0.75 * static_cast<double>(all_bank.totals.read_latency.percentile(0.99)));
  // Enough requests that refreshed banks do not block all of them. Same-bank refreshes cost at most
  // tREFSBRD of each interval in activations, 6.2 %; all-bank ones cost 7.6 %.
  random.rate = 0;
  options.refresh = "all_bank";
  const double rank = play("ddr5_4800", kPeerMapping, random, 256, options).gb_per_s;
  options.refresh = "bank";
  EXPECT_GT(play("ddr5_4800", kPeerMapping, random, 256, options).gb_per_s, rank);
}

TEST(TrafficPlayer, ChecksDataOfAllPresetsAndMixes) {
  for (const Preset& preset : presets()) {
    for (const auto kind : {PatternSource::Kind::kStream, PatternSource::Kind::kStrided,
                            PatternSource::Kind::kRandom}) {
      const Figures f = play(preset.name.data(), "row:rank:bank:column:bankgroup:channel",
                             {.kind = kind,
                              .requests = 20000,
                              .working_set_bytes = 1 << 14,
                              .stride_bytes = 1 << 12,
                              .read_share = 0.5},
                             64);
      EXPECT_EQ(f.error, "") << preset.name;
      EXPECT_EQ(f.totals.answered, 20000U);
    }
  }
}

/// A third of random accesses write, at 10 GB/s. DRAMsim3 activates 30092 rows for 30000 bursts,
/// with a mean latency of reads of 246 ns (10.0 GB/s), 159 ns (8.5 GB/s) and 96 ns (6.4 GB/s).
TEST(TrafficPlayer, TurnsTheBusWithoutWastedActivations) {
  struct Row {
    double rate;
    double published_ns;
  };
  const Preset& preset = *find_preset("ddr4_2400");
  for (const Row& row : {Row{1 / 7.68, 246.3}, Row{1 / 9.0, 158.9}, Row{1 / 12.0, 95.8}}) {
    double activations[2], read_ns[2];
    for (const bool finishes : {false, true}) {
      ChannelOptions options;
      options.finishes_rows = finishes;
      MemorySystem memory(preset, options, kPeerMapping, false);
      RandomArrivals source(30000, row.rate, 2.0 / 3);
      TrafficPlayer player(memory, source, 65536);
      player.run(kNeverMem);
      EXPECT_EQ(player.error(), "");
      activations[finishes] =
          static_cast<double>(memory.channel(0).stats().command(DramCommand::kActivate)) / 30000;
      read_ns[finishes] = player.totals().read_latency.mean() * preset.timing.tck.ns();
    }
    EXPECT_LT(activations[1], 1.01) << row.rate;
    EXPECT_GT(activations[0], activations[1] + 0.01) << row.rate;
    EXPECT_NEAR(read_ns[1] / row.published_ns, 1, 0.08) << row.rate;
    EXPECT_LT(read_ns[1], read_ns[0]) << row.rate;
  }
}

/// Each burst of a stream opens its row again: tRC. DRAMsim3's CLOSE_PAGE also activates once for
/// each burst, and four streams with a burst every 20 CK have a mean latency of 121.9 ns there.
TEST(TrafficPlayer, AutoPrechargeOpensARowForEachBurst) {
  const Preset& preset = *find_preset("ddr4_2400");
  ChannelOptions options;
  options.page = "auto_precharge";
  MemorySystem memory(preset, options, kPeerMapping, false);
  PatternSource source({.requests = 2000, .working_set_bytes = 8192, .burst_bytes = 64});
  TrafficPlayer player(memory, source, 16);
  player.run(kNeverMem);
  const ChannelStats& stats = memory.channel(0).stats();
  // Some refreshes come between an activation and its burst.
  EXPECT_NEAR(static_cast<double>(stats.command(DramCommand::kActivate)), 2000, 12);
  EXPECT_EQ(stats.command(DramCommand::kReadAuto), 2000U);
  EXPECT_EQ(stats.command(DramCommand::kPrecharge), 0U);
  const double cycles = static_cast<double>(player.totals().last_done) / 2000;
  EXPECT_NEAR(cycles, preset.timing.trc / (1 - 420.0 / 9360), 0.5);
}

/// The player keeps a number for each burst that was written, and nothing for the others.
TEST(BurstValues, CostWhatIsWritten) {
  BurstValues values;
  const std::size_t empty = values.bytes();
  constexpr std::uint64_t kLast = (std::uint64_t{1} << 40) - 1;
  for (const std::uint64_t burst : {std::uint64_t{0}, std::uint64_t{13}, kLast}) {
    EXPECT_EQ(values.get(burst).stored, 0U);
    values.change(burst).stored = 7;
    EXPECT_EQ(values.get(burst).stored, 7U);
    EXPECT_EQ(values.get(burst).expected, 0U);
  }
  EXPECT_LE(values.bytes(), empty + 8192);
  EXPECT_EQ(values.get(14).stored, 0U);
  // A stream and strides, with overwrites, against a plain map.
  std::map<std::uint64_t, std::uint32_t> expected;
  std::uint32_t value = 0;
  for (const std::uint64_t stride : {1, 14, 1024, 65536, 1'000'003}) {
    for (std::uint64_t i = 0; i < 3000; ++i) {
      values.change(i * stride) = {++value, ~value};
      expected[i * stride] = value;
    }
  }
  for (const auto& [burst, last] : expected) {
    ASSERT_EQ(values.get(burst).stored, last) << burst;
    ASSERT_EQ(values.get(burst).expected, ~last) << burst;
  }
  EXPECT_LT(values.bytes(), 1024 * expected.size());
}

TEST(TrafficPlayer, WritesAnywhereInALargeMemory) {
  Preset preset = *find_preset("ddr4_2400");
  preset.organization.ranks = 8;
  MemorySystem memory(preset, {}, kPeerMapping, false);
  ASSERT_EQ(memory.mapping().bytes(), std::uint64_t{1} << 36);
  class Source : public TrafficSource {
   public:
    bool next(TrafficRequest& request) override {
      if (made_ == 200) return false;
      // The highest burst, the lowest, the next highest, and so on; each written, then read.
      const std::uint64_t pair = made_ / 4 * 64;
      request = {.address = made_ % 2 == 0 ? (std::uint64_t{1} << 36) - 64 - pair : pair};
      request.write = made_ / 2 % 2 == 0;
      ++made_;
      return true;
    }

   private:
    unsigned made_ = 0;
  } source;
  TrafficPlayer player(memory, source, 16);
  player.run(kNeverMem);
  EXPECT_EQ(player.error(), "");
  EXPECT_EQ(player.totals().answered, 200U);
}

TEST(DramTrafficConfig, RefusesWhatDoesNotFit) {
  MemorySystem memory(*find_preset("gddr6_12"), {}, kPeerMapping, false);
  const auto error = [&](const char* key, const std::string& value) {
    DramTrafficConfig config;
    config.pattern.set("strided");
    for (foundation::SettingBase* setting : config.settings()) {
      if (setting->info().name == key) setting->set(value);
    }
    try {
      config.make_source(memory);
    } catch (const Fault& fault) {
      return std::string(fault.what());
    }
    return std::string();
  };
  EXPECT_EQ(error("working_set_bytes", "100"),
            "dram_traffic.working_set_bytes: 100: expected a multiple of a burst's 32 bytes up to "
            "the memory's 2147483648");
  EXPECT_NE(error("working_set_bytes", "4294967296"), "");
  EXPECT_NE(error("stride_bytes", "33"), "");
  EXPECT_EQ(error("pattern", "trace"),
            "dram_traffic.trace: names no file: expected one for the pattern trace");
  EXPECT_EQ(error("stride_bytes", "64"), "");
  DramTrafficConfig config;
  config.working_set_bytes.set("17179869184");
  EXPECT_TRUE(
      tvp::test::faults([&] { config.working_set_bytes.set("17179869185"); }, {}, {"17179869184"}))
      << "takes " << config.working_set_bytes.value();
}

}  // namespace
}  // namespace tvp::dram::traffic_test
