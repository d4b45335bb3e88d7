// PIM systems through the C ABI: collectives against golden results, with horizons and in lockstep,
// and forbidden accesses of programs and hosts. Each simulation runs in a child process.

#include "foundation/regs/pim.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/pim_system.h"
#include "sw/workloads/pim/pim_collective_workload.h"
#include "sw/workloads/pim/prim_workload.h"
#include "tests/support/child_output.h"

namespace tvp {
namespace {

using runtime::DeviceLibrary;
using runtime::PimSystem;

/// Returns the result of `work`, or kind and text of its exception.
std::string in_child(const std::string& settings,
                     const std::function<std::string(DeviceLibrary&)>& work) {
  const auto [text, status] = test::output_of_child([&] {
    std::string result;
    try {
      const auto library = DeviceLibrary::open(TVP_LIBRARY);
      library->configure("system=pim_rank\nmax_time_ns=1000000000\n" + settings);
      result = work(*library);
      library->exit();
      std::string error(library->functions().last_error(nullptr, nullptr, 0) + 1, '\0');
      library->functions().last_error(nullptr, error.data(),
                                      static_cast<std::uint32_t>(error.size()));
      error.pop_back();
      if (!error.empty()) result += "; at the end: " + error;
    } catch (const runtime::HangError& hang) {
      result = std::string("hang: ") + hang.what();
    } catch (const foundation::Fault& fault) {
      result = (fault.kind() == foundation::FaultKind::kFirmware      ? "firmware: "
                : fault.kind() == foundation::FaultKind::kDescription ? "usage: "
                                                                      : "other: ") +
               std::string(fault.what());
    } catch (const std::exception& error) {
      result = std::string("exception: ") + error.what();
    }
    return result;
  });
  EXPECT_EQ(status, 0);
  return text;
}

std::vector<unsigned> first_units(unsigned count) {
  std::vector<unsigned> units(count);
  for (unsigned i = 0; i < count; ++i) units[i] = i;
  return units;
}

/// Runs case `number` of pim_programs/cases.cpp on the first units.
std::string run_case(unsigned number, unsigned units, const std::string& settings = "",
                     bool own = true) {
  return in_child(settings, [=](DeviceLibrary& library) {
    PimSystem system(library);
    const std::vector<unsigned> list = first_units(units);
    system.load(list, "tests/system/workloads/pim_programs/cases.cpp", {});
    for (const unsigned unit : list) {
      system.set(unit, "test_case", number);
      if (own) system.own_by_processor(unit);
    }
    system.run(list);
    return std::to_string(system.get<std::uint32_t>(units - 1, "result")) + " " +
           system.output(units - 1);
  });
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// --- All-reduce ---

std::string all_reduce(const std::vector<std::pair<std::string, std::string>>& keys,
                       const std::string& settings) {
  return in_child(settings, [&](DeviceLibrary& library) {
    workloads::pim::PimCollectiveWorkload workload("allreduce");
    for (const auto& [key, value] : keys) {
      for (foundation::SettingBase* setting : workload.settings().settings()) {
        if (setting->info().name == key) setting->set(value);
      }
    }
    workloads::Context context{library, 3, [](const std::string&) {}, 0};
    const workloads::Result result = workload.run(context);
    const auto report = nlohmann::json::parse(library.report());
    return (result.passed ? "passed " : result.reason + " ") +
           std::to_string(report.at("simulated_ps").get<std::uint64_t>()) + " " +
           report.at("state_digest").get<std::string>();
  });
}

struct Row {
  const char* type;
  const char* op;
  const char* nodes;
  const char* bytes;
  const char* routing;
  const char* flow_control;
};

/// Each type occurs with each operation and each number of nodes.
class AllReduceOf : public testing::TestWithParam<Row> {};

TEST_P(AllReduceOf, IsTheGoldenResult) {
  const Row& row = GetParam();
  const std::string text =
      all_reduce({{"type", row.type}, {"op", row.op}, {"nodes", row.nodes}, {"bytes", row.bytes}},
                 std::string("mesh.routing=") + row.routing +
                     "\nmesh.flow_control=" + row.flow_control + "\n");
  EXPECT_TRUE(has(text, "passed ")) << text;
  EXPECT_FALSE(has(text, "at the end")) << text;
}

INSTANTIATE_TEST_SUITE_P(Rows, AllReduceOf,
                         testing::Values(Row{"fp32", "sum", "32", "8192", "xy", "buffered"},
                                         Row{"fp32", "max", "5", "4096", "yx", "hold"},
                                         Row{"fp32", "min", "2", "264", "west_first", "buffered"},
                                         Row{"fp32", "prod", "1", "1024", "xy", "hold"},
                                         Row{"int32", "sum", "5", "8", "west_first", "hold"},
                                         Row{"int32", "max", "32", "2048", "xy", "hold"},
                                         Row{"int32", "min", "1", "4096", "yx", "buffered"},
                                         Row{"int32", "prod", "2", "65536", "yx", "buffered"},
                                         Row{"int64", "sum", "2", "8200", "xy", "hold"},
                                         Row{"int64", "max", "1", "256", "west_first", "buffered"},
                                         Row{"int64", "min", "32", "16384", "yx", "hold"},
                                         Row{"int64", "prod", "5", "1000", "xy", "buffered"},
                                         Row{"int64", "sum", "32", "512", "west_first", "buffered"},
                                         Row{"int32", "sum", "7", "4096", "minimal_adaptive",
                                             "buffered"}));

TEST(PimAllReduce, GoesAroundTheMeshToo) {
  EXPECT_TRUE(has(all_reduce({{"order", "hamiltonian"}, {"bytes", "4096"}}, ""), "passed "));
}

TEST(PimAllReduce, IsTheSameInLockstep) {
  const std::vector<std::pair<std::string, std::string>> keys = {{"type", "int32"},
                                                                 {"bytes", "16384"}};
  const std::string horizons = all_reduce(keys, "");
  EXPECT_TRUE(has(horizons, "passed ")) << horizons;
  EXPECT_EQ(horizons, all_reduce(keys, ""));
  EXPECT_EQ(horizons, all_reduce(keys, "lockstep=true\n"));
}

TEST(PimAllReduce, CrossesChipsAndRanks) {
  const std::string dimm = "system=pim_dimm\n";
  for (const char* form : {"flat", "hierarchical"}) {
    const std::vector<std::pair<std::string, std::string>> keys = {
        {"type", "int32"}, {"bytes", "2048"}, {"form", form}};
    const std::string horizons = all_reduce(keys, dimm);
    EXPECT_TRUE(has(horizons, "passed ")) << horizons;
    EXPECT_EQ(horizons, all_reduce(keys, dimm + "lockstep=true\n")) << form;
  }
}

TEST(PimAllReduce, LetsTheSwitchCombine) {
  const std::string dimm = "system=pim_dimm\npim.dq_halves=true\n";
  const std::vector<std::pair<std::string, std::string>> keys = {
      {"type", "int32"}, {"bytes", "2048"}, {"algorithm", "in_switch"}};
  const std::string horizons = all_reduce(keys, dimm);
  EXPECT_TRUE(has(horizons, "passed ")) << horizons;
  EXPECT_EQ(horizons, all_reduce(keys, dimm + "lockstep=true\n"));
}

TEST(PimAllReduce, RunsWithTheNodeMapOfTheDocument) {
  const std::string document = "system=pim_document\n";
  for (const char* order : {"row_major", "hamiltonian"}) {
    const std::string text =
        all_reduce({{"type", "int32"}, {"bytes", "2048"}, {"order", order}}, document);
    EXPECT_TRUE(has(text, "passed ")) << text;
  }
}

/// Value of a metric of the report after an all-reduce; -1 if there is none.
std::string metric_of(const std::string& name, const std::string& settings) {
  return in_child(settings, [&](DeviceLibrary& library) {
    workloads::pim::PimCollectiveWorkload workload("allreduce");
    for (foundation::SettingBase* setting : workload.settings().settings())
      if (setting->info().name == "bytes") setting->set("2048");
    workloads::Context context{library, 3, [](const std::string&) {}, 0};
    workload.run(context);
    const auto metrics = nlohmann::json::parse(library.report()).at("metrics");
    return metrics.contains(name) ? metrics.at(name).at("value").dump() : "-1";
  });
}

// A packet between chips is a connection of the crossbar. The packets of commands between two ranks
// count as messages to the other rank, and a barrier's release counts at both.
TEST(PimAllReduce, CountsSwitchesAndMessages) {
  const std::string dimm = "system=pim_dimm\npim.rank_messages=command\n";
  EXPECT_EQ(std::stoi(metric_of("rank0.crossbar.switches", dimm)) +
                std::stoi(metric_of("rank1.crossbar.switches", dimm)),
            std::stoi(metric_of("packets_between_chips", dimm)));
  EXPECT_GT(std::stoi(metric_of("rank0.crossbar.blocked_attempts", dimm)), 0);
  const int packets = std::stoi(metric_of("packets_as_commands", dimm));
  const int releases = std::stoi(metric_of("barriers", dimm));
  EXPECT_GT(packets, 0);
  EXPECT_EQ(std::stoi(metric_of("channel0.ca.messages", dimm)), packets + releases);
  EXPECT_EQ(metric_of("channel0.ca.message_bytes", dimm), metric_of("bytes_between_ranks", dimm));
  EXPECT_EQ(std::stoi(metric_of("channel0.ca.rank0.deliveries", dimm)) +
                std::stoi(metric_of("channel0.ca.rank1.deliveries", dimm)),
            packets + 2 * releases);
  EXPECT_EQ(metric_of("rank0.crossbar.switches", ""), "-1");
}

// Gateways and buffers hold one packet, so packets wait where they are.
TEST(PimAllReduce, WaitsForPlacesBetweenTiers) {
  const std::string dimm = "system=pim_dimm\npim.dq_halves=true\n";
  const std::string narrow =
      dimm + "pim.gateway_packets=1\npim.buffer_packets=1\npim.gateway_reductions=1\n";
  for (const char* algorithm : {"ring", "in_switch"}) {
    const std::vector<std::pair<std::string, std::string>> keys = {
        {"type", "int32"}, {"bytes", "8192"}, {"form", "hierarchical"}, {"algorithm", algorithm}};
    const std::string horizons = all_reduce(keys, narrow);
    EXPECT_TRUE(has(horizons, "passed ")) << horizons;
    EXPECT_NE(horizons, all_reduce(keys, dimm));
    EXPECT_EQ(horizons, all_reduce(keys, narrow + "lockstep=true\n")) << algorithm;
  }
}

// The host's accesses use the same pins: slower, right, and equal in lockstep.
TEST(PimAllReduce, SharesThePinsWithTheHost) {
  const std::vector<std::pair<std::string, std::string>> keys = {{"type", "int32"},
                                                                 {"bytes", "2048"}};
  for (const std::string target : {"side_ranks", "host_banks"}) {
    const std::string settings =
        "system=pim_dimm\nhost_traffic.pattern=random\nhost_traffic.read_share=0.7\n"
        "host_traffic.target=" +
        target + "\n";
    const std::string horizons = all_reduce(keys, settings);
    EXPECT_TRUE(has(horizons, "passed ")) << horizons;
    EXPECT_NE(horizons, all_reduce(keys, "system=pim_dimm\n"));
    EXPECT_EQ(horizons, all_reduce(keys, settings + "lockstep=true\n")) << target;
  }
}

// Loading takes time without effect on the programs.
TEST(PimAllReduce, MayChargeTheHostForItsAccesses) {
  const std::vector<std::pair<std::string, std::string>> keys = {{"type", "int32"},
                                                                 {"bytes", "1024"}};
  const std::string timed = all_reduce(keys, "host.timed=true\n");
  EXPECT_TRUE(has(timed, "passed ")) << timed;
  EXPECT_NE(timed, all_reduce(keys, ""));
  EXPECT_EQ(timed, all_reduce(keys, "host.timed=true\nlockstep=true\n"));
}

// Six levels. The host forwards between channels and sockets, which takes time.
TEST(PimAllReduce, CrossesChannelsAndSocketsThroughTheHost) {
  const std::string system = "system=pim_dimm\n";
  const std::string deep =
      system + "pim.hierarchy=bank=8 chip=2 rank=1 dimm=2 channel=2 socket=2\n";
  const std::vector<std::pair<std::string, std::string>> keys = {{"type", "int32"},
                                                                 {"bytes", "1024"}};
  const std::string quick = all_reduce(keys, deep);
  EXPECT_TRUE(has(quick, "passed ")) << quick;
  EXPECT_EQ(quick, all_reduce(keys, deep + "lockstep=true\n"));
  EXPECT_NE(quick, all_reduce(keys, deep + "pim.host_sync_cycles=1200\n"));
  const std::string hierarchical =
      all_reduce({{"type", "int32"}, {"bytes", "1024"}, {"form", "hierarchical"}}, deep);
  EXPECT_TRUE(has(hierarchical, "passed ")) << hierarchical;
}

TEST(PimAllReduce, SurvivesABrokenLink) {
  const std::string text = all_reduce({{"type", "int32"}, {"bytes", "4096"}},
                                      "mesh.routing=west_first\nmesh.faults=link:2.1.east@3000\n");
  EXPECT_TRUE(has(text, "passed ")) << text;
}

TEST(PimAllReduce, NamesTheMessageThatABrokenRouterCuts) {
  const std::string text = all_reduce({{"type", "int32"}, {"bytes", "4096"}},
                                      "mesh.routing=west_first\nmesh.faults=router:2.1@3000\n");
  EXPECT_TRUE(has(text, "firmware: unit")) << text;
  EXPECT_TRUE(has(text, "is lost: no route leads there any more")) << text;
}

// --- Programs ---

/// Result of a program of the PrIM kind on pim_upmem, its digest and time.
std::string prim(const std::vector<std::pair<std::string, std::string>>& keys,
                 const std::string& settings = "") {
  return in_child("system=pim_upmem\n" + settings, [&](DeviceLibrary& library) {
    workloads::pim::PrimWorkload workload;
    for (const auto& [key, value] : keys) {
      for (foundation::SettingBase* setting : workload.settings().settings()) {
        if (setting->info().name == key) setting->set(value);
      }
    }
    workloads::Context context{library, 3, [](const std::string&) {}, 0};
    const workloads::Result result = workload.run(context);
    const auto report = nlohmann::json::parse(library.report());
    return (result.passed ? "passed " : result.reason + " ") +
           std::to_string(report.at("simulated_ps").get<std::uint64_t>()) + " " +
           report.at("state_digest").get<std::string>();
  });
}

class PrimProgram : public testing::TestWithParam<const char*> {};

// All programs and both types, with tasklets that divide the blocks and with others, and the same
// in lockstep.
TEST_P(PrimProgram, IsTheGoldenResult) {
  for (const char* type : {"int32", "int64"}) {
    for (const char* tasklets : {"1", "7", "24"}) {
      const std::vector<std::pair<std::string, std::string>> keys = {
          {"program", GetParam()}, {"type", type},       {"tasklets", tasklets},
          {"units", "2"},          {"elements", "2048"}, {"columns", "64"}};
      const std::string text = prim(keys);
      EXPECT_TRUE(has(text, "passed ")) << type << " " << tasklets << ": " << text;
      if (tasklets == std::string("7")) {
        EXPECT_EQ(text, prim(keys, "lockstep=true\n"));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PrimProgram,
                         testing::Values("vector_add", "reduction", "scan", "histogram", "gemv",
                                         "add", "copy", "dma"));

TEST(PrimPrograms, NeedTasklets) {
  EXPECT_TRUE(has(prim({}, "pim.tasklets=8\n"),
                  "pim_prim.tasklets: 16: the units of this system have 8 (pim.tasklets)"));
  EXPECT_TRUE(has(prim({}, "system=pim_rank\n"), "the units of this system have 0"));
  EXPECT_TRUE(has(prim({}, "pim.tasklets=25\n"), "expected an integer 0..24"));
  EXPECT_TRUE(has(prim({{"tasklets", "25"}}), "tasklets = '25': expected an integer 1..24"));
  EXPECT_TRUE(has(prim({{"elements", "4194304"}, {"type", "int64"}}), "bytes of each bank"));
}

TEST(PimProgram, PrintsForTheHost) { EXPECT_EQ(run_case(0, 4), "0 unit 3 of 32"); }

TEST(PimProgram, TellsHowItEnded) {
  EXPECT_TRUE(has(run_case(1, 1), "firmware: unit 0: its program returned 7 instead of 0"));
}

/// The report about a byte of the bank of unit 0 after it has executed a case.
std::string origin_after(unsigned number, std::uint64_t address) {
  return in_child("", [=](DeviceLibrary& library) {
    PimSystem system(library);
    const std::vector<unsigned> list = first_units(1);
    system.load(list, "tests/system/workloads/pim_programs/cases.cpp", {});
    system.set(0, "test_case", number);
    system.own_by_processor(0);
    system.run(list);
    return system.origin(0, address);
  });
}

TEST(PimProgram, NamesTheTransfersBehindAByteOfItsBank) {
  const std::string copied = origin_after(20, 516);
  std::size_t at = 0;
  for (const char* part :
       {"unit 0 (chip0.bank0) has written it, 512 bytes from WRAM 0x", "cases.cpp:86)",
        "There the unit had read it from the bank, 512 bytes at 0x0", "cases.cpp:73)"}) {
    at = copied.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << "\n" << copied;
  }
  const std::string unwritten = origin_after(5, 64);
  for (const char* part : {"no transfer of unit 0 (chip0.bank0) has written it", "no dma_write",
                           "the last transfer from the bank was at 0x0, 64 bytes"})
    EXPECT_TRUE(has(unwritten, part)) << part << "\n" << unwritten;
}

TEST(PimProgram, HangsByName) {
  const std::string arrivals = run_case(2, 8);
  EXPECT_TRUE(has(arrivals, "hang: ")) << arrivals;
  EXPECT_TRUE(has(arrivals, "unit 5 (chip0.bank5) in main (")) << arrivals;
  EXPECT_TRUE(
      has(arrivals, "waits for arrivals of channel 3 to be at least 1; the count is 0; no unit"))
      << arrivals;
  EXPECT_TRUE(has(arrivals,
                  "; no unit has sent it a message on this channel, and 7 units (cases.cpp) have "
                  "ended without a send to it"))
      << arrivals;
  EXPECT_FALSE(has(arrivals, "unit 4")) << arrivals;
  const std::string barrier = run_case(3, 3);
  EXPECT_TRUE(has(barrier,
                  "waits for a barrier; unit 1 (chip0.bank1) has ended without reaching it. "
                  "1 more waits there: unit 2 (chip0.bank2)"))
      << barrier;
}

// 32 KiB are free: room for 80 calls, not for 200.
TEST(PimProgram, ItsStackMayNotGrowIntoItsData) {
  EXPECT_EQ(run_case(40 + 80, 1).find("stack"), std::string::npos);
  const std::string text = run_case(40 + 200, 1);
  EXPECT_TRUE(has(text, "firmware: unit 0: its stack has no room: it has grown over the 32"))
      << text;
  EXPECT_TRUE(has(text, "static data of its program, which end at 0x")) << text;
}

// Heartbeats are no progress, and the report names them.
TEST(PimProgram, HangsWithHeartbeats) {
  const std::string text = run_case(10, 3);
  EXPECT_TRUE(has(text, "hang: ")) << text;
  EXPECT_TRUE(has(text, "unit 0 (chip0.bank0) in heartbeats (")) << text;
  EXPECT_TRUE(has(text, "2 more wait there: unit 1 (chip0.bank1), unit 2 (chip0.bank2)")) << text;
  EXPECT_TRUE(has(text, "waits for arrivals of channel 3; meanwhile it only counts at ")) << text;
  EXPECT_TRUE(has(text, "cases.cpp:")) << text;
}

// A unit's counters and instructions equal those without sleep.
TEST(PimProgram, SleepsThroughHeartbeats) {
  const auto run = [](const std::string& settings) {
    return in_child(settings, [](DeviceLibrary& library) {
      PimSystem system(library);
      const std::vector<unsigned> list = first_units(8);
      system.load(list, "tests/system/workloads/pim_programs/cases.cpp", {});
      for (const unsigned unit : list) system.set(unit, "test_case", 9U);
      system.run(list);
      const auto report = nlohmann::json::parse(library.report());
      std::string text = report.at("state_digest").get<std::string>();
      for (const auto& core : report.at("cores")) {
        text += " " + std::to_string(core.at("executed_instructions").get<std::uint64_t>() +
                                     core.at("slept_instructions").get<std::uint64_t>());
      }
      const auto slept = report.at("slept_instructions").get<std::uint64_t>();
      const auto count = system.get<std::uint32_t>(7, "result");
      return text + " counted " + std::to_string(count) + (slept > 20'000 ? "" : " awake");
    });
  };
  const std::string sleeping = run("");
  EXPECT_TRUE(has(sleeping, "counted ") && !has(sleeping, "counted 0")) << sleeping;
  EXPECT_EQ(sleeping + " awake", run("lockstep=true\n"));
}

TEST(PimProgram, FaultsWithItsSourceLine) {
  const std::string text = run_case(4, 2);
  EXPECT_TRUE(has(text,
                  "firmware: unit1 (chip0.bank1): message of 64 bytes from unit 0 at offset 0 "
                  "into a buffer of 32, channel 2"))
      << text;
  const std::string iram = run_case(7, 1);
  EXPECT_TRUE(has(iram, "load from unmapped address 0xffc00000")) << iram;
  EXPECT_TRUE(has(iram, "cases.cpp:")) << iram;
}

struct DmaUse {
  const char* name;
  unsigned way;  ///< test_case - 20 in cases.cpp
  std::vector<const char*> told;
};
class PimDma : public testing::TestWithParam<DmaUse> {};

// The result may be right by luck; the warning must come in any case.
TEST_P(PimDma, UsesWithoutAWaitAreTold) {
  const DmaUse& use = GetParam();
  const std::string text = in_child("", [&](DeviceLibrary& library) {
    PimSystem system(library);
    const std::vector<unsigned> list = first_units(1);
    system.load(list, "tests/system/workloads/pim_programs/cases.cpp", {});
    system.set(0, "test_case", 20 + use.way);
    system.own_by_processor(0);
    system.run(list);
    std::string all;
    const auto report = nlohmann::json::parse(library.report());
    for (const auto& warning : report.at("warnings")) all += warning.get<std::string>() + "|";
    return all;
  });
  EXPECT_EQ(text.empty(), use.told.empty()) << text;
  for (const char* part : use.told) EXPECT_TRUE(has(text, part)) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Ways, PimDma,
    testing::Values(
        DmaUse{"waits", 0, {}},
        DmaUse{"loads_at_once",
               1,
               {"unit0: reads WRAM 0x", "to which a DMA brings 512 bytes that it started at",
                "The DMA is not over. Expected a dma_wait", "is in uses_dma (", "cases.cpp:"}},
        DmaUse{
            "loads_later",
            2,
            {"unit0: reads WRAM 0x", "The DMA was over in time only by luck. Expected a dma_wait"}},
        DmaUse{"sends", 3, {"unit0: reads WRAM 0x", "The DMA is not over. Expected a dma_wait"}},
        DmaUse{"chains", 4, {}},
        DmaUse{"writes_over",
               5,
               {"unit0: stores to WRAM 0x", "from which a DMA takes 512 bytes",
                "Expected a dma_wait"}},
        DmaUse{"ends_at_once", 6, {}},
        DmaUse{"changes_a_message",
               7,
               {"unit0: stores to WRAM 0x", "from which a message takes 512 bytes that it started",
                "Expected a send_wait between the two.", "is in changes_a_message ("}},
        DmaUse{"changes_a_message_later",
               8,
               {"The message was over in time only by luck. Expected a send_wait"}},
        DmaUse{"changes_a_sent_message", 9, {}},
        DmaUse{"uses_an_unseen_message",
               10,
               {"unit0: reads WRAM 0x", "512 bytes from unit 0 on channel 2",
                "Expected a wait_arrivals(2, …) before.", "is in uses_a_message ("}},
        DmaUse{"uses_a_seen_message", 11, {}},
        DmaUse{"overwrites_a_message",
               12,
               {"unit0: sends 512 bytes to unit0, channel 2, at pc 0x",
                " over the message of unit 0 at WRAM 0x", "Expected a wait_arrivals",
                "is in overwrites_a_message ("}},
        DmaUse{"overwrites_a_counted_message", 13, {}}),
    [](const auto& use) { return std::string(use.param.name); });

TEST(PimProgram, MayNotTouchABankOfTheHost) {
  const std::string text = run_case(5, 1, "", false);
  EXPECT_TRUE(has(text, "firmware: unit0 (chip0.bank0): store to ") &&
              has(text, ": DMA of 64 bytes"))
      << text;
  EXPECT_TRUE(has(text, "the host owns the bank")) << text;
  EXPECT_TRUE(has(text, "in ")) << text;
}

TEST(PimProgram, GetsEveryMessageWholeAndInOrder) {
  for (const char* mesh : {"", "mesh.routing=minimal_adaptive\n", "mesh.flow_control=hold\n",
                           "pim.packet_bytes=16\npim.flit_bytes=2\n"}) {
    EXPECT_EQ(run_case(6, 16, mesh), "0 ") << mesh;
  }
}

TEST(PimProgram, ExchangesTheSameInLockstep) {
  const auto digest = [](const std::string& settings) {
    return in_child(settings, [](DeviceLibrary& library) {
      PimSystem system(library);
      const std::vector<unsigned> list = first_units(16);
      system.load(list, "tests/system/workloads/pim_programs/cases.cpp", {});
      for (const unsigned unit : list) system.set(unit, "test_case", 6U);
      system.run(list);
      const auto report = nlohmann::json::parse(library.report());
      return report.at("state_digest").get<std::string>() + " " +
             std::to_string(system.state(3).ended_cycle);
    });
  };
  const std::string horizons = digest("");
  EXPECT_TRUE(has(horizons, " ")) << horizons;
  EXPECT_EQ(horizons, digest("lockstep=true\n"));
}

TEST(PimProgram, PassesABarrierInItsDocumentedTime) {
  // All units arrive in the same cycle. The time is pim.barrier_cycles, plus the poll and the two
  // reads of the timer, which are equal for both settings.
  const int near = std::stoi(run_case(8, 32));
  const int far = std::stoi(run_case(8, 32, "pim.barrier_cycles=1016\n"));
  EXPECT_NEAR(far - near, 1000, 8);  // a poll of 4 to 8 cycles detects it
  EXPECT_GE(near, 16);
}

// --- Hosts ---

std::string host(const std::function<void(PimSystem&, DeviceLibrary&)>& work) {
  return in_child("", [&](DeviceLibrary& library) {
    PimSystem system(library);
    work(system, library);
    return std::string("accepted");
  });
}

TEST(PimHost, MayNotTouchABankOfTheProcessor) {
  const std::vector<std::uint8_t> bytes(8);
  EXPECT_EQ(host([&](PimSystem& system, DeviceLibrary&) {
              system.own_by_processor(4);
              system.own_by_host(4);
              system.write_bank(4, 0, bytes);
            }),
            "accepted");
  const std::string text = host([&](PimSystem& system, DeviceLibrary&) {
    system.own_by_processor(4);
    system.write_bank(4, 0, bytes);
  });
  EXPECT_TRUE(
      has(text,
          "usage: unit4 (chip0.bank4): access of the host to 8 bytes of the bank at 0: the bank's "
          "processor owns it"))
      << text;
}

TEST(PimHost, IsToldWhatIsWrong) {
  const std::vector<std::uint8_t> bytes(8);
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_TRUE(has(text, "usage: ") && has(text, part)) << text;
  };
  expect(host([&](PimSystem& s, DeviceLibrary&) { s.write_bank(32, 0, bytes); }),
         "unit 32: the system pim_rank has units 0 to 31");
  expect(host([&](PimSystem& s, DeviceLibrary&) { s.write_bank(0, 64U << 20, bytes); }),
         "it has 67108864 bytes");
  const std::vector<unsigned> one = {0};
  expect(host([&](PimSystem& s, DeviceLibrary&) { s.run(one); }),
         "unit0 (chip0.bank0): started without a program");
  const std::vector<unsigned> twice = {1, 1};
  expect(host([&](PimSystem& s, DeviceLibrary&) {
           s.load(one, "tests/system/workloads/pim_programs/cases.cpp", {});
           s.load(twice, "tests/system/workloads/pim_programs/cases.cpp", {});
           s.run(twice);
         }),
         "unit1 (chip0.bank1): is listed twice");
  expect(host([&](PimSystem& s, DeviceLibrary&) { s.get<std::uint32_t>(0, "result"); }),
         "has no program with a variable 'result'");
}

/// Writes an ELF file with one segment of 16 B (TIS ELF 1.2).
std::string elf_of_one_segment(std::uint32_t address, bool executable) {
  constexpr std::uint32_t kBytes = 16, kAt = 52 + 32;
  std::vector<std::uint32_t> words = {
      // Identification, of 32 bits and little-endian; an executable of RISC-V (243).
      0x464C457F, 0x00010101, 0, 0, 0x00F30002, 1, address, 52, 0, 0, 0x00200034, 1, 0,
      // Its program header: PT_LOAD.
      1, kAt, address, address, kBytes, kBytes, executable ? 5U : 6U, 4};
  words.resize(words.size() + kBytes / 4, 0x13);  // addi zero, zero, 0
  std::string path = ::testing::TempDir() + "one_segment_" + std::to_string(address) +
                     (executable ? "x" : "w") + ".elf";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(words.size() * 4));
  return path;
}

TEST(PimHost, LoadsCodeAndDataWhereTheyBelong) {
  const auto loaded = [](std::uint32_t address, bool executable) {
    const std::string path = elf_of_one_segment(address, executable);
    std::string text = host([&](PimSystem&, DeviceLibrary& library) {
      library.functions().pim_load(0, path.c_str());
      library.check();
    });
    std::remove(path.c_str());
    return text;
  };
  using regs::pim::kIram, regs::pim::kIramBytes, regs::pim::kWram, regs::pim::kWramBytes;
  EXPECT_EQ(loaded(kIram, true), "accepted");
  EXPECT_EQ(loaded(kIram + kIramBytes - 16, true), "accepted");
  EXPECT_EQ(loaded(kWram, false), "accepted");
  EXPECT_EQ(loaded(kWram + kWramBytes - 16, false), "accepted");
  for (const auto& [address, executable] : {std::pair{kIram + kIramBytes - 12, true},
                                            {kWram, true},
                                            {kWram + kWramBytes - 12, false},
                                            {0x80000000U, false},
                                            {0x80000000U, true}}) {
    const std::string text = loaded(address, executable);
    EXPECT_TRUE(has(text, "usage: ") && has(text, "segment of 16 bytes at ") &&
                has(text, "expected code in the instruction memory and data in WRAM"))
        << text;
  }
}

TEST(PimHost, RunsAProgramAgain) {
  EXPECT_EQ(in_child("",
                     [](DeviceLibrary& library) {
                       PimSystem system(library);
                       const std::vector<unsigned> list = first_units(16);
                       std::string outputs;
                       for (const unsigned number : {6U, 0U}) {
                         system.load(list, "tests/system/workloads/pim_programs/cases.cpp", {});
                         for (const unsigned unit : list) system.set(unit, "test_case", number);
                         system.run(list);
                         outputs += system.output(15) + "|";
                       }
                       return outputs;
                     }),
            "|unit 15 of 32|");
}

}  // namespace
}  // namespace tvp
