// All-reduces on PIM systems whose links and routers break at random. Each run passes, or reports
// the lost message and the broken parts that cut the mesh. A sample runs always, all seeds by name.

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <tuple>

#include "foundation/fault.h"
#include "sw/collectives/pim/pim_run.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"
#include "tests/system/benches/in_child.h"

namespace tvp::workloads::pim::pim_faults_test {
namespace {

using collectives::pim_collective;
using collectives::PimRequest;
using collectives::PimRun;
using nlohmann::json;

const std::vector<std::string> kRoutings{
    "xy", "yx", "west_first", "north_last", "negative_first", "odd_even", "minimal_adaptive"};

/// 32 units each: in one mesh, or in a mesh per chip with four chips in two ranks.
struct System {
  const char* name;
  const char* settings;
  unsigned width;
  unsigned height;
  unsigned chips;  ///< each with its own mesh
  bool hierarchical;
};
const System kSystems[] = {
    {"rank", "", 8, 4, 1, false},
    {"rank_hierarchical", "", 8, 4, 1, true},
    {"tiers",
     "pim.hierarchy=bank=8 chip=2 rank=2\npim.network=tiers\nmesh.width=4\nmesh.height=2\n", 4, 2,
     4, false},
    {"tiers_hierarchical",
     "pim.hierarchy=bank=8 chip=2 rank=2\npim.network=tiers\nmesh.width=4\nmesh.height=2\n", 4, 2,
     4, true},
};

struct Breaks {
  unsigned count;
  bool routers;
  unsigned cycles;  ///< 0: forever
};
/// 1, 2 or 4 links or routers, forever or for a time.
std::vector<Breaks> all_breaks(unsigned seed) {
  constexpr unsigned kCycles[] = {10, 60, 250};
  std::vector<Breaks> all;
  for (unsigned count : {1U, 2U, 4U})
    for (bool routers : {false, true})
      for (unsigned cycles : {0U, kCycles[seed % std::size(kCycles)]})
        all.push_back({count, routers, cycles});
  return all;
}

std::string settings_of(const System& system, const std::string& routing,
                        const std::string& flow_control) {
  return system.settings + ("mesh.routing=" + routing) + "\nmesh.flow_control=" + flow_control +
         "\n";
}

PimRequest all_reduce(const System& system, unsigned seed) {
  PimRequest request(pim_collective("allreduce"));
  request.type = "int32";
  request.bytes = 2048;
  request.hierarchical = system.hierarchical;
  request.seed = seed;
  return request;
}

/// Packet counts by outcome in the machine's report.
json books(runtime::DeviceLibrary& library) {
  const json report = json::parse(library.report());
  json books;
  if (!report.contains("metrics")) return books;  // the system was not built
  for (const char* key : {"packets_injected", "packets_delivered", "packets_lost",
                          "packets_in_flight", "packets_damaged"})
    books[key] = report.at("metrics").at(key).at("value");
  books["mesh_faults"] = report.at("mesh_faults");
  books["warnings"] = report.at("warnings");
  return books;
}

json run(const System& system, const std::string& settings, unsigned seed) {
  const auto body = [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem units(library);
    PimRun collective(units, all_reduce(system, seed));
    collective.place_operands();
    PimRun::Outcome outcome;
    collective.run_units(outcome);
    collective.judge(outcome);
    json result = books(library);
    result["end"] = outcome.end;
    result["status"] = outcome.reason.empty() ? "right" : "wrong";
    result["text"] = outcome.reason;
    return result.dump();
  };
  const auto stopped = [](runtime::DeviceLibrary& library, const std::exception& error) {
    json result = books(library);
    const auto* fault = dynamic_cast<const foundation::Fault*>(&error);
    const auto is = [&](foundation::FaultKind kind) {
      return fault != nullptr && fault->kind() == kind;
    };
    const bool hang = dynamic_cast<const runtime::HangError*>(&error) != nullptr;
    result["status"] = is(foundation::FaultKind::kFirmware)      ? "fault"
                       : is(foundation::FaultKind::kDescription) ? "refused"
                       : hang                                    ? "hang"
                                                                 : "defect";
    result["text"] = error.what();
    library.exit();
    return result.dump();
  };
  const std::string text = in_child(settings, body, stopped);
  const json result = json::parse(text, nullptr, false);
  return result.is_object() ? result : json{{"status", "crash"}, {"text", text}};
}

/// The mesh without the parts that a report names as out of service. Decides independently of the
/// model if a packet can still go from one unit to another.
class Remains {
 public:
  Remains(const System& system, const std::string& text) : system_(system) {
    const std::regex part(R"((link|router) (?:chip(\d+)\.)?\((\d+),(\d+)\)(?:\.(\w+))? since)");
    for (std::sregex_iterator it(text.begin(), text.end(), part), end; it != end; ++it) {
      const std::smatch& m = *it;
      const unsigned chip = m[2].matched ? static_cast<unsigned>(std::stoul(m[2])) : 0;
      const Node node{chip, std::stoi(m[3]), std::stoi(m[4])};
      if (m[1] == "router") {
        routers_.insert(node);
      } else {
        const Node other = neighbor(node, m[5]);
        links_.insert({node, other});
        links_.insert({other, node});
      }
      ++named_;
    }
  }

