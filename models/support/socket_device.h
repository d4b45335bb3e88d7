#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/support/mmio.h"

namespace tvp::support {

/// The bus side of a block whose registers are behind a TLM socket. It turns an MmioAccess into a
/// b_transport on `socket`. The payload is reused, since an access is over when access() returns.
class SocketDevice : public sc_core::sc_module, public MmioDevice {
 public:
  tlm_utils::simple_initiator_socket<SocketDevice> socket;

  explicit SocketDevice(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&data_));
    payload_.set_data_length(4);
    payload_.set_streaming_width(4);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_extension(&bus_);
  }
  ~SocketDevice() override { payload_.clear_extension(&bus_); }

  void access(MmioAccess& access) override {
    data_ = access.data;
    bus_.now = access.now;
    bus_.latency = 0;
    bus_.master = access.master;
    bus_.order = static_cast<std::uint8_t>(access.order);
    bus_.blocked = false;
    bus_.watch = Watch::kNone;
    payload_.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload_.set_address(access.offset);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload_, delay);
    access.blocked = bus_.blocked;
    access.latency = bus_.latency;
    access.watch = bus_.watch;
    access.unmapped = !bus_.blocked && payload_.is_response_error();
    if (!access.write) access.data = data_;
  }
  bool peek(MmioAccess& access) override {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(access.offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&access.data));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    return socket->transport_dbg(payload) == 4;
  }

 private:
  tlm::tlm_generic_payload payload_;
  BusAccess bus_;
  std::uint32_t data_ = 0;
};

}  // namespace tvp::support
