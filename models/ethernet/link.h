#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/ethernet/ethernet_config.h"
#include "models/ethernet/link_end.h"
#include "models/ethernet/local_link_channel.h"

namespace tvp::ethernet {

/// A full-duplex cable between two ethernet tiles in this process, possibly on two chips.
class Link {
 public:
  Link(std::string name, std::uint16_t number, const EthernetConfig& config);

  LinkEnd& end(unsigned index) { return ends_.at(index); }
  const LinkEnd& end(unsigned index) const { return ends_.at(index); }
  const std::string& name() const { return name_; }
  /// Breaks the link in both directions during these times.
  void break_down(const std::vector<Outage>& outages);
  const std::vector<Outage>& outages() const { return outages_; }
  /// The chips at both ends run at the same time from now on: messages are kept...
  void hold();
  /// ... and delivered here.
  void release();
  /// Longest window in which the ends can run independently, in edges of the slower clock.
  support::Cycle min_latency_cycles() const;

 private:
  std::string name_;
  std::vector<Outage> outages_;
  std::array<LinkEnd, 2> ends_;
  std::array<LocalLinkChannel, 2> channels_;  ///< one towards each end
};

}  // namespace tvp::ethernet
