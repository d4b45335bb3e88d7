#pragma once
// Connections of a kernel to several routers, each with a tag that the host gives it.

#include <stddef.h>
#include <stdint.h>

#include <array>

#include "debug/assert.h"
#include "fabric/edm_fabric_worker_adapters.hpp"

#if !defined(TT_FABRIC_MAX_ROUTING_PLANE_CONNECTIONS)
#define TT_FABRIC_MAX_ROUTING_PLANE_CONNECTIONS 4
#endif

namespace tt::tt_fabric {

class RoutingPlaneConnectionManager {
 public:
  static constexpr size_t MaxConnections = TT_FABRIC_MAX_ROUTING_PLANE_CONNECTIONS;
  using Sender = WorkerToFabricEdmSender;

  enum BuildFromArgsMode : uint8_t {
    BUILD_ONLY,
    BUILD_AND_OPEN_CONNECTION,
    BUILD_AND_OPEN_CONNECTION_START_ONLY,  ///< the kernel calls open_finish() later
  };

  struct ConnectionSlot {
    Sender sender;
    uint8_t tag = 0;
    // Destination of the functions of mesh_api.h over this connection.
    uint16_t dst_dev_id = 0;
    uint16_t dst_mesh_id = 0;
  };
  // Shape of the mesh, for kernels with 2D routes.
  uint32_t ew_dim = 0;  ///< chips in a row
  uint32_t my_chip_id = 0;
  uint32_t my_mesh_id = 0;

  RoutingPlaneConnectionManager() = default;

  /// Takes for each connection its tag and the arguments of WorkerToFabricEdmSender. With 2D
  /// routes, ew_dim, my_chip_id and my_mesh_id follow, and for each connection dst_dev_id and
  /// dst_mesh_id.
  template <BuildFromArgsMode build_mode = BUILD_ONLY>
  static RoutingPlaneConnectionManager build_from_args(size_t& arg_idx, uint32_t connections) {
    ASSERT(connections <= MaxConnections);
    RoutingPlaneConnectionManager manager;
    manager.active_ = connections;
    for (uint32_t i = 0; i < connections; ++i) {
      ConnectionSlot& slot = manager.slots_[i];
      slot.tag = static_cast<uint8_t>(get_arg_val<uint32_t>(static_cast<int>(arg_idx++)));
      slot.sender = Sender::build_from_args<ProgrammableCoreType::TENSIX>(arg_idx);
    }
#if defined(FABRIC_2D)
    const auto next = [&] { return get_arg_val<uint32_t>(static_cast<int>(arg_idx++)); };
    manager.ew_dim = next();
    manager.my_chip_id = next();
    manager.my_mesh_id = next();
    for (uint32_t i = 0; i < connections; ++i) {
      manager.slots_[i].dst_dev_id = static_cast<uint16_t>(next());
      manager.slots_[i].dst_mesh_id = static_cast<uint16_t>(next());
    }
#endif
    if constexpr (build_mode != BUILD_ONLY) manager.open_start();
    if constexpr (build_mode == BUILD_AND_OPEN_CONNECTION) manager.open_finish();
    return manager;
  }

  uint32_t active_count() const { return active_; }
  ConnectionSlot& get(uint32_t index) {
    ASSERT(index < active_);
    return slots_[index];
  }
  const ConnectionSlot& get(uint32_t index) const {
    ASSERT(index < active_);
    return slots_[index];
  }
  uint32_t get_tag(uint32_t index) const { return get(index).tag; }

  /// f(sender, index, tag)
  template <typename F>
  void for_each(F&& f) {
    for (uint32_t i = 0; i < active_; ++i) f(slots_[i].sender, i, slots_[i].tag);
  }
  template <typename F>
  void for_each_with_tag(uint32_t tag, F&& f) {
    for (uint32_t i = 0; i < active_; ++i)
      if (slots_[i].tag == tag) f(slots_[i].sender, i, slots_[i].tag);
  }

  template <bool SEND_CREDIT_ADDR = false>
  void open_start() {
    for (uint32_t i = 0; i < active_; ++i) slots_[i].sender.open_start();
  }
  void open_finish() {
    for (uint32_t i = 0; i < active_; ++i) slots_[i].sender.open_finish();
  }
  template <bool SEND_CREDIT_ADDR = false>
  void open() {
    open_start();
    open_finish();
  }
  void close_start() {
    for (uint32_t i = 0; i < active_; ++i) slots_[i].sender.close_start();
  }
  void close_finish() {
    for (uint32_t i = 0; i < active_; ++i) slots_[i].sender.close_finish();
  }
  void close() {
    close_start();
    close_finish();
  }

 private:
  std::array<ConnectionSlot, MaxConnections> slots_{};
  uint32_t active_ = 0;
};

}  // namespace tt::tt_fabric
