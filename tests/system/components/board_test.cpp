// Boards in a simulation of the user: times equal those of the C ABI, also with foreign memories.
// Errors are answered or named.

#include "tensix_vp/systemc/board.h"

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <vector>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "models/dram/dram_config.h"
#include "sw/examples/systemc/tile_host.h"
#include "tensix_vp/systemc/arrival.h"

namespace {

using sc_core::sc_time;
using tensix_vp::Board;

constexpr std::uint32_t kWords = 8192 / 4;  // firmware/scale.c
constexpr std::uint32_t kMailbox = 0x8000;

/// Where the firmware finds its data.
struct Memory {
  std::uint32_t node;  ///< x, and y from bit 6 on
  std::uint32_t high;  ///< address bits 35:32
  unsigned x() const { return node & 63; }
  unsigned y() const { return node >> 6; }
  std::uint64_t address() const { return std::uint64_t{high} << 32; }
};
constexpr Memory kDram{0, 0};
constexpr Memory kHostWindow{0 | 3 << 6, 8};  // the PCIe tile's window

std::vector<std::uint32_t> input() {
  std::vector<std::uint32_t> words(kWords);
  for (std::uint32_t i = 0; i < kWords; ++i) words[i] = 7 * i;
  return words;
}

/// Runs the firmware and keeps what the core says.
struct Host : TileHost {
  using TileHost::TileHost;
  Memory memory = kDram;
  std::uint32_t mailbox[5] = {};
  std::vector<std::uint32_t> result = std::vector<std::uint32_t>(kWords);

  void run() override {
    mailbox[3] = memory.node;
    mailbox[4] = memory.high;
    write(1, 1, kMailbox, mailbox, sizeof mailbox);
    const std::vector<std::uint32_t> words = input();
    write(memory.x(), memory.y(), memory.address(), words.data(), 4 * kWords);
    start(1, 1, FIRMWARE);
    while (mailbox[0] == 0) {
      wait(1, sc_core::SC_US);
      read(1, 1, kMailbox, mailbox, sizeof mailbox);
    }
    wait(1, sc_core::SC_US);  // posted writes reach the host
    read(memory.x(), memory.y(), memory.address() + 4 * kWords, result.data(), 4 * kWords);
  }
  bool right() const {
    for (std::uint32_t i = 0; i < kWords; ++i)
      if (result[i] != 14 * i) return false;
    return true;
  }
};

/// The channel of models/dram/controller/service_controller.h without refresh, as a user would
/// write it: one request after the other on a bus, and a latency.
class ServiceMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;
  unsigned requests = 0;
  unsigned largest = 0;  ///< bytes of a request

