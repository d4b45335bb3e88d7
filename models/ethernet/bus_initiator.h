#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/support/bus_access.h"

namespace tvp::ethernet {

/// Access of the queues to L1 and registers of their tile: one socket and one reused payload, since
/// an access is over when transport() returns.
class BusInitiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<BusInitiator> socket;

  struct Result {
    bool ok = false;
    bool blocked = false;
    std::uint32_t latency = 0;
  };

  BusInitiator(const sc_core::sc_module_name& name, support::BusMaster master);
  ~BusInitiator() override;

  Result transport(bool write, std::uint32_t address, std::uint8_t* data, std::uint32_t bytes,
                   support::Cycle now, unsigned order);

 private:
  tlm::tlm_generic_payload payload_;
  support::BusAccess access_;
};

}  // namespace tvp::ethernet
