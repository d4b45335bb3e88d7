#pragma once

#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/request_initiator.h"

namespace tvp::noc {

/// Faults for what a command must not ask for, and ends the run where silicon's answer is not
/// public (ISA NoC/MemoryMap.md, NoC/Alignment.md).
void check_request(const NiuContext& context, const RequestInitiator& request);

}  // namespace tvp::noc
