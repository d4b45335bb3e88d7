#pragma once

#include "models/support/bus_access.h"

namespace tvp::noc {

/// What firmware says of the requests that it starts. A NIU makes several packets of a request of
/// more than 8192 bytes and counts each of them (ISA NoC/Counters.md, Automatic request splitting):
/// whoever counts such a request as one waits for a number that passes by, or never comes.
class PacketPromise {
 public:
  virtual ~PacketPromise() = default;
  /// The store by which `core` is starting a request belongs to code that counts it as one packet.
  virtual bool counts_one_packet(support::BusMaster core) const = 0;
};

}  // namespace tvp::noc
