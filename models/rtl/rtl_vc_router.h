#pragma once

#include <cstdint>

#include "models/mesh/external_router.h"
#include "models/rtl/rtl_router.h"

namespace tvp::rtl {

/// A router with virtual channels and credits, as vc_router.sv, behind the interface of a router of
/// BufferedMesh.
class RtlVcRouter : public RtlRouter, public mesh::ExternalVcRouter {
 public:
  RtlVcRouter(const Module& module, const std::string& name, const mesh::MeshTopology& topology);

  void receive(mesh::Port in, const mesh::Flit& flit, std::uint64_t payload) override {
    put(in, flit, payload);
  }
  void credit(mesh::Port out, unsigned vc) override;
  const mesh::VcRouter::Outputs& outputs() const override { return outputs_; }
  std::uint64_t payload(mesh::Port out) const override { return payload_at(out); }

 private:
  void clear_inputs() override;
  void sample() override;

  mesh::VcRouter::Outputs outputs_;
};

}  // namespace tvp::rtl
