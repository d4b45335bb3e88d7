#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "foundation/regs/noc.h"
#include "sw/examples/systemc/tile_host.h"
#include "tensix_vp/systemc/board.h"
#include "tensix_vp/systemc/tensix_tile.h"
#include "tests/support/tlm_checker.h"
#include "tests/system/components/rv32.h"

namespace tvp::tests {

using sc_core::sc_time;
using tensix_vp::Board;
using tensix_vp::TensixTile;

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
  sc_time hops;  ///< time in a network, behind the last flit of the data; a flit has 32 bytes
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  bool answers = true;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1 << 16);
  std::vector<std::uint64_t> nodes;  ///< address bits above the offset, of each request
  std::vector<sc_time> arrivals;     ///< times of these requests

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
    arrivals.push_back(sc_core::sc_time_stamp() + delay);
    if (!answers) wait(never_);
    transport_dbg(payload);
    const unsigned flits = payload.get_data_length() / 32;
    const sc_time data(flits, sc_core::SC_NS);
    delay += hops == sc_core::SC_ZERO_TIME ? latency : std::max(latency, data) + hops;
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

/// The same on a board, with the memory at node (2,1).
struct OnBoard {
  Board board;
  Host host;
  Memory memory;

  explicit OnBoard(const std::string& name, const std::string& torus = "detailed")
      : board(name.c_str(), parameters(torus)),
        host((name + "_host").c_str()),
        memory((name + "_memory").c_str()) {
    host.is_local = false;
    host.bus.bind(board.pcie);
    board.node_memory({.chip = 0, .x = 2, .y = 1}).bind(memory.socket);
  }
  static Board::Parameters parameters(const std::string& torus) {
    Board::Parameters parameters;
    parameters.settings = {{"noc.torus", torus}};
    parameters.foreign_nodes = {{.chip = 0, .x = 2, .y = 1}};
    parameters.foreign_timing = Board::Timing::kLoose;
    return parameters;
  }
};

/// Appends a command of NIU 0.
inline void command(std::vector<std::uint32_t>& program,
                    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& registers) {
  program.push_back(rv32::lui(30, 0xFFB20));
  for (const auto& [offset, value] : registers) {
    rv32::load_constant(program, 31, value);
    program.push_back(rv32::sw(31, 30, offset));
  }
  rv32::load_constant(program, 31, 1);
  program.push_back(rv32::sw(31, 30, regs::noc::kCmdCtrl));
}

}  // namespace tvp::tests
