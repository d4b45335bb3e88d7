// A DDR channel behind a socket for commands: an independent checker of the standard reads the log
// of random commands. Data, phases, refusals and ports of ranks follow DdrProtocol.

#include "tensix_vp/systemc/ddr_channel.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "tests/support/fuzz_cases.h"
#include "tests/unit/dram/log_checker.h"

namespace {

using sc_core::sc_time;
using tensix_vp::DdrChannel;
using tensix_vp::DdrCommand;
using tensix_vp::DdrOperation;
using tensix_vp::DdrProtocol;
using tensix_vp::DdrStatus;

std::uint64_t transactions() { return tvp::test::fuzz_cases(10'000); }

/// Passes calls on and checks the phases of DdrProtocol.
class Checker : public sc_core::sc_module,
                private tlm::tlm_fw_transport_if<DdrProtocol>,
                private tlm::tlm_bw_transport_if<DdrProtocol> {
 public:
  tlm::tlm_target_socket<32, DdrProtocol> from_controller;
  tlm::tlm_initiator_socket<32, DdrProtocol> to_channel;

  explicit Checker(const sc_core::sc_module_name& name)
      : sc_module(name), from_controller("from_controller"), to_channel("to_channel") {
    from_controller.bind(*this);
    to_channel.bind(*this);
  }
  std::size_t open() const { return open_.size(); }

 private:
  void b_transport(DdrCommand& command, sc_time& delay) override {
    const sc_time before = delay;
    to_channel->b_transport(command, delay);
    EXPECT_GE(delay, before);
    EXPECT_NE(command.status, DdrStatus::kIncomplete);
  }
  tlm::tlm_sync_enum nb_transport_fw(DdrCommand& command, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    const sc_time at = sc_core::sc_time_stamp() + delay;
    const auto answer = to_channel->nb_transport_fw(command, phase, delay);
    const bool good = command.status == DdrStatus::kOk;
    EXPECT_EQ(answer, good ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED);
    if (good) {
      EXPECT_GE(command.slot, at);
      EXPECT_TRUE(open_.emplace(&command, tlm::BEGIN_REQ).second);
    }
    return answer;
  }
  unsigned transport_dbg(DdrCommand& command) override {
    return to_channel->transport_dbg(command);
  }
  bool get_direct_mem_ptr(DdrCommand& command, tlm::tlm_dmi& dmi) override {
    return to_channel->get_direct_mem_ptr(command, dmi);
  }
  tlm::tlm_sync_enum nb_transport_bw(DdrCommand& command, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    const auto found = open_.find(&command);
    if (found == open_.end()) {
      ADD_FAILURE() << phase.get_name() << " of a command that is not open";
      return tlm::TLM_ACCEPTED;
    }
    const bool data = moves_data(command.operation);
    const sc_time now = sc_core::sc_time_stamp();
    const tlm::tlm_phase before = found->second;
    if (phase == tlm::END_REQ) {
      EXPECT_EQ(before, tlm::BEGIN_REQ);
      EXPECT_GT(now, command.slot);
    } else if (phase == tensix_vp::BEGIN_DATA) {
      EXPECT_EQ(before, tlm::END_REQ);
      EXPECT_EQ(now, command.data_begin);
    } else {
      EXPECT_EQ(phase, tensix_vp::END_DATA);
      EXPECT_EQ(before, tensix_vp::BEGIN_DATA);
      EXPECT_EQ(now, command.data_end);
    }
    found->second = phase;
    if (phase == tensix_vp::END_DATA || (phase == tlm::END_REQ && !data)) open_.erase(found);
    return from_controller->nb_transport_bw(command, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::map<DdrCommand*, tlm::tlm_phase> open_;
};

/// A controller whose thread runs one job after the other.
class Controller : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Controller, 32, DdrProtocol> commands;
  std::function<void(DdrCommand&)> ended = [](DdrCommand&) {};

  explicit Controller(const sc_core::sc_module_name& name) : sc_module(name), commands("commands") {
    SC_HAS_PROCESS(Controller);
    SC_THREAD(work);
    commands.register_nb_transport_bw(this, &Controller::nb_transport_bw);
  }
  void run(std::function<void()> job) {
    job_ = std::move(job);
    go_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
  }
  void sleep(const sc_time& time) { wait(time); }

  /// Sends a command in phases; returns at its END_REQ, or at once if it is refused.
  DdrStatus send(DdrCommand& command, sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    requesting_ = &command;
    if (commands->nb_transport_fw(command, phase, delay) == tlm::TLM_ACCEPTED) wait(taken_);
    return command.status;
  }

 private:
  void work() {
    while (true) {
      wait(go_);
      job_();
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(DdrCommand& command, tlm::tlm_phase& phase, sc_time&) {
    if (phase == tlm::END_REQ) {
      EXPECT_TRUE(requesting_ == nullptr || requesting_ == &command);
      requesting_ = nullptr;
      taken_.notify();
    }
    const bool data = moves_data(command.operation);
    if (phase == tensix_vp::END_DATA || (phase == tlm::END_REQ && !data)) ended(command);
    return tlm::TLM_ACCEPTED;
  }

  std::function<void()> job_;
  sc_core::sc_event go_;
  sc_core::sc_event taken_;
  DdrCommand* requesting_ = nullptr;
};

/// The chips of a rank, as a user writes them. They store bursts by bank, row and column.
class Chips : public sc_core::sc_module, private tlm::tlm_fw_transport_if<DdrProtocol> {
 public:
  tlm::tlm_target_socket<32, DdrProtocol> socket;
  std::vector<std::uint32_t> words;
  std::vector<sc_time> slots;
  bool silent = false;

  explicit Chips(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(DdrCommand& command, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(sc_core::sc_time_stamp() + delay, command.slot);
    slots.push_back(sc_core::sc_time_stamp() + delay);
    if (command.operation == DdrOperation::kActivate) rows_[command.bank] = command.row;
    auto& burst = bursts_[{command.bank, rows_[command.bank], command.column}];
    burst.resize(command.bytes);
    if (is_write(command.operation)) std::copy_n(command.data, command.bytes, burst.begin());
    if (is_read(command.operation)) std::ranges::copy(burst, command.data);
    words.insert(words.end(), command.words.begin(), command.words.end());
    return silent ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
  }
  void b_transport(DdrCommand&, sc_time&) override { ADD_FAILURE(); }
  unsigned transport_dbg(DdrCommand&) override { return 7; }
  bool get_direct_mem_ptr(DdrCommand&, tlm::tlm_dmi&) override { return false; }

  std::map<unsigned, std::uint64_t> rows_;
  std::map<std::tuple<unsigned, std::uint64_t, unsigned>, std::vector<std::uint8_t>> bursts_;
};

DdrChannel::Parameters of(const char* preset, unsigned ranks, bool strict) {
  return {.preset = preset, .ranks = ranks, .strict = strict, .foreign_ranks = {}};
}

struct Bench {
  DdrChannel channel;
  Checker checker;
  Controller controller;
  tvp::dram::Preset preset;

  Bench(const std::string& name, const DdrChannel::Parameters& parameters)
      : channel((name + "_channel").c_str(), parameters),
        checker((name + "_checker").c_str()),
        controller((name + "_controller").c_str()),
        preset(*tvp::dram::find_preset(parameters.preset)) {
    preset.organization.ranks = parameters.ranks;
    controller.commands.bind(checker.from_controller);
    checker.to_channel.bind(channel.commands);
  }
  std::uint64_t cycle(const sc_time& time) const {
    return preset.timing.tck.edge_at_or_after(time.value());
  }
  sc_time time(std::uint64_t cycle) const {
    return sc_time::from_value(preset.timing.tck.time_ps(cycle));
  }
  /// Sleeps until the edge at or after now; returns its number.
  std::uint64_t align() {
    const sc_time now = sc_core::sc_time_stamp();
    const sc_time edge = channel.edge_at_or_after(now);
    if (edge > now) controller.sleep(edge - now);
    return cycle(edge);
  }
};

std::string complaint(const DdrChannel::Parameters& parameters) {
  try {
    const DdrChannel channel("refused", parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// SystemC elaborates once: all modules are there from the start.
struct Benches {
  Bench ddr4{"ddr4", of("ddr4_2400", 2, false)};
  Bench ddr5{"ddr5", of("ddr5_4800", 2, false)};
  Bench gddr6{"gddr6", of("gddr6_14", 1, false)};
  Bench strict4{"strict4", of("ddr4_2400", 2, true)};
  Bench strict5{"strict5", of("ddr5_4800", 1, true)};
  Bench ported{"ported",
               {.preset = "ddr4_2400", .ranks = 3, .strict = false, .foreign_ranks = {1, 2}}};
  Chips chips1{"chips1"};
  Chips chips2{"chips2"};
  std::vector<std::string> complaints;
  Benches() {
    ported.channel.rank(1).bind(chips1.socket);
    ported.channel.rank(2).bind(chips2.socket);
    complaints = {
        complaint(of("ddr3_1600", 1, true)), complaint(of("ddr4_2400", 9, true)),
        complaint({.preset = "ddr4_2400", .ranks = 1, .strict = true, .foreign_ranks = {1}})};
  }
};

Benches& benches() {
  static auto& benches = *new Benches();
  return benches;
}

class DdrChannelTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    benches();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the threads wait for their jobs
  }
};

tvp::dram::DramCommand in_log(DdrOperation operation) {
  using tvp::dram::DramCommand;
  constexpr DramCommand kCommands[] = {DramCommand::kActivate,     DramCommand::kRead,
                                       DramCommand::kReadAuto,     DramCommand::kWrite,
                                       DramCommand::kWriteAuto,    DramCommand::kPrecharge,
                                       DramCommand::kPrechargeAll, DramCommand::kRefresh};
  return kCommands[static_cast<unsigned>(operation)];
}

/// Random commands, what they should do, and the log of those that were executed.
class RandomCommands {
 public:
  struct Entry {
    DdrCommand command;
    std::vector<std::uint8_t> data;
    std::vector<std::uint8_t> mask;
    std::vector<std::uint8_t> expected;
  };

  RandomCommands(Bench& bench, unsigned seed) : bench_(bench), random_(seed) {
    open_.resize(bench.preset.organization.banks());
  }

  /// A command of a few banks, rows and columns, or an illegal one.
  Entry draw() {
    const auto& o = bench_.preset.organization;
    Entry entry;
    DdrCommand& c = entry.command;
    // Columns are most frequent, so that rows serve several.
    constexpr DdrOperation kKinds[] = {DdrOperation::kActivate,
                                       DdrOperation::kActivate,
                                       DdrOperation::kRead,
                                       DdrOperation::kRead,
                                       DdrOperation::kReadAutoPrecharge,
                                       DdrOperation::kWrite,
                                       DdrOperation::kWrite,
                                       DdrOperation::kWriteAutoPrecharge,
                                       DdrOperation::kPrecharge,
                                       DdrOperation::kPrechargeAll,
                                       DdrOperation::kRefresh,
                                       DdrOperation::kPim};
    c.operation = kKinds[below(std::size(kKinds))];
    c.ranks = 1U << below(o.ranks);
    c.bank = below(6) * 3 % o.banks_per_rank();
    c.row = below(3);
    c.column = below(4) * o.burst_length;
    c.bytes = o.burst_bytes();
    entry.data.resize(c.bytes);
    for (auto& byte : entry.data) byte = static_cast<std::uint8_t>(random_());
    if (is_write(c.operation) && below(3) == 0) {
      entry.mask.resize(c.bytes);
      for (auto& byte : entry.mask) byte = below(2) == 0 ? 0 : 0xFF;
    }
    if (c.operation == DdrOperation::kPim) c.words.assign(1 + below(4), below(1 << 18));
    if (below(10) == 0) spoil(c);
    return entry;
  }

  /// Sets the pointers of a command at its final place, and returns the status that it must get
  /// if it is not too early.
  DdrStatus prepare(Entry& entry) {
    const auto& o = bench_.preset.organization;
    DdrCommand& c = entry.command;
    c.data = entry.data.data();
    if (!entry.mask.empty()) c.mask = entry.mask.data();
    const bool column = moves_data(c.operation);
    const bool pim = c.operation == DdrOperation::kPim;
    const bool several =
        pim || c.operation == DdrOperation::kPrechargeAll || c.operation == DdrOperation::kRefresh;
    if (c.ranks == 0 || c.ranks >> o.ranks != 0 || (!several && std::popcount(c.ranks) > 1) ||
        c.bank >= o.banks_per_rank())
      return DdrStatus::kNoSuchPlace;
    if (c.operation == DdrOperation::kActivate && c.row >= o.rows) return DdrStatus::kNoSuchPlace;
    if (pim) {
      const bool fit = std::ranges::all_of(c.words, [](auto word) { return word < 1U << 18; });
      return !c.words.empty() && fit ? DdrStatus::kOk : DdrStatus::kNoSuchPlace;
    }
    if (column && (c.column >= o.columns || c.column % o.burst_length != 0))
      return DdrStatus::kNoSuchPlace;
    if (column && c.bytes != o.burst_bytes()) return DdrStatus::kWrongLength;
    if (column && !open_[flat(c)]) return DdrStatus::kRowClosed;
    if (c.operation == DdrOperation::kActivate && open_[flat(c)]) return DdrStatus::kRowOpen;
    if (c.operation == DdrOperation::kRefresh) {
      for (unsigned bank = 0; bank < open_.size(); ++bank)
        if ((c.ranks >> bank / o.banks_per_rank() & 1) != 0 && open_[bank])
          return DdrStatus::kRowOpen;
    }
    return DdrStatus::kOk;
  }

  /// The command was executed.
  void executed(Entry& entry) {
    const auto& o = bench_.preset.organization;
    DdrCommand& c = entry.command;
    if (c.operation == DdrOperation::kPim) return;
    const std::uint64_t row =
        c.operation == DdrOperation::kActivate ? c.row : open_[flat(c)].value_or(0);
    for (unsigned rank = 0; rank < o.ranks; ++rank) {
      if ((c.ranks >> rank & 1) == 0) continue;
      const bool whole =
          c.operation == DdrOperation::kPrechargeAll || c.operation == DdrOperation::kRefresh;
      log.push_back({bench_.cycle(c.slot), in_log(c.operation),
                     rank * o.banks_per_rank() + (whole ? 0 : c.bank), row});
      if (c.operation == DdrOperation::kPrechargeAll)
        for (unsigned bank = 0; bank < o.banks_per_rank(); ++bank)
          open_[rank * o.banks_per_rank() + bank].reset();
    }
    if (c.operation == DdrOperation::kActivate) open_[flat(c)] = c.row;
    if (moves_data(c.operation)) {
      auto& stored = memory_[{flat(c), row, c.column}];
      stored.resize(c.bytes);
      for (std::uint32_t i = 0; is_write(c.operation) && i < c.bytes; ++i)
        if (entry.mask.empty() || entry.mask[i] != 0) stored[i] = entry.data[i];
      if (is_read(c.operation)) entry.expected = stored;
      ++columns;
    }
    if (c.operation == DdrOperation::kPrecharge ||
        c.operation == DdrOperation::kReadAutoPrecharge ||
        c.operation == DdrOperation::kWriteAutoPrecharge)
      open_[flat(c)].reset();
  }

  unsigned below(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }

  tvp::dram::CommandLog log;
  std::uint64_t columns = 0;

 private:
  unsigned flat(const DdrCommand& c) const {
    return static_cast<unsigned>(std::countr_zero(c.ranks)) *
               bench_.preset.organization.banks_per_rank() +
           c.bank;
  }
  void spoil(DdrCommand& c) {
    const auto& o = bench_.preset.organization;
    switch (below(7)) {
      case 0:
        c.ranks = below(2) == 0 ? 0 : 1U << o.ranks;
        break;
      case 1:
        c.bank = o.banks_per_rank() + below(3);
        break;
      case 2:
        c.row = o.rows + below(2);
        break;
      case 3:
        c.column = below(2) == 0 ? o.columns : 1;
        break;
      case 4:
        c.bytes = c.bytes / 2;
        break;
      case 5:
        if (!c.words.empty()) c.words[0] = 1U << 18;
        break;
      default:
        c.words.clear();
    }
  }

  Bench& bench_;
  std::mt19937 random_;
  std::vector<std::optional<std::uint64_t>> open_;
  std::map<std::tuple<unsigned, std::uint64_t, unsigned>, std::vector<std::uint8_t>> memory_;
};

/// Half of the commands in phases, half by b_transport.
TEST_F(DdrChannelTest, RandomCommandsKeepTheStandard) {
  for (Bench* bench : {&benches().ddr4, &benches().ddr5, &benches().gddr6}) {
    RandomCommands random(*bench, 1);
    std::deque<RandomCommands::Entry> entries;  // their commands may be open
    std::uint64_t wrong = 0;
    bench->controller.run([&] {
      for (std::uint64_t n = transactions(); n > 0; --n) {
        entries.push_back(random.draw());
        RandomCommands::Entry& entry = entries.back();
        const DdrStatus expected = random.prepare(entry);
        sc_time delay = bench->time(random.below(4));
        if (random.below(2) == 0) {
          EXPECT_EQ(bench->controller.send(entry.command, delay), expected);
        } else {
          bench->controller.commands->b_transport(entry.command, delay);
          EXPECT_EQ(entry.command.status, expected);
          // The next command may follow at the end of the slot.
          const sc_time now = sc_core::sc_time_stamp();
          if (expected == DdrStatus::kOk && entry.command.slot > now)
            bench->controller.sleep(entry.command.slot - now);
        }
        if (entry.command.status == DdrStatus::kOk) random.executed(entry);
        if (!entry.expected.empty() && entry.expected != entry.data) ++wrong;
        if (random.below(20) == 0) bench->controller.sleep(bench->time(random.below(600)));
        if (entries.size() > 256) entries.pop_front();
      }
      bench->controller.sleep(sc_time(1, sc_core::SC_US));
    });
    EXPECT_EQ(tvp::dram::check_log(random.log, bench->preset, 1'000'000), "");
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(bench->checker.open(), 0u);
    EXPECT_GT(random.columns, transactions() / 20);
    EXPECT_EQ(bench->channel.statistics().bursts, random.columns);
  }
}

/// Every refusal names a later time at which the command succeeds.
TEST_F(DdrChannelTest, EarlyCommandsAreRefusedUntilTheirTime) {
  for (Bench* bench : {&benches().strict4, &benches().strict5}) {
    RandomCommands random(*bench, 2);
    unsigned early = 0;
    bench->controller.run([&] {
      RandomCommands::Entry entry;
      for (std::uint64_t n = transactions() / 2; n > 0; --n) {
        entry = random.draw();
        const DdrStatus expected = random.prepare(entry);
        bench->align();
        DdrStatus status = bench->controller.send(entry.command);
        if (status == DdrStatus::kTooEarly) {
          ++early;
          EXPECT_EQ(expected, DdrStatus::kOk);
          const sc_time now = sc_core::sc_time_stamp();
          ASSERT_GT(entry.command.slot, now);
          bench->controller.sleep(bench->time(bench->cycle(entry.command.slot) - 1) - now);
          if (sc_core::sc_time_stamp() > now) {
            EXPECT_EQ(bench->controller.send(entry.command), DdrStatus::kTooEarly);
          }
          bench->controller.sleep(entry.command.slot - sc_core::sc_time_stamp());
          status = bench->controller.send(entry.command);
        }
        EXPECT_EQ(status, expected);
        if (status != DdrStatus::kOk) continue;
        random.executed(entry);
        // The entry is used again.
        const sc_time now = sc_core::sc_time_stamp();
        if (entry.command.data_end > now)
          bench->controller.sleep(entry.command.data_end - now + bench->time(1));
        EXPECT_TRUE(entry.expected.empty() || entry.data == entry.expected);
      }
    });
    EXPECT_EQ(tvp::dram::check_log(random.log, bench->preset, 1'000'000), "");
    EXPECT_GT(early, 100u);
    EXPECT_GE(bench->channel.statistics().refused, early);
  }
}

/// JEDEC: ACT, tRCD, RD, CL, data, and the next RD of the bank group tCCD_L later.
TEST_F(DdrChannelTest, ReadsTakeTheTimesOfTheStandard) {
  Bench& bench = benches().strict4;
  const tvp::dram::Timing& t = bench.preset.timing;
  bench.controller.run([&] {
    bench.controller.sleep(sc_time(2, sc_core::SC_US));
    DdrCommand close{.operation = DdrOperation::kPrechargeAll, .ranks = 3};
    bench.align();
    EXPECT_EQ(bench.controller.send(close), DdrStatus::kOk);
    bench.controller.sleep(sc_time(2, sc_core::SC_US));
    const std::uint64_t start = bench.align();
    DdrCommand open{.bank = 5, .row = 77};
    EXPECT_EQ(bench.controller.send(open), DdrStatus::kOk);
    EXPECT_EQ(open.slot, bench.time(start));
    EXPECT_EQ(sc_core::sc_time_stamp(), bench.time(start + 1));
    std::vector<std::uint8_t> data(bench.channel.burst_bytes());
    DdrCommand read{.operation = DdrOperation::kRead,
                    .bank = 5,
                    .column = 8,
                    .data = data.data(),
                    .bytes = bench.channel.burst_bytes()};
    const auto send_at = [&](std::uint64_t cycle) {
      bench.controller.sleep(bench.time(cycle) - sc_core::sc_time_stamp());
      return bench.controller.send(read);
    };
    EXPECT_EQ(send_at(start + t.trcd_rd - 1), DdrStatus::kTooEarly);
    EXPECT_EQ(read.slot, bench.time(start + t.trcd_rd));
    EXPECT_EQ(send_at(start + t.trcd_rd), DdrStatus::kOk);
    EXPECT_EQ(read.data_begin, bench.time(start + t.trcd_rd + t.cl));
    EXPECT_EQ(read.data_end, bench.time(start + t.trcd_rd + t.cl + t.bl));
    DdrCommand next = read;
    sc_time delay;
    bench.controller.commands->b_transport(next, delay);
    EXPECT_EQ(next.status, DdrStatus::kTooEarly);
    EXPECT_EQ(next.slot, bench.time(start + t.trcd_rd + t.tccd_l));
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    bench.controller.sleep(next.slot - sc_core::sc_time_stamp());
    bench.controller.commands->b_transport(next, delay);
    EXPECT_EQ(delay,
              bench.time(start + t.trcd_rd + t.tccd_l + t.cl + t.bl) - sc_core::sc_time_stamp());
    bench.controller.sleep(sc_time(1, sc_core::SC_US));
  });
}

TEST_F(DdrChannelTest, ChipsOfTheUserGetTheirCommands) {
  Bench& bench = benches().ported;
  bench.controller.run([&] {
    DdrCommand words{.operation = DdrOperation::kPim, .ranks = 6, .words = {5, 0x3FFFF, 7}};
    EXPECT_EQ(bench.controller.send(words), DdrStatus::kOk);
    EXPECT_EQ(benches().chips1.words, words.words);
    EXPECT_EQ(benches().chips2.words, words.words);
    EXPECT_EQ(sc_core::sc_time_stamp(), bench.time(bench.cycle(words.slot) + 3));
    std::vector<std::uint8_t> data(bench.channel.burst_bytes(), 0xA5);
    DdrCommand open{.ranks = 4, .bank = 3, .row = 9};
    EXPECT_EQ(bench.controller.send(open), DdrStatus::kOk);
    DdrCommand write{.operation = DdrOperation::kWrite,
                     .ranks = 4,
                     .bank = 3,
                     .column = 16,
                     .data = data.data(),
                     .bytes = bench.channel.burst_bytes()};
    EXPECT_EQ(bench.controller.send(write), DdrStatus::kOk);
    std::vector<std::uint8_t> back(data.size());
    DdrCommand read = write;
    read.operation = DdrOperation::kRead;
    read.data = back.data();
    EXPECT_EQ(bench.controller.send(read), DdrStatus::kOk);
    EXPECT_EQ(back, data);
    EXPECT_EQ(benches().chips2.slots.size(), 4u);
    EXPECT_EQ(benches().chips1.slots.size(), 1u);
    EXPECT_EQ(bench.channel.statistics().pim_slots, 3u);
    bench.controller.sleep(sc_time(1, sc_core::SC_US));
  });
}

TEST_F(DdrChannelTest, DebugAccessesSeeTheRows) {
  Bench& bench = benches().ported;
  std::vector<std::uint8_t> data = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  DdrCommand write{.operation = DdrOperation::kWrite,
                   .bank = 1,
                   .row = 5,
                   .column = bench.channel.columns() - 1,
                   .data = data.data(),
                   .bytes = 9};
  EXPECT_EQ(bench.controller.commands->transport_dbg(write), 8u);  // the row ends
  std::vector<std::uint8_t> back(9);
  DdrCommand read = write;
  read.operation = DdrOperation::kRead;
  read.data = back.data();
  EXPECT_EQ(bench.controller.commands->transport_dbg(read), 8u);
  EXPECT_TRUE(std::equal(back.begin(), back.begin() + 8, data.begin()));
  read.ranks = 2;
  EXPECT_EQ(bench.controller.commands->transport_dbg(read), 7u);  // the chips of the user
  read.ranks = 3;
  EXPECT_EQ(bench.controller.commands->transport_dbg(read), 0u);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(bench.controller.commands->get_direct_mem_ptr(read, dmi));
}

TEST_F(DdrChannelTest, NamesPhasesOutOfOrder) {
  Bench& bench = benches().ported;
  const auto report_of = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const sc_core::sc_report& report) {
      return report.what();
    }
    return "no report";
  };
  bench.controller.run([&] {
    DdrCommand first{.operation = DdrOperation::kPim, .words = {1}};
    DdrCommand second = first;
    sc_time delay;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    bench.controller.commands->nb_transport_fw(first, phase, delay);
    const std::string text = report_of([&] {
      phase = tlm::BEGIN_REQ;
      bench.controller.commands->nb_transport_fw(second, phase, delay);
    });
    EXPECT_NE(text.find("ported_channel.commands: the controller sends BEGIN_REQ before"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(sc_core::sc_time_stamp().to_string()), std::string::npos) << text;
    EXPECT_NE(report_of([&] {
                phase = tlm::END_RESP;
                bench.controller.commands->nb_transport_fw(second, phase, delay);
              }).find("expected BEGIN_REQ"),
              std::string::npos);
    bench.controller.sleep(sc_time(1, sc_core::SC_US));
    benches().chips1.silent = true;
    DdrCommand to_chips{.operation = DdrOperation::kPim, .ranks = 2, .words = {1}};
    EXPECT_NE(report_of([&] {
                phase = tlm::BEGIN_REQ;
                bench.controller.commands->nb_transport_fw(to_chips, phase, delay);
              }).find("ported_channel.rank1: the chips did not answer TLM_COMPLETED"),
              std::string::npos);
  });
}

TEST_F(DdrChannelTest, NamesParametersThatDoNotFit) {
  const char* const expected[] = {"expected ddr4_2400", "expected 1 to 8", "a rank below 1"};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NE(benches().complaints[i].find(expected[i]), std::string::npos)
        << benches().complaints[i];
}

}  // namespace
