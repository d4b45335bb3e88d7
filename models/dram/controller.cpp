#include "models/dram/controller.h"

#include "models/dram/banked_controller.h"
#include "models/dram/service_controller.h"

namespace tvp::dram {

void Controller::perform(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const std::uint32_t bytes = payload.get_data_length();
  if (address + bytes > Storage::kBytes) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.is_read()) {
    storage_.read(address, payload.get_data_ptr(), bytes);
  } else {
    storage_.write(address, payload.get_data_ptr(), bytes, payload.get_byte_enable_ptr());
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
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
