#pragma once

#include <string>

#include "sw/collectives/schedule/schedule.h"
#include "sw/collectives/schedule/wiring.h"

namespace tvp::collectives {

std::string rank_text(std::uint32_t rank);    ///< "rank 3" or "the switch"
std::string place_text(const StepPlace& at);  ///< "rank 3 lane 0 step 2"
std::string step_text(const Step& step);      ///< e.g. "send input[3] to rank 4"
/// One line for each step, ranks one after the other.
std::string schedule_text(const Schedule& schedule);

}  // namespace tvp::collectives
