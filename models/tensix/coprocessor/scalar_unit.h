#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/support/agent.h"
#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/backend_config.h"
#include "models/tensix/coprocessor/configuration_unit.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/gprs.h"
#include "models/tensix/coprocessor/packer_metadata.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/write_back.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Scalar unit's way to the registers at 0xFFB_____.
class MmioPort {
 public:
  virtual ~MmioPort() = default;
  struct Result {
    bool blocked = false;
    std::uint32_t data = 0;
    std::uint32_t latency = 0;
  };
  virtual Result load(std::uint32_t address, Cycle now) = 0;
  virtual Result store(std::uint32_t address, std::uint32_t data, Cycle now) = 0;
};

/// For FLUSHDMA: first cycle at which a thread has nothing left in the pipelines of STALLWAIT's
/// conditions C1 to C3.
class PipelineStatus {
 public:
  virtual ~PipelineStatus() = default;
  virtual Cycle pipeline_idle_from(unsigned thread, unsigned condition) const = 0;
};

/// Scalar unit, also called ThCon (ISA TensixCoprocessor/ScalarUnit.md). One instruction at a time;
/// `unit_free` of its answers is also when the issuing thread may go on.
///
/// Memory is changed when an instruction is issued; loaded values reach the GPRs later.
class ScalarUnit : public ExecutionUnit {
 public:
  /// Issue to GPR of a load: seven DMANOPs behind a LOADIND "usually" suffice (LOADIND.md), which
  /// is 3 + 7 cycles. That this is the latency itself is assumed.
  static constexpr Cycle kLoadCycles = 10;
  /// One ATINCGET or ATSWAP every 12 cycles, since requests in flight are limited (ATINCGET.md);
  /// that this is the round trip is assumed.
  static constexpr Cycle kAtomicCycles = 12;
  /// One attempt of ATCAS and ATINCGETPTR (ATCAS.md).
  static constexpr Cycle kRetryCycles = 15;

  /// What the unit is connected to.
  struct Connections {
    Gprs& gprs;
    WriteBack& write_back;
    const BackendConfig& config;
    ConfigurationUnit& configuration_unit;
    RegisterFiles& registers;
    AddressCounters& adcs;
    L1Port& l1;
    MmioPort& mmio;
    const PipelineStatus& pipelines;
    const support::Agent& agent;  ///< whose tie order writes to L1 have
  };

  ScalarUnit(std::string where, const Connections& to, foundation::FaultPolicy& faults)
      : where_(std::move(where)), to_(to), faults_(faults) {}

  void attach(PackerMetadata* packers) { packers_ = packers; }

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now) override;

  /// STALLWAIT condition C0: first cycle without memory requests of the thread.
  Cycle memory_idle_from(unsigned thread) const { return memory_until_[thread]; }

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

  Issue load_indirect(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_indirect(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_l1(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_mmio(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_src(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue load_register(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_register(std::uint32_t address, std::uint32_t value, unsigned thread, Cycle now);
  Issue atomic_increment(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue atomic_swap(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue atomic_compare_and_set(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue atomic_pointer(std::uint32_t instruction, unsigned thread, Cycle now);

  bool in_l1(std::uint32_t address, const char* mnemonic, unsigned thread);
  bool in_mmio(std::uint32_t address, const char* mnemonic, unsigned thread);
  std::uint32_t l1_word(std::uint32_t address) const;
  void set_l1_word(std::uint32_t address, std::uint32_t value, Cycle now);
  /// Reserves the port and returns the cycle after the last beat.
  Cycle reserve(std::uint32_t address, std::uint32_t bytes, bool write, Cycle now);
  void increment_offset(unsigned thread, unsigned half, unsigned spec);
  void deliver(unsigned thread, unsigned reg, std::uint32_t value, Cycle when,
               std::uint32_t mask = ~0U);
  void outstanding(unsigned thread, Cycle until) {
    if (until > memory_until_[thread]) memory_until_[thread] = until;
  }
  /// The unit stays with the thread until the next attempt.
  Issue attempt_again(unsigned thread, Cycle now);
  Issue undefined(const std::string& what, unsigned thread, Cycle now);

  std::string where_;
  Connections to_;
  foundation::FaultPolicy& faults_;
  PackerMetadata* packers_ = nullptr;
  std::array<Cycle, 3> memory_until_{};
  Cycle atomic_free_ = 0;
  static constexpr unsigned kNobody = 0xFF;
  unsigned holder_ = kNobody;  ///< thread whose ATCAS or ATINCGETPTR is tried again and again
  Cycle next_attempt_ = 0;
};

}  // namespace tvp::tensix::coprocessor
