#include "models/dram/controller/controller_registry.h"

#include "models/dram/controller/banked_controller.h"
#include "models/dram/controller/service_controller.h"

namespace tvp::dram {

std::unique_ptr<Controller> make_controller(const sc_core::sc_module_name& name,
                                            const DramConfig& config, std::uint64_t bytes,
                                            support::Calendar& calendar, Period aiclk) {
  if (config.controller == "banked") {
    return std::make_unique<BankedController>(name, config, bytes, calendar, aiclk);
  }
  return std::make_unique<ServiceController>(name, config, bytes, calendar);
}

}  // namespace tvp::dram