  unsigned named() const { return named_; }

  bool leads(unsigned source, unsigned destination) const {
    const unsigned banks = system_.width * system_.height;
    const Node from = node_of(source);
    const Node to = node_of(destination);
    if (source / banks == destination / banks) return inside(from, to);
    return inside(from, {from.chip, 0, 0}) && inside({to.chip, 0, 0}, to);
  }

 private:
  struct Node {
    unsigned chip;
    int x;
    int y;
    auto operator<=>(const Node&) const = default;
  };

  Node node_of(unsigned unit) const {
    const unsigned banks = system_.width * system_.height;
    return {unit / banks, static_cast<int>(unit % banks % system_.width),
            static_cast<int>(unit % banks / system_.width)};
  }
  static Node neighbor(Node node, const std::string& port) {
    if (port == "north") ++node.y;
    if (port == "south") --node.y;
    if (port == "east") ++node.x;
    if (port == "west") --node.x;
    return node;
  }
  bool exists(const Node& node) const {
    return node.x >= 0 && node.y >= 0 && node.x < static_cast<int>(system_.width) &&
           node.y < static_cast<int>(system_.height) && routers_.count(node) == 0;
  }
  bool inside(const Node& from, const Node& to) const {
    std::set<Node> seen;
    std::vector<Node> open;
    if (exists(from)) open.push_back(from);
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!seen.insert(node).second) continue;
      for (const char* port : {"north", "east", "south", "west"}) {
        const Node next = neighbor(node, port);
        if (exists(next) && links_.count({node, next}) == 0) open.push_back(next);
      }
    }
    return seen.count(to) != 0;
  }

  const System& system_;
  std::set<Node> routers_;
  std::set<std::pair<Node, Node>> links_;
  unsigned named_ = 0;
};

/// The report of a lost message must name units, broken parts and the separated parts of the mesh,
/// and the units must really be separated. Returns "" or the error.
std::string check_partition(const System& system, const std::string& text) {
  const std::regex message(
      R"(unit(\d+) .*: message of \d+ bytes to unit (\d+), channel \d+, is lost)");
  std::smatch m;
  if (!std::regex_search(text, m, message)) return "names no message";
  if (text.find(" parts:") == std::string::npos && text.find("; broken:") == std::string::npos)
    return "names no parts";
  const Remains remains(system, text);
  if (remains.named() == 0) return "names nothing that is out of service";
  if (remains.leads(static_cast<unsigned>(std::stoul(m[1])),
                    static_cast<unsigned>(std::stoul(m[2]))))
    return "a way is left";
  return "";
}

