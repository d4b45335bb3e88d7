#pragma once

#include <memory>

#include "sw/runtime/mesh/cluster.h"

namespace tvp::runtime {

/// The library and its chips for programs that name neither. The first mesh or buffer opens it, the
/// last one closes it. The system is an n150 unless the environment names another one (vp exec
/// --system).
std::shared_ptr<Cluster> shared_cluster();

}  // namespace tvp::runtime
