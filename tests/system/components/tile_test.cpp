// A Tensix tile without a chip: the cycles of a board, requests in both directions, errors, missing
// answers, two tiles.

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <string>
#include <vector>

#include "foundation/regs/noc.h"
#include "sw/examples/systemc/tile_host.h"
#include "tensix_vp/systemc/board.h"
#include "tensix_vp/systemc/tensix_tile.h"
#include "tests/support/report_recorder.h"
#include "tests/support/tlm_checker.h"
#include "tests/system/components/rv32.h"

namespace {

namespace noc = tvp::regs::noc;
using namespace rv32;
using sc_core::sc_time;
using tensix_vp::Board;
using tensix_vp::TensixTile;
using tvp::tests::ReportRecorder;
using tvp::tests::TlmChecker;

constexpr std::uint32_t kWords = 8192 / 4;  // sw/examples/systemc/firmware/scale.c
constexpr std::uint32_t kMailbox = 0x8000;
constexpr std::uint32_t kSoftReset = 0xFFB121B0;
constexpr std::uint32_t kOthers = 0x47000;  // all cores but BRISC stay in reset
constexpr unsigned kHopCycles = 9;          // ISA NoC/README.md

/// A memory with a latency that answers for several nodes.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket;
  sc_time latency = sc_time(40, sc_core::SC_NS);
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  bool answers = true;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1 << 16);
  std::vector<std::uint64_t> nodes;  ///< address bits above the offset, of each request

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Memory::b_transport);
    socket.register_transport_dbg(this, &Memory::transport_dbg);
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < kWords; ++i, word += 7) std::memcpy(&bytes[4 * i], &word, 4);
  }
  std::uint32_t word(std::uint32_t index) const {
    std::uint32_t word;
    std::memcpy(&word, &bytes.at(4 * index), 4);
    return word;
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    nodes.push_back(payload.get_address() >> 36);
    if (!answers) wait(never_);
    transport_dbg(payload);
    delay += latency;
    payload.set_response_status(status);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      const std::uint8_t* const enables = payload.get_byte_enable_ptr();
      if (enables != nullptr && enables[i] != TLM_BYTE_ENABLED) continue;
      std::uint8_t& at = bytes.at((payload.get_address() + i) % bytes.size());
      std::uint8_t& data = payload.get_data_ptr()[i];
      (payload.is_write() ? at : data) = payload.is_write() ? data : at;
    }
    return payload.get_data_length();
  }

  sc_core::sc_event never_;
};

/// A host of a tile: through its local socket, or through the board's PCI Express.
class Host : public TileHost {
 public:
  using TileHost::TileHost;
  bool is_local = true;
  std::string file;                                     ///< firmware, or
  std::vector<std::uint32_t> program;                   ///< words from address 0 on
  std::uint32_t mailbox[8] = {0, 0, 0, 2 | 1 << 6, 0};  ///< node (2,1) for scale.c
  std::uint32_t signal = 0;                             ///< address of a word to set, at 50 us

 private:
  void transfer(tlm::tlm_command command, std::uint32_t address, void* data, unsigned bytes) {
    if (!is_local) {
      return command == tlm::TLM_READ_COMMAND ? read(1, 1, address, data, bytes)
                                              : write(1, 1, address, data, bytes);
    }
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_time delay;
    bus->b_transport(payload, delay);
    if (!payload.is_response_ok()) SC_REPORT_ERROR(name(), payload.get_response_string().c_str());
    wait(delay);
  }
  void run() override {
    if (!file.empty()) {
      std::ifstream stream(file, std::ios::binary);
      std::vector<char> image(std::istreambuf_iterator<char>(stream), {});
      image.resize((image.size() + 3) / 4 * 4);
      program.resize(image.size() / 4);
      std::memcpy(program.data(), image.data(), image.size());
    }
    transfer(tlm::TLM_WRITE_COMMAND, 0, program.data(), unsigned(4 * program.size()));
    transfer(tlm::TLM_WRITE_COMMAND, kMailbox, mailbox, sizeof mailbox);
    std::uint32_t others = kOthers;
    transfer(tlm::TLM_WRITE_COMMAND, kSoftReset, &others, 4);
    wait(50, sc_core::SC_US);
    std::uint32_t one = 1;
    if (signal != 0) transfer(tlm::TLM_WRITE_COMMAND, signal, &one, 4);
    wait(50, sc_core::SC_US);
    transfer(tlm::TLM_READ_COMMAND, kMailbox, mailbox, sizeof mailbox);
  }
};

/// A tile, its host, and a memory behind its NoC sockets with a checker between.
struct Alone {
  TensixTile tile;
  Host host;
  Memory memory;
  TlmChecker<> checker;

  Alone(const std::string& name, const TensixTile::Parameters& parameters)
      : tile(name.c_str(), parameters),
        host((name + "_host").c_str()),
        memory((name + "_memory").c_str()),
        checker((name + "_checker").c_str(), [] { return sc_core::sc_time_stamp(); }) {
    host.bus.bind(tile.local);
    tile.noc_memory().bind(checker.from_initiator);
    checker.to_target.bind(memory.socket);
  }
};

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

/// The same on a board, with the memory at node (2,1).
struct OnBoard {
  Board board;
  Host host;
  Memory memory;

  explicit OnBoard(const std::string& name)
      : board(name.c_str(), parameters()),
        host((name + "_host").c_str()),
        memory((name + "_memory").c_str()) {
    host.is_local = false;
    host.bus.bind(board.pcie);
    board.node_memory({.chip = 0, .x = 2, .y = 1}).bind(memory.socket);
  }
  static Board::Parameters parameters() {
    Board::Parameters parameters;
    parameters.foreign_nodes = {{.chip = 0, .x = 2, .y = 1}};
    parameters.foreign_timing = Board::Timing::kLoose;
    return parameters;
  }
};

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

/// Appends a command of NIU 0.
void command(std::vector<std::uint32_t>& program,
             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& registers) {
  program.push_back(lui(30, 0xFFB20));
  for (const auto& [offset, value] : registers) {
    load_constant(program, 31, value);
    program.push_back(sw(31, 30, offset));
  }
  load_constant(program, 31, 1);
  program.push_back(sw(31, 30, noc::kCmdCtrl));
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
    sc_core::sc_stop();  // the tiles report their warnings
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
