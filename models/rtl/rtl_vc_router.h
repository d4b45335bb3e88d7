#pragma once

#include <array>
#include <memory>
#include <systemc>

#include "models/mesh/external_router.h"
#include "models/rtl/rtl_router.h"

class Vvc_router;

namespace tvp::rtl {

/// vc_router.sv behind the interface of a router of BufferedMesh.
class RtlVcRouter : public RtlRouter, public mesh::ExternalVcRouter {
 public:
  // Parameters of the RTL.
  static constexpr unsigned kVcs = 2;
  static constexpr unsigned kBufferFlits = 8;

  RtlVcRouter(const sc_core::sc_module_name& name, const mesh::MeshTopology& topology);
  ~RtlVcRouter() override;

  void receive(mesh::Port in, const mesh::Flit& flit) override { note_flit(in, flit); }
  void credit(mesh::Port out, unsigned vc) override;
  const mesh::VcRouter::Outputs& outputs() const override { return outputs_; }

  void empty() override;
  void set_straps(const mesh::Straps& straps, unsigned routing) override;
  void drive() override;
  void sample(support::Cycle cycle) override;

 private:
  void add_wave_rows();

  mesh::VcRouter::Outputs outputs_;
  mesh::PortMask credited_ = 0;
  std::array<std::uint8_t, mesh::kPorts> credit_vcs_{};

  sc_core::sc_signal<std::uint32_t> endpoints_{"endpoints"};
  sc_core::sc_signal<std::uint32_t> credit_in_{"credit_in"};
  sc_core::sc_signal<std::uint32_t> credit_out_{"credit_out"};
  sc_core::sc_signal<bool> overflow_{"overflow"};
  std::array<sc_core::sc_signal<std::uint32_t>, mesh::kPorts> credit_in_vc_;
  std::array<sc_core::sc_signal<std::uint32_t>, mesh::kPorts> credit_out_vc_;
  std::unique_ptr<Vvc_router> rtl_;
};

}  // namespace tvp::rtl
