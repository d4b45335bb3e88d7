#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// Reports requests of several packets by calls that count one packet.
///
/// A store of `noc_send_one_packet` (firmware/api/internal/noc_nonblocking_api.h) starts a request
/// that its caller counts as one packet. A NIU splits more than 8192 bytes into several packets and
/// counts each (ISA NoC/Counters.md, Automatic request splitting). The caller then waits for a
/// count that passes too early or never comes. The check finds the function by the debug
/// information, so the firmware needs no instruction for it.
class OnePacketStores : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "one_packet_stores"; }
  const char* summary() const override {
    return "requests of several packets by calls that count one packet";
  }
  Probe::Kinds kinds() const override { return Probe::bit(ProbeEvent::Kind::kCommand); }
  void on(const ProbeEvent& event) override;
};

}  // namespace tvp::checks
