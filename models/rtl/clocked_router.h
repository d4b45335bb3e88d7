#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "models/mesh/external_router.h"
#include "models/rtl/pin_waves.h"
#include "models/support/time.h"

namespace tvp::rtl {

/// A row of mesh_pkg.sv's routing table.
struct TableRow {
  unsigned index = 0;
  std::uint32_t outputs = 0;
};

/// A verilated router as RtlRouters sees it: pins, and a clock of its own, which stands still while
/// the router has nothing to do.
class ClockedRouter {
 public:
  virtual ~ClockedRouter() = default;
  virtual void set_reset(bool on) = 0;
  virtual void set_clock(bool level) = 0;
  /// As reset() of mesh::RouterClock wants it, from the model's side: nothing is inside or on the
  /// way in.
  virtual void empty() = 0;
  virtual void set_straps(const mesh::Straps& straps, unsigned routing) = 0;
  /// A row of the routing table, to be written with the next edge; absent for none.
  virtual void set_row(std::optional<TableRow> row) = 0;
  /// Puts what came since the last edge on the inputs.
  virtual void drive() = 0;
  /// Reads the outputs, which are those of this cycle of the mesh's; takes the inputs away.
  virtual void sample(support::Cycle cycle) = 0;
  PinWaves& pin_waves() { return pin_waves_; }

 protected:
  PinWaves pin_waves_;
};

}  // namespace tvp::rtl
