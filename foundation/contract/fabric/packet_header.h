#pragma once
// Places of fields in the header of a packet that others than clients and routers read.

#include <stdint.h>

namespace tvp::contract::fabric {

/// Number of bytes behind the header, in two bytes.
constexpr uint32_t kPacketPayloadOffset = 40;
/// Type of the command, in one byte.
constexpr uint32_t kPacketTypeOffset = 42;

}  // namespace tvp::contract::fabric
