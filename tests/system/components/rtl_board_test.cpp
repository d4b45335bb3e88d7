// RTL that keys put into a board: firmware reads and writes a node and a device, and the node
// accesses a tile. Places that are wrong or taken are refused.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "foundation/regs/noc.h"
#include "tests/support/report_recorder.h"
#include "tests/system/components/rv32.h"
#include "tests/system/components/tile_bench.h"

namespace {

namespace noc = tvp::regs::noc;
using namespace rv32;
using namespace tvp::tests;
using Settings = std::vector<std::pair<std::string, std::string>>;

// Words of the mailbox.
constexpr std::uint32_t kReadBack = 4;   // value that the firmware wrote to the node
constexpr std::uint32_t kCopied = 8;     // value that the node read from L1
constexpr std::uint32_t kOfDevice = 12;  // value that the firmware wrote to the device
constexpr std::uint32_t kCycles = 16;
constexpr std::uint32_t kByNode = 24;  // 64 bits that the node writes
// Addresses of the node (copy_node.sv); those in L1 have the same place in a line.
constexpr std::uint32_t kNodeWord = 0x100;
constexpr std::uint32_t kNodeValue = 0x2000;
constexpr std::uint32_t kNodeAddress = 0x2008;
constexpr std::uint32_t kNodeCopy = 0x2010;
constexpr std::uint32_t kValue = 0x11223344;

/// Moves 8 bytes between L1 and node (2,1) and waits for the response. Register 3 has 0x9000.
void transfer(std::vector<std::uint32_t>& program, bool write, std::uint32_t l1,
              std::uint32_t node) {
  const std::uint32_t counter = write ? 0x204 : 0x208;  // acknowledged writes, answered reads
  program.push_back(lw(8, 6, counter));
  const std::uint32_t here = noc::mid_unicast(1, 1);
  const std::uint32_t there = noc::mid_unicast(2, 1);
  command(program, {{noc::kTargAddrLo, write ? l1 : node},
                    {noc::kTargAddrMid, write ? here : there},
                    {noc::kRetAddrLo, write ? node : l1},
                    {noc::kRetAddrMid, write ? there : here},
                    {noc::kCtrl, (write ? noc::kCmdWr : noc::kCmdRd) | noc::kCmdRespMarked},
                    {noc::kAtLenBe, 8}});
  program.insert(program.end(), {lw(10, 6, counter), back_if_equal(10, 8, 4)});
}

/// Writes a word of the node and reads it back, lets the node copy a word through L1, and accesses
/// the device.
std::vector<std::uint32_t> program() {
  std::vector<std::uint32_t> program = {lui(2, kMailbox >> 12), lui(3, 0x9),     lui(5, 0xFFB12),
                                        lui(6, 0xFFB20),        lui(7, 0x80000), lw(9, 5, 0x1F0)};
  const auto set = [&](std::uint32_t offset, std::uint32_t low, std::uint32_t high) {
    load_constant(program, 4, low);
    program.push_back(sw(4, 3, offset));
    load_constant(program, 4, high);
    program.push_back(sw(4, 3, offset + 4));
  };
  set(0x100, kValue, 0x55667788);
  transfer(program, true, 0x9100, kNodeWord);
  transfer(program, false, 0x9140, kNodeWord);
  program.insert(program.end(), {lw(4, 3, 0x140), sw(4, 2, kReadBack)});
  const std::uint64_t to = Board::noc_address(1, 1, kMailbox + kByNode);
  set(0x008, static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(to >> 32));
  transfer(program, true, 0x9008, kNodeAddress);
  set(0x080, kValue, 0);
  transfer(program, true, 0x9080, kNodeValue);
  program.insert(program.end(), {lw(4, 2, kByNode), back_if_zero(4, 4)});
  const std::size_t again = program.size();
  transfer(program, false, 0x9150, kNodeCopy);
  program.push_back(lw(4, 3, 0x150));
  program.push_back(back_if_zero(4, static_cast<unsigned>(4 * (program.size() - again))));
  program.insert(program.end(), {sw(4, 2, kCopied), sw(4, 7, 0x20), lw(4, 7, 0x20),
                                 sw(4, 2, kOfDevice), lw(11, 5, 0x1F0), sub(11, 11, 9),
                                 sw(11, 2, kCycles), addi(4, 0, 1), sw(4, 2, 0), kStay});
  return program;
}

Board::Parameters parameters(const Settings& settings) {
  Board::Parameters parameters;
  parameters.settings = settings;
  return parameters;
}

Settings both(const Settings& more = {}) {
  Settings settings = {{"rtl.nodes", TVP_COPY_NODE ":2:1"}, {"rtl.devices", TVP_RAM_DEVICE ":1:1"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

struct Bench {
  Board board;
  Host host;
  Bench(const std::string& name, const Board::Parameters& parameters)
      : board(name.c_str(), parameters), host((name + "_host").c_str()) {
    host.is_local = false;
    host.bus.bind(board.pcie);
    host.program = program();
  }
};

/// The message of a refused construction.
template <typename Module>
std::string complaint(const typename Module::Parameters& parameters) {
  try {
    const Module module("refused", parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

Board::Parameters taken() {
  Board::Parameters taken = parameters(both());
  taken.foreign_nodes = {{.chip = 0, .x = 2, .y = 1}};
  return taken;
}

Board::Parameters with_a_device() {
  Board::Parameters taken = parameters(both());
  taken.foreign_devices = {{.chip = 0, .x = 1, .y = 1}};
  return taken;
}

Board::Parameters with_a_device_at_the_node() {
  Board::Parameters taken = parameters({{"rtl.nodes", TVP_COPY_NODE ":2:1"}});
  taken.foreign_devices = {{.chip = 0, .x = 2, .y = 1}};
  return taken;
}

std::string refusal_of(const Settings& settings) { return complaint<Board>(parameters(settings)); }

std::string text_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

struct Refusal {
  std::string text;
  std::string expected;
};

struct Simulation {
  ReportRecorder reports;
  std::vector<Refusal> refusals = {
      {refusal_of({{"rtl.nodes", TVP_COPY_NODE ":0:0"}}),
       "rtl.nodes: chip 0 of single_chip, node (0,0): expected a Tensix tile or a node without a "
       "tile"},
      {refusal_of({{"rtl.nodes", TVP_COPY_NODE ":40:1"}}), "node (40,1): expected a Tensix tile"},
      {refusal_of({{"rtl.nodes", "chip7.copy_node:2:1"}}), "chip 7 of single_chip, node (2,1)"},
      {refusal_of({{"rtl.node", "copy_node:2:1"}}), "rtl.nodes"},
      {refusal_of({{"rtl.nodes", "copy_node:2"}}), "'copy_node:2': expected LIBRARY:X:Y"},
      {refusal_of({{"rtl.nodes", "copy_node"}}), "'copy_node': expected LIBRARY:X:Y"},
      {refusal_of({{"rtl.nodes", "a:2:1 b:2:1"}}), "'b:2:1': expected one library for a place"},
      {complaint<Board>(taken()), "node (2,1): expected a node that no other module takes"},
      {refusal_of({{"rtl.nodes", "no_such_node:2:1"}}),
       "rtl.nodes: no library 'no_such_node', tried "},
      {refusal_of({{"rtl.nodes", TVP_RAM_DEVICE ":2:1"}}),
       "holds no noc node: expected a library of tensix_vp_add_rtl(KIND noc_node)"},
      {refusal_of({{"rtl.devices", TVP_RAM_DEVICE ":0:0"}}),
       "rtl.devices: chip 0 of single_chip, tile (0,0): expected a Tensix tile"},
      {refusal_of({{"rtl.devices", TVP_COPY_NODE ":1:1"}}), "holds no bus device"},
      {complaint<Board>(with_a_device()), "tile (1,1): expected one range for each tile"},
      {complaint<Board>(with_a_device_at_the_node()), "nor in foreign_nodes or rtl.nodes"},
  };
  Bench bench{"bench", parameters(both())};
  Bench lockstep{"lockstep", parameters(both({{"lockstep", "true"}}))};
  Bench slow_clock{"slow_clock", parameters(both({{"chip.aiclk_mhz", "700"}}))};
  Simulation() {
    refusals.push_back({text_of([&] {
                          bench.board.node_memory({0, 2, 1});
                        }),
                        "node (2,1) of chip 0 has a module of rtl.nodes"});
    refusals.push_back({text_of([&] {
                          bench.board.device({0, 1, 1});
                        }),
                        "device() expects a tile of foreign_devices"});
    // Without an end, the tile in lockstep executes its last loop forever.
    sc_core::sc_start(sc_time(150, sc_core::SC_US));
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

TEST(RtlBoard, FirmwareAndRtlAccessEachOther) {
  for (const Bench* bench :
       {&simulation().bench, &simulation().lockstep, &simulation().slow_clock}) {
    const std::uint32_t* const mailbox = bench->host.mailbox;
    EXPECT_EQ(mailbox[0], 1u) << bench->board.name();
    EXPECT_EQ(mailbox[kReadBack / 4], kValue);
    EXPECT_EQ(mailbox[kByNode / 4], kValue + 1);
    EXPECT_EQ(mailbox[kCopied / 4], kValue + 1);
    EXPECT_EQ(mailbox[kOfDevice / 4], kValue + 1);
  }
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR, {}), 0u);
}

/// The clock of the RTL is that of the chip, so the cycles do not depend on it.
TEST(RtlBoard, TakesTheSameCycles) {
  const std::uint32_t cycles = simulation().bench.host.mailbox[kCycles / 4];
  EXPECT_GT(cycles, 0u);
  EXPECT_EQ(simulation().lockstep.host.mailbox[kCycles / 4], cycles);
  EXPECT_EQ(simulation().slow_clock.host.mailbox[kCycles / 4], cycles);
}

TEST(RtlBoard, NamesPlacesThatAreWrongOrTaken) {
  for (const Refusal& refusal : simulation().refusals)
    EXPECT_NE(refusal.text.find(refusal.expected), std::string::npos)
        << "'" << refusal.text << "' lacks '" << refusal.expected << "'";
}

}  // namespace
