// A Tensix tile without a chip: the cycles of a board, requests in both directions, errors, missing
// answers, two tiles.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "foundation/regs/noc.h"
#include "tensix_vp/systemc/board.h"
#include "tensix_vp/systemc/tensix_tile.h"
#include "tests/support/report_recorder.h"
#include "tests/system/components/rv32.h"
#include "tests/system/components/tile_bench.h"

namespace {

namespace noc = tvp::regs::noc;
using namespace rv32;
using namespace tvp::tests;
using sc_core::sc_time;
using tensix_vp::Board;
using tensix_vp::TensixTile;

TensixTile::Parameters with(const std::vector<std::pair<std::string, std::string>>& settings) {
  TensixTile::Parameters parameters;
  parameters.settings = settings;
  return parameters;
}

TensixTile::Parameters at(unsigned x, unsigned y) {
  TensixTile::Parameters parameters;
  parameters.x = x;
  parameters.y = y;
  return parameters;
}

TensixTile::Parameters with_devices(std::uint32_t base, std::uint32_t bytes) {
  TensixTile::Parameters parameters;
  parameters.device_base = base;
  parameters.device_bytes = bytes;
  return parameters;
}

TensixTile::Parameters approximately_timed() {
  TensixTile::Parameters parameters;
  parameters.noc_timing = TensixTile::Timing::kApproximate;
  return parameters;
}

TensixTile::Parameters of_system(const std::string& name) {
  TensixTile::Parameters parameters;
  parameters.system = name;
  return parameters;
}

/// Polls the word at 0x8010 and keeps the time at which it changed.
std::vector<std::uint32_t> polling() {
  return {lui(2, kMailbox >> 12),
          lui(5, 0xFFB12),
          lw(4, 2, 16),
          back_if_zero(4, 4),
          lw(6, 5, 0x1F0),
          addi(7, 0, 1),
          sw(6, 2, 4),
          sw(7, 2, 0),
          kStay};
}

/// Waits for the word at 0x8010, adds 1, and writes it to 0x8010 of the other tile.
std::vector<std::uint32_t> passing_on(unsigned x, unsigned y, unsigned other_x, unsigned other_y) {
  std::vector<std::uint32_t> program = {lui(2, kMailbox >> 12), lw(4, 2, 16), back_if_zero(4, 4),
                                        addi(4, 4, 1), sw(4, 2, 32)};
  command(program, {{noc::kTargAddrLo, kMailbox + 32},
                    {noc::kTargAddrMid, noc::mid_unicast(x, y)},
                    {noc::kRetAddrLo, kMailbox + 16},
                    {noc::kRetAddrMid, noc::mid_unicast(other_x, other_y)},
                    {noc::kCtrl, noc::kCmdWr | noc::kCmdRespMarked},
                    {noc::kAtLenBe, 4}});
  program.push_back(kStay);
  return program;
}

/// Reads 1024 bytes of node (2,1), writes them, and stores the cycles of both.
std::vector<std::uint32_t> one_by_one() {
  std::vector<std::uint32_t> program = {lui(2, kMailbox >> 12), lui(5, 0xFFB12), lui(6, 0xFFB20)};
  const auto timed = [&](std::uint32_t counter, std::uint32_t ctrl, std::uint32_t from,
                         std::uint32_t to, std::uint32_t place) {
    program.insert(program.end(), {lw(8, 6, counter), lw(9, 5, 0x1F0)});
    command(program, {{noc::kTargAddrLo, 0x4000},
                      {noc::kTargAddrMid, from},
                      {noc::kRetAddrLo, 0x4000},
                      {noc::kRetAddrMid, to},
                      {noc::kCtrl, ctrl | noc::kCmdRespMarked},
                      {noc::kAtLenBe, 1024}});
    program.insert(program.end(), {lw(10, 6, counter), back_if_equal(10, 8, 4), lw(11, 5, 0x1F0),
                                   sub(11, 11, 9), sw(11, 2, place)});
  };
  const std::uint32_t here = noc::mid_unicast(1, 1);
  const std::uint32_t there = noc::mid_unicast(2, 1);
  timed(0x208, noc::kCmdRd, there, here, 4);  // MST_RD_RESP_RECEIVED
  timed(0x204, noc::kCmdWr, here, there, 8);  // MST_WR_ACK_RECEIVED
  program.push_back(kStay);
  return program;
}

/// An inline write, which is a write of its bytes, to 0x24 of the memory.
std::vector<std::uint32_t> writing_inline() {
  std::vector<std::uint32_t> program;
  command(program, {{noc::kTargAddrLo, 0x24},
                    {noc::kTargAddrMid, noc::mid_unicast(1, 2)},
                    {noc::kAtData, 0x12345678},
                    {noc::kCtrl, noc::kCmdWr | noc::kCmdWrInline | noc::kCmdRespMarked},
                    {noc::kAtLenBe, 0xF << 4}});
  program.push_back(kStay);
  return program;
}

std::vector<std::uint32_t> sending(std::uint32_t ctrl, std::uint32_t length, std::uint32_t target) {
  std::vector<std::uint32_t> program;
  command(program, {{noc::kTargAddrLo, 0x9000},
                    {noc::kTargAddrMid, ctrl == noc::kCmdAt ? target : noc::mid_unicast(1, 1)},
                    {noc::kRetAddrLo, 0x9000},
                    {noc::kRetAddrMid, target},
                    {noc::kCtrl, ctrl},
                    {noc::kAtLenBe, length}});
  program.push_back(kStay);
  return program;
}

/// The message of a refused construction.
std::string complaint(const TensixTile::Parameters& parameters) {
  try {
    const TensixTile tile("refused", parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

struct Simulation {
  std::size_t warnings_before_the_end = 0;
  ReportRecorder reports;
  std::vector<std::string> complaints = {
      complaint(of_system("no_such_system")), complaint(at(0, 1)),
      complaint(with({{"wave.file", "run.fst"}})), complaint(with_devices(0x1000, 16))};
  Alone alone{"alone", {}};
  Alone lockstep{"lockstep", with({{"lockstep", "true"}})};
  Alone approximate{"approximate", approximately_timed()};
  Alone single{"single", {}};
  OnBoard on_board{"on_board"};
  Alone poller{"poller", {}};
  OnBoard polling_board{"polling_board"};
  Alone inline_writer{"inline_writer", {}};
  Alone lost{"lost", with({{"faults", "warn"}})};
  Alone silent{"silent", {}};
  Alone multicast{"multicast", {}};
  Alone atomic{"atomic", {}};
  Alone with_device{"with_device", with_devices(0x80000000, 0x100)};
  Memory device{"device"};
  TensixTile first{"first", at(1, 1)};
  TensixTile second{"second", at(2, 1)};
  Host first_host{"first_host"};
  Host second_host{"second_host"};

  Simulation() {
    for (Host* host : {&alone.host, &lockstep.host, &approximate.host, &lost.host, &silent.host})
      host->file = FIRMWARE;
    single.memory.latency += sc_time(10 * kHopCycles, sc_core::SC_NS);
    for (Host* host : {&single.host, &on_board.host}) host->program = one_by_one();
    for (Host* host : {&poller.host, &polling_board.host}) {
      host->program = polling();
      host->signal = kMailbox + 16;
    }
    inline_writer.host.program = writing_inline();
    lost.memory.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    silent.memory.answers = false;
    multicast.host.program =
        sending(noc::kCmdWr | noc::kCmdBrcstPacket, 16, noc::mid_broadcast(1, 1, 3, 3));
    atomic.host.program = sending(noc::kCmdAt, 1 << 12 | 31 << 2, noc::mid_unicast(2, 1));
    with_device.host.program = {lui(1, 0x80000), lui(2, kMailbox >> 12), lw(3, 1, 8),
                                sw(3, 2, 0),     sw(3, 1, 0x40),         kStay};
    with_device.tile.device().bind(device.socket);
    first_host.bus.bind(first.local);
    second_host.bus.bind(second.local);
    first.noc_memory().bind(second.noc_requests());
    second.noc_memory().bind(first.noc_requests());
    first_host.program = passing_on(1, 1, 2, 1);
    second_host.program = passing_on(2, 1, 1, 1);
    first_host.signal = kMailbox + 16;
    // Without an end, the tile in lockstep executes its last loop forever.
    sc_core::sc_start(sc_time(150, sc_core::SC_US));
    // Warnings do not wait for the end of the simulation.
    warnings_before_the_end = ReportRecorder::count(sc_core::SC_WARNING, {});
    sc_core::sc_stop();
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

TEST(Tile, FirmwareReadsAndWritesAMemoryOfTheUser) {
  for (const Alone* alone :
       {&simulation().alone, &simulation().lockstep, &simulation().approximate}) {
    EXPECT_EQ(alone->host.mailbox[0], 1u);
    for (std::uint32_t i = 0; i < kWords; ++i) ASSERT_EQ(alone->memory.word(kWords + i), 14 * i);
    EXPECT_EQ(alone->checker.open(), 0u);
    ASSERT_EQ(alone->memory.nodes.size(), 8u);
    for (const std::uint64_t node : alone->memory.nodes) EXPECT_EQ(node, 2u | 1u << 6);
  }
}

/// On the board, the way to the memory is a hop, and the way back nine. Here the memory is as much
/// slower.
TEST(Tile, TakesTheCyclesOfABoard) {
  for (const unsigned i : {1, 2}) {
    EXPECT_EQ(simulation().single.host.mailbox[i], simulation().on_board.host.mailbox[i]);
    EXPECT_GT(simulation().single.host.mailbox[i], 10 * kHopCycles);
  }
}

TEST(Tile, LockstepTakesTheSameCycles) {
  EXPECT_EQ(simulation().lockstep.host.mailbox[1], simulation().alone.host.mailbox[1]);
  EXPECT_EQ(simulation().lockstep.host.mailbox[2], simulation().alone.host.mailbox[2]);
}

TEST(Tile, AWriteWakesACoreThatPolls) {
  EXPECT_EQ(simulation().poller.host.mailbox[0], 1u);
  EXPECT_GT(simulation().poller.host.mailbox[1], 50'000u);
  EXPECT_LT(simulation().poller.host.mailbox[1], 50'040u);
  EXPECT_EQ(simulation().poller.host.mailbox[1], simulation().polling_board.host.mailbox[1]);
}

TEST(Tile, TwoTilesPassAWordOn) {
  EXPECT_EQ(simulation().second_host.mailbox[4], 2u);
  EXPECT_EQ(simulation().first_host.mailbox[4], 3u);
}

TEST(Tile, AnInlineWriteIsAWriteOfItsBytes) {
  EXPECT_EQ(simulation().inline_writer.memory.word(9), 0x12345678u);
  EXPECT_EQ(simulation().inline_writer.memory.word(8), 7u * 8);
  EXPECT_EQ(simulation().inline_writer.memory.word(10), 7u * 10);
}

TEST(Tile, CoresReachDevicesOnTheirBus) {
  EXPECT_EQ(simulation().with_device.host.mailbox[0], 14u);
  EXPECT_EQ(simulation().device.word(0x10), 14u);
}

TEST(Tile, RefusesWhatTheBaseProtocolCannotExpress) {
  simulation();
  EXPECT_EQ(
      ReportRecorder::count(sc_core::SC_ERROR,
                            {"multicast.noc0: a multicast cannot leave a tile that is alone"}),
      1u);
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR,
                                  {"atomic.noc0: an atomic cannot leave a tile that is alone"}),
            1u);
  EXPECT_EQ(ReportRecorder::count(sc_core::SC_ERROR, {}), 2u);
}

TEST(Tile, NamesCoreAndAddressOfAnError) {
  simulation();
  EXPECT_GE(simulation().warnings_before_the_end, 1u);
  EXPECT_GE(ReportRecorder::count(sc_core::SC_WARNING,
                                  {"lost.noc.niu0", "address 0x0: nothing is there",
                                   "read request of 2048 bytes", "by BRISC at pc 0x"}),
            1u);
}

TEST(Tile, NamesTheMemoryThatNeverAnswers) {
  const std::vector<std::string> lines = simulation().silent.tile.waiting();
  ASSERT_GE(lines.size(), 4u);
  EXPECT_NE(lines[0].find("silent.noc.memory.socket: the bound memory has not answered a read of "
                          "2048 bytes at address 0x"),
            std::string::npos)
      << lines[0];
}

TEST(Tile, AnswersAccessesThatGoWrong) {
  const auto status = [&](tlm::tlm_base_target_socket_b<>& socket, std::uint64_t address,
                          unsigned bytes, unsigned width) {
    std::vector<std::uint8_t> data(bytes);
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(bytes);
    payload.set_streaming_width(width);
    sc_time delay;
    socket.get_base_interface().b_transport(payload, delay);
    return payload.get_response_status();
  };
  TensixTile& tile = simulation().alone.tile;
  EXPECT_EQ(status(tile.local, 0, 100, 100), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(status(tile.local, 0, 100, 50), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(status(tile.local, 0x200000, 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(tile.local, 0x80000000, 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(tile.local, kSoftReset, 4, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(status(tile.local, kSoftReset + 1, 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(tile.local, ~0ULL - 3, 8, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(tile.noc_requests(), Board::noc_address(3, 1, 0), 4, 4),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(Tile, NamesParametersThatDoNotFit) {
  const char* const expected[] = {"no_such_system", "a Tensix tile of single_chip",
                                  "no waves, no gdb and no recording", "expected whole words"};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NE(simulation().complaints[i].find(expected[i]), std::string::npos)
        << simulation().complaints[i];
}

}  // namespace
