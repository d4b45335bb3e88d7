#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "foundation/chip/chip_rules.h"
#include "foundation/settings.h"
#include "foundation/settings_registry.h"
#include "models/dram/dram_config.h"
#include "models/dram/traffic/dram_traffic_config.h"
#include "models/ethernet/ethernet_config.h"
#include "models/host/pcie_config.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/traffic/mesh_traffic_config.h"
#include "models/noc/noc_config.h"
#include "models/pim/host/host_config.h"
#include "models/pim/host/host_traffic_config.h"
#include "models/pim/pim_config.h"
#include "models/riscv/core_config.h"
#include "models/support/foreign_memory.h"
#include "models/switch/switch_config.h"
#include "models/tensix/coprocessor/config/movement_config.h"
#include "models/tensix/coprocessor/coprocessor_config.h"

namespace tvp::platform {

class Ranks;

/// Keys that belong to the run, not to a block.
struct RunConfig : foundation::SettingGroup {
  RunConfig() : SettingGroup("", SetBy::kRun) {}
  foundation::Choice faults{*this,
                            {"faults", "",
                             "stop: a firmware fault ends the run; warn: the run reports it and "
                             "continues as silicon does",
                             foundation::kOwnChoice},
                            {.value = "stop", .choices = {"stop", "warn"}}};
  foundation::Choice warnings{*this,
                              {"warnings", "",
                               "at_once: each warning is printed when it arises; report: only the "
                               "report lists them",
                               foundation::kOwnChoice},
                              {.value = "at_once", .choices = {"at_once", "report"}}};
  foundation::Setting<bool> lockstep{
      *this,
      {"lockstep", "", "horizons of one cycle, every poll executed; same results, slower",
       foundation::kOwnChoice},
      false};
  foundation::Setting<bool> keep_stores{
      *this,
      {"keep_stores", "",
       "record stores of cores, too, so that reports of wrong results name them; same results, "
       "slower",
       foundation::kOwnChoice},
      false};
  foundation::Setting<unsigned> threads{
      *this,
      {"threads", "",
       "host threads that simulate the chips; same results. With waves, traces, gdb or access of "
       "chips to host memory, one thread is used",
       foundation::kOwnChoice},
      {.value = 1, .min = 1, .max = 256}};
  foundation::Setting<std::uint64_t> max_time_ns{
      *this,
      {"max_time_ns", "ns", "simulated time at which the run stops; 0: never",
       foundation::kOwnChoice},
      {.value = 0, .min = 0, .max = ~std::uint64_t{0}}};
};

/// Settings of runs under mpirun.
struct MpiConfig : foundation::SettingGroup {
  MpiConfig() : SettingGroup("mpi", SetBy::kRun) {}
  foundation::Text placement{*this,
                             {"placement", foundation::kNoFile,
                              "rank of each chip, in the order of the system's chips and separated "
                              "by spaces; empty: each rank has chips that follow each other",
                              foundation::kOwnChoice},
                             ""};
};

/// The chips' clock, and dimensions that replace those of their descriptions.
struct ChipConfig : foundation::SettingGroup {
  ChipConfig() : SettingGroup("chip", SetBy::kDescription) {}
  foundation::Setting<unsigned> aiclk_mhz{
      *this,
      {"aiclk_mhz", "MHz", "clock of the tiles and of the NoC", "ISA WormholeB0/README.md"},
      {.value = 1000, .min = 1, .max = 2000}};

