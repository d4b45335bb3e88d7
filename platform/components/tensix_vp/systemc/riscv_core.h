#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

namespace tensix_vp {

/// An RV32IM core of a Tensix tile on a bus of the user.
///
/// The core runs in a thread of its own and is loosely timed. It runs ahead of sc_time_stamp() by
/// at most Parameters::quantum, and stops earlier at an access of the bus that waits. The pipeline
/// and the instruction cache have the documented times; an access of the bus takes the time that
/// its target annotates or waits. Loads and stores below 2 GiB and registers go to `data`.
class RiscvCore : public sc_core::sc_module {
 public:
  struct Parameters {
    std::uint32_t reset_pc = 0;
    unsigned clock_mhz = 1000;
    /// Code lies in [0, code_bytes).
    std::uint32_t code_bytes = 1 << 20;
    /// Private data RAM of the core at 0xFFB00000, which is not on the bus.
    std::uint32_t local_ram_bytes = 4096;
    sc_core::sc_time quantum = sc_core::sc_time(100, sc_core::SC_NS);
    /// Keys of the group `riscv` without the group, e.g. {"multiply_cycles", "3"}.
    std::vector<std::pair<std::string, std::string>> settings;
  };

  /// Throws std::runtime_error that names the key and what was expected.
  RiscvCore(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit RiscvCore(const sc_core::sc_module_name& name) : RiscvCore(name, Parameters()) {}
  ~RiscvCore() override;

  /// Reads of code, word by word, as the core first comes to it or after invalidate_code(). They
  /// use transport_dbg: the time of a fetch is that of the core's own instruction cache.
  tlm_utils::simple_initiator_socket<RiscvCore> instruction;
  /// Loads and stores of 1, 2 and 4 bytes, aligned, by b_transport. An error response to a load
  /// halts the core; a store is dropped with a warning.
  tlm_utils::simple_initiator_socket<RiscvCore> data;

  // The core is in reset until it is released. Both take effect at sc_time_stamp(), or where the
  // core stands if it has run ahead.
  void release_reset();
  void assert_reset();
  /// Code in memory has changed.
  void invalidate_code();

  /// The core executed ebreak or ecall, or a load got no answer.
  bool halted() const;
  /// This event is notified when the core halts.
  const sc_core::sc_event& halted_event() const;
  std::uint32_t pc() const;
  /// Register x0 to x31.
  std::uint32_t reg(unsigned index) const;
  std::uint64_t instructions() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
