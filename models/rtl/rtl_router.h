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

/// A verilated router as RtlRouterArray sees it: pins, and a clock of its own, which stands still
/// while the router has nothing to do. Holds what all of them have in common: clock and reset,
/// position and routing, flits in and out.
class RtlRouter : public sc_core::sc_module {
 public:
  void set_reset(bool on) { rst_.write(on); }
  void set_clock(bool level) { clk_.write(level); }
  /// As reset() of mesh::RouterClock wants it, from the model's side: nothing is inside or on the
  /// way in.
  virtual void empty() = 0;
  virtual void set_straps(const mesh::Straps& straps, unsigned routing);
  /// A row of the routing table, to be written with the next edge; absent for none.
  void set_row(std::optional<TableRow> row);
  /// Puts what came since the last edge on the inputs.
  virtual void drive();
  /// Reads the outputs, which are those of this cycle of the mesh's; takes the inputs away.
  virtual void sample(support::Cycle cycle) = 0;
  PinWaves& pin_waves() { return pin_waves_; }

 protected:
  RtlRouter(const sc_core::sc_module_name& name, const mesh::MeshTopology& topology);

  template <typename Verilated>
  void connect(Verilated& rtl);
  void note_flit(mesh::Port in, const mesh::Flit& flit);
  mesh::Flit flit_at(unsigned out);
  void clear();

  const mesh::MeshTopology& topology_;
  PinWaves pin_waves_;
  unsigned inside_ = 0;  ///< flits
  FlitSignals in_{"in_valid"};
  FlitSignals out_{"out_valid"};

 private:
  FlitPins pins_;
  HeadTimes heads_;
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
