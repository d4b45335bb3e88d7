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

// What `dram.page`, `dram.scheduler` and `dram.refresh` may name. Another one: a file pair of its
// own, and a line in policy_registry.cpp. A policy reads settings of its own from the options. All
// throw Fault(kDescription) for a name that is none of these.

std::vector<std::string> page_policy_names();
std::unique_ptr<PagePolicy> make_page_policy(const ChannelOptions& options);

std::vector<std::string> scheduler_names();
std::unique_ptr<Scheduler> make_scheduler(const ChannelOptions& options);

std::vector<std::string> refresh_policy_names();
/// Throws Fault(kDescription) also when the part has no bank refresh or permits less postponing.
std::unique_ptr<RefreshPolicy> make_refresh_policy(const ChannelOptions& options,
                                                   const Preset& preset);

}  // namespace tvp::dram