/// Returns "passed", "partition", or the error.
std::string judge(const System& system, const Breaks& breaks, const json& result) {
  const std::string status = result.at("status");
  const std::string text = result.at("text");
  if (!result.contains("packets_injected")) return status + ": " + text;
  const auto count = [&](const char* key) { return result.at(key).get<std::uint64_t>(); };
  const std::uint64_t lost = count("packets_lost");
  if (count("packets_injected") != count("packets_delivered") + lost + count("packets_in_flight"))
    return "packets have vanished: " + result.dump();
  if (status == "right") {
    if (lost != 0 || count("packets_in_flight") != 0) return "passed with lost packets";
    return "passed";
  }
  if (status != "fault") return status + ": " + text;
  if (lost == 0) return "stopped, and no packet is lost: " + text;
  if (breaks.cycles != 0) return "does not survive a transient fault: " + text;
  const std::string wrong = check_partition(system, text);
  return wrong.empty() ? "partition" : wrong + ": " + text;
}

/// Runs all kinds of faults with all seeds, or every `stride`th one. Counts outcomes, and runs with
/// damaged packets.
void sweep(const System& system, const std::string& flow_control, unsigned first_seed,
           unsigned seeds, unsigned stride) {
  const json whole = run(system, settings_of(system, "xy", flow_control), 1);
  ASSERT_EQ(whole.at("status"), "right") << whole.dump();
  std::map<std::string, unsigned> outcomes;
  unsigned damaged = 0;
  unsigned runs = 0;
  unsigned turn = first_seed;
  for (unsigned seed = first_seed; seed < first_seed + seeds; ++seed) {
    std::string routing = kRoutings[seed % kRoutings.size()];
    if (flow_control == "hold" && routing == "minimal_adaptive")
      routing = "xy";  // other flow controls are refused
    for (const Breaks& breaks : all_breaks(seed)) {
      if (turn++ % stride != 0) continue;
      ++runs;
      const std::string what = breaks.routers ? "router" : "link";
      const std::string settings = settings_of(system, routing, flow_control) + "mesh.random_" +
                                   what + "_faults=" + std::to_string(breaks.count) +
                                   "\nmesh.random_fault_cycles=" + std::to_string(breaks.cycles) +
                                   "\nmesh.random_fault_until=" + whole.at("end").dump() +
                                   "\nmesh.fault_seed=" + std::to_string(seed) + "\n";
      const json result = run(system, settings, seed);
      const std::string outcome = judge(system, breaks, result);
      if (outcome != "passed" && outcome != "partition") {
        ADD_FAILURE() << settings << outcome << "\n" << result.dump();
        ++outcomes["wrong"];
        continue;
      }
      ++outcomes[(breaks.cycles == 0 ? "permanent " : "transient ") + what + "s " + outcome];
      damaged += result.at("packets_damaged").get<std::uint64_t>() != 0;
    }
  }
  std::printf("%s, %s: %u runs", system.name, flow_control.c_str(), runs);
  for (const auto& [outcome, count] : outcomes) std::printf(", %s %u", outcome.c_str(), count);
  std::printf("; with damaged packets %u\n", damaged);
}

TEST(PimFaults, SampleOfTheSweep) {
  unsigned seed = 1;
  for (const char* flow_control : {"hold", "deflection", "drop", "buffered"})
    for (const System& system : kSystems) sweep(system, flow_control, seed++, 1, 5);
}

TEST(PimFaults, LostMessageNamesUnitsRouterAndParts) {
  const json result = run(kSystems[0], "mesh.faults=router:3.1@300;link:0.0.east@9000\n", 1);
  EXPECT_EQ(judge(kSystems[0], {1, true, 0}, result), "partition") << result.dump();
  const std::string text = result.at("text");
  EXPECT_NE(text.find("router (3,1) since cycle 500"), std::string::npos) << text;
  EXPECT_NE(text.find("(chip1.bank"), std::string::npos) << text;
  EXPECT_NE(text.find("firmware/collectives/"), std::string::npos) << text;
}

