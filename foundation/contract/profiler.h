#pragma once
// Zones of a kernel on the time line (kernel_api 7.3).

#include <stdint.h>

namespace tvp::contract {

// Markers of a core, two words each. The host clears them at launch. Markers written since then
// have kProfilerMarkerValid. The core drops further markers when all are used.
constexpr uint32_t kProfilerMarkers = 128;
constexpr uint32_t kProfilerMarkerValid = 0x80000000;
struct ProfilerBuffer {
  uint32_t markers[kProfilerMarkers][2];
};
enum ProfilerPacket : uint32_t {
  kProfilerZoneStart = 0,
  kProfilerZoneEnd = 1,
  kProfilerZoneTotal = 2,
  kProfilerTsData = 3,
  kProfilerTsEvent = 4,
};

// Number of a zone: 16 bits of FNV-1a over "name,file,line". Kernels and host compute it alike.
constexpr uint32_t zone_hash(const char* text) {
  uint32_t hash = 2166136261u;
  for (; *text != 0; ++text) hash = (hash ^ static_cast<uint8_t>(*text)) * 16777619u;
  return (hash ^ (hash >> 16)) & 0xFFFF;
}

}  // namespace tvp::contract
