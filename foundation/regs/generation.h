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

/// The generation of the instructions and configuration words in the headers of foundation/regs:
/// that of the firmware, or Wormhole's, whose form models use for all generations.
#if defined(ARCH_BLACKHOLE)
inline constexpr Generation kFormGeneration = Generation::kBlackhole;
#else
inline constexpr Generation kFormGeneration = Generation::kWormhole;
#endif

}  // namespace tvp
