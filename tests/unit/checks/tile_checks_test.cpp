#include "platform/checks/tile_checks.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "platform/checks/all_checks.h"
#include "platform/checks/chip_checks.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

/// Counts its events, and throws at one whose `index` is kBad.
class Fragile : public Check {
 public:
  static constexpr std::uint32_t kBad = 7, kFault = 8, kInternal = 9;
  Fragile(const TileContext& tile, const char* name, int& seen)
      : Check(tile), name_(name), seen_(seen) {}
  const char* name() const override { return name_; }
  const char* summary() const override { return ""; }
  Probe::Kinds kinds() const override {
    return Probe::bit(ProbeEvent::Kind::kCounterRead) | Probe::bit(ProbeEvent::Kind::kProgramEnds);
  }
  void on(const ProbeEvent& event) override {
    if (seen_ < 0) throw std::logic_error("at the end");
    ++seen_;
    const bool bad = name_ == std::string("fragile");
    if (bad && event.index == kBad) throw std::out_of_range("no such entry");
    if (bad && event.index == kFault)
      throw foundation::Fault(foundation::FaultKind::kFirmware, "tile", "found");
    if (bad && event.index == kInternal)
      throw foundation::Fault(foundation::FaultKind::kInternal, "tile", "lost");
  }

 private:
  const char* const name_;
  int& seen_;
};

struct TileChecksTest : testing::Test, CheckBench {
  TileChecks& make() {
    tile.kind = TileContext::Kind::kEthernet;
    made = std::make_unique<TileChecks>(
        tile,
        [this](const TileContext& context) {
          std::vector<std::unique_ptr<Check>> all;
          all.push_back(std::make_unique<Fragile>(context, "fragile", seen));
          all.push_back(std::make_unique<Fragile>(context, "sound", other));
          return all;
        },
        [this](const std::string& name, const std::string& reason) {
          failed.push_back(name + ": " + reason);
          made->disable(name);
        });
    return *made;
  }
  static ProbeEvent read_of(std::uint32_t index) {
    return {.kind = ProbeEvent::Kind::kCounterRead, .index = index};
  }
  int seen = 0, other = 0;
  std::vector<std::string> failed;
  Probe other_probe;
  std::unique_ptr<TileChecks> made;
};

TEST_F(TileChecksTest, ACheckThatThrowsIsDisabledAndTheOthersGoOn) {
  TileChecks& checks = make();
  const Probe& probe = checks.probe();
  EXPECT_TRUE(probe.wants(ProbeEvent::Kind::kCounterRead));
  EXPECT_FALSE(probe.wants(ProbeEvent::Kind::kCommand));
  for (const std::uint32_t index : {1U, Fragile::kBad, Fragile::kBad, 2U})
    probe.report(read_of(index));
  EXPECT_EQ(failed, std::vector<std::string>{"fragile: no such entry"});
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(other, 4);
  checks.set_buffers({});
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(other, 5);
}

TEST_F(TileChecksTest, AFaultOfTheFirmwareIsAFinding) {
  TileChecks& checks = make();
  EXPECT_THROW(checks.probe().report(read_of(Fragile::kFault)), foundation::Fault);
  EXPECT_TRUE(failed.empty());
  checks.probe().report(read_of(Fragile::kInternal));
  EXPECT_EQ(failed, std::vector<std::string>{"fragile: tile: lost"});
}

TEST_F(TileChecksTest, OneThatFailsAtAFindingOfTheRecordIsDisabledAlone) {
  class Early : public Check {
   public:
    using Check::Check;
    const char* name() const override { return "early"; }
    const char* summary() const override { return ""; }
    Probe::Kinds kinds() const override { return TileRecord::kinds(); }
    void on(const ProbeEvent&) override {
      if (!tile_.record->found().overlaps.empty()) throw std::runtime_error("at once");
    }
  };
  RecordTest<Early> bench;
  const auto access = [&](BusMaster agent, std::uint64_t address, bool is_write) {
    bench.feed({.kind = ProbeEvent::kind_of(is_write),
                .agent = agent,
                .bytes = 16,
                .address = address,
                .cycle = 5,
                .done = 9});
  };
  for (int i = 0; i < 2; ++i) {
    access(BusMaster::kPacker0, 0x100, true);
    access(BusMaster::kMover, 0x100, false);
  }
  EXPECT_EQ(bench.failed, std::vector<std::string>{"early: at once"});
  EXPECT_NE(bench.l1().last_writer(0x100), nullptr);
}

TEST_F(TileChecksTest, OneThatFailsAtTheEndOfAProgramIsDisabledToo) {
  TileChecks& checks = make();
  seen = -1;
  checks.set_buffers({});
  EXPECT_EQ(failed, std::vector<std::string>{"fragile: at the end"});
  EXPECT_EQ(other, 1);
}

TEST_F(TileChecksTest, AKindThatNoCheckWantsIsNotReported) {
  TileChecks& checks = make();
  checks.disable("fragile");
  EXPECT_TRUE(checks.probe().wants(ProbeEvent::Kind::kCounterRead));
  checks.disable("sound");
  EXPECT_FALSE(checks.probe().wants(ProbeEvent::Kind::kCounterRead));
}

TEST_F(TileChecksTest, EachCheckHasANameOfItsOwnAndASummary) {
  std::vector<std::string> names;
  const LoadedCode code;
  TileRecord record(other_probe, code);
  tile.probe = &other_probe;
  tile.record = &record;
  for (const auto& check : all_checks(tile)) {
    EXPECT_EQ(std::count(names.begin(), names.end(), check->name()), 0) << check->name();
    names.emplace_back(check->name());
    EXPECT_NE(check->summary(), std::string());
  }
  EXPECT_FALSE(names.empty());
}

TEST_F(TileChecksTest, AChipHasThoseOfItsTiles) {
  ChipChecks chip(*this);
  TileChecks& added = chip.add(tile);
  EXPECT_EQ(chip.at(1, 2), &added);
  EXPECT_EQ(chip.at(2, 1), nullptr);
}

}  // namespace
}  // namespace tvp::checks
