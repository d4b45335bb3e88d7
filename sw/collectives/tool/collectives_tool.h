#pragma once

#include <string>
#include <vector>

#include "sw/collectives/algorithms/schedule_request.h"
#include "sw/collectives/findings/machine_claim.h"
#include "sw/collectives/tool/arguments.h"

namespace tvp::collectives {

/// What `vp collectives` does, without a device: lists algorithms, shows and checks schedules,
/// converts their files, decides claims. Gives back what is printed; throws Fault(kDescription).
/// `run` serves findings on modelled machines, which are left out without it.
std::string collectives_tool(const std::vector<std::string>& words,
                             const RunCommand& run = nullptr);

/// The request that `op=… algo=… N=…` name; `algo` is read as well, and given back.
struct NamedRequest {
  std::string algorithm;
  ScheduleRequest request;
};
NamedRequest named_request(Arguments& arguments);

}  // namespace tvp::collectives
