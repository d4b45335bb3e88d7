#include "tests/mutation/unit_run.h"

#include <cstdlib>
#include <fstream>

#include "platform/checks/event_line.h"

namespace tvp::mutation {

using support::BusMaster;
using support::ProbeEvent;
using Kind = ProbeEvent::Kind;

UnitRun::UnitRun(const std::filesystem::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);)
    if (const std::size_t at = line.find(" {"); at != std::string::npos)
      add(line.substr(0, at), checks::from_line(line.substr(at + 1)));
}

void UnitRun::add(const std::string& unit, const ProbeEvent& event) {
  constexpr const char* kUnit = "unit";
  if (!unit.starts_with(kUnit)) return;
  checks::TileChecks*& tile = units_[unit];
  if (tile == nullptr) {
    const auto number = static_cast<unsigned>(std::strtoul(unit.c_str() + 4, nullptr, 10));
    tile = &checks_.add({.x = number,
                         .where = unit,
                         .cores = {{BusMaster::kB, 0, unit}},
                         .kind = checks::TileContext::Kind::kPimUnit,
                         .names = *this,
                         .faults = *this,
                         .warnings = *this});
  }
  if (event.kind == Kind::kTasklet) is_ordered_ = false;  // their order is not followed here
  if (event.kind == Kind::kCounterRead && !event.is_local) is_ordered_ = false;
  if (event.kind == Kind::kBuffer) channels_[{unit, event.index}].windows.push_back(event.address);
  if (event.kind == Kind::kServed && event.bytes != 0)
    channels_[{unit, event.index}].has_data = true;
  tile->report(event);
}

bool UnitRun::has_windows_of(const UnitRun& other) const {
  bool is_known = false;
  for (const auto& [place, channel] : channels_) {
    const auto found = other.channels_.find(place);
    const bool is_equal =
        found != other.channels_.end() && found->second.windows == channel.windows;
    if (!is_equal && channel.has_data) return false;
    is_known = true;
  }
  return is_known;
}

}  // namespace tvp::mutation
