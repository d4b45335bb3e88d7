#pragma once

#include <cstdint>

#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/unit_faults.h"
#include "models/tensix/coprocessor/unpack/unpack_plan.h"

namespace tvp::tensix::coprocessor {

/// Computes source and destination of an UNPACR's datums from configuration and address counters
/// (ISA UNPACR_Regular.md).
class UnpackPlanner {
 public:
  UnpackPlanner(const BackendConfig& config, AddressCounters& counters, const UnitFaults& faults);

  /// Completes a plan that has its unpacker and thread. `adc` is the thread whose counters give the
  /// position in the plane. False if the effect is not documented or not modelled.
  bool plan(std::uint32_t instruction, unsigned context, unsigned adc, UnpackPlan& plan);

 private:
  bool formats(std::uint32_t instruction, unsigned context, UnpackPlan& plan);
  bool source(std::uint32_t instruction, unsigned context, unsigned adc, UnpackPlan& plan);
  std::uint32_t first_datum(std::uint32_t instruction, unsigned context, unsigned adc,
                            std::uint32_t x_dim, UnpackPlan& plan);
  /// Address of the exponents, and the size of their section before the data.
  std::uint32_t exponents(std::uint32_t address, std::uint32_t first, std::uint32_t x_dim,
                          UnpackPlan& plan) const;
  bool destination(std::uint32_t instruction, unsigned context, UnpackPlan& plan);
  bool place(std::uint32_t instruction, unsigned context, UnpackPlan& plan);
  bool is_documented(const UnpackPlan& plan, std::uint32_t upsample_rate) const;
  void speed(UnpackPlan& plan);

  const BackendConfig& config_;
  AddressCounters& counters_;
  const UnitFaults& faults_;
};

}  // namespace tvp::tensix::coprocessor
