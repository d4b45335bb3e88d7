#pragma once

#include <string>

#include "foundation/fault.h"
#include "models/noc/grid.h"
#include "models/noc/noc_config.h"
#include "models/noc/noc_protocol.h"
#include "models/support/agent.h"
#include "models/support/bus_access.h"
#include "models/support/calendar.h"
#include "models/support/watch.h"

namespace tvp::noc {

/// Location and neighbors of a NIU, shared by all of its parts.
struct NiuContext {
  NiuContext(const NocConfig& config, const Place& place, support::Calendar& calendar,
             support::WatchHub& watches, foundation::FaultPolicy& faults,
             const support::Agent& agent);

  const NocConfig& config;
  const Place place;
  const Node node;
  support::Calendar& calendar;
  support::WatchHub& watches;
  foundation::FaultPolicy& faults;
  const support::Agent& agent;  ///< the NIU in the order of its tile
  const support::Watch watch;
  const support::BusMaster master;

  /// True if the memory behind this NIU takes time and can refuse requests.
  bool asks_with_phases() const {
    return place.type == EndpointType::kDram || place.type == EndpointType::kPcieOrEmpty;
  }
  /// True for requests that stay in the input buffer until they are served. In front of a memory
  /// that can refuse, these are all requests. In front of L1 they are the reads, of which a NIU
  /// serves one for each channel (ISA NoC/Ordering.md).
  bool may_refuse(const NocExtension& header) const {
    if (is_response(header.kind)) return false;
    return asks_with_phases() || header.kind == PacketKind::kReadRequest;
  }
  bool is_mmio(std::uint64_t address) const { return noc::is_mmio(place.type, address); }

  /// Wakes agents that wait for a register of the NIU.
  void changed(support::Cycle now) const { watches.changed(watch, now, agent.order()); }
  void fault(const std::string& text) const;
  /// Warns about legal requests that are probably a mistake.
  void warn(const std::string& text) const;
  /// Raises a fault: the memory behind this NIU refuses a request of the network.
  void refused(const NocExtension& request, const tlm::tlm_generic_payload& access) const;
  /// For example "write of 32 bytes that (2, 3) of NoC 1 sent, by BRISC at pc 0x5120".
  std::string text_of(const NocExtension& request) const;
  /// The same for an access of a command that `core` of this tile started at `pc`.
  void refused(const tlm::tlm_generic_payload& access, support::BusMaster core,
               std::uint32_t pc) const;
  [[noreturn]] void unmodelled(const std::string& text) const;
};

}  // namespace tvp::noc
