#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "tensix_vp/systemc/ddr_protocol.h"

namespace tensix_vp {

/// Memory modules whose DRAM banks have a RISC-V core each (a PIM unit), on the memory bus of a
/// user's host: one channel or several.
///
/// Simulated time is that of the SystemC kernel. A firmware fault ends sc_start() with an
/// SC_REPORT_ERROR of the message type "/tensix_vp". Warnings are SC_REPORT_WARNINGs of this type.
class PimDimm : public sc_core::sc_module {
 public:
  struct Parameters {
    /// Name of a system of kind pim (`tensix-vp list`) or path of a description.
    std::string system = "pim_dimm";
    /// Keys of `tensix-vp list` and their values. With {"host.timed", "true"} accesses of banks
    /// take the time of the channel's pins.
    std::vector<std::pair<std::string, std::string>> settings;
  };

  /// Throws std::runtime_error that names the parameter, what was expected, and where it stands.
  PimDimm(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit PimDimm(const sc_core::sc_module_name& name) : PimDimm(name, Parameters()) {}
  ~PimDimm() override;

  /// The host's memory bus. Loosely or approximately timed. The banks follow each other from
  /// address 0 on, then the control spaces of the units, then the common registers.
  ///
  /// Banks, WRAM and instruction memory: any length and alignment, byte enables. Registers: aligned
  /// words of 32 bits, one or several. A refused access is answered with
  /// TLM_GENERIC_ERROR_RESPONSE and a warning that gives the reason. There is no DMI, since
  /// processors share the memories. It may stay unbound.
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
      memory;

  /// The chips of a rank at a channel of the user (DdrChannel::rank()), by the number of the rank
  /// in the system; a way to the banks besides `memory`. Byte n of a beat belongs to chip n on a
  /// bus of 8-bit chips. Reads and writes of a bank that its processor owns get
  /// DdrStatus::kNotOwned, those of a bank without a unit kNoSuchPlace. PIM words have no effect.
  /// It may stay unbound. Throws std::runtime_error for an unknown rank.
  tlm::tlm_target_socket<32, DdrProtocol, 1, sc_core::SC_ZERO_OR_MORE_BOUND>& rank(unsigned number);
  unsigned ranks() const;

  /// Registers of a unit.
  enum class UnitRegister : std::uint32_t {
    kOwner = 0x00,       ///< rw: owner of the bank, 0 host, 1 unit; not while a program runs
    kEntry = 0x04,       ///< rw: address of the program's first instruction
    kSelected = 0x08,    ///< rw: 1: the next write of kStart starts this unit
    kState = 0x0C,       ///< r: 0 not started, 1 running, 2 exited
    kExitStatus = 0x10,  ///< r: value that the program returned
    kStarted = 0x18,     ///< r, 64 bits: cycle of the last start
    kEnded = 0x20,       ///< r, 64 bits: cycle of the end; the current one while it runs
  };
  /// Registers of all units.
  enum class CommonRegister : std::uint32_t {
    kUnits = 0x00,     ///< r: number of units
    kStart = 0x04,     ///< w: starts the selected units in the same cycle and deselects them
    kRunning = 0x08,   ///< r: number of units whose programs run
    kClockMhz = 0x0C,  ///< r: clock of the units
  };

  unsigned units() const;
  std::uint64_t bank_bytes() const;
  // Addresses on `memory`.
  std::uint64_t bank(unsigned unit) const;
  std::uint64_t wram(unsigned unit) const;  ///< 64 KiB, while no program runs
  std::uint64_t iram(unsigned unit) const;  ///< 24 KiB, while no program runs
  std::uint64_t address(unsigned unit, UnitRegister which) const;
  std::uint64_t address(CommonRegister which) const;
  /// The end of the last register.
  std::uint64_t bytes() const;

  /// Loads an ELF file in no time, as a debugger does. Reports then have its functions and lines.
  void load(unsigned unit, const std::string& elf_file);
  /// Text that the unit's program has printed since its start.
  std::string output(unsigned unit) const;
  /// Nothing is scheduled: only the host can change that.
  bool idle() const;
  /// The report of the run as JSON, as `tensix-vp run --report` writes it. "waiting" has a line for
  /// each unit that waits.
  std::string report() const;
  /// Hash over all memories that were touched, and the time.
  std::uint64_t digest() const;

 private:
  class Parts;

  void start_of_simulation() override;
  void end_of_simulation() override;

  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
