#include "models/ethernet/bus_initiator.h"

namespace tvp::ethernet {

BusInitiator::BusInitiator(const sc_core::sc_module_name& name, support::BusMaster master)
    : sc_module(name), socket("socket") {
  access_.master = master;
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_extension(&access_);
}

BusInitiator::~BusInitiator() { payload_.clear_extension(&access_); }

BusInitiator::Result BusInitiator::transport(bool write, std::uint32_t address, std::uint8_t* data,
                                             std::uint32_t bytes, support::Cycle now,
                                             unsigned order) {
  access_.now = now;
  access_.latency = 0;
  access_.order = static_cast<std::uint8_t>(order);
  access_.blocked = false;
  access_.watch = support::Watch::kNone;
  payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  payload_.set_data_ptr(data);
  payload_.set_data_length(bytes);
  payload_.set_streaming_width(bytes);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->b_transport(payload_, delay);
  return {payload_.is_response_ok(), access_.blocked, access_.latency};
}

}  // namespace tvp::ethernet
