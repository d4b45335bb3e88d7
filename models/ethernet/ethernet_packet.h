#pragma once

#include "foundation/regs/ethernet.h"
#include "models/sockets/tensix_vp/systemc/ethernet.h"

namespace tvp::ethernet {

using tensix_vp::EthernetPacket;
static_assert(EthernetPacket::kMaxBytes == regs::ethernet::kMaxPacketBytes);

}  // namespace tvp::ethernet
