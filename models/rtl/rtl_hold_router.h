#pragma once

#include <array>
#include <memory>
#include <systemc>

#include "models/mesh/external_router.h"
#include "models/rtl/rtl_router.h"

class Vhold_router;

namespace tvp::rtl {

/// hold_router.sv behind the interface of a router of HoldMesh.
class RtlHoldRouter : public RtlRouter, public mesh::ExternalHoldRouter {
 public:
  RtlHoldRouter(const sc_core::sc_module_name& name, const mesh::MeshTopology& topology);
  ~RtlHoldRouter() override;

  mesh::PortMask valid() const override { return valid_; }
  mesh::PortMask ready() const override { return ready_; }
  const mesh::Flit& output(mesh::Port port) const override { return outputs_[mesh::index(port)]; }
  void take(mesh::Port port) override;
  void receive(mesh::Port port, const mesh::Flit& flit) override { note_flit(port, flit); }

  void empty() override;
  void drive() override;
  void sample(support::Cycle cycle) override;

 private:
  void add_wave_rows();

  mesh::PortMask valid_ = 0;
  static constexpr mesh::PortMask kAllPorts = (1U << mesh::kPorts) - 1;
  mesh::PortMask ready_ = kAllPorts;
  std::array<mesh::Flit, mesh::kPorts> outputs_;
  mesh::PortMask taken_ = 0;

  sc_core::sc_signal<std::uint32_t> in_ready_{"in_ready"};
  sc_core::sc_signal<std::uint32_t> out_ready_{"out_ready"};
  std::unique_ptr<Vhold_router> rtl_;
};

}  // namespace tvp::rtl
