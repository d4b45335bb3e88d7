#pragma once

#include <array>
#include <cstdint>

#include "models/mesh/external_router.h"
#include "models/rtl/rtl_router.h"

namespace tvp::rtl {

/// A router with valid and ready, as hold_router.sv, behind the interface of a router of HoldMesh.
class RtlHoldRouter : public RtlRouter, public mesh::ExternalHoldRouter {
 public:
  RtlHoldRouter(const Module& module, const std::string& name, const mesh::MeshTopology& topology);

  mesh::PortMask valid() const override { return pins_.out_valid; }
  mesh::PortMask ready() const override { return pins_.in_ready; }
  const mesh::Flit& output(mesh::Port port) const override { return outputs_[mesh::index(port)]; }
  std::uint64_t payload(mesh::Port port) const override { return payload_at(port); }
  void take(mesh::Port port) override { pins_.out_ready |= mesh::mask_of(port); }
  void receive(mesh::Port port, const mesh::Flit& flit, std::uint64_t payload) override {
    put(port, flit, payload);
  }

 private:
  void clear_inputs() override;
  void sample() override;

  std::array<mesh::Flit, mesh::kPorts> outputs_;
};

}  // namespace tvp::rtl
