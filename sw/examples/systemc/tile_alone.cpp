// A Tensix tile without a chip. Firmware reads a memory of the user over the NoC, doubles the words
// and writes them behind it.
#include <tensix_vp/systemc/board.h>
#include <tensix_vp/systemc/tensix_tile.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

constexpr std::uint32_t kMailbox = 0x8000, kWords = 2048;  // firmware/scale.c
constexpr std::uint32_t kSoftReset = 0xFFB121B0;

/// A memory at node (2,1), 100 ns away.
class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket;
  std::uint32_t words[2 * kWords] = {};

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Memory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t offset = payload.get_address() - tensix_vp::Board::noc_address(2, 1, 0);
    const unsigned bytes = payload.get_data_length();
    if (offset > sizeof words || bytes > sizeof words - offset) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    char* const at = reinterpret_cast<char*>(words) + offset;
    if (payload.is_write()) {
      std::memcpy(at, payload.get_data_ptr(), bytes);
    } else {
      std::memcpy(payload.get_data_ptr(), at, bytes);
    }
    delay += sc_core::sc_time(100, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class Host : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Host> bus;

  explicit Host(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }

 private:
  void run() {
    std::ifstream file(FIRMWARE, std::ios::binary);
    std::vector<char> image(std::istreambuf_iterator<char>(file), {});
    std::uint32_t mailbox[] = {0, 0, 0, 2 | 1 << 6, 0};
    std::uint32_t others = 0x47000;  // the bits of NCRISC and TRISC0 to TRISC2
    access(tlm::TLM_WRITE_COMMAND, 0, image.data(), static_cast<unsigned>(image.size()));
    access(tlm::TLM_WRITE_COMMAND, kMailbox, mailbox, sizeof mailbox);
    access(tlm::TLM_WRITE_COMMAND, kSoftReset, &others, 4);
    while (mailbox[0] == 0) {
      wait(100, sc_core::SC_NS);
      access(tlm::TLM_READ_COMMAND, kMailbox, mailbox, sizeof mailbox);
    }
    std::printf("%u cycles, of which reading took %u\n", mailbox[1], mailbox[2]);
    sc_core::sc_stop();
  }
  void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay;
    bus->b_transport(payload, delay);
    if (!payload.is_response_ok()) SC_REPORT_ERROR(name(), payload.get_response_string().c_str());
  }
};

}  // namespace

int sc_main(int, char**) {
  tensix_vp::TensixTile tile("tile");
  Memory memory("memory");
  Host host("host");
  host.bus.bind(tile.local);
  tile.noc_memory().bind(memory.socket);
  for (std::uint32_t i = 0; i < kWords; ++i) memory.words[i] = i;
  sc_core::sc_start();
  bool right = true;
  for (std::uint32_t i = 0; i < kWords; ++i) right = right && memory.words[kWords + i] == 2 * i;
  return right ? 0 : 1;
}
