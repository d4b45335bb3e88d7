#include "models/dram/controller.h"

#include <algorithm>
#include <array>

#include "models/dram/banked_controller.h"
#include "models/dram/service_controller.h"
#include "models/support/payload_rules.h"

namespace tvp::dram {

tlm::tlm_sync_enum Controller::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  // An END_RESP ends what is over for the controller already.
  if (phase != tlm::BEGIN_REQ || !wants(payload)) return tlm::TLM_COMPLETED;
  return begin(payload, delay);
}

bool Controller::wants(tlm::tlm_generic_payload& payload) {
  const std::uint64_t bytes = payload.get_data_length();
  if (payload.get_address() >= Storage::kBytes || bytes > Storage::kBytes - payload.get_address()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return false;
  }
  return support::wants_transfer(payload);
}

void Controller::move(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                      std::uint32_t bytes) {
  const std::uint64_t address = payload.get_address() + offset;
  std::uint8_t* const data = payload.get_data_ptr() + offset;
  const bool write = payload.is_write();
  if (payload.get_byte_enable_ptr() == nullptr) {
    if (write) {
      storage_.write(address, data, bytes);
    } else {
      storage_.read(address, data, bytes);
    }
    return;
  }
  std::array<std::uint8_t, 64> part;
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t n = std::min<std::uint32_t>(bytes - done, part.size());
    storage_.read(address + done, part.data(), n);
    if (write) {
      support::copy_enabled(part.data(), data + done, n, payload, offset + done);
      storage_.write(address + done, part.data(), n);
    } else {
      support::copy_enabled(data + done, part.data(), n, payload, offset + done);
    }
    done += n;
  }
}

unsigned Controller::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (address >= Storage::kBytes || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const auto bytes = static_cast<unsigned>(
      std::min<std::uint64_t>(payload.get_data_length(), Storage::kBytes - address));
  if (payload.is_write()) {
    storage_.write(address, payload.get_data_ptr(), bytes);
  } else {
    storage_.read(address, payload.get_data_ptr(), bytes);
  }
  return bytes;
}

std::unique_ptr<Controller> make_controller(const sc_core::sc_module_name& name,
                                            const DramConfig& config, support::Calendar& calendar,
                                            Period aiclk) {
  if (config.controller == "banked") {
    return std::make_unique<BankedController>(name, config, calendar, aiclk);
  }
  return std::make_unique<ServiceController>(name, config, calendar);
}

}  // namespace tvp::dram
