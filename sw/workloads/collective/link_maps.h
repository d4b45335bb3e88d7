#pragma once

#include "sw/collectives/execution/collective_executor.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::collective {

/// What the links between ranks carried, on the shape of the system: places of devices are holes,
/// the cells between them the links in one direction. Where the ranks have no such shape, a map of
/// who sent how much to whom.
void add_link_maps(const collectives::CollectiveExecutor::LinkLoads& loads, Result& result);

}  // namespace tvp::workloads::collective
