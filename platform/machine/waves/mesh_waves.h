#pragma once

#include <string>
#include <vector>

#include "models/mesh/mesh_topology.h"
#include "models/rtl/router_array.h"
#include "models/support/signal.h"
#include "models/support/wave_files/wave_recorder.h"

namespace tvp::platform {

/// Creates a signal per link of a mesh for MeshNetwork::set_link_signals(), with rows
/// `path`.router_2_1.east (x, y).
void watch_links(support::WaveRecorder& recorder, const std::string& path,
                 const mesh::MeshTopology& topology, std::vector<support::LevelSignal>& signals);

/// Adds the pins of the RTL routers: `path`.router_2_1.rtl.in_valid.
void watch_pins(support::WaveRecorder& recorder, const std::string& path,
                const mesh::MeshTopology& topology, rtl::RouterArray& routers);

}  // namespace tvp::platform
