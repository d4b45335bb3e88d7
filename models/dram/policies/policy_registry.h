#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/dram/channel_options.h"
#include "models/dram/controller/scheduler.h"
#include "models/dram/policies/page_policy.h"
#include "models/dram/policies/refresh_policy.h"
#include "models/dram/timing/timing.h"

namespace tvp::dram {

// The names for `dram.page`, `dram.scheduler` and `dram.refresh`. A new policy is a file pair and a
// line in policy_registry.cpp. It reads its settings from the options. All functions throw
// Fault(kDescription) for an unknown name.

std::vector<std::string> page_policy_names();
std::unique_ptr<PagePolicy> make_page_policy(const ChannelOptions& options);

std::vector<std::string> scheduler_names();
std::unique_ptr<Scheduler> make_scheduler(const ChannelOptions& options);

std::vector<std::string> refresh_policy_names();
/// Also throws Fault(kDescription) if the part has no bank refresh or permits less postponing.
std::unique_ptr<RefreshPolicy> make_refresh_policy(const ChannelOptions& options,
                                                   const Preset& preset);

}  // namespace tvp::dram
