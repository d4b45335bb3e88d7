#include "models/pim/pim_hierarchy.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "foundation/fault.h"
#include "foundation/regs/pim.h"

namespace tvp::pim {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "", "pim.hierarchy: " + text);
}

}  // namespace

PimHierarchy PimHierarchy::parse(const std::string& text) {
  PimHierarchy hierarchy;
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    const std::size_t equals = word.find('=');
    Level level{word.substr(0, equals), 0};
    const char* const first = word.data() + std::min(equals, word.size() - 1) + 1;
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(first, last, level.count);
    const bool number = equals != std::string::npos && error == std::errc() && end == last;
    if (level.name.empty() || !number || level.count == 0) {
      refuse("'" + word +
             "': expected LEVEL=COUNT with a count of at least 1, as in bank=8 chip=4");
    }
    for (const Level& other : hierarchy.levels_) {
      if (other.name == level.name) refuse("level '" + level.name + "' stands twice");
    }
    if (level.count > regs::pim::kMaxUnits / hierarchy.units_) {
      refuse("expected at most " + std::to_string(regs::pim::kMaxUnits) + " units in all");
    }
    hierarchy.units_ *= level.count;
    hierarchy.levels_.push_back(std::move(level));
  }
  if (hierarchy.levels_.empty()) refuse("expected at least one LEVEL=COUNT, as in bank=8 chip=4");
  return hierarchy;
}

unsigned PimHierarchy::units_within(unsigned level) const {
  unsigned units = 1;
  for (unsigned i = 0; i <= level && i < levels_.size(); ++i) units *= levels_[i].count;
  return units;
}

unsigned PimHierarchy::levels_of_channel() const {
  constexpr unsigned kRanks = 3;  // levels bank, chip, rank
  const auto channel = std::ranges::find(levels_, "channel", &Level::name);
  if (channel != levels_.end()) return static_cast<unsigned>(channel - levels_.begin());
  const bool dimms = levels_.size() > kRanks && levels_[kRanks].name == "dimm";
  return std::min(dimms ? kRanks + 1 : kRanks, static_cast<unsigned>(levels_.size()));
}

std::vector<unsigned> PimHierarchy::place_of(unsigned unit) const {
  std::vector<unsigned> place;
  for (const Level& level : levels_) {
    place.push_back(unit % level.count);
    unit /= level.count;
  }
  return place;
}

unsigned PimHierarchy::unit_at(const std::vector<unsigned>& place) const {
  if (place.size() != levels_.size()) {
    refuse("a place has " + std::to_string(levels_.size()) + " numbers, not " +
           std::to_string(place.size()));
  }
  unsigned unit = 0;
  for (std::size_t i = levels_.size(); i-- > 0;) {
    if (place[i] >= levels_[i].count) {
      refuse(levels_[i].name + " " + std::to_string(place[i]) + ": expected 0.." +
             std::to_string(levels_[i].count - 1));
    }
    unit = unit * levels_[i].count + place[i];
  }
  return unit;
}

std::string PimHierarchy::name_of(unsigned unit) const {
  const std::vector<unsigned> place = place_of(unit);
  std::string name;
  for (std::size_t i = levels_.size(); i-- > 0;) {
    name += (name.empty() ? "" : ".") + levels_[i].name + std::to_string(place[i]);
  }
  return name;
}

}  // namespace tvp::pim
