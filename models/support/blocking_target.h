#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/support/target_phases.h"

namespace tvp::support {

/// A target socket that a user may leave unbound.
using OptionalTargetSocket =
    tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

/// Calls `access(first, bytes)` for each run of enabled bytes, until it returns false. Returns the
/// last result; false if no byte is enabled.
template <typename Access>
bool for_enabled_runs(const tlm::tlm_generic_payload& payload, Access access) {
  const std::uint8_t* const enables = payload.get_byte_enable_ptr();
  const std::uint32_t bytes = payload.get_data_length();
  if (enables == nullptr) return access(0U, bytes);
  const auto enabled = [&](std::uint32_t i) {
    return enables[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  };
  bool done = false;
  for (std::uint32_t first = 0; first < bytes;) {
    std::uint32_t end = first;
    while (end < bytes && enabled(end)) ++end;
    if (end > first) {
      done = access(first, end - first);
      if (!done) return false;
    }
    first = end + 1;
  }
  return done;
}

/// Serves a target socket of the base protocol with one blocking function.
///
/// Approximately timed, BEGIN_REQ is answered with END_REQ at once. Each transaction is served in a
/// thread, and any number may be open. Responses leave one at a time.
class BlockingTarget : private tlm::tlm_fw_transport_if<> {
 public:
  class Server {
   public:
    virtual ~Server() = default;
    /// A read or write that wants_user_transfer() has accepted. Sets the response; may wait.
    virtual void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
    /// transport_dbg of a read or write of at least one byte.
    virtual unsigned serve_debug(tlm::tlm_generic_payload&) { return 0; }
    /// get_direct_mem_ptr. By default there is no access in the whole address space.
    virtual bool serve_direct(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
      dmi.init();
      return false;
    }
  };

  BlockingTarget(tlm::tlm_base_target_socket_b<>& socket, Server& server);

 private:
  using Payload = tlm::tlm_generic_payload;
  /// A thread that serves one approximately timed transaction after the other.
  struct Worker {
    Payload* payload = nullptr;
    sc_core::sc_event go;
  };

  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(Payload& payload) override;

  Worker& take_worker();
  void run(Worker& worker);
  void respond(Payload& payload);
  bool is_open(const Payload& payload) const;

  tlm::tlm_base_target_socket_b<>& socket_;
  Server& server_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
  TargetPhases phases_;
  sc_core::sc_event response_ended_;
};

}  // namespace tvp::support
