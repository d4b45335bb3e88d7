#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <string>
#include <tlm>

#include "foundation/fault.h"
#include "models/support/agent.h"
#include "models/support/bus_access.h"
#include "models/tensix/coprocessor/pack/packers.h"
#include "models/tensix/coprocessor/scalar/mmio_port.h"
#include "models/tensix/coprocessor/write_back.h"

namespace tvp::tensix::coprocessor {

/// The coprocessor's access to the registers at 0xFFB_____: immediate for the scalar unit, some
/// cycles later for PACR_SETREG.
class ThconPort : public MmioPort, public RegisterWriter {
 public:
  /// Accesses are made in the turn of `agent`.
  ThconPort(std::string where, WriteBack& write_back, const support::Agent& agent,
            foundation::FaultPolicy& faults);
  ThconPort(const ThconPort&) = delete;
  ThconPort& operator=(const ThconPort&) = delete;
  ~ThconPort() override;

  tlm_utils::simple_initiator_socket<ThconPort> socket;

  Result load(std::uint32_t address, Cycle now) override {
    return transport(false, address, 0, now);
  }
  Result store(std::uint32_t address, std::uint32_t data, Cycle now) override {
    return transport(true, address, data, now);
  }
  void write_register(std::uint32_t address, std::uint32_t value, Cycle when) override;

 private:
  Result transport(bool write, std::uint32_t address, std::uint32_t data, Cycle now);

  const std::string where_;
  WriteBack& write_back_;
  const support::Agent& agent_;
  foundation::FaultPolicy& faults_;
  tlm::tlm_generic_payload payload_;
  support::BusAccess bus_access_;
};

}  // namespace tvp::tensix::coprocessor
