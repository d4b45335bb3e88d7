// A PIM rank with RTL routers compared with the same rank in TLM.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/program.h"

namespace tvp {
namespace {

using Json = nlohmann::json;

std::string scratch(const char* extension) {
  return std::filesystem::temp_directory_path() /
         ("tvp_rtl_" + std::to_string(getpid()) + extension);
}

Json run_workload(const std::string& workload, const std::string& settings) {
  const std::string file = scratch(".json");
  test::expect("run " + workload + " --quiet --report " + file + " --set " + settings, 0, {});
  Json report = test::read_json(file);
  std::filesystem::remove(file);
  return report;
}

Json run(const std::string& settings) {
  return run_workload("pim_allreduce", "bytes=2048 --set " + settings);
}

/// Results and times must be equal, since the protocols of the routers fix every cycle.
class RtlRank : public ::testing::TestWithParam<const char*> {};

TEST_P(RtlRank, EqualsTheTlmRank) {
  const std::string mesh = GetParam();
  const Json tlm = run(mesh);
  for (const char* router : {"rtl", "rtl:3:2"}) {
    const Json rtl = run(mesh + " --set router=" + router);
    EXPECT_EQ(rtl.at("passed"), true);
    EXPECT_EQ(rtl.at("simulated_ps"), tlm.at("simulated_ps")) << router;
    EXPECT_EQ(rtl.at("phases"), tlm.at("phases")) << router;
    EXPECT_EQ(rtl.at("state_digest"), tlm.at("state_digest")) << router;
  }
}

/// The same with a mesh in each chip of a DIMM: all meshes, one mesh, or one router of a mesh in
/// RTL.
class RtlDimm : public ::testing::TestWithParam<const char*> {};

TEST_P(RtlDimm, EqualsTheTlmDimm) {
  const auto of = [&](const std::string& router) {
    return run_workload("pim_allreduce --system pim_dimm",
                        "bytes=512," + std::string(GetParam()) + ",router=" + router);
  };
  const Json tlm = of("tlm");
  for (const char* router : {"rtl", "chip3.rtl", "chip2.rtl:1:0"}) {
    const Json rtl = of(router);
    EXPECT_EQ(rtl.at("passed"), true);
    EXPECT_EQ(rtl.at("phases"), tlm.at("phases")) << router;
    EXPECT_EQ(rtl.at("state_digest"), tlm.at("state_digest")) << router;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RtlDimm,
                         ::testing::Values("mesh.flow_control=buffered", "mesh.flow_control=hold",
                                           "mesh.faults=chip2.link:1.0.east@700"));

/// Barriers of ranks with the RTL controller end in the same cycle as with the modelled one, also
/// with normal commands and other RTL blocks.
class RtlBarrier : public ::testing::TestWithParam<const char*> {};

TEST_P(RtlBarrier, EqualsTheTlmBarrier) {
  const auto of = [&](const std::string& barrier) {
    return run_workload(
        "pim_allreduce --system pim_dimm",
        "bytes=512,sync=barriers," + std::string(GetParam()) + " --set pim.ca_barrier=" + barrier);
  };
  const Json tlm = of("tlm");
  EXPECT_GT(tlm.at("metrics").at("barriers").at("value"), 100);
  for (const char* barrier : {"rtl", "rtl --lockstep"}) {
    const Json rtl = of(barrier);
    EXPECT_EQ(rtl.at("passed"), true);
    EXPECT_EQ(rtl.at("phases"), tlm.at("phases")) << barrier;
    EXPECT_EQ(rtl.at("state_digest"), tlm.at("state_digest")) << barrier;
    EXPECT_EQ(rtl.at("metrics").at("barriers"), tlm.at("metrics").at("barriers"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, RtlBarrier,
    ::testing::Values(
        "pim.barrier_scheme=controller", "pim.barrier_scheme=broadcasts,pim.bus_request_cycles=1",
        "host_traffic.pattern=random,host_traffic.target=side_ranks,router=chip5.rtl"));

/// The command/address bus and the crossbars of a channel in RTL give the same bits in the same
/// picosecond, together and beside other RTL blocks.
class RtlChannel : public ::testing::TestWithParam<const char*> {};

TEST_P(RtlChannel, EqualsTheTlmChannel) {
  const std::string settings = GetParam();
  const auto of = [&](const std::string& keys) {
    return run_workload("pim_allreduce", "bytes=512," + settings + keys);
  };
  const Json tlm = of("");
  for (const std::string keys :
       {" --set pim.ca_bus=rtl,pim.crossbar=rtl",
        " --set pim.ca_bus=rtl,pim.crossbar=rtl,pim.ca_barrier=rtl,router=chip5.rtl",
        " --set pim.ca_bus=rtl,pim.crossbar=rtl --lockstep"}) {
    const Json rtl = of(keys);
    EXPECT_EQ(rtl.at("passed"), true);
    for (const char* key : {"phases", "state_digest", "simulated_ps", "metrics"})
      EXPECT_EQ(rtl.at(key), tlm.at(key)) << keys << " " << key;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Systems, RtlChannel,
    ::testing::Values("sync=barriers --system pim_dimm",
                      "pim.rank_messages=command --system pim_dimm",
                      "pim.dram=ddr5_4800,sync=barriers,pim.barrier_scheme="
                      "broadcasts,host_traffic.pattern=random,host_traffic.rate_per_ns=0.02,"
                      "host_traffic.target=side_ranks --system pim_dimm"));

/// A mesh under synthetic traffic uses the same modules for all loads. Latencies, link loads,
/// curves and digest equal those of the modelled routers.
class RtlMesh : public ::testing::TestWithParam<const char*> {};

TEST_P(RtlMesh, EqualsTheTlmMesh) {
  const std::string settings =
      std::string(GetParam()) +
      ",traffic.load=0.05,traffic.load_to=0.25,traffic.points=3,traffic.packet_flits=2,"
      "traffic.warmup_cycles=200,traffic.measure_cycles=500,traffic.drain_cycles=1000";
  const auto of = [&](const std::string& router) {
    Json report = run_workload("mesh", settings + ",router=" + router);
    EXPECT_EQ(report.at("passed"), true);
    EXPECT_GT(report.at("metrics").at("packets_delivered").at("value"), 1000);
    for (const char* key : {"wall_s", "cpu_s", "settings", "machine", "command", "date"})
      report.erase(key);
    return report;
  };
  const Json tlm = of("tlm");
  EXPECT_EQ(of("rtl"), tlm);
  EXPECT_EQ(of("rtl:2:3"), tlm);
}

INSTANTIATE_TEST_SUITE_P(
    Modes, RtlMesh,
    ::testing::Values("mesh.flow_control=hold,mesh.routing=xy",
                      "mesh.flow_control=buffered,mesh.routing=west_first",
                      "mesh.flow_control=buffered,mesh.routing=odd_even,traffic.pattern=tornado",
                      "'mesh.faults=link:3.3.east@150;router:5.5@200+50'"));

/// Number of changes of each row of a VCD file, by name.
std::map<std::string, unsigned> changes_in(const std::filesystem::path& file) {
  // $var wire WIDTH CODE NAME $end, and later bVALUE CODE, or VALUE and CODE in one word.
  std::map<std::string, std::string> name_of;
  std::map<std::string, unsigned> changes;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string first, kind, width, code, name;
    words >> first;
    if (first == "$var") {
      words >> kind >> width >> code >> name;
      name_of[code] = name;
    } else if (first.size() > 1 && first[0] == 'b') {
      words >> code;
      ++changes[name_of[code]];
    } else if (first.size() > 1 && (first[0] == '0' || first[0] == '1')) {
      ++changes[name_of[first.substr(1)]];
    }
  }
  return changes;
}

/// Pins and registers of a router appear beside its links in one file and change no result.
void expect_rows(const std::string& workload, const std::string& settings) {
  const std::string file = scratch(".vcd");
  const Json unseen = run_workload(workload, settings);
  const Json seen =
      run_workload(workload, settings + " --wave " + file + " --wave-scope 'mesh.router_3_2.*'");
  EXPECT_EQ(seen.at("phases"), unseen.at("phases"));
  EXPECT_EQ(seen.at("state_digest"), unseen.at("state_digest"));
  std::map<std::string, unsigned> changes = changes_in(file);
  std::filesystem::remove(file);
  for (const char* row : {"clocked", "in_valid", "out_valid", "out_control_east", "credit_in",
                          "buffered_local_vc0", "credits_east_vc0", "east"}) {
    EXPECT_GT(changes[row], 10u) << row;
  }
}

TEST(RtlWaves, StandInTheMeshOfTheirChip) {
  const std::string file = scratch(".vcd");
  run_workload("pim_allreduce --system pim_dimm",
               "bytes=512,router=chip2.rtl:1:0 --wave " + file +
                   " --wave-scope 'chip2.mesh.router_1_0.rtl.*'");
  std::map<std::string, unsigned> changes = changes_in(file);
  std::filesystem::remove(file);
  EXPECT_GT(changes["in_valid"], 10u);
  EXPECT_GT(changes["out_control_west"], 10u);
}

TEST(RtlWaves, ShowWhatTheBarrierControllerSays) {
  const std::string file = scratch(".vcd");
  const std::string settings = "bytes=512,sync=barriers,pim.ca_barrier=rtl";
  const Json unseen = run_workload("pim_allreduce --system pim_dimm", settings);
  const Json seen = run_workload("pim_allreduce --system pim_dimm",
                                 settings + " --wave " + file + " --wave-scope 'channel0.*'");
  EXPECT_EQ(seen.at("state_digest"), unseen.at("state_digest"));
  std::map<std::string, unsigned> changes = changes_in(file);
  std::filesystem::remove(file);
  const double barriers = seen.at("metrics").at("barriers").at("value");
  for (const char* row : {"arrive", "waiting", "ca_valid", "released", "clocked"}) {
    EXPECT_GT(changes[row], barriers) << row;
  }
}

TEST(RtlWaves, ShowBusAndCrossbar) {
  const std::string file = scratch(".vcd");
  const std::string settings = "bytes=512,sync=barriers,pim.ca_bus=rtl,pim.crossbar=rtl";
  const Json unseen = run_workload("pim_allreduce --system pim_dimm", settings);
  const Json seen = run_workload("pim_allreduce --system pim_dimm",
                                 settings + " --wave " + file + " --wave-scope '*0.c[ar][_o]*'");
  EXPECT_EQ(seen.at("state_digest"), unseen.at("state_digest"));
  std::map<std::string, unsigned> changes = changes_in(file);
  std::filesystem::remove(file);
  for (const char* row : {"cs_n", "act_ras_cas_we_n", "address", "arrived_0", "in_busy",
                          "out_valid", "source_of_3", "clocked"}) {
    EXPECT_GT(changes[row], 10u) << row;
  }
}

TEST(RtlWaves, ShowWhatARouterDoes) {
  expect_rows("pim_allreduce", "bytes=2048,router=rtl:3:2,mesh.flow_control=buffered");
  expect_rows("mesh", "traffic.measure_cycles=500,router=rtl:3:2,mesh.flow_control=buffered");
}

/// A feature that RTL routers lack is a usage error; the message names both keys.
TEST(RtlRefusals, NameBothKeys) {
  const auto refusal = [](const std::string& settings) {
    const test::Outcome o = test::vp("run pim_allreduce --quiet --set " + settings);
    EXPECT_EQ(o.exit_code, 2) << o.output;
    return o.output;
  };
  EXPECT_NE(refusal("router=rtl:8:0").find("rtl:X:Y with a router of the 8 x 4 mesh"),
            std::string::npos);
  EXPECT_NE(refusal("router=chip16.rtl --system pim_dimm").find("chip0. to chip15."),
            std::string::npos);
  const auto expect_barrier = [&](const std::string& settings, const char* text) {
    EXPECT_NE(refusal("pim.ca_barrier=rtl" + settings).find(text), std::string::npos);
  };
  expect_barrier("", "rtl joins 2 to 8 ranks of a channel, pim.hierarchy has 1");
  expect_barrier(" --system pim_server", "rtl knows the ranks of one channel");
  expect_barrier(",pim.barrier=fixed --system pim_dimm",
                 "'pim.ca_barrier' has no effect with pim.barrier=fixed");
  expect_barrier(",pim.bus_request_cycles=33 --system pim_dimm", "expected 1 to 32");
  EXPECT_NE(refusal("pim.crossbar=rtl").find("'pim.crossbar' has no effect with pim.network=mesh"),
            std::string::npos);
  const auto expect_bus = [&](const std::string& settings, const char* text) {
    EXPECT_NE(refusal("pim.ca_bus=rtl," + settings).find(text), std::string::npos) << settings;
  };
  expect_bus("pim.bus_request_cycles=513", "expected 0 to 512");
  expect_bus("'pim.hierarchy=bank=8 chip=4 rank=9' --system pim_dimm", "chip selects of 8 ranks");
  expect_bus("pim.rank_messages=command,pim.mailbox_bytes=253 --system pim_dimm",
             "pim.mailbox_bytes: 253 with pim.ca_bus=rtl: expected at most 252");
  for (const char* setting : {"mesh.arbitration=oldest", "mesh.routing=minimal_adaptive",
                              "mesh.throttle_flits=3", "mesh.vc_groups=2"}) {
    const std::string text = refusal(std::string("router=rtl,") + setting);
    const std::string key = std::string(setting).substr(0, std::string(setting).find('='));
    EXPECT_NE(text.find(key), std::string::npos) << text;
    EXPECT_NE(text.find("mesh.router=rtl"), std::string::npos) << text;
  }
}

/// The RTL library may be missing, or built for another version.
TEST(RtlModule, SaysHowToBuildIt) {
  const auto refusal = [](const std::string& file) {
    const test::Outcome o = test::execute(
        {.command = {test::kProgram, "run", "pim_allreduce", "--quiet", "--set", "router=rtl"},
         .environment = {"TENSIX_VP_RTL=" + file}});
    EXPECT_EQ(o.exit_code, 2) << o.output;
    return o.output;
  };
  const std::string missing = refusal("/nowhere/rtl.so");
  EXPECT_NE(missing.find("mesh.router"), std::string::npos) << missing;
  EXPECT_NE(missing.find("rtl needs /nowhere/rtl.so"), std::string::npos) << missing;
  EXPECT_NE(missing.find("--target tvp_rtl_module"), std::string::npos) << missing;
  const std::string other = refusal(TVP_LIBRARY);
  EXPECT_NE(other.find("expected the RTL as a library"), std::string::npos) << other;
}

/// A router of a user (sw/examples/systemc/xy_router.sv), in all places or in one.
constexpr const char* kHold = "bytes=2048,mesh.flow_control=hold,mesh.routing=xy";

TEST(UserRouter, EqualsTheModel) {
  const std::string hold = kHold;
  const Json tlm = run_workload("pim_allreduce", hold);
  for (const char* where : {"", ":3:2"}) {
    const Json rtl = run_workload("pim_allreduce", hold + ",router=rtl:" TVP_RIGHT_ROUTER + where);
    EXPECT_EQ(rtl.at("simulated_ps"), tlm.at("simulated_ps"));
    EXPECT_EQ(rtl.at("state_digest"), tlm.at("state_digest"));
  }
}

/// The first line names the router, the packet and the time.
TEST(UserRouter, IsNamedIfItIsNeverReady) {
  const std::string router = ",router=rtl:" TVP_STUCK_ROUTER ":3:2";
  const auto expect_hang = [](const std::string& arguments, const std::string& start) {
    const test::ReportedRun run = test::run_with_report(arguments);
    EXPECT_EQ(run.exit_code, 4) << run.errors;
    const std::string reason = run.report.at("reason");
    const std::string first = reason.substr(0, reason.find('\n'));
    EXPECT_TRUE(
        first.starts_with(start + "mesh.router (3,2) is never ready at its west input: packet "))
        << reason;
    EXPECT_NE(first.find(" from ("), std::string::npos) << first;
    EXPECT_NE(first.find(" created at "), std::string::npos) << first;
    EXPECT_TRUE(first.ends_with(" ns")) << first;
  };
  expect_hang("run pim_allreduce --set " + (kHold + router), "nothing moves any more: ");
  expect_hang("run mesh --set mesh.flow_control=hold" + router, "");
}

/// The data that arrive are those of the pins.
TEST(UserRouter, IsNamedIfItAltersABit) {
  const std::string router = ",router=rtl:" TVP_FLIP_ROUTER ":3:2";
  const std::string text =
      "mesh.router (3,2): alters bit 13 of the payload at its east output: flit ";
  const test::ReportedRun wrong =
      test::run_with_report("run pim_allreduce --set " + (kHold + router));
  EXPECT_EQ(wrong.exit_code, 1) << wrong.errors;
  EXPECT_TRUE(wrong.report.at("warnings").at(0).get<std::string>().starts_with(text))
      << wrong.report.at("warnings").dump();
  const test::ReportedRun stopped =
      test::run_with_report("run mesh --set mesh.flow_control=hold" + router);
  EXPECT_EQ(stopped.exit_code, 3) << stopped.errors;
  EXPECT_TRUE(stopped.report.at("reason").get<std::string>().starts_with(text))
      << stopped.report.at("reason");
}

TEST(UserRouter, IsRefusedIfItDoesNotFit) {
  const auto refusal = [](const std::string& settings) {
    const test::Outcome o = test::vp("run pim_allreduce --quiet --set " + settings);
    EXPECT_EQ(o.exit_code, 2) << o.output;
    return o.output;
  };
  const auto expect_refusal = [&](const std::string& settings, const char* text) {
    const std::string output = refusal(settings);
    EXPECT_NE(output.find(text), std::string::npos) << output;
  };
  expect_refusal("router=rtl:nowhere", "mesh.router: no library 'nowhere', tried ./libnowhere.so");
  expect_refusal("router=rtl:/nowhere/r.so:1:1", "no library '/nowhere/r.so'");
  expect_refusal("router=rtl:" TVP_LIBRARY ":1:1", "holds no mesh router");
  expect_refusal("router=rtl:5", "rtl:LIBRARY:X:Y");
  expect_refusal("mesh.vc_selection=rotating,router=rtl", "expected most_credits");
  expect_refusal("router=rtl:" TVP_RIGHT_ROUTER ":9:0", "rtl:LIBRARY:X:Y");
  expect_refusal("mesh.flow_control=buffered,router=rtl:" TVP_RIGHT_ROUTER,
                 "has pins for ready: expected hold");
  expect_refusal("mesh.flow_control=hold,mesh.routing=odd_even,router=rtl:" TVP_RIGHT_ROUTER,
                 "no pins row_write, row_index and row");
}

INSTANTIATE_TEST_SUITE_P(
    Modes, RtlRank,
    ::testing::Values("mesh.flow_control=buffered,mesh.routing=xy",
                      "mesh.flow_control=buffered,mesh.routing=west_first",
                      "mesh.flow_control=hold,mesh.routing=yx",
                      "mesh.flow_control=hold,"
                      "'mesh.faults=link:3.2.east@500;link:5.1.west@900+300'",
                      "mesh.flow_control=buffered,"
                      "'mesh.faults=link:3.2.east@500;link:5.1.west@900+300'"));

}  // namespace
}  // namespace tvp
