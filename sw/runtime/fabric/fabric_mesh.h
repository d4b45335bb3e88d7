#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/fabric/fabric_router.h"
#include "sw/runtime/fabric/fabric_routes.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

/// Routers of the fabric on the links of a mesh or torus of devices, which are numbered row by row.
/// An edge has one link or several, its routing planes: packets that enter on link i stay on links
/// i. Routers run from start() to stop().
class FabricMesh {
 public:
  struct Options {
    FabricWraps wraps{};
    unsigned planes = 1;
    unsigned first_link = 0;  ///< link of plane 0 at each edge, in the order of the system
    std::uint32_t max_payload_bytes = contract::fabric::kDefaultMaxPayloadBytes;
    NOC noc = NOC::NOC_0;  ///< NoC of the routers' writes
    /// Packets go over one link, with headers of a line. Routers forward nothing (tt-metal's
    /// neighbor exchange).
    bool neighbors_only = false;
    /// Slots of the channels of all routers. 0: as in tt-metal.
    std::uint32_t sender_slots = 0;
    std::uint32_t receiver_slots = 0;
  };

  /// Throws Fault(kDescription) if the shape does not fit the number of devices, if an edge has
  /// fewer links than planes, or if slots for the payload do not fit.
  FabricMesh(MeshDevice& mesh, const MeshShape& shape, Options options);

  /// Writes the routing tables to the L1 of all workers and starts the routers.
  void start();
  /// Ends the routers when no packet is in flight (end_routers.h), and waits for them.
  void stop();

  const FabricRoutes& routes() const { return routes_; }
  const contract::fabric::RouterLayout& layout() const { return layout_; }
  unsigned planes() const { return options_.planes; }
  bool has_router(unsigned device, Direction direction) const;
  /// Ethernet channel of a device's link in a direction. Throws Fault(kDescription) if there is
  /// none.
  unsigned channel(unsigned device, Direction direction, unsigned plane = 0) const;
  /// Run-time arguments with which a core of `device` connects to the router in a direction.
  /// `semaphores` is the first of three of its program.
  std::vector<std::uint32_t> connection(unsigned device, Direction direction,
                                        std::uint32_t semaphores, unsigned plane = 0) const;
  std::uint32_t router_status() const { return layout_.status(); }
  /// Definitions with which kernels see packets of 2D routes.
  static std::map<std::string, std::string> defines() { return {{"FABRIC_2D", "1"}}; }

 private:
  struct Key {
    unsigned device;
    Direction direction;
    unsigned plane;
    auto operator<=>(const Key&) const = default;
  };
  void join(unsigned device, Direction direction);
  void leave_tables();
  std::vector<std::uint32_t> neighbors(const Key& router) const;

  MeshDevice& mesh_;
  Options options_;
  FabricRoutes routes_;
  contract::fabric::RouterLayout layout_;
  std::map<Key, unsigned> channels_;
};

}  // namespace tvp::runtime
