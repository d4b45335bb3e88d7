#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/host/arc_registers.h"
#include "models/host/chip_access.h"
#include "models/host/outbound_iatu.h"

namespace tvp::host {

/// The BARs of a Wormhole chip as the host sees them (ISA PCIExpressTile/README.md, TLBs.md). BAR 0
/// has 186 TLB windows into the NoC address space, their configuration, and the ARC; BAR 2 has the
/// outbound iATU. Accesses take no simulated time.
class PcieBars {
 public:
  static constexpr std::uint32_t kVendorDevice = 0x401E1E52;  ///< device 0x401E, vendor 0x1E52
  static constexpr std::uint64_t kBar0Bytes = 512ULL << 20;
  static constexpr std::uint64_t kBar2Bytes = 1ULL << 20;
  static constexpr std::uint64_t kBar4Bytes = 32ULL << 20;
  static constexpr unsigned kWindows = 186;
  static constexpr std::uint64_t kWindowConfig = 0x1FC00000;
  static constexpr std::uint64_t kArcCsm = 0x1FE80000;
  static constexpr std::uint64_t kArcApb = 0x1FF00000;
  static constexpr std::uint32_t kIatu = 0x1200;  ///< in BAR 2

  PcieBars(std::string where, ChipAccess& chip, ArcRegisters& arc, OutboundIatu& iatu)
      : where_(std::move(where)), chip_(chip), arc_(arc), iatu_(iatu) {}

  /// Access of BAR 0 at `offset`; may span windows. Throws foundation::Fault.
  void access_bar0(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write,
                   std::uint64_t now_ps);
  /// Aligned 32-bit words only, as the hardware has it. Throws foundation::Fault.
  void access_bar2(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write);

 private:
  struct Window {
    unsigned index;
    std::uint64_t offset;  ///< within the window
    unsigned size_log2;
  };
  static Window window_at(std::uint64_t offset);
  void access_window(const Window& window, std::uint8_t* data, std::uint32_t bytes, bool write);
  void access_config(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write);
  void access_apb(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes, bool write,
                  std::uint64_t now_ps);

  std::string where_;
  ChipAccess& chip_;
  ArcRegisters& arc_;
  OutboundIatu& iatu_;
  std::array<std::uint64_t, kWindows> config_{};
};

}  // namespace tvp::host
