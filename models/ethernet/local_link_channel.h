#pragma once

#include "models/ethernet/link_channel.h"
#include "models/ethernet/link_end.h"

namespace tvp::ethernet {

/// To an end in the same process.
class LocalLinkChannel : public LinkChannel {
 public:
  explicit LocalLinkChannel(LinkEnd& to) : to_(to) {}
  void send(const LinkMessage& message) override { to_.receive(message); }

 private:
  LinkEnd& to_;
};

}  // namespace tvp::ethernet
