#pragma once

#include <string>

#include "models/sockets/tensix_vp/rtl/mesh_router.h"

namespace tvp::rtl {

/// Loads a library that tensix_vp_add_rtl(KIND mesh_router) has made: a path, or a name NAME for
/// libNAME.so in the current folder, beside our libraries or in LD_LIBRARY_PATH. Throws
/// Fault(kDescription) if there is none.
const tensix_vp::rtl::MeshRouterModule& router_library(const std::string& name);

}  // namespace tvp::rtl
