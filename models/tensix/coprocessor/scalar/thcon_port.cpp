#include "models/tensix/coprocessor/scalar/thcon_port.h"

#include <utility>

namespace tvp::tensix::coprocessor {

using foundation::Fault;
using foundation::FaultKind;

ThconPort::ThconPort(std::string where, WriteBack& write_back, const support::Agent& agent,
                     foundation::FaultPolicy& faults)
    : socket("thcon"),
      where_(std::move(where)),
      write_back_(write_back),
      agent_(agent),
      faults_(faults) {
  payload_.set_extension(&bus_access_);
}

ThconPort::~ThconPort() {
  // the payload must not delete its extension
  payload_.clear_extension(&bus_access_);
}

void ThconPort::write_register(std::uint32_t address, std::uint32_t value, Cycle when) {
  WriteBack::Entry entry;
  entry.when = when;
  entry.target = WriteBack::Target::kRegister;
  entry.data = {address, value, 0, 0};
  write_back_.add(entry);
}

MmioPort::Result ThconPort::transport(bool write, std::uint32_t address, std::uint32_t data,
                                      Cycle now) {
  Result result;
  result.data = data;
  bus_access_ = support::BusAccess{};
  bus_access_.now = now;
  bus_access_.master = support::BusMaster::kThcon;
  bus_access_.order = static_cast<std::uint8_t>(agent_.order());
  payload_.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(address);
  payload_.set_data_ptr(reinterpret_cast<unsigned char*>(&result.data));
  payload_.set_data_length(4);
  payload_.set_streaming_width(4);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  try {
    socket->b_transport(payload_, delay);
  } catch (const Fault& fault) {
    faults_.raise(fault);  // adds the instruction that caused it
    throw;
  }
  result.blocked = bus_access_.blocked;
  result.latency = bus_access_.latency;
  if (!result.blocked && payload_.is_response_error()) {
    faults_.raise(Fault(FaultKind::kFirmware, where_,
                        std::string(write ? "store" : "load") + " at " + std::to_string(address) +
                            ": " + payload_.get_response_string()));
  }
  return result;
}

}  // namespace tvp::tensix::coprocessor
