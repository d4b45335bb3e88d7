#pragma once

#include <vector>

#include "models/pim/channel_array.h"
#include "models/pim/network.h"
#include "models/pim/pim_config.h"
#include "models/pim/tier_credits.h"
#include "models/pim/tier_events.h"
#include "models/pim/tier_geometry.h"
#include "models/pim/tier_packets.h"
#include "models/pim/tier_stats.h"

namespace tvp::pim {

/// What the tiers of a network share.
struct TierContext {
  const PimConfig& config;
  const TierGeometry& geometry;
  ChannelArray& channels;
  TierPackets& packets;
  TierEvents& events;
  TierCredits& credits;
  TierStats& stats;
  const std::vector<NetworkEndpoint*>& endpoints;  ///< of units
};

}  // namespace tvp::pim
