#include "platform/machine/ranks/rank_link_channel.h"

#include <algorithm>

namespace tvp::platform {

void RankLinkChannel::send(const ethernet::LinkMessage& message) {
  kept_.put(link_).put(end_).put(static_cast<std::uint32_t>(message.size()));
  kept_.put_bytes(&message, message.size());
  first_arrival_ = std::min(first_arrival_, clock_.edge_at_or_after(message.arrival_ps));
}

void RankLinkChannel::release(Message& to) {
  to.put_bytes(kept_.bytes().data(), kept_.size());
  kept_.clear();
  first_arrival_ = support::kNever;
}

}  // namespace tvp::platform
