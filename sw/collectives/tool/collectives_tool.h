#pragma once

#include <string>
#include <vector>

#include "sw/collectives/algorithms/schedule_request.h"
#include "sw/collectives/findings/machine_claim.h"
#include "sw/collectives/tool/tool_arguments.h"

namespace tvp::collectives {

/// Executes `vp collectives` without a device: lists algorithms, shows and checks schedules,
/// converts their files, decides claims. Returns the text to print; throws Fault(kDescription).
/// `run` executes findings on modelled machines; without it they are left out.
std::string collectives_tool(const std::vector<std::string>& words,
                             const RunCommand& run = nullptr);

/// The request that the keys `op=… algo=… N=…` name, and the algorithm.
struct NamedRequest {
  std::string algorithm;
  ScheduleRequest request;
};
NamedRequest named_request(ToolArguments& arguments);

}  // namespace tvp::collectives
