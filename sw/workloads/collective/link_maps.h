#pragma once

#include "sw/collectives/execution/collective_executor.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::collective {

/// Adds a map of the bytes on the links between ranks, in the shape of the system. Devices are
/// holes, and the cells between them are the links in one direction. If the ranks have no such
/// shape, the map shows the bytes from each rank to each other rank.
void add_link_maps(const collectives::CollectiveExecutor::LinkLoads& loads, Result& result);

}  // namespace tvp::workloads::collective
