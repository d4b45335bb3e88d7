#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <systemc>

#include "models/mesh/external_router.h"
#include "models/rtl/flit_pins.h"
#include "models/rtl/pin_waves.h"
#include "models/support/time.h"

namespace tvp::rtl {

/// A row of mesh_pkg.sv's routing table.
struct TableRow {
  unsigned index = 0;
  std::uint32_t outputs = 0;
};

/// A verilated router as RtlRouterArray uses it: pins, and a clock that stops while the router is
/// idle. The class holds the common parts: clock and reset, position and routing, flits in and out.
class RtlRouter : public sc_core::sc_module {
 public:
  void set_reset(bool on) { rst_.write(on); }
  void set_clock(bool level) { clk_.write(level); }
  /// The model's side of reset() of mesh::RouterClock: no flit is inside or on its way in.
  virtual void empty() = 0;
  virtual void set_straps(const mesh::Straps& straps, unsigned routing);
  /// A row of the routing table to write at the next edge; absent for none.
  void set_row(std::optional<TableRow> row);
  /// Puts the flits since the last edge on the inputs.
  virtual void drive();
  /// Reads the outputs, which belong to this cycle of the mesh, and clears the inputs.
  virtual void sample(support::Cycle cycle) = 0;
  PinWaves& pin_waves() { return pin_waves_; }

 protected:
  RtlRouter(const sc_core::sc_module_name& name, const mesh::MeshTopology& topology);

  template <typename Verilated>
  void connect(Verilated& rtl);
  void note_flit(mesh::Port in, const mesh::Flit& flit);
  mesh::Flit flit_at(unsigned out) const;
  void clear();

  const mesh::MeshTopology& topology_;
  PinWaves pin_waves_;
  FlitSignals in_{"in_valid"};
  FlitSignals out_{"out_valid"};

 private:
  FlitPins pins_;
  mesh::PortMask received_ = 0;
  std::array<FlitWires, mesh::kPorts> inputs_;
  sc_core::sc_signal<bool> clk_{"clk"};
  sc_core::sc_signal<bool> rst_{"rst"};
  sc_core::sc_signal<std::uint32_t> x_{"x"};
  sc_core::sc_signal<std::uint32_t> y_{"y"};
  sc_core::sc_signal<std::uint32_t> routing_{"routing"};
  sc_core::sc_signal<bool> row_write_{"row_write"};
  sc_core::sc_signal<std::uint32_t> row_index_{"row_index"};
  sc_core::sc_signal<std::uint32_t> row_{"row"};
};

template <typename Verilated>
void RtlRouter::connect(Verilated& rtl) {
  rtl.clk(clk_);
  rtl.rst(rst_);
  rtl.x(x_);
  rtl.y(y_);
  rtl.routing(routing_);
  rtl.row_write(row_write_);
  rtl.row_index(row_index_);
  rtl.row(row_);
  rtl.in_valid(in_.valid);
  rtl.out_valid(out_.valid);
  for (unsigned p = 0; p < mesh::kPorts; ++p) {
    rtl.in_control[p](in_.control[p]);
    rtl.in_data[p](in_.data[p]);
    rtl.out_control[p](out_.control[p]);
    rtl.out_data[p](out_.data[p]);
  }
}

}  // namespace tvp::rtl
