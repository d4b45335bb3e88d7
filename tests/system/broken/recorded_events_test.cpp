// Tests that the events of a real run, written to a file, lead the checks to the same findings as
// the run itself.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "platform/checks/chip_checks.h"
#include "platform/checks/event_line.h"
#include "tests/system/benches/operation_bench.h"

/// The checks print times with SystemC, which requires this function.
extern "C" int sc_main(int, char**) { return 0; }

namespace tvp::test {
namespace {

using Findings = std::set<std::string>;

const char* const kReads = R"(
void kernel_main() {
  const auto from = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < 4; ++i) {
    cb_reserve_back(0, 1);
    noc_async_read_page(i, from, get_write_ptr(0));
    noc_async_read_barrier();
    cb_push_back(0, 1);
  }
}
)";
const char* const kWrites = R"(
void kernel_main() {
  const auto to = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t i = 0; i < 4; ++i) {
    cb_wait_front(0, 1);
    noc_async_write_page(i, to, get_read_ptr(0));
    noc_async_writes_flushed();
    cb_pop_front(0, 1);
  }
  noc_async_write_barrier();
}
)";

std::string without(std::string text, const std::string& call) {
  const std::size_t at = text.find(call);
  EXPECT_NE(at, std::string::npos) << call;
  return text.erase(at, call.size());
}

std::string written(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(TVP_KERNEL_FOLDER) / (name + ".cpp");
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return path.string();
}

/// A finding without the place in the code, which no event contains.
std::string without_place(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), text.find(", at pc ")));
}

/// Runs the kernels with a recording and returns the findings of the report.
Findings run(const std::string& name, const std::string& reads, const std::string& writes,
             const std::string& settings) {
  OperationBench bench(false, false, "single_chip\nfaults=warn\n" + settings);
  const auto in = bench.tensor(std::vector<std::uint32_t>(4 * 512, 0x3F803F80), 2048),
             out = bench.result(4, 2048);
  Operation operation(bench);
  operation.buffer(0, 2);
  operation.reader(written("reads_" + name, reads), {.tensors = {in}, .run = {address(in)}})
      .writer(written("writes_" + name, writes), {.tensors = {out}, .run = {address(out)}});
  operation.run();
  Findings findings;
  const auto report = nlohmann::json::parse(bench.mesh().library().report());
  // `missing_barriers` needs the end of the firmware's code, which no event contains.
  for (const auto& warning : report.at("warnings"))
    if (const std::string text = warning; text.find("kernel ends before") == std::string::npos)
      findings.insert(without_place(text));
  return findings;
}

/// The tiles of a chip whose events come from a file instead of models.
class Player : public checks::CodeNames,
               public foundation::FaultPolicy,
               public foundation::WarningSink {
 public:
  Findings play(const std::string& file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const std::size_t space = line.find(' ');
      if (checks::TileChecks* const tile = tile_of(line.substr(0, space)))
        tile->report(checks::from_line(line.substr(space + 1)));
      ++events;
    }
    return findings_;
  }
  std::size_t events = 0;

 private:
  checks::TileChecks* tile_of(const std::string& where) {
    unsigned x = 0, y = 0;
    if (std::sscanf(where.c_str(), "chip0.tensix(%u,%u)", &x, &y) != 2) return nullptr;
    if (checks::TileChecks* const known = chip_.at(x, y)) return known;
    checks::TileContext tile{
        .x = x, .y = y, .where = where, .names = *this, .faults = *this, .warnings = *this};
    static constexpr const char* kNames[] = {"BRISC", "NCRISC", "TRISC0", "TRISC1", "TRISC2"};
    for (unsigned i = 0; i < std::size(kNames); ++i)
      tile.cores.push_back(
          {static_cast<support::BusMaster>(i), i, where + "." + std::string(kNames[i])});
    return &chip_.add(tile);
  }
  std::string describe(const checks::CodeOwner&, std::uint32_t, support::Cycle) const override {
    return {};
  }
  bool is_of(const std::string&, const checks::CodeOwner&, std::uint32_t) const override {
    return false;
  }
  bool is_of_first(const checks::CodeOwner&, std::uint32_t) const override { return false; }
  void raise(const foundation::Fault& fault) override { warn(fault); }
  void warn(const foundation::Fault& fault) override {
    findings_.insert(without_place(fault.what()));
  }

  checks::ChipChecks chip_{*this};
  Findings findings_;
};

std::string events_of(const std::string& name) {
  std::filesystem::create_directories(TVP_KERNEL_FOLDER);
  return std::string(TVP_KERNEL_FOLDER) + "/" + name + ".events";
}

TEST(RecordedEvents, OfARightProgramHaveNoFinding) {
  const std::string file = events_of("right");
  EXPECT_EQ(run("right", kReads, kWrites, "record.events=" + file), Findings{});
  Player player;
  EXPECT_EQ(player.play(file), Findings{});
  EXPECT_GT(player.events, 50U);
}

TEST(RecordedEvents, OfABrokenProgramHaveTheFindingsOfTheRun) {
  const std::string file = events_of("broken");
  const Findings found = run("broken", without(kReads, "noc_async_read_barrier();"),
                             without(kWrites, "cb_wait_front(0, 1);"), "record.events=" + file);
  EXPECT_GE(found.size(), 3U) << "several checks find something";
  EXPECT_EQ(Player().play(file), found);

  // The key disables only the checks of waits. The others still check pages.
  Findings without_waits;
  for (const std::string& each : found)
    if (each.find("coprocessor: ") == std::string::npos) without_waits.insert(each);
  EXPECT_LT(without_waits.size(), found.size());
  EXPECT_EQ(run("broken", without(kReads, "noc_async_read_barrier();"),
                without(kWrites, "cb_wait_front(0, 1);"), "coprocessor.missing_waits=off"),
            without_waits);
}

}  // namespace
}  // namespace tvp::test
