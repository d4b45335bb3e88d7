#pragma once

#include <cstdint>

#include "foundation/settings.h"

namespace tvp::tensix::coprocessor {

/// Tunables of unpackers and packers.
struct MovementConfig : foundation::SettingGroup {
  MovementConfig() : SettingGroup("movement", SetBy::kDescription) {}

  foundation::Setting<std::uint32_t> unpack_address_cycles{
      *this,
      {"unpack_address_cycles", "cycles",
       "address generation of an UNPACR, shared by both unpackers and blocking its thread",
       "tt-isa-documentation UNPACR_Regular.md, Performance"},
      {.value = 2, .min = 1, .max = 64}};
  foundation::Setting<std::uint32_t> unpack_pipeline_cycles{
      *this,
      {"unpack_pipeline_cycles", "cycles",
       "from the last beat of L1 to the last datum in SrcA, SrcB or Dst", "assumed"},
      {.value = 8, .min = 0, .max = 256}};
  foundation::Setting<std::uint32_t> pack_pipeline_cycles{
      *this,
      {"pack_pipeline_cycles", "cycles", "from the first row read of Dst to the first beat to L1",
       "assumed"},
      {.value = 8, .min = 0, .max = 256}};
  foundation::Setting<std::uint32_t> pack_accumulate_cycles{
      *this,
      {"pack_accumulate_cycles", "cycles", "a packer's port for adding 16 B to L1",
       "assumed of the two that tt-isa-documentation L1.md has: 2, or 5 if atomic"},
      {.value = 2, .min = 1, .max = 64}};
};

}  // namespace tvp::tensix::coprocessor
