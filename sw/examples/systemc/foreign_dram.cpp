// A memory model of the user replaces a DRAM channel of a board.
#include <tensix_vp/systemc/board.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>

#include "tile_host.h"

namespace {

/// A memory that takes 90 ns and 64 bytes a nanosecond.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1 << 20);
  unsigned accesses = 0;

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Memory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (address > bytes.size() || length > bytes.size() - address) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    if (payload.is_write()) {
      std::memcpy(&bytes[address], payload.get_data_ptr(), length);
    } else {
      std::memcpy(payload.get_data_ptr(), &bytes[address], length);
    }
    ++accesses;
    const unsigned cost_ns = 90 + length / 64;
    delay += sc_core::sc_time(cost_ns, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Host : TileHost {
  using TileHost::TileHost;

  void run() override {
    std::uint32_t mailbox[5] = {};  // firmware/scale.c; node (0,0) is an endpoint of the channel
    write(1, 1, 0x8000, mailbox, sizeof mailbox);
    start(1, 1, FIRMWARE);
    while (mailbox[0] == 0) {
      wait(1, sc_core::SC_US);
      read(1, 1, 0x8000, mailbox, sizeof mailbox);
    }
    std::printf("done after %u cycles of the core\n", mailbox[1]);
    sc_core::sc_stop();
  }
};

}  // namespace

int sc_main(int, char**) {
  constexpr std::uint32_t kWords = 8192 / 4;
  tensix_vp::Board::Parameters parameters;
  parameters.foreign_dram = {{.chip = 0, .group = 0, .channel = 0}};
  parameters.foreign_timing = tensix_vp::Board::Timing::kLoose;
  tensix_vp::Board board("board", parameters);
  Memory memory("memory");
  Host host("host");
  host.bus.bind(board.pcie);
  board.dram({.chip = 0, .group = 0, .channel = 0}).bind(memory.socket);
  auto* words = reinterpret_cast<std::uint32_t*>(memory.bytes.data());
  for (std::uint32_t i = 0; i < kWords; ++i) words[i] = i;
  sc_core::sc_start();
  bool right = true;
  for (std::uint32_t i = 0; i < kWords; ++i) right = right && words[kWords + i] == 2 * i;
  std::printf("%u accesses of the memory, result %s\n", memory.accesses, right ? "right" : "wrong");
  return right ? 0 : 1;
}
