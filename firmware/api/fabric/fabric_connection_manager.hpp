#pragma once
// Connections of a kernel to the routers towards the end and the beginning of its line, either or
// both.

#include <stddef.h>
#include <stdint.h>

#include "debug/assert.h"
#include "fabric/edm_fabric_worker_adapters.hpp"

class FabricConnectionManager {
 public:
  using Sender = tt::tt_fabric::WorkerToFabricEdmSender;

  enum BuildFromArgsMode : uint8_t {
    BUILD_ONLY,
    BUILD_AND_OPEN_CONNECTION,
    BUILD_AND_OPEN_CONNECTION_START_ONLY,  ///< the kernel calls open_finish() later
  };

  /// Takes a flag for each direction, forward first, and if it is set the arguments of
  /// WorkerToFabricEdmSender.
  template <BuildFromArgsMode build_mode = BUILD_ONLY>
  static FabricConnectionManager build_from_args(size_t& arg_idx) {
    FabricConnectionManager manager;
    manager.forward_.build(arg_idx);
    manager.backward_.build(arg_idx);
    if constexpr (build_mode != BUILD_ONLY) manager.open_start();
    if constexpr (build_mode == BUILD_AND_OPEN_CONNECTION) manager.open_finish();
    return manager;
  }

  bool has_forward_connection() const { return forward_.there; }
  bool has_backward_connection() const { return backward_.there; }
  /// True if there are connections, which need not be open.
  bool is_logically_connected() const { return forward_.there || backward_.there; }
  Sender& get_forward_connection() {
    ASSERT(forward_.there);
    return forward_.sender;
  }
  Sender& get_backward_connection() {
    ASSERT(backward_.there);
    return backward_.sender;
  }

  template <bool SEND_CREDIT_ADDR = false>
  void open_start() {
    each([](Sender& sender) { sender.open_start(); });
  }
  void open_finish() {
    each([](Sender& sender) { sender.open_finish(); });
  }
  template <bool SEND_CREDIT_ADDR = false>
  void open() {
    open_start();
    open_finish();
  }
  void close_start() {
    each([](Sender& sender) { sender.close_start(); });
  }
  void close_finish() {
    each([](Sender& sender) { sender.close_finish(); });
  }
  void close() {
    close_start();
    close_finish();
  }

 private:
  struct Direction {
    Sender sender;
    bool there = false;
    void build(size_t& arg_idx) {
      there = get_arg_val<uint32_t>(static_cast<int>(arg_idx++)) != 0;
      if (there) sender = Sender::build_from_args<ProgrammableCoreType::TENSIX>(arg_idx);
    }
  };
  template <typename F>
  FORCE_INLINE void each(F&& f) {
    if (forward_.there) f(forward_.sender);
    if (backward_.there) f(backward_.sender);
  }

  Direction forward_;
  Direction backward_;
};
