#pragma once

#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/request_initiator.h"

namespace tvp::noc {

/// Raises faults for illegal commands. Ends the run if silicon's behavior is not public (ISA
/// NoC/MemoryMap.md, NoC/Alignment.md).
void check_request(const NiuContext& context, const RequestInitiator& request);

}  // namespace tvp::noc
