#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/dram/address_mapping.h"
#include "models/dram/dram_channel.h"

namespace tvp::dram {

/// The channels of a module or device behind one address mapping. A DDR4 DIMM has one channel, a
/// DDR5 DIMM two sub-channels, a GDDR6 device two channels.
class MemorySystem {
 public:
  MemorySystem(const Preset& preset, const ChannelOptions& options, const std::string& mapping,
               bool hash_banks);

  const AddressMapping& mapping() const { return mapping_; }
  std::size_t channels() const { return channels_.size(); }
  DramChannel& channel(std::size_t index) { return *channels_[index]; }
  const DramChannel& channel(std::size_t index) const { return *channels_[index]; }
  const Preset& preset() const { return preset_; }

 private:
  const Preset preset_;
  const AddressMapping mapping_;
  std::vector<std::unique_ptr<DramChannel>> channels_;
};

}  // namespace tvp::dram
