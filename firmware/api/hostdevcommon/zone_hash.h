#pragma once
// Number of a profiler zone, computed from its "name,file,line" by kernels and host alike.

#include <stdint.h>

namespace tvp::boot {

// 16 bits of FNV-1a.
constexpr uint32_t zone_hash(const char* text) {
  uint32_t hash = 2166136261u;
  for (; *text != 0; ++text) hash = (hash ^ static_cast<uint8_t>(*text)) * 16777619u;
  return (hash ^ (hash >> 16)) & 0xFFFF;
}

}  // namespace tvp::boot
