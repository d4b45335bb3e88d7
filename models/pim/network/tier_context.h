#pragma once

#include <vector>

#include "models/pim/channel_array.h"
#include "models/pim/network/network.h"
#include "models/pim/network/tier_credits.h"
#include "models/pim/network/tier_events.h"
#include "models/pim/network/tier_geometry.h"
#include "models/pim/network/tier_packets.h"
#include "models/pim/network/tier_stats.h"
#include "models/pim/pim_config.h"

namespace tvp::pim {

/// The objects that the tiers of a network share.
struct TierContext {
  const PimConfig& config;
  const TierGeometry& geometry;
  ChannelArray& channels;
  TierPackets& packets;
  TierEvents& events;
  TierCredits& credits;
  TierStats& stats;
  const std::vector<NetworkEndpoint*>& endpoints;  ///< index: unit
};

}  // namespace tvp::pim
