#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/ethernet/ethernet_config.h"
#include "models/ethernet/link_end.h"
#include "models/ethernet/local_link_channel.h"

namespace tvp::ethernet {

/// A full duplex cable between two ethernet tiles, maybe of two chips, with both ends in this
/// process.
class Link {
 public:
  Link(std::string name, std::uint16_t number, const EthernetConfig& config);

  LinkEnd& end(unsigned index) { return ends_.at(index); }
  const LinkEnd& end(unsigned index) const { return ends_.at(index); }
  const std::string& name() const { return name_; }
  /// Nothing passes in these times, in either direction.
  void break_down(const std::vector<Outage>& outages);
  const std::vector<Outage>& outages() const { return outages_; }
  /// The chips at its ends run at the same time from now on: what is sent is kept...
  void hold();
  /// ... until here.
  void release();
  /// Longest window in which the ends can run apart, in edges of the slower clock.
  support::Cycle min_latency_cycles() const;

 private:
  std::string name_;
  std::vector<Outage> outages_;
  std::array<LinkEnd, 2> ends_;
  std::array<LocalLinkChannel, 2> channels_;  ///< to each end
};

}  // namespace tvp::ethernet
