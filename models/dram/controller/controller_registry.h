#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/dram/controller/controller.h"
#include "models/dram/dram_config.h"

namespace tvp::dram {

/// Makes the controller that `config.controller` names, for a channel of `bytes`.
std::unique_ptr<Controller> make_controller(const sc_core::sc_module_name& name,
                                            const DramConfig& config, std::uint64_t bytes,
                                            support::Calendar& calendar, Period aiclk);

}  // namespace tvp::dram
