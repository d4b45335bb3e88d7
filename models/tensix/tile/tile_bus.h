#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "foundation/fault.h"
#include "models/support/mmio.h"
#include "models/tensix/l1_client.h"
#include "models/tensix/tile/l1.h"

namespace tvp::tensix {

/// Decodes the address of every access inside a tile (ISA BabyRISCV/README.md, memory map) and
/// passes it to L1 or to the block that owns the window.
///
/// Each master has a target socket, since several windows mean different things to different cores.
/// L1 supports DMI. Register windows accept aligned 32-bit stores and loads of any width.
class TileBus : public sc_core::sc_module {
 public:
  enum class Window : std::uint8_t {
    kTdma,
    kControl,
    kNiu0,
    kNiu1,
    kOverlay,
    kMopConfig,
    kGprs,
    kPush,
    kPcBuf,
    kMailbox,
    kConfig,
    kEthernetQueues,
    kEthernetControl,
    kDevices,
    kCount,
  };
  static constexpr unsigned kMasters = static_cast<unsigned>(support::BusMaster::kDebug) + 1;

  /// One socket for each support::BusMaster; those of the tile's masters are bound.
  sc_core::sc_vector<tlm_utils::passthrough_target_socket_tagged_optional<TileBus>> masters;

  TileBus(const sc_core::sc_module_name& name, std::string where, L1& l1,
          const sc_core::sc_time& cycle, foundation::FaultPolicy& faults);

  tlm_utils::passthrough_target_socket_tagged_optional<TileBus>& master(support::BusMaster m) {
    return masters[static_cast<unsigned>(m)];
  }
  /// The device gets offsets from the start of the window. Exceptions are kPush and kPcBuf, which
  /// get the low 24 bits of the address since their meaning depends on them.
  void map(Window window, support::MmioDevice& device) {
    devices_[static_cast<unsigned>(window)] = &device;
  }

  /// `device` gets the addresses from `first` on, which belong to no other window.
  void map_devices(std::uint32_t first, std::uint32_t bytes, support::MmioDevice& device) {
    first_device_ = first;
    device_bytes_ = bytes;
    map(Window::kDevices, device);
  }

  /// Sets the observer of every access to L1; null: none. Takes the direct pointers of cores back,
  /// or returns them.
  void set_memory_observer(support::Probe::Listener* observer);

  /// Access of the host and of debuggers to L1 and registers without time; false if nothing is
  /// mapped there. The host's register reads that block or have side effects act like a NoC read.
  /// transport_dbg, for debuggers, reads only registers without side effects, writes none, and
  /// wakes no agent.
  bool debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes, bool write,
                    support::Cycle now, support::BusMaster master = support::BusMaster::kDebug);

 private:
  struct Decoded {
    Window window = Window::kCount;
    std::uint32_t offset = 0;
    std::uint32_t latency = 0;
  };
  Decoded decode(std::uint32_t address, support::BusMaster master) const;
  /// For addresses that decode() does not know.
  Decoded decode_device(std::uint32_t address) const;
  Decoded decode_all(std::uint32_t address, support::BusMaster master) const {
    const Decoded decoded = decode(address, master);
    return decoded.window == Window::kCount ? decode_device(address) : decoded;
  }
  void b_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned transport_dbg(int id, tlm::tlm_generic_payload& payload);
  bool peek(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
            support::BusMaster master);
  void access_l1(tlm::tlm_generic_payload& payload, support::BusAccess& bus);
  void access_register(tlm::tlm_generic_payload& payload, support::BusAccess& bus);

  std::string where_;
  L1& l1_;
  const std::uint64_t l1_window_bytes_;  ///< decoded size; addresses behind the memory have none
  sc_core::sc_time cycle_;
  foundation::FaultPolicy& faults_;
  std::uint32_t first_device_ = 0;
  std::uint32_t device_bytes_ = 0;
  /// The last one, for addresses without a window, is null.
  std::array<support::MmioDevice*, static_cast<unsigned>(Window::kCount) + 1> devices_{};
};

}  // namespace tvp::tensix
