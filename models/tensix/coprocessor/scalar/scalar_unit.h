#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/config/configuration_unit.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/frontend/pipeline_status.h"
#include "models/tensix/coprocessor/pack/packer_metadata.h"
#include "models/tensix/coprocessor/scalar/gprs.h"
#include "models/tensix/coprocessor/scalar/scalar_memory.h"

namespace tvp::tensix::coprocessor {

/// Scalar unit, also called ThCon (ISA TensixCoprocessor/ScalarUnit.md). It executes one
/// instruction at a time. The issuing thread continues at `unit_free` of its response. ScalarMemory
/// handles loads, stores and atomics.
class ScalarUnit : public ExecutionUnit {
 public:
  /// The objects to which the unit is connected.
  struct Connections {
    Gprs& gprs;
    const BackendConfig& config;
    ConfigurationUnit& configuration_unit;
    AddressCounters& adcs;
    const PipelineStatus& pipelines;
    ScalarMemory& memory;
  };

  ScalarUnit(std::string where, const Connections& to, foundation::FaultPolicy& faults)
      : where_(std::move(where)), to_(to), faults_(faults) {}

  void attach(PackerMetadata* packers) { packers_ = packers; }

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  /// STALLWAIT condition C0: first cycle without memory requests of the thread.
  Cycle memory_idle_from(unsigned thread) const { return to_.memory.idle_from(thread); }

 private:
  Issue arithmetic(std::uint32_t instruction, unsigned thread, Cycle now);
  std::uint32_t compute(std::uint32_t instruction, std::uint32_t left, std::uint32_t right);
  Issue set_register(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue set_from_packers(std::uint32_t instruction, unsigned thread, Cycle now);
  std::array<std::uint32_t, 4> packer_values(std::uint32_t instruction, unsigned thread);
  std::array<std::uint32_t, 4> tile_header(unsigned packer, unsigned thread) const;
  Issue flush(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue to_flop(std::uint32_t instruction, unsigned thread, Cycle now);
  void to_adc(std::uint32_t instruction, unsigned thread);

  Issue undefined(const std::string& what, unsigned thread, Cycle now);

  std::string where_;
  Connections to_;
  foundation::FaultPolicy& faults_;
  PackerMetadata* packers_ = nullptr;
};

}  // namespace tvp::tensix::coprocessor
