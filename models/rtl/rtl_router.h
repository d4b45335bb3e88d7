#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

/// A router in RTL: its pins, and a clock that stops while the router is idle. The class holds the
/// common parts: clock and reset, position and routing, flits in and out.
class RtlRouter {
 public:
  using Module = tensix_vp::rtl::MeshRouterModule;

  virtual ~RtlRouter() = default;
  /// No flit is inside or on its way in.
  void reset(const mesh::Straps& straps, unsigned routing, const std::vector<TableRow>& rows);
  /// An edge with the flits since the last one. `shows`: pins go to the wave file.
  void clock(support::Cycle cycle, bool shows);
  PinWaves& pin_waves() { return pin_waves_; }

 protected:
  RtlRouter(const Module& module, const std::string& name, const mesh::MeshTopology& topology);

  void put(mesh::Port in, const mesh::Flit& flit, std::uint64_t payload);
  mesh::Flit flit_at(mesh::Port out) const {
    return wires_.flit(pins_.out_control[mesh::index(out)], pins_.out_data[mesh::index(out)]);
  }
  std::uint64_t payload_at(mesh::Port out) const {
    return FlitPins::payload(pins_.out_data[mesh::index(out)]);
  }
  void add_row(const PinWaves::Row& row, const std::uint8_t& pins);
  /// Clears the inputs that last for one cycle.
  virtual void clear_inputs() { pins_.in_valid = 0; }
  /// Reads the outputs, which belong to this cycle of the mesh.
  virtual void sample() = 0;

  Pins pins_;

 private:
  void edge();

  const mesh::MeshTopology& topology_;
  FlitPins wires_;
  PinWaves pin_waves_;
  std::unique_ptr<tensix_vp::rtl::MeshRouter> rtl_;
};

}  // namespace tvp::rtl
