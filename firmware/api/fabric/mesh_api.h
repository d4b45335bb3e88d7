#pragma once
// Packets through meshes and tori by tt-metal's names (mesh/api.h): the functions of mesh_sending.h
// for each command, in kernels that are compiled with FABRIC_2D. Arguments, in this order:
//   fabric_unicast_noc_COMMAND            connection, header, device, mesh, [source, bytes,] fields
//   fabric_multicast_noc_COMMAND          connection, header, device, mesh, range, […,] fields
//   fabric_unicast_noc_…_set_state<mask>  header, device, mesh, fields, [bytes]
//   fabric_multicast_…_set_state<mask>    header, device, mesh, range, fields, [bytes]
//   …_with_state<mask>                    connection, header, [source,] fields, [bytes]
// Connection and header may be connections and the number of a route of the PacketHeaderPool;
// device and mesh are then those of each connection, and range is an array. In the functions with a
// state, fields and bytes that no mask names can be left out. None of them waits until its packet
// has left.

#include <stdint.h>

#include <type_traits>

#include "fabric/linear_api.h"
#include "fabric/mesh_pages.h"
#include "fabric/mesh_sending.h"

namespace tt::tt_fabric::mesh::experimental {

namespace sending = tvp::fabric;
using namespace tt::tt_fabric::common::experimental;

#define TVP_FABRIC_FUNCTIONS(name, Command, cast)                                         \
  template <typename... Args>                                                             \
  FORCE_INLINE void fabric_##cast##_noc_##name(Args&&... args) {                          \
    sending::mesh_##cast<sending::Command>(args...);                                      \
  }                                                                                       \
  template <sending::Command::Mask mask = sending::Command::Mask::None, typename... Args> \
  FORCE_INLINE void fabric_##cast##_noc_##name##_set_state(Args&&... args) {              \
    sending::set_mesh_##cast<sending::Command, mask>(args...);                            \
  }                                                                                       \
  template <sending::Command::Mask mask = sending::Command::Mask::None, typename... Args> \
  FORCE_INLINE void fabric_##cast##_noc_##name##_with_state(Args&&... args) {             \
    if constexpr ((sending::AddressGenerator<std::remove_cvref_t<Args>> || ...)) {        \
      sending::pages_with_state<sending::Command, mask>(args...);                         \
    } else {                                                                              \
      sending::with_state<sending::Command, mask>(args...);                               \
    }                                                                                     \
  }
#define TVP_UNICAST(name, Command) TVP_FABRIC_FUNCTIONS(name, Command, unicast)
#define TVP_MULTICAST(name, Command) TVP_FABRIC_FUNCTIONS(name, Command, multicast)
TVP_FABRIC_COMMANDS(TVP_UNICAST)
TVP_FABRIC_COMMANDS(TVP_MULTICAST)
#undef TVP_MULTICAST
#undef TVP_UNICAST
#undef TVP_FABRIC_FUNCTIONS

}  // namespace tt::tt_fabric::mesh::experimental
