#pragma once

#include <cstdint>

#include "models/support/bus_access.h"
#include "models/support/time.h"
#include "models/support/watch.h"

namespace tvp::support {

/// One access to a memory-mapped register, as a block inside a tile sees it. It is the inner half
/// of a BusAccess: the tile's bus has decoded the window and checked the alignment.
struct MmioAccess {
  bool write = false;
  std::uint32_t offset = 0;  ///< in the block's window
  std::uint32_t data = 0;    ///< data to write, or the result of a read
  BusMaster master = BusMaster::kDebug;
  Cycle now = 0;
  unsigned order = 0;  ///< tie order of the initiating agent

  bool blocked = false;        ///< out: cannot be served now, nothing has changed
  bool unmapped = false;       ///< out: no such register for this master
  std::uint32_t latency = 0;   ///< out: 0 keeps the region's documented latency
  Watch watch = Watch::kNone;  ///< out: group of locations for a poller of this value
  /// out, if unmapped: the response
  tlm::tlm_response_status refusal = tlm::TLM_ADDRESS_ERROR_RESPONSE;
};

class MmioDevice {
 public:
  virtual ~MmioDevice() = default;
  virtual void access(MmioAccess& access) = 0;
  /// For debuggers: puts the value that a read would return into `data`, without side effects.
  /// False if this device cannot be examined without reading it.
  virtual bool peek(MmioAccess& /*access*/) { return false; }
};

}  // namespace tvp::support
