#pragma once

#include "models/ethernet/link_message.h"

namespace tvp::ethernet {

/// Brings what one end of a link sends to LinkEnd::receive of the other.
///
/// It may do so at once or later, and in any order, as long as a message is there before the other
/// end's chip runs the cycle of its arrival. That cycle is at least LinkEnd::min_latency_cycles()
/// after the sender's: chips that run in windows no longer than that can exchange all messages
/// between two windows.
class LinkChannel {
 public:
  virtual ~LinkChannel() = default;
  /// Only the first size() bytes of the message are valid. The sender may reuse it after the call.
  virtual void send(const LinkMessage& message) = 0;
};

}  // namespace tvp::ethernet
