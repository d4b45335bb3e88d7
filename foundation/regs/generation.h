#pragma once

#include <stdint.h>

namespace tvp {

/// The design of which a chip is made. One policy of each unit has the differences between
/// generations (CONTRIBUTING.md, "A generation"). Freestanding for firmware.
enum class Generation : uint8_t { kWormhole, kBlackhole };

/// The name in a chip's description.
constexpr const char* name_of(Generation generation) {
  return generation == Generation::kBlackhole ? "blackhole" : "wormhole";
}

#if defined(ARCH_BLACKHOLE)
/// The generation for which firmware and kernels are compiled.
inline constexpr Generation kThisGeneration = Generation::kBlackhole;
#elif defined(ARCH_WORMHOLE)
inline constexpr Generation kThisGeneration = Generation::kWormhole;
#endif

}  // namespace tvp
