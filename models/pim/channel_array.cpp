#include "models/pim/channel_array.h"

namespace tvp::pim {

namespace {

unsigned count_of(const PimHierarchy& hierarchy, unsigned level) {
  return level < hierarchy.levels_of_channel() ? hierarchy.levels()[level].count : 1;
}

unsigned ranks_of_channel_in(const PimHierarchy& hierarchy) {
  unsigned ranks = 1;
  for (unsigned level = 2; level < hierarchy.levels_of_channel(); ++level)
    ranks *= count_of(hierarchy, level);
  return ranks;
}

}  // namespace

ChannelArray::ChannelArray(const PimConfig& config, const PimHierarchy& hierarchy,
                           const dram::Preset& preset, foundation::FaultPolicy& faults)
    : preset_(preset),
      banks_of_chip_(count_of(hierarchy, 0)),
      chips_of_rank_(count_of(hierarchy, 1)),
      ranks_of_channel_(ranks_of_channel_in(hierarchy)) {
  const unsigned channels = hierarchy.units() / units_of_channel();
  // Only the tiered network uses the pins between chips.
  const unsigned chips = config.network == "tiers" ? chips_of_rank_ : 1;
  for (unsigned channel = 0; channel < channels; ++channel) {
    channels_.push_back(std::make_unique<MemoryChannel>(
        config, preset, channel, channel * ranks_of_channel_, ranks_of_channel_, chips, faults));
  }
  outer_units_.push_back(units_of_channel());
  for (unsigned level = hierarchy.levels_of_channel(); level < hierarchy.levels().size(); ++level)
    outer_units_.push_back(hierarchy.units_within(level));
}

unsigned ChannelArray::levels_between(unsigned unit, unsigned other) const {
  unsigned levels = 0;
  while (levels + 1 < outer_units_.size() &&
         unit / outer_units_[levels] != other / outer_units_[levels])
    ++levels;
  return levels;
}

}  // namespace tvp::pim
