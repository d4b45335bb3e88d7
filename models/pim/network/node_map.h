#pragma once

#include "models/mesh/mesh_config.h"
#include "models/pim/pim_config.h"

namespace tvp::pim {

/// The places of units at the routers of a mesh (`pim.node_map`). Units and routers are numbered
/// from 0 within the mesh, routers as in mesh::MeshTopology.
class NodeMap {
 public:
  NodeMap(const PimConfig& config, const mesh::MeshConfig& mesh)
      : width_(mesh.width), height_(mesh.height), columns_(config.node_map == "columns") {}

  unsigned router_of(unsigned unit) const {
    return columns_ ? unit % height_ * width_ + unit / height_ : unit;
  }
  unsigned unit_at(unsigned router) const {
    return columns_ ? router % width_ * height_ + router / width_ : router;
  }

 private:
  unsigned width_;
  unsigned height_;
  bool columns_;
};

}  // namespace tvp::pim
