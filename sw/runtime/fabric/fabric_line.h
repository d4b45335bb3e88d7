#pragma once

#include <cstdint>
#include <vector>

#include "foundation/contract/fabric/router.h"
#include "foundation/contract/fabric/worker_connection.h"
#include "sw/runtime/fabric/fabric_router.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

/// Routers of the fabric on one link between adjacent devices of a line 0, 1, ..., or of a ring,
/// whose last device is linked to the first. The two routers of a device forward packets to each
/// other. They run from start() to stop(). If several links join neighbors, each may have a line.
/// `link` selects it in the order of the system.
class FabricLine {
 public:
  /// Throws Fault(kDescription) if a device has too few links to the next, or if slots for the
  /// payload do not fit into the memory of an ethernet tile.
  FabricLine(MeshDevice& mesh, unsigned devices, std::uint32_t max_payload_bytes,
             NOC noc = NOC::NOC_0, bool ring = false, unsigned link = 0);

  void start();
  /// Ends the routers when no packet is in flight (end_routers.h), and waits for them.
  void stop();

  /// Run-time arguments with which a core of `device` connects to a router. With `up` it is the
  /// router towards the end of the line, otherwise towards its beginning; on a ring towards the
  /// next or the previous device. `semaphores` is the first of three of its program. `up` counts as
  /// east.
  std::vector<std::uint32_t> connection(unsigned device, bool up, std::uint32_t semaphores) const;
  std::uint32_t router_status() const { return layout_.status(); }
  const contract::fabric::RouterLayout& layout() const { return layout_; }
  /// Ethernet channel of the same router. Both throw Fault(kDescription) if there is none.
  unsigned channel(unsigned device, bool up) const;

 private:
  struct Router {
    unsigned device;
    bool up;
    unsigned channel;
  };
  void leave_tables();
  void join(unsigned device, unsigned next, unsigned link);
  const Router* find(unsigned device, bool up) const;

  MeshDevice& mesh_;
  unsigned devices_;
  bool ring_;
  NOC noc_;  ///< NoC of the routers' writes
  std::uint32_t max_payload_bytes_;
  contract::fabric::RouterLayout layout_;
  std::vector<Router> routers_;
};

}  // namespace tvp::runtime
