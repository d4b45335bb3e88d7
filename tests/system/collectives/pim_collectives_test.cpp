// Collectives on the units of a PIM rank, under every routing and flow control of its mesh. A
// covering set of cases has every pair of values of different factors. The full product runs by
// name.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <tuple>

#include "foundation/fault.h"
#include "sw/collectives/pim/pim_run.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/pim_system.h"
#include "sw/workloads/pim/headline_workload.h"
#include "sw/workloads/pim/pim_collective_workload.h"
#include "tests/system/benches/in_child.h"

namespace tvp::workloads::pim {
namespace {

using collectives::BankVectors;
using collectives::pim_collective;
using collectives::PimRequest;
using collectives::PimRun;

const std::vector<std::string> kRoutings{
    "xy", "yx", "west_first", "north_last", "negative_first", "odd_even", "minimal_adaptive"};
const std::vector<std::string> kFlowControls{"hold", "deflection", "drop", "buffered", "static"};
const std::vector<std::string> kOps{"sum", "max", "min", "prod"};
const std::vector<std::string> kTypes{"fp32", "int32", "int64"};
const std::vector<unsigned> kNodes{1, 2, 3, 4, 5, 8, 13, 16, 31, 32};

struct Algorithm {
  std::string collective;
  std::string name;
};
const std::vector<Algorithm> kAlgorithms{{"allreduce", "ring"},  {"reduce_scatter", "ring"},
                                         {"all_gather", "ring"}, {"all_to_all", "exchange"},
                                         {"broadcast", "heap"},  {"broadcast", "binomial"}};

/// Adaptive routing without virtual channels deadlocks, so the platform refuses it.
bool legal(const std::string& routing, const std::string& flow_control) {
  return routing != "minimal_adaptive" || flow_control != "hold";
}

PimRequest make_request(const Algorithm& algorithm, const std::string& op, const std::string& type,
                        unsigned nodes) {
  PimRequest request(pim_collective(algorithm.collective));
  request.form = algorithm.name;
  request.op = op;
  request.type = type;
  request.nodes = nodes;
  request.bytes = 8 * (37 + nodes);  // a multiple of few N
  request.root = nodes / 2;
  request.seed = nodes;
  return request;
}

std::string text(const PimRequest& r) {
  return r.collective->name + " " + r.form + " " + r.op + " " + r.type + " on " +
         std::to_string(r.nodes);
}

/// Returns "" or the error.
std::string run_case(runtime::PimSystem& system, const PimRequest& request) {
  PimRun run(system, request);
  run.place_operands();
  PimRun::Outcome outcome;
  run.run_units(outcome);
  run.judge(outcome);
  return outcome.reason.empty() ? "" : text(request) + ": " + outcome.reason + "\n";
}

std::string mesh_settings(const std::string& routing, const std::string& flow_control) {
  return "mesh.routing=" + routing + "\nmesh.flow_control=" + flow_control + "\n";
}

std::string run_all(const std::string& routing, const std::string& flow_control,
                    const std::vector<PimRequest>& requests) {
  return in_child(mesh_settings(routing, flow_control), [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    std::string wrong;
    for (const PimRequest& request : requests) wrong += run_case(system, request);
    return wrong;
  });
}

/// A case as one value per factor: collective, op, type, nodes, routing, flow control.
using Case = std::array<unsigned, 6>;

bool legal(const Case& c) { return legal(kRoutings[c[4]], kFlowControls[c[5]]); }

std::set<std::array<unsigned, 4>> pairs_of(const Case& c) {
  std::set<std::array<unsigned, 4>> pairs;
  for (unsigned a = 0; a < c.size(); ++a)
    for (unsigned b = a + 1; b < c.size(); ++b) pairs.insert({a, c[a], b, c[b]});
  return pairs;
}

const Case& factor_sizes() {
  static const Case kSizes{
      static_cast<unsigned>(kAlgorithms.size()), static_cast<unsigned>(kOps.size()),
      static_cast<unsigned>(kTypes.size()),      static_cast<unsigned>(kNodes.size()),
      static_cast<unsigned>(kRoutings.size()),   static_cast<unsigned>(kFlowControls.size())};
  return kSizes;
}

std::set<std::array<unsigned, 4>> all_pairs() {
  std::set<std::array<unsigned, 4>> open;
  const Case& sizes = factor_sizes();
  for (unsigned a = 0; a < sizes.size(); ++a)
    for (unsigned b = a + 1; b < sizes.size(); ++b)
      for (unsigned x = 0; x < sizes[a]; ++x)
        for (unsigned y = 0; y < sizes[b]; ++y)
          if (a != 4 || b != 5 || legal(kRoutings[x], kFlowControls[y])) open.insert({a, x, b, y});
  return open;
}

/// Greedy: among many random cases with the first open pair, takes the one that covers most.
std::vector<Case> covering_set() {
  std::set<std::array<unsigned, 4>> open = all_pairs();
  std::mt19937 random(1);
  std::vector<Case> cases;
  while (!open.empty()) {
    const auto first = *open.begin();
    Case best{};
    std::size_t best_closed = 0;
    for (unsigned attempt = 0; attempt < 60; ++attempt) {
      Case c;
      for (unsigned f = 0; f < c.size(); ++f)
        c[f] = static_cast<unsigned>(random() % factor_sizes()[f]);
      c[first[0]] = first[1];
      c[first[2]] = first[3];
      if (!legal(c)) continue;
      std::size_t closed = 0;
      for (const auto& pair : pairs_of(c)) closed += open.count(pair);
      if (closed <= best_closed) continue;
      best = c;
      best_closed = closed;
    }
    if (best_closed == 0) continue;
    for (const auto& pair : pairs_of(best)) open.erase(pair);
    cases.push_back(best);
  }
  return cases;
}

TEST(PimCollectives, PairwiseCoverOfCollectiveOpTypeNodesRoutingAndFlowControl) {
  const std::vector<Case> cases = covering_set();
  std::size_t ran = 0;
  for (unsigned routing = 0; routing < kRoutings.size(); ++routing) {
    for (unsigned flow = 0; flow < kFlowControls.size(); ++flow) {
      std::vector<PimRequest> requests;
      for (const Case& c : cases)
        if (c[4] == routing && c[5] == flow)
          requests.push_back(
              make_request(kAlgorithms[c[0]], kOps[c[1]], kTypes[c[2]], kNodes[c[3]]));
      if (requests.empty()) continue;
      ran += requests.size();
      EXPECT_EQ(run_all(kRoutings[routing], kFlowControls[flow], requests), "right")
          << kRoutings[routing] << " " << kFlowControls[flow];
    }
  }
  EXPECT_EQ(ran, cases.size());
  std::printf("%zu cases cover %zu pairs\n", ran, all_pairs().size());
}

TEST(PimCollectives, AdaptiveRoutingWithoutChannelsIsRefused) {
  const std::string result =
      run_all("minimal_adaptive", "hold", {PimRequest(pim_collective("allreduce"))});
  EXPECT_NE(result.find("deadlocks"), std::string::npos) << result;
}

TEST(PimCollectives, HierarchicalFormsAndHamiltonianRing) {
  EXPECT_EQ(in_child("",
                     [](runtime::DeviceLibrary& library) {
                       runtime::PimSystem system(library);
                       std::string wrong;
                       for (const Algorithm& algorithm : kAlgorithms) {
                         PimRequest request = make_request(algorithm, "sum", "int32", 32);
                         request.bytes = 5000;
                         request.root = 5;
                         request.hierarchical = true;
                         wrong += run_case(system, request);
                         request.hierarchical = false;
                         request.order = "hamiltonian";
                         for (unsigned nodes : {16U, 24U, 32U}) {
                           request.nodes = nodes;
                           wrong += run_case(system, request);
                         }
                       }
                       return wrong;
                     }),
            "right");
}

// Four units with one int64 each. Accumulators travel, so unit i ends with the values of units i+1,
// i, i-1, i-2 weighted by 1, 3, 3, 1.
TEST(PimCollectives, AsWrittenGivesExactlyTheWrongSumsThatItsTextImplies) {
  const std::string result = in_child("", [](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    PimRequest request(pim_collective("allreduce"));
    request.as_written = true;
    request.type = "int64";
    request.bytes = 8;
    request.nodes = 4;
    PimRun run(system, request);
    run.place_operands();
    PimRun::Outcome outcome;
    run.run_units(outcome);
    run.judge(outcome);
    std::string wrong;
    if (outcome.verdict.wrong != 4) wrong += "not all units are wrong; ";
    if (outcome.reason.find("C(N-1, k)") == std::string::npos) wrong += "no explanation; ";
    if (outcome.reason.find(", as found") == std::string::npos) wrong += "not as derived; ";
    const BankVectors& v = run.vectors();
    const auto x = [&](unsigned unit) {
      return static_cast<std::uint64_t>(v.integer(v.input(unit % 4), 0));
    };
    for (unsigned unit = 0; unit < 4; ++unit) {
      const auto found =
          static_cast<std::uint64_t>(v.integer(system.read_bank(unit, run.output_address(), 8), 0));
      if (found != x(unit + 1) + 3 * x(unit) + 3 * x(unit + 3) + x(unit + 2))
        wrong += "unit " + std::to_string(unit) + "; ";
    }
    request.op = "max";  // idempotent, so counting twice changes nothing
    return wrong + run_case(system, request);
  });
  EXPECT_EQ(result, "right");
}

TEST(PimCollectives, BadRequestsNameWhatIsWrong) {
  const std::string result = in_child("", [](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    std::string wrong;
    const auto refuse = [&](const std::string& expected, auto change) {
      PimRequest request(pim_collective("allreduce"));
      change(request);
      try {
        PimRun run(system, request);
        wrong += "not refused: " + expected + "; ";
      } catch (const tvp::foundation::Fault& fault) {
        if (std::string(fault.what()).find(expected) == std::string::npos ||
            fault.kind() != tvp::foundation::FaultKind::kDescription)
          wrong += std::string("wrong words: ") + fault.what() + "; ";
      }
    };
    refuse("fp32 has no operation 'bxor'", [](PimRequest& r) { r.op = "bxor"; });
    refuse("at most the 32 units", [](PimRequest& r) { r.nodes = 33; });
    refuse("not a whole number of int64 elements", [](PimRequest& r) {
      r.type = "int64";
      r.bytes = 12;
    });
    refuse("expected a rank below 32", [](PimRequest& r) {
      r.collective = &pim_collective("broadcast");
      r.form = "heap";
      r.root = 32;
    });
    refuse("fit a bank", [](PimRequest& r) { r.bytes = 1U << 25; });
    refuse("whole rows of 8 units", [](PimRequest& r) {
      r.order = "hamiltonian";
      r.nodes = 12;
    });
    refuse("even side", [](PimRequest& r) {
      r.order = "hamiltonian";
      r.nodes = 8;
    });
    refuse("hierarchical: expected all 32 units", [](PimRequest& r) {
      r.hierarchical = true;
      r.nodes = 16;
    });
    refuse("pipelined=true and variant=standard", [](PimRequest& r) {
      r.collective = &pim_collective("broadcast");
      r.form = "heap";
      r.pipelined = false;
      r.sync = "barriers";
    });
    refuse("flat forms only", [](PimRequest& r) {
      r.hierarchical = true;
      r.as_written = true;
    });
    return wrong;
  });
  EXPECT_EQ(result, "right");
}

// PIMnet's static schedule. With barriers, the default of auto here, no two messages share a link
// at any time, for any order of the ring and any packet size. With credits there are conflicts,
// which the report names.
TEST(PimCollectives, StaticScheduleHasNoConflictsWithBarriers) {
  const auto rings = [](const std::string& order, bool hierarchical, const std::string& sync,
                        const std::string& packet_bytes) {
    return in_child(mesh_settings("xy", "static") + "pim.packet_bytes=" + packet_bytes + "\n",
                    [&](runtime::DeviceLibrary& library) {
                      runtime::PimSystem system(library);
                      std::string wrong;
                      for (std::size_t i = 0; i < 3;
                           ++i) {  // all-reduce, reduce-scatter, all-gather
                        PimRequest request = make_request(kAlgorithms[i], "sum", "int32", 32);
                        request.bytes = 5000;
                        request.order = order;
                        request.hierarchical = hierarchical;
                        request.sync = sync;
                        wrong += run_case(system, request);
                      }
                      return wrong;
                    });
  };
  EXPECT_EQ(rings("hamiltonian", false, "auto", "64"), "right");
  EXPECT_EQ(rings("row_major", true, "auto", "2048"), "right");
  EXPECT_EQ(rings("row_major", false, "barriers", "12"), "right");
  const std::string result = rings("row_major", false, "credits", "64");
  EXPECT_NE(result.find("conflict in the static schedule"), std::string::npos) << result;
}

// Meshes of chips are scheduled together with the paths between them.
TEST(PimCollectives, StaticScheduleOnTiers) {
  EXPECT_EQ(in_child(mesh_settings("yx", "static") +
                         "pim.hierarchy=bank=8 chip=2 rank=2\npim.network=tiers\nmesh.width=4\n"
                         "mesh.height=2\n",
                     [](runtime::DeviceLibrary& library) {
                       runtime::PimSystem system(library);
                       std::string wrong;
                       for (const Algorithm& algorithm : kAlgorithms) {
                         for (bool hierarchical : {false, true}) {
                           PimRequest request = make_request(algorithm, "sum", "int32", 32);
                           request.hierarchical = hierarchical;
                           wrong += run_case(system, request);
                         }
                       }
                       return wrong;
                     }),
            "right");
}

// Two ranks in each of two channels: the host forwards data between channels.
TEST(PimCollectives, AcrossMemoryChannels) {
  EXPECT_EQ(in_child("pim.hierarchy=bank=4 chip=2 rank=2 channel=2\npim.network=tiers\n"
                     "mesh.width=2\nmesh.height=2\n",
                     [](runtime::DeviceLibrary& library) {
                       runtime::PimSystem system(library);
                       std::string wrong;
                       for (const Algorithm& algorithm : kAlgorithms) {
                         for (bool hierarchical : {false, true}) {
                           for (const char* sync : {"credits", "barriers"}) {
                             PimRequest request = make_request(algorithm, "max", "int64", 32);
                             request.hierarchical = hierarchical;
                             request.sync = sync;
                             wrong += run_case(system, request);
                           }
                         }
                       }
                       return wrong;
                     }),
            "right");
}

std::string tiers_settings(const std::string& hierarchy) {
  return "pim.hierarchy=" + hierarchy +
         "\npim.network=tiers\npim.dq_halves=true\nmesh.width=2\nmesh.height=2\n";
}

// Numbers of ranks exceed a byte in tables of rings, children of trees and grants.
TEST(PimCollectives, HaveHundredsOfRanks) {
  const auto body = [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    std::string wrong;
    for (const auto& [collective, algorithm, hierarchical] : {std::tuple{"allreduce", "ring", true},
                                                              {"broadcast", "binomial", false},
                                                              {"all_to_all", "exchange", false}}) {
      PimRequest request = make_request({collective, algorithm}, "sum", "int32", 0);
      request.bytes = 8 * 330;
      request.hierarchical = hierarchical;
      wrong += run_case(system, request);
    }
    return wrong;
  };
  EXPECT_EQ(in_child(tiers_settings("bank=4 chip=4 rank=4 channel=5"), body), "right");
}

// The switch between the chips of a rank combines and multicasts. Systems with and without further
// ranks have the golden results.
TEST(PimCollectives, InTheSwitch) {
  for (const char* hierarchy : {"bank=4 chip=4", "bank=4 chip=2 rank=2", "bank=4 chip=4 rank=3"}) {
    const auto body = [&](runtime::DeviceLibrary& library) {
      runtime::PimSystem system(library);
      std::string wrong;
      for (const std::string& type : kTypes) {
        for (const std::string& op : kOps) {
          PimRequest request = make_request({"allreduce", "in_switch"}, op, type, 0);
          request.bytes = 8 * 201;
          request.hierarchical = true;
          wrong += run_case(system, request);
        }
        PimRequest request = make_request({"broadcast", "in_switch"}, "sum", type, 0);
        request.bytes = 5000;
        request.root = 6;
        request.hierarchical = true;
        wrong += run_case(system, request);
      }
      return wrong;
    };
    EXPECT_EQ(in_child(tiers_settings(hierarchy), body), "right") << hierarchy;
  }
}

// Phases keep the messages of different banks apart, so no packet waits for the pins either. Chunks
// of unequal size need a slice more in some groups.
TEST(PimCollectives, InTheSwitchByAStaticSchedule) {
  for (const char* hierarchy : {"bank=4 chip=4", "bank=4 chip=2 rank=2", "bank=4 chip=4 rank=3"}) {
    const auto body = [&](runtime::DeviceLibrary& library) {
      runtime::PimSystem system(library);
      std::string wrong;
      for (const std::uint32_t words : {1U, 201U, 4 * 4 * 256U + 1, 8192U}) {
        PimRequest request = make_request({"allreduce", "in_switch"}, "sum", "int32", 0);
        request.bytes = 8 * words;
        request.hierarchical = true;
        wrong += run_case(system, request);
      }
      const auto metrics = nlohmann::json::parse(library.report()).at("metrics");
      const auto blocked = metrics.at("rank0.crossbar.blocked_attempts").at("value").dump();
      if (hierarchy == std::string("bank=4 chip=4") && blocked != "0")
        wrong += blocked + " blocked";
      if (!metrics.contains("reductions_in_switch")) wrong += "no reductions";
      return wrong;
    };
    const std::string settings = tiers_settings(hierarchy);
    EXPECT_EQ(in_child(settings + "mesh.flow_control=static\n", body), "right") << hierarchy;
  }
}

// The same barriers on a network that finds its own ways.
TEST(PimCollectives, InTheSwitchWithBarriers) {
  const auto body = [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    PimRequest request = make_request({"allreduce", "in_switch"}, "max", "int64", 0);
    request.bytes = 5000;
    request.hierarchical = true;
    request.sync = "barriers";
    return run_case(system, request);
  };
  EXPECT_EQ(in_child(tiers_settings("bank=4 chip=2 rank=2"), body), "right");
}

/// Time of an all-reduce of int32 sums, in ns.
double time_of(const std::string& settings, const std::string& algorithm, std::uint32_t bytes) {
  const std::string text = in_child(settings, [&](runtime::DeviceLibrary& library) {
    runtime::PimSystem system(library);
    PimRequest request = make_request({"allreduce", algorithm}, "sum", "int32", 0);
    request.bytes = bytes;
    request.hierarchical = true;
    PimRun run(system, request);
    run.place_operands();
    PimRun::Outcome outcome;
    run.run_units(outcome);
    run.judge(outcome);
    return outcome.reason + " " + std::to_string(system.ns(outcome.end - outcome.begin));
  });
  EXPECT_EQ(text.front(), ' ') << text;
  return std::stod(text);
}

// In one rank, each byte crosses the pins of a chip once in each direction at the same time. In a
// ring it crosses them 2 (N - 1) / N times.
TEST(PimCollectives, TheSwitchIsFasterThanARingOfChips) {
  const std::string settings = tiers_settings("bank=4 chip=8");
  for (const std::uint32_t bytes : {256U, 65536U}) {
    EXPECT_LT(time_of(settings, "in_switch", bytes), 0.95 * time_of(settings, "ring", bytes))
        << bytes;
  }
}

TEST(PimCollectives, WhatTheSwitchLacksIsRefused) {
  const auto refusal = [](const std::string& settings, auto change) {
    return in_child(settings, [&](runtime::DeviceLibrary& library) {
      runtime::PimSystem system(library);
      PimRequest request = make_request({"allreduce", "in_switch"}, "sum", "int32", 0);
      request.hierarchical = true;
      change(request);
      try {
        PimRun run(system, request);
      } catch (const tvp::foundation::Fault& fault) {
        return fault.kind() == tvp::foundation::FaultKind::kDescription ? std::string(fault.what())
                                                                        : "another kind of fault";
      }
      return std::string("not refused");
    });
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const std::string tiers = tiers_settings("bank=4 chip=4");
  const auto nothing = [](PimRequest&) {};
  expect(refusal("", nothing), "pim.network=tiers");
  expect(refusal(tiers + "pim.dq_halves=false\n", nothing), "pim.dq_halves=true");
  expect(refusal(tiers, [](PimRequest& r) { r.op = "bxor"; }), "the switch has no operation bxor");
  for (const char* flow_control : {"buffered", "static"}) {
    const std::string barriers = tiers + "mesh.flow_control=" + flow_control + "\n";
    const auto broadcast = [&](PimRequest& r) {
      r.collective = &pim_collective("broadcast");
      r.sync = flow_control == std::string("static") ? "auto" : "barriers";
    };
    expect(refusal(barriers, broadcast), "a broadcast cannot use barriers: expected sync=credits");
  }
  expect(refusal(tiers + "pim.packet_bytes=4\n", [](PimRequest& r) { r.type = "int64"; }),
         "a multiple of 8");
  // A multicast needs no halves.
  expect(refusal(tiers + "pim.dq_halves=false\n",
                 [](PimRequest& r) { r.collective = &pim_collective("broadcast"); }),
         "not refused");
}

// Networks with dynamic routing use barriers instead of credits.
TEST(PimCollectives, BarriersInsteadOfCredits) {
  EXPECT_EQ(in_child("",
                     [](runtime::DeviceLibrary& library) {
                       runtime::PimSystem system(library);
                       std::string wrong;
                       for (const Algorithm& algorithm : kAlgorithms) {
                         PimRequest request = make_request(algorithm, "max", "fp32", 13);
                         request.bytes = 30000;
                         request.sync = "barriers";
                         wrong += run_case(system, request);
                       }
                       return wrong;
                     }),
            "right");
}

std::string run_workload(Workload& workload,
                         const std::vector<std::pair<std::string, std::string>>& keys,
                         runtime::DeviceLibrary& library, Result& result) {
  for (const auto& [key, value] : keys)
    for (foundation::SettingBase* setting : workload.settings().settings())
      if (setting->info().name == key) setting->set(value);
  Context context{library, 1, [](const std::string&) {}, 0};
  result = workload.run(context);
  return result.passed ? "" : result.reason;
}

double metric(const Result& result, const std::string& name) {
  for (const Metric& m : result.metrics)
    if (m.name == name) return m.value;
  return -1;
}

// 32 banks in 4 chips use half of the 8 lanes. 8 banks x 64 KiB x 8 lanes = 4 MiB up at 4.7 GB/s, 2
// MiB reduced at 10 GB/s, 4 MiB down at 16.9 GB/s.
TEST(PimCollectives, HostPathTakesTheTimeOfItsBytes) {
  const std::string result = in_child("", [](runtime::DeviceLibrary& library) {
    PimCollectiveWorkload workload("allreduce");
    Result r;
    std::string wrong = run_workload(workload, {{"algorithm", "host"}}, library, r);
    const double expected_us = (4194304 / 4.7 + 2097152 / 10.0 + 4194304 / 16.9) / 1000;
    if (std::abs(metric(r, "time") - expected_us) > 0.01)
      wrong += "takes " + std::to_string(metric(r, "time"));
    if (static_cast<double>(library.time_ps()) * 1e-6 < expected_us) wrong += " no time passed";
    for (const char* other_name : {"broadcast", "reduce_scatter", "all_gather", "all_to_all"}) {
      PimCollectiveWorkload other(other_name);
      wrong += run_workload(
          other, {{"algorithm", "host"}, {"bytes", "1000"}, {"nodes", "13"}, {"type", "int32"}},
          library, r);
    }
    return wrong;
  });
  EXPECT_EQ(result, "right");
}

TEST(PimCollectives, HeadlineIsSimulatedMicrosecondsNotTheDocuments) {
  const std::string result = in_child("", [](runtime::DeviceLibrary& library) {
    HeadlineWorkload workload;
    Result r;
    std::string wrong = run_workload(workload, {}, library, r);
    // 2 (N-1) steps of the longest hop, and the way out of the last router.
    if (metric(r, "nodes_4_mesh_only") != 6 * (3 + 1)) wrong += "4 nodes; ";
    if (metric(r, "nodes_32_mesh_only") != 62 * (10 + 1)) wrong += "32 nodes; ";
    for (const char* nodes : {"nodes_4", "nodes_32"}) {
      const double us = metric(r, std::string(nodes) + "_as_written");
      const double mesh_us = metric(r, std::string(nodes) + "_mesh_only") / 350;
      if (us < mesh_us || us > metric(r, std::string(nodes) + "_document") / 2)
        wrong += "simulated time; ";
    }
    return wrong;
  });
  EXPECT_EQ(result, "right");
}

/// Every collective, op, type and number of nodes under one routing and flow control: 1152 cases,
/// and 36 of all nodes in the hierarchical form. Collectives that only move data have no op.
class PimCollectivesProduct
    : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(PimCollectivesProduct, DISABLED_Full) {
  const auto& [routing, flow_control] = GetParam();
  std::vector<PimRequest> requests;
  for (const Algorithm& algorithm : kAlgorithms) {
    for (const std::string& op : kOps) {
      for (const std::string& type : kTypes) {
        if (!reduces(pim_collective(algorithm.collective).primitive) && op != "sum") continue;
        for (unsigned nodes = 1; nodes <= 32; ++nodes)
          requests.push_back(make_request(algorithm, op, type, nodes));
        requests.push_back(requests.back());
        requests.back().hierarchical = true;
      }
    }
  }
  const std::string result = run_all(routing, flow_control, requests);
  if (!legal(routing, flow_control)) {
    EXPECT_NE(result.find("deadlocks"), std::string::npos) << result;
    std::printf("%zu cases refused", requests.size());
  } else {
    ASSERT_EQ(result, "right");
    std::printf("%zu cases passed", requests.size());
  }
  std::printf(" under %s, %s\n", routing.c_str(), flow_control.c_str());
}

INSTANTIATE_TEST_SUITE_P(Mesh, PimCollectivesProduct,
                         ::testing::Combine(::testing::ValuesIn(kRoutings),
                                            ::testing::ValuesIn(kFlowControls)),
                         [](const auto& mesh) {
                           return std::get<0>(mesh.param) + "_" + std::get<1>(mesh.param);
                         });

}  // namespace
}  // namespace tvp::workloads::pim
