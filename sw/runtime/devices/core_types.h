#pragma once
// Kinds of chips and cores under tt-metal's names (tt-metalium/device.hpp,
// tt_backend_api_types.hpp).

#include <cstdint>

#include "foundation/regs/generation.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

// Without an underlying type, as programs declare them.
enum class ARCH { Invalid = 0, GRAYSKULL = 1, WORMHOLE_B0 = 2, BLACKHOLE = 3 };

constexpr ARCH architecture_of(Generation generation) {
  return generation == Generation::kBlackhole ? ARCH::BLACKHOLE : ARCH::WORMHOLE_B0;
}

enum class CoreType { ARC, DRAM, ACTIVE_ETH, IDLE_ETH, PCIE, TENSIX, WORKER, ETH };

enum class DispatchCoreType : std::uint8_t { WORKER, ETH };
enum class DispatchCoreAxis : std::uint8_t { ROW, COL };
/// Selects the cores that dispatch on silicon: a row of workers, which programs then cannot use, or
/// ethernet cores.
struct DispatchCoreConfig {
  DispatchCoreType type = DispatchCoreType::WORKER;
  DispatchCoreConfig() = default;
  DispatchCoreConfig(DispatchCoreType of) : type(of) {}  // NOLINT: as tt-metal's
  DispatchCoreConfig(DispatchCoreType of, DispatchCoreAxis) : type(of) {}
};

/// Throws Fault(kDescription) for a kind of core whose L1 host programs cannot access.
inline void refuse_other_than_worker(CoreType type) {
  if (type != CoreType::WORKER && type != CoreType::TENSIX)
    bad_use("core", "expected a worker; L1 of other cores is not reached by this name");
}

}  // namespace tvp::runtime
