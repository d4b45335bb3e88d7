#pragma once

#include <cstdint>

#include "models/support/bus_access.h"
#include "models/support/time.h"
#include "models/support/watch.h"

namespace tvp::support {

/// One access of a memory-mapped register, as a block inside a tile sees it. The inner half of a
/// BusAccess: the tile's bus has decoded the window and checked the alignment.
struct MmioAccess {
  bool write = false;
  std::uint32_t offset = 0;  ///< within the block's window
  std::uint32_t data = 0;    ///< to write, or the answer
  BusMaster master = BusMaster::kDebug;
  Cycle now = 0;
  unsigned order = 0;  ///< tie order of the initiating agent

  bool blocked = false;        ///< out: cannot be served now, nothing changed
  bool unmapped = false;       ///< out: no such register for this master
  std::uint32_t latency = 0;   ///< out: 0 leaves the region's documented latency
  Watch watch = Watch::kNone;  ///< out: what a poller of this value sleeps on
};

class MmioDevice {
 public:
  virtual ~MmioDevice() = default;
  virtual void access(MmioAccess& access) = 0;
  /// For debuggers: puts into `data` what a read would find, and changes nothing. False when this
  /// device cannot be looked at without reading it.
  virtual bool peek(MmioAccess& /*access*/) { return false; }
};

}  // namespace tvp::support
