#pragma once

#include <array>
#include <memory>
#include <systemc>

#include "models/mesh/external_router.h"
#include "models/rtl/clocked_router.h"
#include "models/rtl/flit_pins.h"

class Vvc_router;

namespace tvp::rtl {

/// vc_router.sv behind the interface of a router of BufferedMesh.
class RtlVcRouter : public sc_core::sc_module, public mesh::ExternalVcRouter, public ClockedRouter {
 public:
  // Parameters of the RTL.
  static constexpr unsigned kVcs = 2;
  static constexpr unsigned kBufferFlits = 8;

  RtlVcRouter(const sc_core::sc_module_name& name, const mesh::Topology& topology);
  ~RtlVcRouter() override;

  void receive(mesh::Port in, const mesh::Flit& flit) override;
  void credit(mesh::Port out, unsigned vc) override;
  const mesh::VcRouter::Outputs& outputs() const override { return outputs_; }
  bool idle() const override { return inside_ == 0; }

  void set_reset(bool on) override { rst_.write(on); }
  void set_clock(bool level) override { clk_.write(level); }
  void empty() override;
  void set_straps(const mesh::Straps& straps, unsigned routing) override;
  void set_row(std::optional<TableRow> row) override;
  void drive() override;
  void sample(support::Cycle cycle) override;

 private:
  void add_wave_rows();

  const mesh::Topology& topology_;
  FlitPins pins_;
  HeadTimes heads_;
  mesh::VcRouter::Outputs outputs_;
  mesh::PortMask received_ = 0;
  mesh::PortMask credited_ = 0;
  std::array<FlitWires, mesh::kPorts> inputs_;
  std::array<std::uint8_t, mesh::kPorts> credit_vcs_{};
  unsigned inside_ = 0;  ///< flits

  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_{"rst"};
  sc_core::sc_signal<std::uint32_t> x_{"x"};
  sc_core::sc_signal<std::uint32_t> y_{"y"};
  sc_core::sc_signal<std::uint32_t> routing_{"routing"};
  sc_core::sc_signal<bool> row_write_{"row_write"};
  sc_core::sc_signal<std::uint32_t> row_index_{"row_index"};
  sc_core::sc_signal<std::uint32_t> row_{"row"};
  sc_core::sc_signal<std::uint32_t> endpoints_{"endpoints"};
  sc_core::sc_signal<std::uint32_t> credit_in_{"credit_in"};
  sc_core::sc_signal<std::uint32_t> credit_out_{"credit_out"};
  sc_core::sc_signal<bool> overflow_{"overflow"};
  std::array<sc_core::sc_signal<std::uint32_t>, mesh::kPorts> credit_in_vc_;
  std::array<sc_core::sc_signal<std::uint32_t>, mesh::kPorts> credit_out_vc_;
  FlitSignals in_{"in_valid"};
  FlitSignals out_{"out_valid"};
  std::unique_ptr<Vvc_router> rtl_;
};

}  // namespace tvp::rtl
