#pragma once

#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// NOP, SETDVALID and the instructions on address counters (ISA
/// TensixCoprocessor/MiscellaneousUnit.md). Each takes one cycle, one for each thread and cycle.
class MiscellaneousUnit : public ExecutionUnit {
 public:
  MiscellaneousUnit(const BackendConfig& config, RegisterFiles& registers, AddressCounters& adcs)
      : config_(config), registers_(registers), adcs_(adcs) {}

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

 private:
  const BackendConfig& config_;
  RegisterFiles& registers_;
  AddressCounters& adcs_;
};

}  // namespace tvp::tensix::coprocessor
