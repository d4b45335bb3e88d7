#pragma once

#include <cstdint>
#include <vector>

#include "foundation/contract/fabric/router.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::workloads::sdpa {

/// The fabric's routers on the links of a ring of devices: one at each end of `links` links between
/// neighbors. They run from start() to stop(). On a ring of up to four devices all partners are
/// neighbors; on longer ones the two routers of a device on links of one number forward to each
/// other.
class RingFabric {
 public:
  /// Throws Fault(kDescription) if two neighbors have fewer links.
  RingFabric(runtime::MeshDevice& mesh, unsigned links, std::uint32_t max_payload_bytes);

  void start();
  /// Ends the routers when no packet is in flight, and waits for them.
  void stop();

  /// Ethernet channel of `device` for link `link` to the next or previous device.
  unsigned channel(unsigned device, bool to_next, unsigned link) const;
  const contract::fabric::RouterLayout& layout() const { return layout_; }
  std::uint32_t max_payload_bytes() const { return max_payload_bytes_; }

 private:
  struct End {
    unsigned device;
    unsigned link;
    unsigned channel;
    bool to_next;
  };
  bool forwards() const { return mesh_.num_devices() > 4; }
  std::vector<std::uint32_t> args_of(const End& end) const;
  void join(unsigned a, unsigned b, unsigned links);

  runtime::MeshDevice& mesh_;
  std::uint32_t max_payload_bytes_;
  contract::fabric::RouterLayout layout_;
  std::vector<End> ends_;
};

}  // namespace tvp::workloads::sdpa
