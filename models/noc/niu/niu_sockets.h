#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "models/noc/noc_protocol.h"

namespace tvp::noc {

class Niu;

using NiuRegistersSocket = tlm_utils::passthrough_target_socket<Niu>;
using NiuMemorySocket = tlm_utils::simple_initiator_socket<Niu>;
using NiuToNetworkSocket = tlm_utils::simple_initiator_socket<Niu, 32, NocProtocol>;
using NiuFromNetworkSocket = tlm_utils::passthrough_target_socket<Niu, 32, NocProtocol>;

}  // namespace tvp::noc