  explicit ServiceMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
    ++requests;
    largest = std::max(largest, payload.get_data_length());
    transport_dbg(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    const std::uint64_t base = sc_core::sc_time_stamp().value();
    const std::uint64_t now = (base + delay.value()) / 1000;  // cycles of 1 GHz
    const unsigned bytes = payload.get_data_length();
    const double efficiency =
        payload.is_write() ? config_.write_efficiency : config_.read_efficiency;
    const auto ticks = static_cast<std::uint64_t>(static_cast<double>(bytes) /
                                                  (config_.bytes_per_cycle * efficiency) * 1024);
    const auto* const arrival = payload.get_extension<tensix_vp::Arrival>();
    const std::uint64_t earliest = arrival->first_byte.value() / 1000;
    const std::uint64_t start = std::max(free_, earliest * 1024);
    free_ = start + ticks;
    const std::uint64_t done =
        std::max((free_ + 1023) / 1024, now) +
        (payload.is_write() ? config_.write_latency_cycles : config_.read_latency_cycles);
    const auto ahead = static_cast<std::uint64_t>(config_.queue_bytes / config_.bytes_per_cycle);
    const std::uint64_t begins = (start + 1023) / 1024;
    const auto from_now = [&](std::uint64_t cycle) {
      return sc_time::from_value(cycle * 1000 - base);
    };
    if (begins <= now + ahead) {
      delay = from_now(done);
      return tlm::TLM_COMPLETED;
    }
    tlm::tlm_phase taken = tlm::END_REQ;
    sc_time taken_delay = from_now(begins - ahead);
    socket->nb_transport_bw(payload, taken, taken_delay);
    tlm::tlm_phase response = tlm::BEGIN_RESP;
    sc_time response_delay = from_now(done);
    socket->nb_transport_bw(payload, response, response_delay);
    return tlm::TLM_ACCEPTED;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    std::uint8_t* const at = &bytes_.at(payload.get_address());
    if (payload.is_write()) {
      std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    } else {
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    }
    return payload.get_data_length();
  }
  void b_transport(tlm::tlm_generic_payload&, sc_time&) override { FAIL() << "not expected"; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

  const tvp::dram::DramConfig config_;
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(1 << 20);
  std::uint64_t free_ = 0;  ///< in 1/1024 cycles
};

/// Memory of the host, 430 ns away as pcie.host_ns has it.
class HostMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<HostMemory> socket;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1 << 20);

  explicit HostMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &HostMemory::b_transport);
    socket.register_transport_dbg(this, &HostMemory::transport_dbg);
  }

 private:
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    std::uint8_t* const at = &bytes.at(payload.get_address());
    if (payload.is_write()) {
      std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    } else {
      std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    }
    return payload.get_data_length();
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    transport_dbg(payload);
    delay += sc_time(430, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

Board::Parameters service(bool foreign, unsigned burst = 0) {
  Board::Parameters parameters;
  parameters.settings = {{"dram.controller", "service"}, {"dram.refresh_interval_cycles", "0"}};
  if (foreign) parameters.foreign_dram = {{.chip = 0, .group = 0, .channel = 0}};
  parameters.foreign_dram_burst = burst;
  return parameters;
}

Board::Parameters with_host_memory() {
  Board::Parameters parameters;
  parameters.foreign_host_memory = true;
  parameters.foreign_timing = Board::Timing::kLoose;
  return parameters;
}

/// The message of a refused construction.
std::string complaint(const Board::Parameters& parameters) {
  try {
    const Board board("refused", parameters);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// SystemC elaborates once: all modules are there from the start.
struct Simulation {
  Board plain{"plain", service(false)};
  Board foreign{"foreign", service(true)};
  ServiceMemory memory{"memory"};
  Host plain_host{"plain_host"};
  Host foreign_host{"foreign_host"};
  Board bursts{"bursts", service(true, 64)};
  ServiceMemory burst_memory{"burst_memory"};
  Host burst_host{"burst_host"};
  std::vector<std::string> complaints;
  Board host_board{"host_board", with_host_memory()};
  HostMemory host_memory{"host_memory"};
  Host memory_host{"memory_host"};
  Simulation() {
    memory_host.memory = kHostWindow;
    memory_host.bus.bind(host_board.pcie);
    host_board.host_memory().bind(host_memory.socket);
    Board::Parameters parameters;
    parameters.system = "no_such_system";
    complaints.push_back(complaint(parameters));
    parameters.system = "ddr4_2400";
    complaints.push_back(complaint(parameters));
    parameters = {};
    parameters.settings = {{"noc.hop_cycle", "3"}};
    complaints.push_back(complaint(parameters));
    parameters = {};
    parameters.foreign_dram = {{.chip = 0, .group = 6, .channel = 0}};
    complaints.push_back(complaint(parameters));
    parameters = {};
    parameters.foreign_dram_burst = 48;
    complaints.push_back(complaint(parameters));
    plain_host.bus.bind(plain.pcie);
    foreign_host.bus.bind(foreign.pcie);
    foreign.dram({.chip = 0, .group = 0, .channel = 0}).bind(memory.socket);
    burst_host.bus.bind(bursts.pcie);
    bursts.dram({.chip = 0, .group = 0, .channel = 0}).bind(burst_memory.socket);
    sc_core::sc_start();
  }
};

Simulation& simulation() {
  static auto& simulation = *new Simulation();
  return simulation;
}

/// The same accesses through the C ABI.
std::vector<std::uint8_t> abi_memory(1 << 20);
void abi_read(std::uint64_t address, void* data, std::uint32_t bytes) {
  std::memcpy(data, &abi_memory.at(address), bytes);
}
void abi_write(std::uint64_t address, const void* data, std::uint32_t bytes) {
  std::memcpy(&abi_memory.at(address), data, bytes);
}
std::uint32_t cycles_of_c_abi(const char* settings, const Memory& memory) {
  EXPECT_EQ(tensix_vp_configure(settings), 0);
  libttsim_set_pci_dma_mem_callbacks(abi_read, abi_write);
  libttsim_init();
  const std::vector<std::uint32_t> words = input();
  libttsim_tile_wr_bytes(memory.x(), memory.y(), memory.address(), words.data(), 4 * kWords);
  std::ifstream stream(FIRMWARE, std::ios::binary);
  const std::vector<char> image(std::istreambuf_iterator<char>(stream), {});
  libttsim_tile_wr_bytes(1, 1, 0, image.data(), static_cast<std::uint32_t>(image.size()));
  std::uint32_t mailbox[5] = {0, 0, 0, memory.node, memory.high};
  libttsim_tile_wr_bytes(1, 1, kMailbox, mailbox, sizeof mailbox);
  const std::uint32_t others = 0x47000;
  libttsim_tile_wr_bytes(1, 1, 0xFFB121B0, &others, 4);
  for (int i = 0; i < 1000 && mailbox[0] == 0; ++i) {
    libttsim_clock(1000);
    libttsim_tile_rd_bytes(1, 1, kMailbox, mailbox, sizeof mailbox);
  }
  libttsim_exit();
  return mailbox[1];
}

TEST(Board, RunsAsFastAsBehindTheCAbi) {
  EXPECT_TRUE(simulation().plain_host.right());
  EXPECT_EQ(simulation().plain_host.mailbox[1],
            cycles_of_c_abi("dram.controller=service\ndram.refresh_interval_cycles=0\n", kDram));
}

TEST(Board, HostMemoryOfTheUserHasTheTimesOfDmaCallbacks) {
  EXPECT_TRUE(simulation().memory_host.right());
  EXPECT_EQ(simulation().memory_host.mailbox[1],
            cycles_of_c_abi("system=single_chip\n", kHostWindow));
}

TEST(Board, MemoryOfTheUserThatBehavesAsOursHasOurTimes) {
  EXPECT_TRUE(simulation().foreign_host.right());
  EXPECT_EQ(simulation().memory.requests, 8u);
  EXPECT_EQ(simulation().foreign_host.mailbox[2], simulation().plain_host.mailbox[2]);
  EXPECT_EQ(simulation().foreign_host.mailbox[1], simulation().plain_host.mailbox[1]);
}

TEST(Board, MemoryControllersOfTheUserGetOneBurstInATransaction) {
  EXPECT_TRUE(simulation().burst_host.right());
  EXPECT_EQ(simulation().burst_memory.largest, 64u);
  EXPECT_EQ(simulation().burst_memory.requests, 2 * 8192u / 64);
  // Its bus rounds the time of each burst to 1/1024 cycles.
  EXPECT_NEAR(simulation().burst_host.mailbox[1], simulation().plain_host.mailbox[1], 2);
}

TEST(Board, AnswersAccessesThatGoWrong) {
  const auto status = [&](std::uint64_t address, unsigned bytes, unsigned width) {
    std::vector<std::uint8_t> data(bytes);
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(bytes);
    payload.set_streaming_width(width);
    sc_time delay;
    simulation().plain_host.bus->b_transport(payload, delay);
    return payload.get_response_status();
  };
  EXPECT_EQ(status(Board::bar(0, 0) + 0x1FC00000, 8, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(status(0, 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(Board::bar(1, 0), 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(~0ULL - 3, 8, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(status(Board::bar(0, 0) + 0x1FC00000, 8, 4), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(Board, NamesParametersThatDoNotFit) {
  const char* const expected[] = {"no_such_system", "a system of Tensix chips", "noc.hop_cycles",
                                  "group 6", "48 bytes: expected a power of two"};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NE(simulation().complaints[i].find(expected[i]), std::string::npos)
        << simulation().complaints[i];
}

}  // namespace