TEST(PimFaults, TiersBreakOneChipOnly) {
  const json result =
      run(kSystems[2],
          settings_of(kSystems[2], "xy", "hold") + "mesh.faults=chip2.router:0.0@300\n", 1);
  EXPECT_EQ(judge(kSystems[2], {1, true, 0}, result), "partition") << result.dump();
  EXPECT_NE(result.at("text").get<std::string>().find("router chip2.(0,0) since cycle 500"),
            std::string::npos);
  ASSERT_EQ(result.at("mesh_faults").size(), 2U);
  for (const char* bad : {"router:0.0@300", "chip4.router:0.0@300", "chipx.router:0.0@300"}) {
    const json refused =
        run(kSystems[2], settings_of(kSystems[2], "xy", "hold") + "mesh.faults=" + bad + "\n", 1);
    EXPECT_NE(refused.dump().find("chip0. to chip3."), std::string::npos) << refused.dump();
  }
}

// The link damages all packets for longer than a source retries.
TEST(PimFaults, PacketThatIsDamagedTooOftenIsReported) {
  const json result =
      run(kSystems[0], "mesh.faults=link:3.0.east@300+5000\nmesh.max_retries=8\n", 1);
  EXPECT_EQ(result.at("status"), "fault") << result.dump();
  const std::string text = result.at("text");
  EXPECT_NE(text.find("unit3 (chip0.bank3): message of 64 bytes to unit 4"), std::string::npos)
      << text;
  EXPECT_NE(text.find("was damaged 9 times, at last by link (3,0).east, and mesh.max_retries is 8"),
            std::string::npos)
      << text;
}

// With `faults=warn` the loss is a warning, and the units wait forever.
TEST(PimFaults, WarningsKeepTheLossAndTheHangNamesWhoWaits) {
  const json result = run(kSystems[0], "faults=warn\nmesh.faults=router:3.1@300\n", 1);
  EXPECT_EQ(result.at("status"), "hang") << result.dump();
  EXPECT_NE(result.at("text").get<std::string>().find("waits for"), std::string::npos);
  EXPECT_NE(result.at("warnings").dump().find("router (3,1) since cycle 500"), std::string::npos)
      << result.dump();
  EXPECT_EQ(result.at("packets_in_flight"), 0);
}

TEST(PimFaults, StaticScheduleWithFaultsIsRefused) {
  for (const char* fault : {"mesh.random_link_faults=1", "mesh.random_router_faults=1"}) {
    const json result =
        run(kSystems[0], settings_of(kSystems[0], "xy", "static") + fault + "\n", 1);
    EXPECT_EQ(result.at("status"), "refused");
    EXPECT_NE(result.dump().find("no way around faults"), std::string::npos) << result.dump();
  }
}

/// 1200 runs each: 1, 2, 4 links or routers, permanent or transient, 100 seeds.
class PimFaultSweep : public ::testing::TestWithParam<std::tuple<unsigned, std::string>> {};

TEST_P(PimFaultSweep, DISABLED_Full) {
  const auto& [system, flow_control] = GetParam();
  sweep(kSystems[system], flow_control, 1, 100, 1);
}

INSTANTIATE_TEST_SUITE_P(Systems, PimFaultSweep,
                         ::testing::Combine(::testing::Range(0U, 4U),
                                            ::testing::Values("hold", "deflection", "drop",
                                                              "buffered")),
                         [](const auto& p) {
                           return std::string(kSystems[std::get<0>(p.param)].name) + "_" +
                                  std::get<1>(p.param);
                         });

}  // namespace
}  // namespace tvp::workloads::pim::pim_faults_test
