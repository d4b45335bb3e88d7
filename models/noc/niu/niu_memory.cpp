#include "models/noc/niu/niu_memory.h"

#include "foundation/hex.h"

namespace tvp::noc {

using support::Cycle;

NiuMemory::NiuMemory(const NiuContext& context, NiuMemorySocket& memory)
    : context_(context), memory_(memory) {
  payload_.set_extension(&access_);
}

NiuMemory::~NiuMemory() { payload_.clear_extension(&access_); }

// The tile returns the time at its ports. The time to L1 and back is added.

std::uint32_t NiuMemory::read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                              Cycle now) {
  const std::uint32_t latency = access(tlm::TLM_READ_COMMAND, address, data, bytes, now, nullptr);
  return context_.is_mmio(address) ? latency : latency + context_.config.l1_read_cycles;
}

std::uint32_t NiuMemory::write(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                               Cycle now, std::uint8_t* enables) {
  const std::uint32_t latency = access(tlm::TLM_WRITE_COMMAND, address, data, bytes, now, enables);
  return context_.is_mmio(address) ? latency : latency + context_.config.l1_write_cycles;
}

std::uint32_t NiuMemory::overdue(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                                 Cycle now) {
  return access(tlm::TLM_IGNORE_COMMAND, address, data, bytes, now, nullptr);
}

std::uint32_t NiuMemory::access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                                std::uint32_t bytes, Cycle now, std::uint8_t* enables) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(data);
  payload_.set_data_length(bytes);
  payload_.set_streaming_width(bytes);
  payload_.set_byte_enable_ptr(enables);
  payload_.set_byte_enable_length(enables == nullptr ? 0 : bytes);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  access_.now = now;
  access_.latency = 0;
  access_.master = context_.master;
  access_.order = static_cast<std::uint8_t>(context_.agent.order());
  access_.blocked = false;
  access_.provisional = false;
  access_.watch = support::Watch::kNone;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  memory_->b_transport(payload_, delay);
  if (access_.blocked) {
    context_.unmodelled("a remote request to a register that cannot serve now, address " +
                        foundation::hex(address));
  }
  if (!payload_.is_response_ok()) {
    if (request_ != nullptr) {
      context_.refused(*request_, payload_);
    } else {
      context_.refused(payload_, core_, pc_);
    }
  }
  return access_.latency;
}

}  // namespace tvp::noc
