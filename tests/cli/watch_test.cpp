// Waves and traces of the built program, which must not change a run.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/perfetto_reader.h"
#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using test::expect;

class Watch : public test::FolderTest {};

/// A fake GTKWave prints the files that it gets.
TEST_F(Watch, OpensTheLastWavesWithASaveFileForTheirSignals) {
  const std::string bin = path("bin");
  fs::create_directories(bin);
  write("bin/gtkwave", "#!/bin/sh\necho \"opens $*\"\n");
  fs::permissions(bin + "/gtkwave", fs::perms::owner_all);
  // An empty cache has no waves yet.
  const char* named = std::getenv("TENSIX_VP_CACHE");
  const std::string before = named != nullptr ? named : "";
  ASSERT_EQ(setenv("TENSIX_VP_CACHE", path("cache").c_str(), 1), 0);
  const std::string old_path = std::getenv("PATH");
  ASSERT_EQ(setenv("PATH", (bin + ":" + old_path).c_str(), 1), 0);
  unsetenv("WAYLAND_DISPLAY");
  setenv("DISPLAY", ":9", 1);

  expect("waves sdpa", 2, {"no run of sdpa has written a wave file yet", "--wave sdpa.fst"});
  for (const char* file : {"n.vcd", "n.fst"}) {
    expect("run noc_exchange --quiet --wave " + path(file), 0, {});
    const std::string save_file = path("cache/waves/noc_exchange.gtkw");
    expect("waves noc_exchange", 0, {"opens " + path(file) + " " + save_file});
    const std::string text = test::read_file(save_file);
    for (const char* part :
         {"@800200\n-chip0.tensix_1_1\n",
          "@820\n[color] 4\n+{BRISC state} chip0.tensix_1_1.BRISC.state\n",
          "@820\n[color] 5\n+{BRISC line} chip0.tensix_1_1.BRISC.line\n",
          "+{niu0 commands} chip0.tensix_1_1.niu0.commands[7:0]\n", "@c00200\n-chip0.noc0\n"})
      EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text.substr(0, 2000);
  }
  expect("run sdpa --quiet --wave " + path("s.fst") + " --wave-to 14us", 0, {});
  expect("waves sdpa", 0, {"opens " + path("s.fst") + " " + path("cache/waves/sdpa.gtkw")});
  const std::string sdpa = test::read_file(path("cache/waves/sdpa.gtkw"));
  const std::size_t worker = sdpa.find("@800200\n-device0.worker0\n");
  const std::size_t tile = sdpa.find("@800200\n-chip0.tensix_1_1\n");
  ASSERT_NE(worker, std::string::npos);
  ASSERT_NE(tile, std::string::npos);
  EXPECT_LT(worker, tile);
  EXPECT_LT(tile, sdpa.find("@c00200\n-device0.worker1\n"));
  EXPECT_LT(sdpa.find("-chip0.tensix_1_7\n"), sdpa.find("-chip0.tensix_1_11\n"));
  write("s.fst", "no waves");
  expect("waves sdpa", 2, {path("s.fst"), "expected an FST or VCD file"});
  expect("waves sdpaa", 2, {"did you mean 'sdpa'"});
  unsetenv("DISPLAY");
  expect("waves sdpa", 2, {"DISPLAY", path("s.fst")});
  fs::remove(path("s.fst"));
  expect("waves sdpa", 2, {path("s.fst"), "is gone"});

  setenv("PATH", old_path.c_str(), 1);
  if (before.empty()) {
    unsetenv("TENSIX_VP_CACHE");
  } else {
    setenv("TENSIX_VP_CACHE", before.c_str(), 1);
  }
}

