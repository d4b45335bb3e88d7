#pragma once

#include "models/ethernet/link_message.h"

namespace tvp::ethernet {

/// Carries messages of one end of a link to LinkEnd::receive of the other.
///
/// It may deliver at once or later, in any order, but before the other end's chip runs the cycle of
/// the arrival. That cycle is at least LinkEnd::min_latency_cycles() after the sender's. Chips that
/// run in windows no longer than that can therefore exchange all messages between two windows.
class LinkChannel {
 public:
  virtual ~LinkChannel() = default;
  /// Only the first size() bytes of the message are valid. The sender may reuse the message after
  /// the call.
  virtual void send(const LinkMessage& message) = 0;
};

}  // namespace tvp::ethernet
