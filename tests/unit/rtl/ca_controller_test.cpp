// The RTL controller of the command/address bus compared with ddr::CaBus and ddr::RankControl. The
// same requests must get the same slots, barriers must end in the same cycles, and the pins must
// have each command in its slot.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/ddr/rank_control.h"
#include "models/rtl/rtl_ca_controller.h"
#include "models/support/calendar.h"
#include "tests/support/fault_of.h"

namespace tvp::rtl {
namespace {

using ddr::BarrierScheme;
using ddr::CaCommand;
using dram::MemCycle;

constexpr MemCycle kRequest = 10;
constexpr unsigned kMailbox = 72;
constexpr dram::Period kSame = dram::Period::of_mhz(1000);
constexpr CaCommand kNormal[] = {CaCommand::kModeRegisterSet,
                                 CaCommand::kRefresh,
                                 CaCommand::kPrecharge,
                                 CaCommand::kPrechargeAll,
                                 CaCommand::kWrite,
                                 CaCommand::kWriteAutoPrecharge,
                                 CaCommand::kRead,
                                 CaCommand::kReadAutoPrecharge,
                                 CaCommand::kZqCalibrationShort,
                                 CaCommand::kZqCalibrationLong,
                                 CaCommand::kNoOperation,
                                 CaCommand::kActivate};

RtlModule::CaController parts(const support::Calendar& calendar, const dram::Timing& timing,
                              unsigned ranks) {
  return {.timing = timing,
          .ranks = ranks,
          .request_cycles = kRequest,
          .clock = {.calendar = calendar,
                    .to_ck = dram::ClockRatio(kSame, kSame),
                    .to_wave = dram::ClockRatio(kSame, kSame)}};
}

/// A channel's bus and messages, modelled or with the RTL.
struct Channel {
  Channel(const dram::Timing& timing, unsigned ranks, foundation::FaultPolicy& faults)
      : bus(timing, ranks), control(bus, kRequest, kMailbox, "channel0", faults) {}
  ddr::CaBus bus;
  ddr::RankControl control;
};

struct Case {
  const char* preset;
  unsigned ranks;
  unsigned busy;  ///< requests in 100 cycles
};

class RtlCaControllerTest : public ::testing::TestWithParam<Case> {
 protected:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  std::uint32_t some(unsigned ranks) { return 1 + below((1U << ranks) - 1); }

  /// The pins of the present cycle: a planned command, a word, or nothing.
  void expect_pins(const RtlCaController& rtl, MemCycle now, unsigned ranks) {
    const ddr::CaPins pins = rtl.pins();
    const auto planned = planned_.find(now);
    for (unsigned rank = 0; rank < ranks; ++rank) {
      const CaCommand seen = ddr::decode(pins, rank);
      if (planned == planned_.end()) {
        ASSERT_TRUE(seen == CaCommand::kDeselect || seen == CaCommand::kPim) << now;
      } else {
        const bool selected = (planned->second.ranks >> rank & 1) != 0;
        ASSERT_EQ(seen, selected ? planned->second.code : CaCommand::kDeselect) << now;
      }
    }
    if (planned != planned_.end()) planned_.erase(planned);
    if (pins.cs_n != 0xFF && ddr::decode(pins, lowest(pins)) == CaCommand::kPim) ++pim_words_;
  }
  static unsigned lowest(const ddr::CaPins& pins) {
    unsigned rank = 0;
    while ((pins.cs_n >> rank & 1) != 0) ++rank;
    return rank;
  }

