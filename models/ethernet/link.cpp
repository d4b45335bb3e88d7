#include "models/ethernet/link.h"

#include <algorithm>
#include <utility>

namespace tvp::ethernet {

Link::Link(std::string name, std::uint16_t number, const EthernetConfig& config)
    : name_(std::move(name)),
      ends_{LinkEnd(name_, number, 0, config), LinkEnd(name_, number, 1, config)},
      channels_{LocalLinkChannel(ends_[0]), LocalLinkChannel(ends_[1])} {
  ends_[0].connect(channels_[1]);
  ends_[1].connect(channels_[0]);
}

void Link::break_down(const std::vector<Outage>& outages) {
  outages_ = outages;
  for (LinkEnd& end : ends_) end.break_down(outages);
}

void Link::hold() {
  for (LocalLinkChannel& channel : channels_) channel.hold();
}

void Link::release() {
  for (LocalLinkChannel& channel : channels_) channel.release();
}

support::Cycle Link::min_latency_cycles() const {
  return std::min(ends_[0].min_latency_cycles(), ends_[1].min_latency_cycles());
}

}  // namespace tvp::ethernet