TEST_F(Watch, WatchingChangesNothing) {
  const auto digest = [&](const std::string& options, const std::string& name) {
    expect("run noc_exchange --quiet " + options + " --report " + path(name), 0, {});
    auto json = test::read_json(path(name));
    return std::pair{json["state_digest"].get<std::string>(),
                     json["simulated_ps"].get<std::uint64_t>()};
  };
  const auto plain = digest("", "a.json");
  EXPECT_EQ(plain, digest("--wave " + path("w.vcd"), "b.json"));
  EXPECT_EQ(plain,
            digest("--wave " + path("w.fst") + " --wave-scope 'chip0.*' --wave-to 20us", "c.json"));
  EXPECT_EQ(plain, digest("--wave-scope '*' --wave " + path("all.vcd"), "d.json"));
  EXPECT_EQ(plain, digest("--trace " + path("t.json"), "e.json"));
  EXPECT_EQ(plain, digest("--trace " + path("t.pftrace"), "g.json"));
  EXPECT_EQ(plain, digest("--profile " + path("p.csv"), "f.json"));
  const std::string text = test::read_file(path("w.vcd"));
  for (const char* part : {"BRISC", "srunning", "spolling", "router_", "outstanding $end"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(text.find("outstanding_id"), std::string::npos);
  EXPECT_NE(test::read_file(path("all.vcd")).find("outstanding_id"), std::string::npos);
  expect("run noc_exchange --wave /nowhere/w.fst", 2, {"/nowhere/w.fst"});
  expect("run noc_exchange --wave waves.txt", 2, {"waves.txt", ".fst or .vcd"});
}

TEST_F(Watch, WatchingTheDetailedNocChangesNothing) {
  const auto digest = [&](const std::string& options, const std::string& name) {
    expect(
        "run noc_exchange --quiet --set noc.torus=detailed " + options + " --report " + path(name),
        0, {});
    auto json = test::read_json(path(name));
    return std::pair{json["state_digest"].get<std::string>(),
                     json["simulated_ps"].get<std::uint64_t>()};
  };
  EXPECT_EQ(digest("", "a.json"), digest("--wave-scope '*' --wave " + path("w.vcd"), "b.json"));
  EXPECT_NE(test::read_file(path("w.vcd")).find("occupied $end"), std::string::npos);
}

TEST_F(Watch, OtherSystemsHaveWavesToo) {
  const auto rows = [&](const std::string& run, const std::vector<std::string>& parts) {
    expect("run " + run + " --quiet --report " + path("a.json"), 0, {});
    expect("run " + run + " --quiet --report " + path("b.json") + " --wave " + path("w.vcd"), 0,
           {});
    const auto a = test::read_json(path("a.json"));
    const auto b = test::read_json(path("b.json"));
    EXPECT_EQ(a["state_digest"], b["state_digest"]);
    EXPECT_EQ(a["simulated_ps"], b["simulated_ps"]);
    const std::string text = test::read_file(path("w.vcd"));
    for (const std::string& part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << run << ": " << part;
    }
  };
  rows("mesh --set traffic.measure_cycles=500", {"$scope module router_7_7 $end", " west $end"});
  rows("dram", {"$scope module bank_15 $end", " data $end", "sACT ", "srow_"});
  rows("pim_allreduce --set bytes=1024",
       {"$scope module unit31 $end", " depth $end", "srunning ", "$scope module router_7_3 $end"});
}

TEST_F(Watch, ATraceNamesChipsCoresAndPhases) {
  expect("run sdpa --quiet --wave-from 15us --wave-to 17.5us --trace " + path("t.json"), 0, {});
  const auto events = test::read_json(path("t.json"));
  ASSERT_TRUE(events.is_array());
  std::map<int, std::string> processes;
  std::map<std::pair<int, int>, std::string> threads;
  std::map<std::pair<int, int>, double> end_of;
  std::set<std::string> rows;
  for (const auto& e : events) {
    const int pid = e["pid"];
    const std::pair key{pid, e["tid"].get<int>()};
    if (e["name"] == "process_name") processes[pid] = e["args"]["name"];
    if (e["name"] == "thread_name") threads[key] = e["args"]["name"];
    if (e["ph"] != "X") continue;
    ASSERT_TRUE(processes.count(pid) == 1 && threads.count(key) == 1) << e.dump();
    // Events of a row must not overlap.
    EXPECT_GE(e["ts"].get<double>(), end_of[key] - 1e-9) << e.dump();
    EXPECT_GT(e["dur"].get<double>(), 0) << e.dump();
    end_of[key] = e["ts"].get<double>() + e["dur"].get<double>();
    rows.insert(processes[pid] + " " + threads[key] + " " + e["name"].get<std::string>());
  }
  for (unsigned chip = 0; chip < 4; ++chip) {
    EXPECT_EQ(processes[static_cast<int>(chip)], "chip" + std::to_string(chip));
  }
  for (const char* row :
       {"chip0 tensix_1_1.TRISC1.state running", "chip0 tensix_1_1.coprocessor.T1 ELWMUL",
        "chip0 link_14_to_chip1.busy busy", "device0 worker0.round_1_fabric round 1 fabric"}) {
    EXPECT_EQ(rows.count(row), 1u) << row;
  }
  expect("run noc_exchange --trace /nowhere/t.json", 2, {"/nowhere/t.json"});
}

TEST_F(Watch, NocEventsAreThoseOfTheDeviceProfiler) {
  const auto events = [&](const std::string& run) {
    expect("run " + run + " --quiet --trace " + path("noc_trace_x.json"), 0, {});
    return test::read_json(path("noc_trace_x.json"));
  };
  const auto exchange = events("noc_exchange");
  ASSERT_FALSE(exchange.empty());
  std::set<std::string> types;
  for (const auto& event : exchange) {
    types.insert(event["type"]);
    EXPECT_EQ(event["src_device_id"], 0);
    for (const char* field :
         {"run_host_id", "vc", "sx", "sy", "dx", "dy", "num_bytes", "timestamp"})
      EXPECT_TRUE(event[field].is_number()) << field;
    EXPECT_TRUE(event["noc"] == "NOC_0" || event["noc"] == "NOC_1");
  }
  EXPECT_EQ(types.count("WRITE_"), 1u);
  // A multicast is one event with two corners.
  const auto multicasts = events("noc_multicast");
  std::set<std::pair<int, int>> corners;
  for (const auto& event : multicasts) {
    if (event["type"] != "WRITE_MULTICAST") continue;
    corners.emplace(event["mcast_end_x"].get<int>(), event["mcast_end_y"].get<int>());
    EXPECT_FALSE(event.contains("dx"));
  }
  EXPECT_FALSE(corners.empty());
  expect("run pim_allreduce --set bytes=256 --trace " + path("noc_trace_x.json"), 2,
         {"wave.trace", "no chips"});
}

TEST_F(Watch, APerfettoTraceHasGroupsKernelsAndArrowsAndIsSmall) {
  expect("run sdpa --quiet --wave " + path("w.fst") + " --trace " + path("t.pftrace"), 0, {});
  EXPECT_LT(fs::file_size(path("t.pftrace")), 5 * fs::file_size(path("w.fst")));
  const test::PerfettoReader trace(test::read_file(path("t.pftrace")));
  using Event = test::PerfettoReader::Event;
  std::set<std::string> slices;
  std::map<std::pair<std::string, std::string>, std::uint64_t> time_of;
  std::map<std::pair<std::string, std::string>, int> depth;
  std::map<std::uint64_t, const Event*> arrows;
  std::set<std::string> ways;
  for (const Event& event : trace.events()) {
    const std::pair track{event.group, event.track};
    if (event.leaves != 0) arrows[event.leaves] = &event;
    if (event.ends != 0) {
      const Event& sent = *arrows.at(event.ends);
      EXPECT_LE(sent.ns, event.ns);
      EXPECT_EQ(sent.name, event.name);
      ways.insert(sent.group + " " + sent.track + " > " + event.group + " " + event.track);
    }
    if (event.type == test::PerfettoReader::kInstant) continue;
    EXPECT_GE(event.ns, time_of[track]) << event.group << " " << event.track;
    time_of[track] = event.ns;
    if (event.type == test::PerfettoReader::kBegin) {
      EXPECT_EQ(++depth[track], 1);
      slices.insert(event.group + " " + event.track + " " + event.name);
    }
    if (event.type == test::PerfettoReader::kEnd) {
      EXPECT_EQ(--depth[track], 0);
    }
  }
  for (const char* slice :
       {"chip0 tensix_1_1 TRISC1.state running", "chip0 tensix_1_1 TRISC1.kernel compute.cpp",
        "chip0 tensix_1_1 NCRISC.line kernel_main reader.cpp:49 cb_wait_front",
        "chip0 tensix_1_1 coprocessor.T1 ELWMUL", "device0 worker0 round_1_fabric round 1 fabric"})
    EXPECT_EQ(slices.count(slice), 1u) << slice;
  for (const char* way : {"chip0 link_14_to_chip1 sent > chip1 link_14_to_chip0 arrived",
                          "chip0 tensix_1_1 noc1.sent > chip0 tensix_1_2 noc1.arrived"})
    EXPECT_EQ(ways.count(way), 1u) << way;
}

}  // namespace
}  // namespace tvp
