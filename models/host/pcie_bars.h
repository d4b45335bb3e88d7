#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "foundation/fault.h"
#include "models/host/access_listener.h"
#include "models/host/arc_registers.h"
#include "models/host/chip_access.h"
#include "models/host/outbound_iatu.h"

namespace tvp::host {

/// The BARs of a chip as the host sees them (ISA PCIExpressTile/README.md, TLBs.md). BAR 0
/// has TLB windows into the NoC address space, their configuration, and the ARC; BAR 2 has the
/// outbound iATU. Accesses take no simulated time.
class PcieBars {
 public:
  PcieBars(std::string where, const foundation::ChipSpec::Pcie& spec, ChipAccess& chip,
           ArcRegisters& arc, OutboundIatu& iatu)
      : where_(std::move(where)),
        spec_(spec),
        chip_(chip),
        arc_(arc),
        iatu_(iatu),
        config_(spec.window_count()) {}

  /// Access to BAR 0 at `offset`; it may span windows. Throws foundation::Fault.
  void access_bar0(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write,
                   std::uint64_t now_ps);
  /// Access to BAR 2: aligned 32-bit words only, as in hardware. Throws foundation::Fault.
  void access_bar2(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write);
  /// Sets the listener for accesses outside of windows; null: none.
  void set_listener(AccessListener* listener) { listener_ = listener; }

 private:
  struct Window {
    unsigned index;
    std::uint64_t offset;  ///< within the window
    unsigned size_log2;
  };
  /// Access to memory or registers of the ARC.
  void access_arc(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write,
                  std::uint64_t now_ps);
  /// False if `offset` is beyond the windows.
  bool window_at(std::uint64_t offset, Window& window) const;
  void access_window(const Window& window, std::uint8_t* data, std::uint32_t bytes, bool write);
  void access_config(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write);
  void access_apb(std::uint32_t offset, std::uint8_t* data, std::uint32_t bytes, bool write,
                  std::uint64_t now_ps);

  std::string where_;
  const foundation::ChipSpec::Pcie& spec_;
  ChipAccess& chip_;
  ArcRegisters& arc_;
  OutboundIatu& iatu_;
  std::vector<std::uint64_t> config_;  ///< configuration of the windows
  AccessListener* listener_ = nullptr;
};

}  // namespace tvp::host
