#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "foundation/fault.h"
#include "models/tensix/tile/core_debug.h"

namespace tvp::tensix {

/// Debug units of a tile's cores behind RISC_DBG_CNTL_0 to RISC_DBG_STATUS_1, and the program
/// counters on the debug bus (tt-exalens, debug_bus_signal_store.py). The bus has no other signals
/// here.
class RiscDebug {
 public:
  RiscDebug(std::string where, TileBus& bus, foundation::FaultPolicy& faults)
      : where_(std::move(where)), bus_(bus), faults_(faults) {}

  /// Adds the core of the next number.
  void add(riscv::Core& core) {
    cores_.push_back(std::make_unique<CoreDebug>(core, bus_, faults_));
  }
  /// Puts the core's program counter on the bus as this signal.
  void add_signal(std::uint32_t signal, const riscv::Core& core) { signals_[signal] = &core; }
  /// Call it when cores have entered reset.
  void reset_with_cores() {
    for (const auto& core : cores_) core->reset_with_core();
  }
  void write_control(std::uint32_t value, support::Cycle now);
  void write_data(std::uint32_t value) { data_ = value; }
  std::uint32_t control() const { return control_; }
  std::uint32_t data() const { return data_; }
  /// True in the bits of STATUS_0 that say that a read has completed.
  std::uint32_t read_valid() const { return valid_; }
  std::uint32_t read_data() const { return read_data_; }

  void select_signal(std::uint32_t value) { selected_ = value; }
  std::uint32_t selected_signal() const { return selected_; }
  std::uint32_t signal() const;

 private:
  std::string where_;
  TileBus& bus_;
  foundation::FaultPolicy& faults_;
  std::vector<std::unique_ptr<CoreDebug>> cores_;
  std::map<std::uint32_t, const riscv::Core*> signals_;
  std::uint32_t selected_ = 0;
  std::uint32_t control_ = 0;
  std::uint32_t data_ = 0;
  std::uint32_t valid_ = 0;
  std::uint32_t read_data_ = 0;
};

}  // namespace tvp::tensix
