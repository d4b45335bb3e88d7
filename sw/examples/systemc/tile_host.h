#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

/// A loosely timed host that accesses tiles of a device through one window of BAR 0.
class TileHost : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<TileHost> bus;
  std::uint64_t bar0 = 1ULL << 32;  ///< Board::bar(device, 0)

  explicit TileHost(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    SC_HAS_PROCESS(TileHost);
    SC_THREAD(run);
  }

 protected:
  /// The host's program; it may call the methods below.
  virtual void run() = 0;

  // Accesses of the tile at NoC 0 coordinates (x, y); a range lies within 1 MiB.
  void read(unsigned x, unsigned y, std::uint64_t address, void* data, unsigned bytes) {
    select(x, y, address);
    transport(tlm::TLM_READ_COMMAND, bar0 + address % kWindowBytes, data, bytes);
  }
  void write(unsigned x, unsigned y, std::uint64_t address, const void* data, unsigned bytes) {
    select(x, y, address);
    transport(tlm::TLM_WRITE_COMMAND, bar0 + address % kWindowBytes, const_cast<void*>(data),
              bytes);
  }
  /// Loads an image to address 0 of a tile and releases its core BRISC or ERISC from reset.
  void start(unsigned x, unsigned y, const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> image(std::istreambuf_iterator<char>(stream), {});
    if (image.empty()) SC_REPORT_ERROR(name(), (file + ": no firmware").c_str());
    write(x, y, 0, image.data(), static_cast<unsigned>(image.size()));
    const std::uint32_t others = 0x47000;  // the bits of NCRISC and TRISC0 to TRISC2
    write(x, y, 0xFFB121B0, &others, 4);   // SOFT_RESET_0
  }

 private:
  static constexpr std::uint64_t kWindowBytes = 1 << 20;         // size of window 0
  static constexpr std::uint64_t kWindowRegisters = 0x1FC00000;  // 8 bytes a window

  void select(unsigned x, unsigned y, std::uint64_t address) {
    const std::uint64_t window = address / kWindowBytes | std::uint64_t{x} << 16 |
                                 std::uint64_t{y} << 22 | 1ULL << 45;  // static virtual channel
    transport(tlm::TLM_WRITE_COMMAND, bar0 + kWindowRegisters, const_cast<std::uint64_t*>(&window),
              8);
  }
  void transport(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bus->b_transport(payload, delay);
    if (!payload.is_response_ok()) SC_REPORT_ERROR(name(), payload.get_response_string().c_str());
    wait(delay);
  }
};
