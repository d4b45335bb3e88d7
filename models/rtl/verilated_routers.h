#pragma once

#include "models/sockets/tensix_vp/rtl/mesh_router.h"

namespace tvp::rtl {

/// hold_router.sv and vc_router.sv.
const tensix_vp::rtl::MeshRouterModule& verilated_hold_router();
const tensix_vp::rtl::MeshRouterModule& verilated_vc_router();
// Parameters of vc_router.sv.
inline constexpr unsigned kVcs = 2;
inline constexpr unsigned kBufferFlits = 8;

}  // namespace tvp::rtl
