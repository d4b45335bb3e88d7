#include "models/tensix/coprocessor/scalar/sync_rules.h"

#include "models/tensix/coprocessor/frontend/wait_gate.h"

namespace tvp::tensix::coprocessor {

// Blackhole has one packer, so one condition instead of four, and behind all others the
// configuration unit.
std::uint32_t SyncRules::conditions_of_blackhole(std::uint32_t mask) {
  constexpr std::uint32_t kBeforePackers = 0x7, kPackers = 0x8, kBehindPackers = 0xFF0,
                          kConfigurationUnit = 0x1000;
  constexpr unsigned kMorePackers = 3;
  std::uint32_t conditions = mask & kBeforePackers;
  if ((mask & kPackers) != 0) conditions |= 0xFU << WaitGate::kFirstPacker;
  conditions |= (mask & kBehindPackers) << kMorePackers;
  if ((mask & kConfigurationUnit) != 0) conditions |= 1U << WaitGate::kConfigPipeline;
  return conditions;
}

}  // namespace tvp::tensix::coprocessor
