#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/support/agent.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/scalar/gprs.h"
#include "models/tensix/coprocessor/scalar/mmio_port.h"
#include "models/tensix/coprocessor/write_back.h"
#include "models/tensix/l1_port.h"

namespace tvp::tensix::coprocessor {

/// Loads, stores and atomics of the scalar unit (ISA LOADIND.md, STOREIND_*.md, AT*.md).
///
/// Memory is changed when an instruction is issued; loaded values reach the GPRs later.
class ScalarMemory {
 public:
  /// From issue of a load to the GPR. Seven DMANOPs behind a LOADIND "usually" suffice
  /// (LOADIND.md), which is 3 + 7 cycles; this is assumed to be the latency.
  static constexpr Cycle kLoadCycles = 10;
  /// One ATINCGET or ATSWAP every 12 cycles, since requests in flight are limited (ATINCGET.md);
  /// this is assumed to be the round trip.
  static constexpr Cycle kAtomicCycles = 12;
  /// One attempt of ATCAS and ATINCGETPTR (ATCAS.md).
  static constexpr Cycle kRetryCycles = 15;

  struct Connections {
    Gprs& gprs;
    WriteBack& write_back;
    const BackendConfig& config;
    RegisterFiles& registers;
    L1Port& l1;
    MmioPort& mmio;
    const support::Agent& agent;  ///< its tie order applies to writes to L1
  };

  ScalarMemory(std::string where, const Connections& to, foundation::FaultPolicy& faults)
      : where_(std::move(where)), to_(to), faults_(faults) {}

  /// One of the instructions of this class.
  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now);

  /// First cycle without memory requests of the thread.
  Cycle idle_from(unsigned thread) const { return until_[thread]; }
  /// True if another thread's ATCAS or ATINCGETPTR is being retried: not before next_attempt().
  bool held_against(unsigned thread) const { return holder_ != kNobody && holder_ != thread; }
  Cycle next_attempt() const { return next_attempt_; }

 private:
  Issue load_indirect(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_indirect(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_l1(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_mmio(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_src(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue load_register(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_register(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue store_at(std::uint32_t address, std::uint32_t value, unsigned thread, Cycle now);
  Issue atomic_increment(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue atomic_swap(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue atomic_compare_and_set(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue atomic_pointer(std::uint32_t instruction, unsigned thread, Cycle now);

  bool in_l1(std::uint32_t address, const char* mnemonic, unsigned thread);
  bool in_mmio(std::uint32_t address, const char* mnemonic, unsigned thread);
  /// Reserves the port and returns the cycle after the last beat.
  Cycle reserve(std::uint32_t address, std::uint32_t bytes, bool write, Cycle now);
  // `passed` is the result of reserve().
  void read_l1(std::uint32_t address, void* to, std::uint32_t bytes, Cycle now, Cycle passed) const;
  std::uint32_t read_l1_word(std::uint32_t address, Cycle now, Cycle passed) const;
  void write_l1(std::uint32_t address, const void* from, std::uint32_t bytes, Cycle now,
                Cycle passed);
  void increment_offset(unsigned thread, unsigned half, unsigned spec);
  void deliver(unsigned thread, unsigned reg, std::uint32_t value, Cycle when,
               std::uint32_t mask = ~0U);
  void outstanding(unsigned thread, Cycle until) {
    if (until > until_[thread]) until_[thread] = until;
  }
  /// Keeps the unit for the thread until the next attempt.
  Issue attempt_again(unsigned thread, Cycle now);
  Issue undefined(const std::string& what, unsigned thread, Cycle now);

  std::string where_;
  Connections to_;
  foundation::FaultPolicy& faults_;
  std::array<Cycle, 3> until_{};
  Cycle atomic_free_ = 0;
  static constexpr unsigned kNobody = 0xFF;
  unsigned holder_ = kNobody;  ///< thread whose ATCAS or ATINCGETPTR is being retried
  Cycle next_attempt_ = 0;
};

}  // namespace tvp::tensix::coprocessor
