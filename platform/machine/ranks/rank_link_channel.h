#pragma once

#include <cstdint>

#include "foundation/clock_ratio.h"
#include "models/ethernet/link_channel.h"
#include "models/support/time.h"
#include "platform/ranks/message.h"

namespace tvp::platform {

/// A channel to the end of a link in another rank. It keeps messages until the end of the window.
class RankLinkChannel : public ethernet::LinkChannel {
 public:
  /// `end`: the one in the other rank. `clock`: that of its chip.
  RankLinkChannel(unsigned rank, std::uint32_t link, std::uint8_t end,
                  const foundation::Period& clock)
      : rank_(rank), link_(link), end_(end), clock_(clock) {}

  unsigned rank() const { return rank_; }
  void send(const ethernet::LinkMessage& message) override;
  /// The earliest arrival of a kept message; kNever without one.
  support::Cycle first_arrival() const { return first_arrival_; }
  /// Moves the kept messages to the end of `to`.
  void release(Message& to);

 private:
  const unsigned rank_;
  const std::uint32_t link_;
  const std::uint8_t end_;
  const foundation::Period clock_;
  Message kept_;
  support::Cycle first_arrival_ = support::kNever;
};

}  // namespace tvp::platform
