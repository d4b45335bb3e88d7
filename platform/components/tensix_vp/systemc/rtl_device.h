#pragma once

#include <tensix_vp/rtl/bus_device.h>

#include <memory>
#include <systemc>
#include <tlm>
#include <utility>

#include "tensix_vp/systemc/rtl_parameters.h"

namespace tensix_vp {

/// A device in RTL with a target socket of the base protocol, for example behind Board::device() or
/// on the bus of a RiscvCore. tensix_vp_add_rtl(KIND bus_device) makes the RTL.
///
/// The clock has its edges at multiples of the period. It is not a process: an access first runs
/// the edges since the last one, and then those that it takes. A transaction moves its words one
/// after the other, each at the first edge at which the device is ready, and annotates the time of
/// the last one. It begins after the previous transaction.
class RtlDevice : public sc_core::sc_module {
 public:
  using Parameters = RtlParameters;

  RtlDevice(const sc_core::sc_module_name& name, std::unique_ptr<rtl::BusDevice> device,
            const Parameters& parameters);
  RtlDevice(const sc_core::sc_module_name& name, std::unique_ptr<rtl::BusDevice> device)
      : RtlDevice(name, std::move(device), Parameters()) {}
  ~RtlDevice() override;

  /// Loosely or approximately timed; any length and alignment, byte enables. No DMI, and no debug
  /// access, which would change registers. Addresses of more than 32 bits:
  /// TLM_ADDRESS_ERROR_RESPONSE.
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
      socket;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
