#pragma once

#include "sw/collectives/execution/collective_executor.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::collective {

/// Adds maps of the bytes that links between ranks carried, in the shape of the system: places of
/// devices are holes, and the cells between them are the links in one direction. If the ranks have
/// no shape, adds a map of the bytes that each rank sent to each other.
void add_link_maps(const collectives::CollectiveExecutor::LinkLoads& loads, Result& result);

}  // namespace tvp::workloads::collective
