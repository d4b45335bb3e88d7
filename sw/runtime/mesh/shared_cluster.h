#pragma once

#include <memory>

#include "sw/runtime/mesh/cluster.h"

namespace tvp::runtime {

/// The library and its chips for programs that name neither: opened with the first mesh or buffer,
/// closed with the last. The system is an n150 unless the environment names another one (vp exec
/// --system).
std::shared_ptr<Cluster> shared_cluster();

}  // namespace tvp::runtime
