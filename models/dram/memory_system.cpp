#include "models/dram/memory_system.h"

namespace tvp::dram {

MemorySystem::MemorySystem(const Preset& preset, const ChannelOptions& options,
                           const std::string& mapping, bool hash_banks)
    : preset_(preset), mapping_(mapping, preset.organization, hash_banks) {
  for (unsigned i = 0; i < preset.organization.channels; ++i) {
    channels_.push_back(std::make_unique<DramChannel>(preset_, options));
  }
}

}  // namespace tvp::dram
