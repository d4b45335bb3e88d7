#pragma once

#include <array>
#include <memory>
#include <systemc>

#include "models/mesh/external_router.h"
#include "models/rtl/clocked_router.h"
#include "models/rtl/flit_pins.h"

class Vhold_router;

namespace tvp::rtl {

/// hold_router.sv behind the interface of a router of HoldMesh.
class RtlHoldRouter : public sc_core::sc_module,
                      public mesh::ExternalHoldRouter,
                      public ClockedRouter {
 public:
  RtlHoldRouter(const sc_core::sc_module_name& name, const mesh::Topology& topology);
  ~RtlHoldRouter() override;

  mesh::PortMask valid() const override { return valid_; }
  mesh::PortMask ready() const override { return ready_; }
  const mesh::Flit& output(mesh::Port port) const override { return outputs_[mesh::index(port)]; }
  void take(mesh::Port port) override;
  void receive(mesh::Port port, const mesh::Flit& flit) override;
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
  mesh::PortMask valid_ = 0;
  static constexpr mesh::PortMask kAllPorts = (1U << mesh::kPorts) - 1;
  mesh::PortMask ready_ = kAllPorts;
  std::array<mesh::Flit, mesh::kPorts> outputs_;
  mesh::PortMask taken_ = 0;
  mesh::PortMask received_ = 0;
  std::array<FlitWires, mesh::kPorts> inputs_;
  unsigned inside_ = 0;  ///< flits

  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_{"rst"};
  sc_core::sc_signal<std::uint32_t> x_{"x"};
  sc_core::sc_signal<std::uint32_t> y_{"y"};
  sc_core::sc_signal<std::uint32_t> routing_{"routing"};
  sc_core::sc_signal<bool> row_write_{"row_write"};
  sc_core::sc_signal<std::uint32_t> row_index_{"row_index"};
  sc_core::sc_signal<std::uint32_t> row_{"row"};
  sc_core::sc_signal<std::uint32_t> in_ready_{"in_ready"};
  sc_core::sc_signal<std::uint32_t> out_ready_{"out_ready"};
  FlitSignals in_{"in_valid"};
  FlitSignals out_{"out_valid"};
  std::unique_ptr<Vhold_router> rtl_;
};

}  // namespace tvp::rtl