  static constexpr const char* kShape = "chip's description";
  foundation::Setting<unsigned> columns{
      *this,
      {"columns", "", "columns of the NoCs; 0: as the chip's description says", kShape},
      {.value = 0, .min = 0, .max = 16}};
  foundation::Setting<unsigned> rows{
      *this,
      {"rows", "", "rows of the NoCs; 0: as the chip's description says", kShape},
      {.value = 0, .min = 0, .max = 16}};
  foundation::Setting<unsigned> dram_channels{
      *this,
      {"dram_channels", "", "DRAM channels; 0: as the chip's description says", kShape},
      {.value = 0, .min = 0, .max = 64}};
  foundation::Setting<unsigned> ethernet_channels{
      *this,
      {"ethernet_channels", "", "ethernet tiles; 0: as the chip's description says", kShape},
      {.value = 0, .min = 0, .max = 64}};
  foundation::Setting<unsigned> l1_kib{
      *this,
      {"l1_kib", "KiB",
       "L1 of a Tensix tile, of which packers reach 2 MiB; 0: as the chip's description says",
       kShape},
      {.value = 0, .min = 0, .max = foundation::kMostTensixL1Bytes >> 10}};
};

/// Settings of runtimes that start kernels (sw/runtime/devices/start_moments.h). No model uses
/// them.
struct LaunchConfig : foundation::SettingGroup {
  LaunchConfig() : SettingGroup("launch", SetBy::kRun) {}
  foundation::Setting<std::uint32_t> start_spread{
      *this,
      {"start_spread", "cycles",
       "each core of a program starts a random 0 to this many cycles late (launch.seed); 0: all "
       "start at once. tt-metal's lists of device times show 100 to 650 cycles between first and "
       "last core, up to 2500 in traces",
       foundation::kOwnChoice},
      {.value = 0, .min = 0, .max = 1'000'000}};
  foundation::Setting<std::uint64_t> seed{
      *this,
      {"seed", "", "seed of the random delays of launch.start_spread; vp run --seed sets it",
       foundation::kOwnChoice},
      {.value = 1, .min = 0, .max = ~std::uint64_t{0}}};
};

/// Settings of runtimes that compile kernels (sw/runtime/compiler/kernel_compiler.h). No model uses
/// them.
struct KernelConfig : foundation::SettingGroup {
  KernelConfig() : SettingGroup("kernel", SetBy::kRun) {}
  foundation::Choice optimize{
      *this,
      {"optimize", "",
       "kernels are compiled for speed, as their program says, or for debug (-Og): gdb finds their "
       "statements and variables, and they are slower",
       foundation::kOwnChoice},
      {.value = "speed", .choices = {"speed", "debug"}}};
};

/// Wave and trace files. Recording never changes a simulated time.
struct WaveConfig : foundation::SettingGroup {
  WaveConfig() : SettingGroup("wave", SetBy::kRun) {}
  bool wanted() const { return !file.value().empty() || !trace.value().empty(); }
  foundation::Text file{*this,
                        {"file", foundation::kOutputFile, "wave file to write, .fst or .vcd",
                         foundation::kOwnChoice, "--wave FILE"},
                        ""};
  foundation::Text trace{*this,
                         {"trace", foundation::kOutputFile,
                          "trace to write, .pftrace for Perfetto or .json for Chrome",
                          foundation::kOwnChoice, "--trace FILE"},
                         ""};
  foundation::Text scope{*this,
                         {"scope", foundation::kNoFile,
                          "shell pattern of the signals' paths, e.g. chip0.*.BRISC.*; empty: "
                          "all but virtual channels and transaction ids",
                          foundation::kOwnChoice, "--wave-scope PATTERN"},
                         ""};
  foundation::Setting<std::uint64_t> from_ns{
      *this,
      {"from_ns", "ns", "where the file begins", foundation::kOwnChoice, "--wave-from TIME"},
      {.value = 0, .min = 0, .max = ~std::uint64_t{0} / 1000}};
  foundation::Setting<std::uint64_t> to_ns{
      *this,
      {"to_ns", "ns", "end of the recorded time; 0: end of the run", foundation::kOwnChoice,
       "--wave-to TIME"},
      {.value = 0, .min = 0, .max = ~std::uint64_t{0} / 1000}};
};

/// The profile of the cores' cycles. It never changes a simulated time.
struct ProfileConfig : foundation::SettingGroup {
  ProfileConfig() : SettingGroup("profile", SetBy::kRun) {}
  foundation::Text file{*this,
                        {"file", foundation::kOutputFile,
                         "profile to write: where the cycles of all cores go, by source line; "
                         ".callgrind, .folded or .csv",
                         foundation::kOwnChoice, "--profile FILE"},
                        ""};
};

/// The recording of the host's accesses for `vp replay` (foundation/recording/README.md).
struct RecordConfig : foundation::SettingGroup {
  RecordConfig() : SettingGroup("record", SetBy::kRun) {}
  foundation::Text file{
      *this,
      {"file", foundation::kOutputFile, "file for the host's accesses to the chips, for vp replay",
       foundation::kOwnChoice, "--record FILE"},
      ""};
  foundation::Text events{
      *this,
      {"events", foundation::kOutputFile,
       "file for the events that the checks of the firmware see, to repeat a check without the run",
       foundation::kOwnChoice},
      ""};
  foundation::Text report{
      *this,
      {"report", foundation::kOutputFile,
       "file for the library's report, settings and error, for vp exec --report",
       foundation::kOwnChoice},
      ""};
};

/// A debugger that controls the run. It never changes a simulated time.
struct GdbConfig : foundation::SettingGroup {
  GdbConfig() : SettingGroup("gdb", SetBy::kRun) {}
  foundation::Setting<std::uint16_t> port{
      *this,
      {"port", "", "TCP port of this computer that gdb-multiarch connects to; 0: none",
       foundation::kOwnChoice, "--gdb PORT"},
      {.value = 0, .min = 0, .max = 65535}};
  foundation::Text cores{*this,
                         {"cores", foundation::kNoFile,
                          "shell pattern of the cores that gdb sees, e.g. chip0.tensix(1,1).* or "
                          "unit5; without one, all",
                          foundation::kOwnChoice},
                         ""};
  foundation::Setting<unsigned> checkpoints{
      *this,
      {"checkpoints", "",
       "copies of the process that gdb's reverse commands start from; 0: no reverse execution",
       foundation::kOwnChoice},
      {.value = 16, .min = 0, .max = 64}};
};

/// Parts of a system that modules of a user provide, in a simulation that the user runs.
struct ForeignParts {
  struct DramChannel {
    unsigned chip = 0;
    unsigned group = 0;    ///< number of the group of DRAM tiles
    unsigned channel = 0;  ///< number within the group
    auto operator<=>(const DramChannel&) const = default;
  };
  struct Node {
    unsigned chip = 0;
    unsigned x = 0;  ///< NoC 0 coordinates
    unsigned y = 0;
    auto operator<=>(const Node&) const = default;
  };
  /// Registers of the user's modules on the bus of a Tensix tile.
  struct Devices {
    Node tile;
    std::uint32_t base = 0;
    std::uint32_t bytes = 0;
  };
  struct EthernetChannel {
    unsigned chip = 0;
    unsigned channel = 0;
    auto operator<=>(const EthernetChannel&) const = default;
  };
  bool shared_kernel = false;  ///< the user calls sc_start(); Machine::clock() is not used
  bool host_memory = false;
  std::set<DramChannel> dram;
  std::set<Node> nodes;
  std::set<EthernetChannel> links;  ///< ends of links; a link of the description is cut
  std::vector<Devices> devices;
  support::ForeignMemory::Timing timing = support::ForeignMemory::Timing::kApproximate;
  std::uint32_t dram_burst_bytes = 0;
};

/// Every key of the platform and its models.
struct PlatformConfig {
  PlatformConfig() {
    for (foundation::SettingGroup* group : std::initializer_list<foundation::SettingGroup*>{
             &run,     &launch,       &kernel, &wave,        &profile,      &record,   &mpi,  &gdb,
             &chip,    &noc,          &riscv,  &coprocessor, &movement,     &ethernet, &dram, &mesh,
             &traffic, &dram_traffic, &pim,    &switches,    &host_traffic, &host,     &pcie}) {
      registry.add(*group);
    }
  }
  /// Called between the steps of a long construction, which an exception of it ends.
  std::function<void()> between = [] {};
  ForeignParts foreign;
  Ranks* ranks = nullptr;  ///< the processes that share the simulation; null: this one only
  RunConfig run;
  LaunchConfig launch;
  KernelConfig kernel;
  WaveConfig wave;
  ProfileConfig profile;
  RecordConfig record;
  MpiConfig mpi;
  GdbConfig gdb;
  ChipConfig chip;
  noc::NocConfig noc;
  riscv::CoreConfig riscv;
  tensix::coprocessor::CoprocessorConfig coprocessor;
  tensix::coprocessor::MovementConfig movement;
  ethernet::EthernetConfig ethernet;
  dram::DramConfig dram;
  dram::DramTrafficConfig dram_traffic;
  mesh::MeshConfig mesh;
  mesh::MeshTrafficConfig traffic;
  pim::PimConfig pim;
  switching::SwitchConfig switches;
  pim::HostTrafficConfig host_traffic;
  pim::HostConfig host;
  host::PcieConfig pcie;
  foundation::SettingsRegistry registry;
  std::set<std::string> explicitly_set;  ///< keys that a system description may not override
};

}  // namespace tvp::platform
