// A loosely timed initiator writes firmware and data through PCI Express, starts a core and waits for its result.
#include <tensix_vp/systemc/board.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

using sc_core::sc_time;

/// A host that uses one window of BAR 0 to access a tile.
class Host : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Host> bus;
  bool right = false;

  explicit Host(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }

 private:
  static constexpr std::uint64_t kBar0 = 1ULL << 32;            // of device 0
  static constexpr std::uint64_t kWindow = 0;                   // window 0: 1 MiB
  static constexpr std::uint64_t kWindowRegisters = 0x1FC00000;  // 8 bytes a window
  static constexpr std::uint32_t kSoftReset = 0xFFB121B0;
  static constexpr std::uint32_t kAllButBrisc = 0x47000;
  static constexpr std::uint32_t kMailbox = 0x8000;

  void transport(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_time delay = sc_core::SC_ZERO_TIME;
    bus->b_transport(payload, delay);
    if (!payload.is_response_ok()) SC_REPORT_ERROR("host", payload.get_response_string().c_str());
    wait(delay);
  }
  /// Accesses `address` of the Tensix tile at NoC 0 coordinates (1,1).
  void tile(tlm::tlm_command command, std::uint32_t address, void* data, unsigned bytes) {
    std::uint64_t window = address >> 20 | 1ULL << 16 | 1ULL << 22 | 1ULL << 45;
    transport(tlm::TLM_WRITE_COMMAND, kBar0 + kWindowRegisters, &window, 8);
    transport(command, kBar0 + kWindow + address % (1U << 20), data, bytes);
  }

  void run() {
    std::ifstream file(FIRMWARE, std::ios::binary);
    std::vector<char> firmware(std::istreambuf_iterator<char>(file), {});
    std::uint32_t mailbox[64] = {61};
    for (std::uint32_t i = 0; i < 61; ++i) mailbox[3 + i] = i + 1;
    std::uint32_t reset = kAllButBrisc;
    tile(tlm::TLM_WRITE_COMMAND, 0, firmware.data(), static_cast<unsigned>(firmware.size()));
    tile(tlm::TLM_WRITE_COMMAND, kMailbox, mailbox, sizeof mailbox);
    tile(tlm::TLM_WRITE_COMMAND, kSoftReset, &reset, 4);
    while (mailbox[1] == 0) {
      wait(100, sc_core::SC_NS);
      tile(tlm::TLM_READ_COMMAND, kMailbox, mailbox, 12);
    }
    std::printf("sum %u at %s\n", mailbox[2], sc_core::sc_time_stamp().to_string().c_str());
    right = mailbox[2] == 61 * 62 / 2;
    sc_core::sc_stop();
  }
};

int sc_main(int, char**) {
  tensix_vp::Board board("board");
  Host host("host");
  host.bus.bind(board.pcie);
  sc_core::sc_start();
  return host.right ? 0 : 1;
}