  struct Planned {
    CaCommand code;
    std::uint32_t ranks;
  };
  std::mt19937 random_{5};
  std::map<MemCycle, Planned> planned_;
  std::uint64_t pim_words_ = 0;
};

TEST_P(RtlCaControllerTest, GivesTheSlotsOfTheModel) {
  const Case& c = GetParam();
  const dram::Timing& timing = dram::find_preset(c.preset)->timing;
  support::Calendar calendar({});
  foundation::StopOnFault faults;
  Channel model(timing, c.ranks, faults);
  Channel with(timing, c.ranks, faults);
  RtlCaController rtl("rtl", parts(calendar, timing, c.ranks));
  with.bus.replace(rtl);
  // Two groups are at barriers at once. The second one is only gathered, and released later.
  constexpr unsigned kGroups = 2;
  std::array<ddr::RankControl::Gathering, kGroups> model_groups, rtl_groups;
  std::array<std::uint32_t, kGroups> there{};
  for (unsigned g = 0; g < kGroups; ++g)
    model_groups[g].ranks = rtl_groups[g].ranks = g == 0 ? (1U << c.ranks) - 1 : 3;
  unsigned barriers = 0;
  constexpr MemCycle kCycles = 6000;
  for (MemCycle now = 0; now < kCycles; ++now) {
    while (now + 300 < kCycles && now % 1000 < 800 && below(100) < c.busy) {
      const MemCycle earliest = now + (below(3) == 0 ? below(60) : 0);
      const unsigned kind = below(8);
      if (kind < 4) {
        const CaCommand code = kNormal[below(std::size(kNormal))];
        const std::uint32_t ranks = some(c.ranks);
        const MemCycle slot = model.bus.issue(code, earliest, ranks);
        ASSERT_EQ(with.bus.issue(code, earliest, ranks), slot) << now;
        planned_[slot] = {code, ranks};
        for (unsigned s = 1; s < model.bus.slots_of(code); ++s)
          planned_[slot + s] = {CaCommand::kDeselect, 0};
      } else if (kind == 4) {
        const unsigned source = below(c.ranks);
        const std::uint32_t others = ((1U << c.ranks) - 1) & ~(1U << source);
        const std::size_t bytes = below(kMailbox + 1);
        ASSERT_EQ(with.control.carry(source, others, bytes, earliest),
                  model.control.carry(source, others, bytes, earliest));
      } else {
        const unsigned g = below(kGroups);
        const unsigned rank = below(g == 0 ? c.ranks : 2);
        if ((there[g] >> rank & 1) != 0) continue;
        there[g] |= 1U << rank;
        if (there[g] == model_groups[g].ranks) there[g] = 0;
        const auto scheme =
            g == 0 && now % 2000 > 1000 ? BarrierScheme::kBroadcasts : BarrierScheme::kController;
        const auto answer = [&](Channel& channel, ddr::RankControl::Gathering& group) {
          if (g == 0) return channel.control.arrive(group, rank, scheme, earliest);
          auto known = channel.control.gather(group, rank, scheme, earliest);
          if (known) known = channel.control.release(group.ranks, *known + 20);
          return known;
        };
        const auto expected = answer(model, model_groups[g]);
        ASSERT_EQ(answer(with, rtl_groups[g]), expected) << now;
        barriers += expected.has_value();
      }
    }
    rtl.catch_up();
    expect_pins(rtl, now, c.ranks);
    if (HasFatalFailure()) return;
    calendar.run_until(now + 1);
  }
  EXPECT_TRUE(planned_.empty());
  EXPECT_GT(barriers, 20u);
  EXPECT_EQ(pim_words_, model.bus.stats().pim_slots);
  EXPECT_EQ(with.bus.stats().pim_slots, model.bus.stats().pim_slots);
  EXPECT_EQ(with.bus.stats().normal_slots, model.bus.stats().normal_slots);
  EXPECT_EQ(with.bus.stats().waited, model.bus.stats().waited);
  EXPECT_GT(model.bus.stats().waited, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Cases, RtlCaControllerTest,
                         ::testing::Values(Case{"ddr4_2400", 8, 12}, Case{"ddr4_2400", 2, 20},
                                           Case{"ddr5_4800", 4, 10}));

class RtlCaPins : public ::testing::Test {
 protected:
  const dram::Timing& timing_ = dram::find_preset("ddr4_2400")->timing;
  support::Calendar calendar_{{}};
  RtlCaController rtl_{"channel0.ca_bus", parts(calendar_, timing_, 8)};
  MemCycle now() const { return calendar_.now(); }
};

TEST_F(RtlCaPins, FollowTheTruthTable) {
  std::mt19937 random(9);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  for (unsigned i = 0; i < 2000; ++i) {
    const bool pim = below(4) == 0;
    const ddr::ExternalCaBus::Command command{
        .code = pim ? CaCommand::kPim : kNormal[below(std::size(kNormal))],
        .ranks = below(256),
        .operand = below(1U << (pim ? 18 : 17)),
        .group = below(4),
        .bank = below(4)};
    ASSERT_EQ(rtl_.issue(command, now()), now());
    ASSERT_EQ(rtl_.pins(), ddr::encode(command.code, static_cast<std::uint8_t>(command.ranks),
                                       command.operand, command.group, command.bank))
        << i;
    calendar_.run_until(now() + 1);
    rtl_.catch_up();
  }
}

TEST_F(RtlCaPins, CarryTheWordsOfAMessageAndOfABarrier) {
  using Word = std::pair<unsigned, std::uint32_t>;
  const auto next = [&] {
    const ddr::CaPins pins = rtl_.pins();
    calendar_.run_until(now() + 1);
    rtl_.catch_up();
    return Word{pins.cs_n, ddr::pim_payload(pins)};
  };
  rtl_.issue({.code = CaCommand::kPim, .ranks = 0b1010, .operand = 0x2A5A5, .words = 3}, 0);
  EXPECT_EQ(next(), Word(0xF5, 0x2A5A5));
  EXPECT_EQ(next(), Word(0xF5, 1));
  EXPECT_EQ(next(), Word(0xF5, 2));
  EXPECT_EQ(next().first, 0xFF);
  unsigned place = ddr::ExternalCaBus::kNoPlace;
  const auto arrive = [&](unsigned rank, bool broadcasts) {
    return rtl_.arrive({.ranks = 0b110, .rank = rank, .broadcasts = broadcasts, .place = place},
                       now());
  };
  EXPECT_FALSE(arrive(1, true).all);
  EXPECT_NE(place, ddr::ExternalCaBus::kNoPlace);
  for (unsigned i = 0; i < kRequest; ++i) EXPECT_EQ(next().first, 0xFF);
  EXPECT_EQ(next(), Word(0xFB, 0x10001)) << "the arrival of rank 1, to rank 2";
  EXPECT_TRUE(arrive(2, false).all);
  EXPECT_EQ(place, ddr::ExternalCaBus::kNoPlace);
  for (unsigned i = 0; i < kRequest; ++i) EXPECT_EQ(next().first, 0xFF);
  EXPECT_EQ(next(), Word(0xF9, 0x20000)) << "the release of both";
}

TEST_F(RtlCaPins, NameWhatTheControllerLacks) {
  const auto error = [](auto&& work) { return test::fault_of(work, {}, ""); };
  const auto refusal = [&](auto&& change) {
    auto wrong = parts(calendar_, timing_, 8);
    change(wrong);
    return error([&] { RtlCaController("wrong", wrong); });
  };
  EXPECT_EQ(refusal([](auto& p) { p.ranks = 9; }),
            "pim.ca_bus: rtl has chip selects of 8 ranks, a channel has 9");
  EXPECT_EQ(refusal([](auto& p) { p.request_cycles = 513; }),
            "pim.bus_request_cycles: 513 with pim.ca_bus=rtl: expected 0 to 512");
  using Command = ddr::ExternalCaBus::Command;
  EXPECT_EQ(error([&] { rtl_.issue({.ranks = 512}, 0); }),
            "channel0.ca_bus: rank 9 is selected: expected one of 0 to 7");
  EXPECT_EQ(error([&] { rtl_.issue({.code = CaCommand::kPim, .words = 128}, 0); }),
            "channel0.ca_bus: a message of 128 words: expected at most 127 slots");
  EXPECT_EQ(error([&] { rtl_.issue(Command{.code = CaCommand::kRead}, 1024); }),
            "channel0.ca_bus: cycle 1024 of CK is asked for at 0: expected less than 1024 cycles "
            "in advance");
  EXPECT_EQ(error([&] { rtl_.issue({.code = CaCommand::kPim, .words = 2}, 1023); }),
            "channel0.ca_bus: no free slots within 1024 cycles of CK from 0 on for a request for "
            "cycle 1023");
  std::array<unsigned, RtlCaController::kGroups + 1> places;
  places.fill(ddr::ExternalCaBus::kNoPlace);
  const auto arrive = [&](unsigned rank, unsigned& place) {
    rtl_.arrive({.ranks = 3, .rank = rank, .place = place}, 0);
  };
  for (unsigned g = 0; g < RtlCaController::kGroups; ++g) arrive(0, places[g]);
  EXPECT_EQ(error([&] { arrive(0, places[0]); }),
            "channel0.ca_bus: rank 0 is twice at one barrier");
  EXPECT_EQ(error([&] { arrive(0, places.back()); }),
            "channel0.ca_bus: more than 8 groups of ranks at barriers");
}

}  // namespace
}  // namespace tvp::rtl
