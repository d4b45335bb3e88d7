#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/support/calendar.h"

namespace tvp::platform {

/// Processing units beside DRAM banks, by number. Accesses take no simulated time unless host.timed
/// is true. All throw Fault(kDescription) if they are refused.
class UnitAccess {
 public:
  enum class Owner : std::uint8_t { kHost, kProcessor };
  enum class Run : std::uint8_t { kStopped, kRunning, kExited };
  struct State {
    Run run = Run::kStopped;
    std::uint32_t exit_status = 0;
    support::Cycle started = 0;  ///< cycle of the last start
    support::Cycle ended = 0;    ///< cycle of the end; the current cycle while it runs
    std::uint64_t instructions = 0;
    std::uint64_t slept_instructions = 0;
  };

  virtual ~UnitAccess() = default;
  /// Number of units.
  virtual unsigned count() const = 0;
  /// Size of the bank of each unit.
  virtual std::uint64_t bank_bytes() const = 0;
  virtual Owner owner(unsigned unit) = 0;
  /// Passes the bank to `owner`.
  virtual void set_owner(unsigned unit, Owner owner) = 0;
  /// The host must own the bank.
  virtual void access_bank(unsigned unit, std::uint64_t address, std::uint8_t* data,
                           std::uint64_t bytes, bool write) = 0;
  /// Takes the pins of the channel for an access to a bank that begins now, if host.timed is true.
  /// Returns the cycle of its end. Only for a user who runs the kernel: other hosts' calls of
  /// access_bank() last until then.
  virtual support::Cycle end_of_access(unsigned unit, std::uint64_t address, std::uint64_t bytes,
                                       bool write) = 0;
  /// Accesses a bank of any owner, like a debugger.
  virtual void debug_bank(unsigned unit, std::uint64_t address, std::uint8_t* data,
                          std::uint64_t bytes, bool write) = 0;
  virtual void access_wram(unsigned unit, std::uint32_t address, std::uint8_t* data,
                           std::uint32_t bytes, bool write) = 0;
  /// Reads WRAM immediately. False if there is no such unit or address.
  virtual bool peek_wram(unsigned unit, std::uint32_t address, std::uint8_t* data,
                         std::uint32_t bytes) const = 0;
  virtual void load(unsigned unit, const std::string& elf_path) = 0;
  /// Writes instruction memory while no program runs.
  virtual void write_iram(unsigned unit, std::uint32_t offset, const std::uint8_t* data,
                          std::uint32_t bytes) = 0;
  virtual void read_iram(unsigned unit, std::uint32_t offset, std::uint8_t* data,
                         std::uint32_t bytes) = 0;
  /// Address of the first instruction of a program, which load() also sets.
  virtual void set_entry(unsigned unit, std::uint32_t entry) = 0;
  virtual std::optional<std::uint32_t> entry(unsigned unit) = 0;
  /// All start in the same cycle and wait for each other at barriers.
  virtual void start_units(std::span<const unsigned> units) = 0;
  virtual State state(unsigned unit) = 0;
  /// Links of a message under a static schedule; empty if the network routes dynamically.
  virtual std::vector<std::uint32_t> scheduled_route(unsigned source, unsigned destination) = 0;
  /// Describes the transfers that wrote a byte of a bank, or that may have led to one of WRAM; ""
  /// if there is no such unit.
  virtual std::string origin(unsigned unit, std::uint64_t address, bool in_wram) const = 0;
  /// The program's output since its start.
  virtual const std::string& output(unsigned unit) = 0;
};

}  // namespace tvp::platform
