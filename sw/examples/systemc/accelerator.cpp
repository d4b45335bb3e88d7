// An accelerator of the user at a NoC node: firmware writes its operands, and it writes its result
// to the core's L1. With the path of a library, the accelerator is that of squares_node.sv.
#include <tensix_vp/systemc/board.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "tile_host.h"

namespace {

constexpr std::uint32_t kMailbox = 0x8000, kWords = 64;  // firmware/offload.c

/// Adds the squares of 64 words when its doorbell is written.
class Accelerator : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Accelerator> operands;
  tlm_utils::simple_initiator_socket<Accelerator> results;

  explicit Accelerator(const sc_core::sc_module_name& name)
      : sc_module(name), operands("operands"), results("results") {
    SC_HAS_PROCESS(Accelerator);
    operands.register_b_transport(this, &Accelerator::b_transport);
    SC_THREAD(run);
  }

 private:
  static constexpr std::uint64_t kDoorbell = 0x1000;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned bytes = payload.get_data_length();
    if (!payload.is_write() || (address != kDoorbell && address + bytes > sizeof words_)) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    if (address == kDoorbell) {
      doorbell_.notify(delay);
    } else {
      std::memcpy(reinterpret_cast<char*>(words_) + address, payload.get_data_ptr(), bytes);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void run() {
    while (true) {
      wait(doorbell_);
      std::uint32_t sum = 0;
      for (const std::uint32_t word : words_) sum += word * word;
      wait(50, sc_core::SC_NS);
      std::uint32_t answer[] = {sum, 1};
      tlm::tlm_generic_payload payload;
      payload.set_command(tlm::TLM_WRITE_COMMAND);
      payload.set_address(tensix_vp::Board::noc_address(1, 1, kMailbox + 4));
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(answer));
      payload.set_data_length(sizeof answer);
      payload.set_streaming_width(sizeof answer);
      sc_core::sc_time delay;
      results->b_transport(payload, delay);
      if (!payload.is_response_ok()) SC_REPORT_ERROR(name(), "the core cannot be reached");
    }
  }

  std::uint32_t words_[kWords] = {};
  sc_core::sc_event doorbell_;
};

struct Host : TileHost {
  using TileHost::TileHost;
  bool right = false;

  void run() override {
    std::uint32_t mailbox[4 + kWords] = {0, 0, 0, 2 | 1 << 6};
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < kWords; ++i) {
      mailbox[4 + i] = i;
      expected += i * i;
    }
    write(1, 1, kMailbox, mailbox, sizeof mailbox);
    start(1, 1, FIRMWARE);
    while (mailbox[0] == 0) {
      wait(100, sc_core::SC_NS);
      read(1, 1, kMailbox, mailbox, 12);
    }
    std::printf("sum of squares %u at %s\n", mailbox[1],
                sc_core::sc_time_stamp().to_string().c_str());
    right = mailbox[1] == expected;
    sc_core::sc_stop();
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  constexpr tensix_vp::Board::Node kPlace{.chip = 0, .x = 2, .y = 1};
  const bool is_rtl = argc > 1;
  tensix_vp::Board::Parameters parameters;
  parameters.foreign_timing = tensix_vp::Board::Timing::kLoose;
  if (is_rtl) {
    parameters.settings = {{"rtl.nodes", std::string(argv[1]) + ":2:1"}};
  } else {
    parameters.foreign_nodes = {kPlace};
  }
  tensix_vp::Board board("board", parameters);
  std::unique_ptr<Accelerator> accelerator;
  if (!is_rtl) {
    accelerator = std::make_unique<Accelerator>("accelerator");
    board.node_memory(kPlace).bind(accelerator->operands);
    accelerator->results.bind(board.node_requests(kPlace));
  }
  Host host("host");
  host.bus.bind(board.pcie);
  sc_core::sc_start();
  return host.right ? 0 : 1;
}
