#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "platform/machine/debug_access.h"
#include "platform/machine/profile/core_meter.h"
#include "platform/machine/profile/profile_row.h"
#include "platform/machine/profile/tasklet_meter.h"

namespace tvp::platform {

/// Attributes the cycles of all cores to source lines.
class CycleProfile {
 public:
  /// Observes all cores of the machine from now on.
  CycleProfile(DebugAccess& cores, bool wants_zones);

  /// Call it before a core gets other code: addresses then mean other lines.
  void before_load(unsigned chip, unsigned x, unsigned y, unsigned kind);
  /// The profile up to cycle `now`. Cores have been settled. The run may continue.
  Profile until(support::Cycle now) const;

 private:
  /// File, line, function, call.
  using Line = std::tuple<std::string, unsigned, std::string, std::string>;
  using Lines = std::map<Line, Cycles>;
  struct Meter {
    CoreSite site;
    std::unique_ptr<CoreMeter> core;  ///< exactly one of them exists
    std::unique_ptr<TaskletMeter> tasklets;
    CyclesByPc without_place;          ///< code whose file may be registered later
    std::unique_ptr<ZoneMeter> zones;  ///< null: not wanted, or no firmware
    Lines lines;                       ///< code that the core no longer has
  };
  Line line_of(const CoreSite& site, std::uint32_t pc, Cycles& cycles) const;
  void add_zones(Profile& profile, unsigned core, const Meter& meter, support::Cycle now) const;
  void add(Lines& lines, const CoreSite& site, const CyclesByPc& cycles) const;

  DebugAccess& cores_;
  std::vector<Meter> meters_;
};

}  // namespace tvp::platform
