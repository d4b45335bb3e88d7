#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace tvp {
namespace {

namespace fs = std::filesystem;
using test::expect;

class Cli : public test::FolderTest {
 protected:
  /// A .npy file of zeros, version 1.0.
  std::string npy(const std::string& name, const std::string& shape, std::size_t floats) const {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string text = std::string("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(header.size() & 0xFF);
    text += static_cast<char>(header.size() >> 8);
    text += header;
    text.append(floats * 4, '\0');
    return write(name, text);
  }

  /// The command is refused, and its report lists no cores, which are those of all chips that
  /// exist.
  void expect_no_chips(const std::string& command, const std::vector<std::string>& parts) const {
    const std::string report = path("r.json");
    expect(command + " --report " + report, 2, parts);
    const auto cores = test::read_json(report).value("cores", nlohmann::json::array());
    EXPECT_TRUE(cores.empty()) << command << " built chips";
  }
};

TEST_F(Cli, BadUsageSaysWhatWasExpected) {
  expect("", 2, {"vp:"});
  expect("dance", 2, {"unknown command 'dance': expected one of", "run, ", "mutate"});
  expect("rnu sdpa", 2, {"unknown command 'rnu'", "; did you mean 'run'?"});
  expect("tset", 2, {"did you mean 'test'?"});
  expect("lint", 2, {"lint: is a command of the launcher of the source tree: ./vp lint"});
  expect("run", 2, {"vp: run: workload is required ('./vp help run' shows the usage)"});
  expect("sweep mesh --vary seed=1,2", 2, {"vp: sweep: --out is required"});
  expect("record x.json --jobs 0", 2, {"vp: record: --jobs: Value 0 not in range"});
  expect("run sdpaa", 2, {"unknown workload 'sdpaa'", "did you mean 'sdpa'?"});
  expect("run picture", 2, {"unknown workload 'picture' ('./vp list' shows all)"});
  expect("run sdpa --set noc.hop_cycle=3", 2, {"noc.hop_cycle", "did you mean 'noc.hop_cycles'?"});
  expect("run sdpa --set noc.hop_cycles=nine", 2,
         {"noc.hop_cycles", "'nine'", "expected an integer"});
  expect("run sdpa --set head_dim", 2, {"head_dim", "expected key=value"});
  expect("run sdpa --set sdpa.head_dimm=128", 2, {"did you mean 'sdpa.head_dim'?"});
  expect("run sdpa --set head_dim=100000", 2, {"head_dim", "expected an integer"});
  expect("run sdpa --set router=rtl", 2,
         {"'mesh.router' has no effect on quad_ring, a system of kind wormhole",
          "expected a system of kind mesh or pim"});
  expect("run dram_loopback --set host.timed=maybe", 2, {"host.timed", "'maybe'"});
  expect("run dram_loopback --set host.timed=true,host.copy_gb_s=3", 2,
         {"'host.copy_gb_s' has no effect on", "expected a system of kind pim"});
  expect("run dram_loopback --set pcie.host_read_ns=5", 2,
         {"'pcie.host_read_ns' has no effect with host.timed=false: expected host.timed=true"});
  expect("run dram_loopback --set host.timed=true,pcie.host_read_gb_s=0", 2,
         {"pcie.host_read_gb_s"});
  expect("run sdpa --max-time soon", 2, {"time 'soon'", "ns, us, ms"});
  expect("run sdpa --system quad_rink", 2, {"quad_rink", "did you mean 'quad_ring'?"});
  expect("run sdpa --device /nowhere/lib.so", 2, {"/nowhere/lib.so"});
  expect("run sdpa --bananas", 2, {"run: unknown option '--bananas' "});
  expect("run sdpa --sett a=1", 2, {"run: unknown option '--sett'; did you mean '--set'?"});
  expect("run sdpa --reprot=a.json", 2, {"'--reprot'; did you mean '--report'?"});
  expect("run fabric_latency --system pair", 2, {"a line of 3 devices", "the system has 2"});
  expect("run fabric_latency --set hops=4", 2, {"a line of 5 devices", "the system has 4"});
}

TEST_F(Cli, RefusesPagesThatDramCannotRead) {
  for (const char* page : {"33", "36", "48", "65535"})
    expect("run dram_loopback --set page_bytes=" + std::string(page), 2,
           {"dram_loopback.page_bytes: " + std::string(page) + ": expected a multiple of 32"});
}

TEST_F(Cli, TellsItsCommandsAndItsVersion) {
  expect("help", 0, {"Usage: ./vp", "run ", "sweep ", "bench ", "help ", "test [CTEST ARGUMENTS]"});
  expect("--help", 0, {"Usage: ./vp", "compare "});
  expect("help sweep", 0, {"Usage: ./vp sweep", "--vary", "--out"});
  for (const char* command : {"test", "lint", "coverage", "mutate"})
    expect(std::string("help ") + command, 0, {command});
  expect("help dance", 2, {"unknown command 'dance'", "run, sweep, list", "test", "vp list NAME"});
  expect("--version", 0, {"tensix-vp 0.3.0"});
}

// Man page, completion and reference page name every command and option that --help names.
TEST_F(Cli, ManualsComeFromTheSameDeclarationsAsHelp) {
  const std::vector<std::string> names{"sweep", "--vary", "replay", "--descriptors", "--lockstep"};
  std::vector<std::string> escaped{".TH TENSIX-VP 1", ".SH EXIT STATUS"};
  for (const std::string& name : names) {
    std::string troff;
    for (const char c : name) troff += c == '-' ? std::string("\\-") : std::string(1, c);
    escaped.push_back(troff);
  }
  expect("help --as man", 0, escaped);
  expect("help --as markdown", 0, names);
  expect("help --as zsh", 0, names);
  const test::Outcome bash = test::vp("help --as bash");
  expect(bash, "bash", 0, names);
  const std::string script =
      write("complete.sh", bash.output +
                               "COMP_WORDS=(tensix-vp run sdpa --system qu)\n"
                               "COMP_CWORD=4\n_tensix_vp\n"
                               "echo system=${COMPREPLY[@]}\n"
                               "COMP_WORDS=(tensix-vp run noc_ex)\nCOMP_CWORD=2\n"
                               "_tensix_vp\necho workload=${COMPREPLY[@]}\n");
  expect(test::execute("bash " + script), "completion", 0,
         {"system=quad_ring", "workload=noc_exchange"});
  expect("help --as pdf", 2, {"--as pdf: expected man, bash, zsh or markdown"});
}

TEST_F(Cli, RefusesProductsThatItCannotDivide) {
  const std::pair<const char*, const char*> cases[] = {
      {"m=33", "matmul.m: is 33: expected a multiple of 32"},
      {"k=100", "matmul.k: is 100: expected a multiple of 32"},
      {"n=64,subblock_n=3", "matmul.subblock_n: is 3: expected a divisor of the 2 tiles of n"},
      {"k=96,blocks=2", "matmul.blocks: is 2: expected a divisor of the 3 tiles of k"},
  };
  for (const auto& [settings, text] : cases) {
    expect(std::string("run matmul --set ") + settings, 2, {text});
  }
}

TEST_F(Cli, BadSystemsNameFileAndLine) {
  const std::string file =
      write("bad.toml", "schema = 1\nname = \"bad\"\n[[chip]]\nid = 0\ncolour = 3\n");
  expect("run dram_loopback --system " + file, 2, {"bad.toml:5", "colour"});
  const std::string key = write("key.toml",
                                "schema = 1\nname = \"key\"\n[[chip]]\nid = 0\npci_device = 0\n"
                                "[noc]\nhop_cycles = 0\n");
  expect("run dram_loopback --system " + key, 2, {"key.toml:7", "noc.hop_cycles"});
  const std::string foreign = write("foreign.toml",
                                    "schema = 1\nname = \"foreign\"\n[[chip]]\nid = 0\n"
                                    "pci_device = 0\n[pim]\nbarrier = \"fixed\"\n");
  expect("run dram_loopback --system " + foreign, 2,
         {"foreign.toml:7", "'pim.barrier' has no effect on foreign", "kind pim"});
  const std::string group = write(
      "group.toml", "schema = 1\nname = \"own\"\nextends = \"pair\"\n[nock]\nhop_cycles = 9\n");
  const std::vector<std::string> told = {group + ":5: unknown key 'nock.hop_cycles'",
                                         "did you mean 'noc.hop_cycles'?"};
  expect("run noc_exchange --system " + group, 2, told);
  expect("list " + group, 2, told);
}

TEST_F(Cli, RefusesKeysWithoutEffectUnderOthers) {
  expect("run pim_allreduce --set mesh.flow_control=hold,mesh.link_cycles=3", 2,
         {"'mesh.link_cycles' has no effect with mesh.flow_control=hold: expected "
          "mesh.flow_control=buffered"});
  expect("run pim_allreduce --set pim.dq_halves=true", 2,
         {"'pim.dq_halves' has no effect with pim.network=mesh: expected pim.network=tiers"});
  expect("run pim_allreduce --set pim.crossbar=rtl", 2, {"'pim.crossbar' has no effect"});
  expect("run pim_allreduce --set pim.ca_barrier=rtl,pim.barrier=fixed", 2,
         {"'pim.ca_barrier' has no effect with pim.barrier=fixed"});
  expect("run mesh --set traffic.points=4", 2,
         {"'traffic.points' has no effect with traffic.load_to=0: expected traffic.load_to!=0"});
  expect("run sdpa --set dram.read_efficiency=0.5", 2, {"expected dram.controller=service"});
  expect("run pim_allreduce --set algorithm=host,order=hamiltonian", 2,
         {"--set: 'pim_allreduce.order' has no effect with pim_allreduce.algorithm=host: expected "
          "pim_allreduce.algorithm=ring"});
  // A key of a description needs what the description has, unless the user changes that.
  const std::string text = "schema = 1\nname = \"own\"\nextends = \"pim_rank\"\n[mesh]\nvcs = 3\n";
  const std::string hold = write("hold.toml", text + "flow_control = \"hold\"\n");
  expect("run pim_allreduce --system " + hold, 2, {"hold.toml:5", "'mesh.vcs' has no effect"});
  const std::string other = write("other.toml", text);
  expect("run pim_allreduce --set bytes=64,mesh.flow_control=hold --system " + other, 0, {});
  const std::string chip =
      "schema = 1\nname = \"own\"\nextends = \"single_chip\"\n[[chip]]\nid = 0\npci_device = 0\n"
      "[chip.dram]\n";
  const std::string service = "controller = \"service\"\n";
  expect("run dram_loopback --system " + write("banked.toml", chip + "refresh_cycles = 9\n"), 2,
         {"banked.toml:8", "chip 0: 'dram.refresh_cycles' has no effect"});
  expect("run dram_loopback --set pages=1 --system " +
             write("service.toml", chip + service + "refresh_cycles = 9\n"),
         0, {});
  expect("run dram_loopback --set pages=1,dram.refresh_cycles=9 --system " +
             write("both.toml", chip + service),
         0, {});
}

TEST_F(Cli, MeshesRunUnderSyntheticTraffic) {
  const std::string report = path("mesh.json");
  const std::string load =
      "--set traffic.measure_cycles=1000,traffic.load=0.1,traffic.load_to=0.3,traffic.points=2";
  expect("run mesh --seed 3 " + load + " --report " + report, 0, {"mesh_8x8: passed"});
  const auto json = test::read_json(report);
  ASSERT_EQ(json["curves"].size(), 2u);
  EXPECT_EQ(json["curves"][0]["series"][0]["x"], nlohmann::json({0.1, 0.3}));
  EXPECT_EQ(json["curves"][0]["y_scale"], "log");
  EXPECT_EQ(json["curves"][1]["y_scale"], "linear");
  ASSERT_EQ(json["heatmaps"].size(), 4u);
  EXPECT_EQ(json["heatmaps"][0]["values"].size(), 8u);
  // From north to south, by the coordinates of the routers.
  EXPECT_EQ(json["heatmaps"][0]["rows"], nlohmann::json({"7", "6", "5", "4", "3", "2", "1", "0"}));
  const std::string again = path("again.json");
  expect("run mesh --quiet --seed 3 " + load + " --report " + again, 0, {});
  EXPECT_EQ(json["state_digest"], test::read_json(again)["state_digest"]);
  expect("run mesh --set mesh.routing=unrestricted", 2, {"mesh.routing", "circle", ".north -> "});
  expect("run mesh --set mesh.height=4,traffic.pattern=transpose", 2, {"transpose", "square"});
  expect("run mesh --set mesh.wdth=4", 2, {"mesh.wdth", "did you mean 'mesh.width'?"});
  expect("run mesh --system n150", 2, {"kind mesh"});
}

// The workload checks the data at the workers. A core that passes a message on takes as long as
// tt-metal's: 0.21 GB/s one way and 0.13 GB/s both ways with 16 B.
TEST_F(Cli, MessagesGoOnToWorkers) {
  const auto metric = [&](const std::string& run, const std::string& name) {
    const std::string report = path("workers.json");
    expect("run " + run + " --report " + report, 0, {"passed"});
    return test::read_json(report)["metrics"][name]["value"].get<double>();
  };
  const std::string rates = "ethernet_bandwidth --set ethernet_bandwidth.worker=true";
  EXPECT_NEAR(metric(rates, "rate_16"), 0.21, 0.01);
  EXPECT_NEAR(metric(rates + ",both_ways=true", "rate_16"), 0.13, 0.01);
  const double alone = metric("ethernet_latency", "round_trip_16");
  EXPECT_GT(metric("ethernet_latency --set ethernet_latency.worker=true", "round_trip_16"),
            alone + 50);
}

// Two links per edge carry 25 GB/s; workers and routers cost the rest.
TEST_F(Cli, ARingOfChipsKeepsItsLinksBusy) {
  const std::string report = path("ring.json");
  expect("run collective --system t3000 --set op=all_reduce,algo=ring,bytes=1M --report " + report,
         0, {"collective", "passed"});
  EXPECT_GT(test::read_json(report)["metrics"]["busbw"]["value"].get<double>(), 0.84 * 25);
}

TEST_F(Cli, DramAloneRunsUnderPatternsAndTraces) {
  const std::string report = path("dram.json");
  const std::string load = "--set dram_traffic.pattern=random,dram_traffic.requests=20000";
  expect("run dram --seed 3 " + load + " --report " + report, 0,
         {"dram on ddr4_2400: passed", "read_p99_ns"});
  const auto first = test::read_json(report);
  EXPECT_EQ(first["metrics"]["requests"]["value"], 20000);
  EXPECT_EQ(first["dram"][0]["reads"], 20000);
  EXPECT_EQ(first["dram"][0]["commands"]["RD"], 20000);
  const std::string again = path("again.json");
  expect("run dram --quiet --seed 3 " + load + " --report " + again, 0, {});
  EXPECT_EQ(test::read_json(again)["state_digest"], first["state_digest"]);
  expect("run dram --quiet --seed 4 " + load + " --report " + again, 0, {});
  EXPECT_NE(test::read_json(again)["state_digest"], first["state_digest"]);

  const std::string mixed = ",dram_traffic.read_share=0.5,dram_traffic.working_set_bytes=65536";
  expect("run dram --system ddr5_4800 " + load + mixed + ",dram.refresh=bank", 0, {"passed"});
  expect("run dram --system gddr6 " + load + mixed + ",dram.page=closed", 0, {"passed"});
  const std::string trace = write("good.txt", "0 R 0x40\n+10 W 64\n+1 R 64\n");
  expect("run dram --set dram_traffic.pattern=trace,dram_traffic.trace=" + trace, 0,
         {"requests              3"});
  const std::string foreign = write("good.stl", "0:\twrite\t0x0\n1: (128) read\t0x80\n");
  const std::string timing = write("part.cfg",
                                   "standard = DDR4\nspeed = DDR4_3200AA\norg = DDR4_4Gb_x16\n"
                                   "channels = 2\nranks = 2\n");
  expect("run dram --set dram.page=auto_precharge,dram_traffic.pattern=trace,dram_traffic.trace=" +
             foreign + ",dram_traffic.timing_file=" + timing,
         0, {"requests              3"});
}

TEST_F(Cli, DramAloneRefusesWhatDoesNotFit) {
  const std::string trace = write("bad.txt", "0 R 0x40\n5 read 64\n");
  expect("run dram --set dram_traffic.pattern=trace,dram_traffic.trace=" + trace, 2,
         {"bad.txt:2", "'read'", "expected R or W"});
  const std::string foreign = write("foreign.txt", "0x40 READ 5\n0x80 REED 6\n");
  expect("run dram --set dram_traffic.pattern=trace,dram_traffic.trace=" + foreign, 2,
         {"foreign.txt:2", "'REED'", "DRAMsim3: 0xADDRESS READ|WRITE CYCLE"});
  const std::string timing = write("timing.ini", "[timing]\nprotocol = HMC\n");
  expect("run dram --set dram_traffic.timing_file=" + timing, 2,
         {"timing.ini:2", "protocol 'HMC'", "expected DDR3 or DDR4"});
  expect("run dram --set dram.mapping=row:bank:column", 2, {"bankgroup lacks 2 bits"});
  expect("run dram --set dram.refresh=bank", 2, {"ddr4_2400 has no refresh of single banks"});
  expect("run dram --set dram.refresh_postpone=5 --system ddr5_4800", 2, {"permits 4", "not 5"});
  expect("run dram --set dram.write_low=32", 2, {"dram.write_low", "not below"});
  expect("run dram --set dram_traffic.working_set_bytes=100", 2, {"multiple of a burst's 64"});
  expect("run dram --set dram.pge=open", 2, {"dram.pge", "did you mean 'dram.page'?"});
  expect("run dram --system n150", 2, {"kind dram"});
  expect("run dram --max-time 100ns", 5, {"before all requests were answered"});
}

TEST_F(Cli, DevicesWithoutARingAreRefusedBeforeChipsAreBuilt) {
  const auto refused = [&](const std::string& run, const std::vector<std::string>& parts) {
    expect_no_chips("run sdpa " + run, parts);
  };
  refused("--system single_chip", {"sdpa.devices: system single_chip has 1 devices"});
  refused(R"(--system galaxy --set 'devices="0,1,2,3"')",
          {"sdpa.devices: chips ", "system galaxy joins them by 0 links: expected 2"});
  refused("--system galaxy --set devices=24", {"24 devices: expected 2, 4, 8, 16 or 32"});
  refused("--system t3000 --set devices=16", {"no ring of 16 devices: system t3000 has 8"});
  refused(R"(--system pair --set 'devices="0,4"')", {"chip 4: system pair has devices 0,1"});
  refused("--system pim_rank", {"system pim_rank: has no chips"});
  refused("--system galaxy --set devices=8,sequence=100", {"sdpa.sequence: 100", "devices, 8"});
  refused("--system galaxy --set head_dim=100", {"sdpa.head_dim: 100", "multiple of 32"});
  refused("--system galaxy --set head_dim=2048", {"head_dim", "expected an integer"});
  refused("--system galaxy --set decode=true,devices=8,sequence=128",
          {"sdpa.sequence: 128 is not a multiple of 32 times the number of devices, 8"});
  refused("--system galaxy --set decode=true,numerator=a,sum=b,max=c", {"sdpa.decode: true"});
}

TEST_F(Cli, CollectivesThatTheLinksForbidAreRefusedBeforeChipsAreBuilt) {
  const auto refused = [&](const std::string& settings, const std::vector<std::string>& parts) {
    expect_no_chips("run collective --system galaxy --set " + settings, parts);
  };
  refused("algo=torus", {"collective.algo: is torus for 32 ranks of a mesh of 4 x 8: expected"});
  refused("algo=torus,tiers=5x7", {"expected all ranks of a ring or torus"});
  refused("algo=inc", {"needs a switch: expected a system that has one"});
  refused("ranks=33", {"collective.ranks: is 33, the system has 32"});
  refused("op=broadcast,root=40", {"root 40: expected a rank below 32"});
  refused("op=all_to_all", {"algorithm ring: does not support all_to_all"});
  refused("variant=fast", {"variant fast: the algorithm has no variants"});
  refused("redop=bor", {"collective.redop: is bor, which fp32 lacks"});
  refused("bytes=64Q", {"collective.bytes: '64Q' is no size"});
  for (const char* algo : {"ring", "auto", "all"})
    refused(std::string("'bytes=\"1K,777\"',type=bf16,algo=") + algo,
            {"collective.bytes: is 777: expected a multiple of 2, not 0"});
  refused("algo=auto,ranks=33", {"is 33, the system has 32"});
  expect_no_chips("run parallel --system galaxy --set inner=100",
                  {"parallel.inner: is 100: expected a multiple of 1024"});
  expect_no_chips("run parallel --system single_chip", {"expected 2 or more"});
}

TEST_F(Cli, InputFilesOfTheWrongShapeAreRefused) {
  const std::string numerator = npy("n.npy", "(4, 8, 8, 64)", 4 * 8 * 8 * 64);
  const std::string sum = npy("s.npy", "(4, 8, 8)", 4 * 8 * 8);
  const std::string max = npy("m.npy", "(4, 8, 8)", 4 * 8 * 8);
  expect("run sdpa --set numerator=" + numerator + ",sum=" + sum + ",max=" + max, 2,
         {"n.npy", "shape"});
  expect("run sdpa --set numerator=" + path("none.npy") + ",sum=" + sum + ",max=" + max, 2,
         {"none.npy"});
  expect(
      "run sdpa --set numerator=" + write("x.npy", "not an array") + ",sum=" + sum + ",max=" + max,
      2, {"x.npy"});
}

TEST_F(Cli, MaxTimeEndsTheRunAndStillReports) {
  const std::string report = path("r.json");
  expect("run dram_loopback --max-time 5us --report " + report, 5, {"time limit"});
  const auto json = test::read_json(report);
  EXPECT_EQ(json["exit_code"], 5);
  EXPECT_EQ(json["passed"], false);
  EXPECT_GE(json["simulated_ps"].get<std::uint64_t>(), 5'000'000u);
  EXPECT_EQ(json["settings"]["max_time_ns"]["value"], "5000");
}

TEST_F(Cli, ReportsSayWhatHappened) {
  const std::string report = path("r.json");
  expect("run dram_loopback --quiet --seed 3 --report " + report, 0, {});
  const auto json = test::read_json(report);
  EXPECT_EQ(json["passed"], true);
  EXPECT_EQ(json["seed"], 3);
  EXPECT_EQ(json["system"], "single_chip");
  EXPECT_GT(json["executed_instructions"].get<std::uint64_t>(), 1000u);
  EXPECT_GT(json["simulated_ps"].get<std::uint64_t>(), 0u);
  EXPECT_FALSE(json["state_digest"].get<std::string>().empty());
  EXPECT_FALSE(json["cores"].empty());
  EXPECT_FALSE(json["phases"].empty());
}

TEST_F(Cli, SimulatedTimeEndsWithThePrograms) {
  const auto report_of = [&](const std::string& run) {
    expect("run " + run + " --quiet --report " + path("r.json"), 0, {});
    return test::read_json(path("r.json"));
  };
  const auto copy = report_of("dram_loopback");
  EXPECT_EQ(copy["simulated_ns"], copy["phases"][0]["end_ns"]);
  // Firmware runs a little longer than the last phase, and the clock advances in steps.
  for (const char* run : {"sdpa", "pim_allreduce --set bytes=1024"}) {
    const auto report = report_of(run);
    const double last = report["phases"].back()["end_ns"];
    EXPECT_GE(report["simulated_ns"], last) << run;
    EXPECT_LT(report["simulated_ns"], last + 250) << run;
  }
}

TEST_F(Cli, HeatMapsAgreeWithLinks) {
  expect("run pim_allreduce --set bytes=1024 --quiet --report " + path("r.json"), 0, {});
  const auto json = test::read_json(path("r.json"));
  unsigned compared = 0;
  for (const auto& map : json["heatmaps"]) {
    for (std::size_t row = 0; row < map["rows"].size(); ++row) {
      for (std::size_t column = 0; column < map["columns"].size(); ++column) {
        const std::string name = map["name"];  // load of links north
        const std::string link = "(" + map["columns"][column].get<std::string>() + "," +
                                 map["rows"][row].get<std::string>() + ")." +
                                 name.substr(name.rfind(' ') + 1);
        for (const auto& l : json["links"]) {
          if (l["name"] != link) continue;
          const double share =
              100 * l["busy_ns"].get<double>() / json["simulated_ns"].get<double>();
          EXPECT_NEAR(map["values"][row][column].get<double>(), share, 1e-6 * share) << link;
          ++compared;
        }
      }
    }
  }
  EXPECT_EQ(compared, json["links"].size());
  EXPECT_GT(compared, 50u);
}

TEST_F(Cli, APageShowsTheRun) {
  expect("run noc_exchange --quiet --page " + path("p.html"), 0, {});
  const std::string page = test::read_file(path("p.html"));
  for (const char* part :
       {"<title>noc_exchange on ", "busier link of each router", "draw_heat_map"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

TEST_F(Cli, AFileThatCannotBeWrittenIsAnError) {
  for (const std::string option : {"--report", "--page"}) {
    expect("run noc_exchange --quiet " + option + " /nowhere/out", 2,
           {"cannot write the report to /nowhere/out"});
    expect("run noc_exchange --quiet " + option + " " + path(""), 2, {"cannot write", path("")});
    // A file that turns out to be full is reported after the run.
    expect("run noc_exchange --quiet " + option + " /dev/full", 71,
           {"/dev/full: cannot be written to its end"});
  }
  fs::create_symlink("/dev/full", path("full.vcd"));
  expect("run noc_exchange --quiet --wave " + path("full.vcd"), 71,
         {"full.vcd: cannot be written to its end"});
  expect("run noc_exchange --quiet --trace /dev/full", 71,
         {"/dev/full: cannot be written to its end"});
}

TEST_F(Cli, AFolderIsNoInputFile) {
  expect("run dram --quiet --set dram_traffic.pattern=trace,dram_traffic.trace=" + path(""), 2,
         {path(""), "cannot be read"});
  expect("compare " + path("") + " " + path(""), 2, {path(""), "cannot be read"});
  expect("run elf --quiet --set elf.file=" + path(""), 2, {path(""), "is a directory"});
  expect("run noc_exchange --quiet --system " + path(""), 2, {path("")});
}

TEST_F(Cli, ListsTheLimitsOfTheModels) {
  expect("list --limits", 0,
         {"\nethernet\n", "\nnoc\n  * ", "\ntensix/coprocessor\n", "ARB_PRIORITY"});
}

TEST_F(Cli, TheSameRunHasTheSameBitsAndPicoseconds) {
  const auto run = [&](const std::string& options, const std::string& name) {
    expect("run noc_exchange --quiet " + options + " --report " + path(name), 0, {});
    auto json = test::read_json(path(name));
    return std::pair{json["state_digest"].get<std::string>(),
                     json["simulated_ps"].get<std::uint64_t>()};
  };
  const auto first = run("", "a.json");
  EXPECT_EQ(first, run("", "b.json"));
  EXPECT_EQ(first, run("--lockstep", "c.json"));
  // Random delays of packets have a seed, too. The workload checks its results.
  const auto delayed = run("--set noc.jitter=100", "d.json");
  EXPECT_GT(delayed.second, first.second);
  EXPECT_EQ(delayed, run("--lockstep --set noc.jitter=100", "e.json"));
  EXPECT_NE(delayed, run("--set noc.jitter=100,noc.jitter_seed=2", "f.json"));
  expect("run noc_exchange --set noc.jitter_seed=2", 2,
         {"'noc.jitter_seed' has no effect with noc.jitter=0: expected noc.jitter!=0"});
}

TEST_F(Cli, OneMissingInstructionOfTheVectorUnitFailsTheGolden) {
  expect("run sdpa --set coprocessor.drop_opcode=SFPMADD", 2, {"SFPMADD", "mnemonic"});
  expect(
      "run sdpa --quiet --set coprocessor.drop_opcode=SFPMAD,coprocessor.drop_nth=1,"
      "'coprocessor.drop_in=\"chip0.tensix(1,1)\"'",
      1, {});
}

}  // namespace
}  // namespace tvp
