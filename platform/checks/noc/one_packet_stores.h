#pragma once

#include "platform/checks/check.h"

namespace tvp::checks {

/// A store of `noc_send_one_packet` (firmware/api/internal/noc_nonblocking_api.h) starts a request
/// that its caller counts as one packet. A NIU makes several packets of more than 8192 bytes and
/// counts each (ISA NoC/Counters.md, Automatic request splitting), so the caller waits for a number
/// that passes by, or never comes. The debug information names the function, so that no
/// instruction of the firmware is spent on it.
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
