#include "platform/machine/profile/cycle_profile.h"

#include <algorithm>
#include <utility>

namespace tvp::platform {

namespace {

constexpr const char* kFabric = "firmware/fabric/";

/// Calls `visit` with the place and all callers into which it is inlined; true if one fits.
template <typename Fits>
bool any_place(const riscv::SourceLocation& place, Fits&& fits) {
  return fits(place) || std::any_of(place.inlined_into.begin(), place.inlined_into.end(),
                                    std::forward<Fits>(fits));
}

/// Words of L1 can be anything. The functions around a poll say what they are.
Spent meaning_of_word(const riscv::SourceLocation& place) {
  const auto named = [&](std::initializer_list<const char*> parts) {
    return any_place(place, [&](const riscv::SourceLocation& each) {
      return std::any_of(parts.begin(), parts.end(), [&](const char* part) {
        return each.function.find(part) != std::string::npos;
      });
    });
  };
  if (named({"cb_", "circular_buffer", "wait_front", "reserve_back"})) return Spent::kBuffer;
  if (named({"wait_for_empty_write_slot", "has_space_for", "credit"})) return Spent::kCredit;
  if (named({"barrier", "flushed"})) return Spent::kNoc;
  return Spent::kSemaphore;
}

}  // namespace

CycleProfile::CycleProfile(DebugAccess& cores, bool wants_zones) : cores_(cores) {
  for (const CoreSite& site : cores.core_sites()) {
    Meter& meter = meters_.emplace_back();
    meter.site = site;
    if (site.tasklets != nullptr) {
      meter.tasklets = std::make_unique<TaskletMeter>(*site.tasklets);
    } else {
      meter.core = std::make_unique<CoreMeter>(*site.core, site.is_pim);
      if (!wants_zones || site.is_pim) continue;
      meter.zones = std::make_unique<ZoneMeter>([this, site](std::uint32_t pc) {
        return cores_.is_firmware(site, pc) ? ZoneMeter::Code::kFirmware
               : cores_.place_of(site, pc)  ? ZoneMeter::Code::kKernel
                                            : ZoneMeter::Code::kUnknown;
      });
      meter.core->set_zones(meter.zones.get());
    }
  }
}

void CycleProfile::before_load(unsigned chip, unsigned x, unsigned y, unsigned kind) {
  const auto found = std::find_if(meters_.begin(), meters_.end(), [&](const Meter& meter) {
    const CoreSite& site = meter.site;
    return site.chip == chip && site.x == x && site.y == y && site.kind == kind;
  });
  if (found == meters_.end()) return;
  if (found->zones) found->zones->forget_code();
  CyclesByPc taken = found->core ? found->core->take() : found->tasklets->take();
  // A core may have started before its file was registered.
  for (const auto& [pc, cycles] : found->without_place) taken[pc] += cycles;
  found->without_place.clear();
  for (auto it = taken.begin(); it != taken.end();) {
    if (it->first == kNoCode || cores_.place_of(found->site, it->first)) {
      ++it;
    } else {
      found->without_place.insert(*it);
      it = taken.erase(it);
    }
  }
  add(found->lines, found->site, taken);
}

/// The source line of a pc. Changes the purpose of cycles that only the source explains.
CycleProfile::Line CycleProfile::line_of(const CoreSite& site, std::uint32_t pc,
                                         Cycles& cycles) const {
  if (pc == kNoCode) return {"", 0, Profile::kInReset, ""};
  const auto place = cores_.place_of(site, pc);
  if (!place) return {"", 0, Profile::kNoLine, ""};
  const riscv::SourceLocation* const own = place->own();
  const auto move_to = [&](Spent from, Spent to) {
    cycles.of(to) += std::exchange(cycles.of(from), 0);
  };
  const bool serves = any_place(*place, [](const riscv::SourceLocation& each) {
    return each.file.find(kFabric) != std::string::npos;
  });
  if (own == nullptr && (serves || cores_.is_firmware(site, pc))) {
    // Firmware waits for a program, and a router or mux for packets.
    for (std::size_t i = 0; i < kSpentKinds; ++i)
      if (static_cast<Spent>(i) != Spent::kBusy) move_to(static_cast<Spent>(i), Spent::kIdle);
  } else if (const Spent word = meaning_of_word(*place); word != Spent::kSemaphore) {
    move_to(Spent::kSemaphore, word);
  }
  const riscv::SourceLocation& shown = own != nullptr                ? *own
                                       : place->inlined_into.empty() ? *place
                                                                     : place->inlined_into.back();
  return {shown.file, shown.line, shown.function.empty() ? "(no function)" : shown.function,
          place->called()};
}

void CycleProfile::add(Lines& lines, const CoreSite& site, const CyclesByPc& cycles) const {
  for (auto [pc, spent] : cycles) {
    const Line line = line_of(site, pc, spent);
    lines[line] += spent;
  }
}

void CycleProfile::add_zones(Profile& profile, unsigned core, const Meter& meter,
                             support::Cycle now) const {
  for (const ZoneMeter::Zone& zone : meter.zones->until(now)) {
    const auto place = cores_.place_of(meter.site, zone.pc);
    profile.zones.push_back({.core = core,
                             .is_kernel = zone.is_kernel,
                             .run = zone.run,
                             .begin = zone.begin,
                             .end = zone.end,
                             .file = place ? place->file : "",
                             .line = place ? place->line : 0});
  }
}

Profile CycleProfile::until(support::Cycle now) const {
  Profile profile;
  for (const Meter& meter : meters_) {
    if (!(meter.core ? meter.core->has_run() : meter.tasklets->has_run())) continue;
    Lines lines = meter.lines;
    add(lines, meter.site, meter.without_place);
    add(lines, meter.site, meter.core ? meter.core->until(now) : meter.tasklets->until(now));
    const auto core = static_cast<unsigned>(profile.cores.size());
    profile.cores.push_back({.name = meter.site.name,
                             .cycles = now,
                             .chip = meter.site.chip,
                             .x = meter.site.x,
                             .y = meter.site.y,
                             .kind = meter.site.kind});
    if (meter.zones) add_zones(profile, core, meter, now);
    for (const auto& [line, cycles] : lines) {
      const auto& [file, number, function, called] = line;
      profile.rows.push_back({core, function, file, number, called, cycles});
    }
  }
  return profile;
}

}  // namespace tvp::platform
