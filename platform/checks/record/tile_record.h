#pragma once

#include "platform/checks/event_types.h"
#include "platform/checks/record/l1_in_flight.h"
#include "platform/checks/record/page_uses.h"

namespace tvp::checks {

/// The state of a tile from the events of its probe, for all of its checks. It gets each event
/// before the checks.
struct TileRecord {
  explicit TileRecord(Probe& probe) : l1(probe) {
    l1.set_page_uses(page_uses);
    page_uses.set_probe(probe);
  }
  TileRecord(const TileRecord&) = delete;
  TileRecord& operator=(const TileRecord&) = delete;

  L1InFlight l1;
  PageUses page_uses;
};

}  // namespace tvp::checks
