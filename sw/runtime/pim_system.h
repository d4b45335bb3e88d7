#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sw/runtime/compiler/kernel_compiler.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

/// The units of a PIM system for a host program: programs, data in banks, arguments by name, start
/// and end.
class PimSystem {
 public:
  struct Level {
    std::string name;
    unsigned count = 1;
  };
  struct UnitState {
    bool exited = false;
    std::uint32_t exit_status = 0;
    std::uint64_t started_cycle = 0;
    std::uint64_t ended_cycle = 0;
    std::uint64_t instructions = 0;
  };

  /// Initializes the library. Throws Fault(kDescription) if it simulates no PIM system.
  explicit PimSystem(DeviceLibrary& library);

  unsigned units() const { return units_; }
  /// Levels from the inside out. Unit numbers count the first level fastest.
  const std::vector<Level>& levels() const { return levels_; }
  /// Units with consecutive numbers in a line of the mesh: a row or a column (pim.node_map).
  unsigned line_units() const { return line_units_; }
  unsigned lines() const { return lines_; }
  /// Number of chips that a switch joins in each rank, the second of the levels; 0 without a
  /// switch.
  unsigned switch_chips() const { return switch_chips_; }
  /// True if the switch joins all units of the system, not those of one number in their chips. Its
  /// pins have transmit and receive halves, which combining requires.
  bool switch_joins_units() const { return switch_joins_units_; }
  bool switch_reduces() const { return switch_reduces_; }
  bool switch_has_halves() const { return switch_has_halves_; }
  unsigned packet_bytes() const { return packet_bytes_; }
  std::uint64_t clock_mhz() const { return clock_mhz_; }
  /// Hardware threads of a unit; 0 if its programs have one.
  unsigned tasklets() const { return tasklets_; }
  std::uint64_t bank_bytes() const { return bank_bytes_; }
  double ns(std::uint64_t cycles) const {
    return static_cast<double>(cycles) * 1000.0 / static_cast<double>(clock_mhz_);
  }

  /// Compiles a program and loads it into units.
  void load(std::span<const unsigned> units, const std::string& source,
            const std::map<std::string, std::string>& defines);
  double compile_seconds() { return compiler_.cache().seconds(); }

  void own_by_host(unsigned unit);
  void own_by_processor(unsigned unit);
  void write_bank(unsigned unit, std::uint64_t address, std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> read_bank(unsigned unit, std::uint64_t address, std::uint64_t bytes);

  /// A variable of the unit's program, by its symbol.
  template <typename T>
  void set(unsigned unit, const std::string& symbol, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    T copy = value;
    access(unit, symbol, &copy, sizeof copy, true);
  }
  template <typename T>
  T get(unsigned unit, const std::string& symbol) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    access(unit, symbol, &value, sizeof value, false);
    return value;
  }

  /// Bytes of a variable, from `offset` on.
  void write_variable(unsigned unit, const std::string& symbol, std::uint32_t offset,
                      std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> read_variable(unsigned unit, const std::string& symbol,
                                          std::uint32_t offset, std::uint32_t bytes);
  /// Reads a variable at any time, also while the program runs or after an error stopped it.
  /// Returns nothing if the library does not support this.
  std::vector<std::uint8_t> peek_variable(unsigned unit, const std::string& symbol,
                                          std::uint32_t offset, std::uint32_t bytes) const;

  /// Starts all units in the same cycle and lets time pass until all have ended. Throws HangError,
  /// TimeLimitError, the Fault that stopped the simulation, or Fault(kFirmware) if a program
  /// returned a value other than 0.
  void run(std::span<const unsigned> units);
  /// Links of a message under a static schedule, by number. Empty if the network computes routes.
  std::vector<std::uint32_t> scheduled_route(unsigned source, unsigned destination) const;
  bool is_scheduled() const { return units_ > 1 && !scheduled_route(0, 1).empty(); }
  UnitState state(unsigned unit);
  /// Describes what wrote a byte of a bank, for a wrong result: "", or lines of a report, each
  /// behind a line feed.
  std::string origin(unsigned unit, std::uint64_t address) const;
  /// The same of a variable: the transfers and messages whose data it may be made of.
  std::string origin(unsigned unit, const std::string& symbol) const;
  std::string output(unsigned unit);

 private:
  void access(unsigned unit, const std::string& symbol, void* data, std::size_t bytes, bool write,
              std::uint32_t offset = 0);
  void wait(std::span<const unsigned> units);
  /// The bytes of WRAM behind the static data of the unit's program, which only its stack can
  /// reach.
  std::vector<std::uint8_t> behind_data(unsigned unit) const;
  /// Throws a fault for the first unit whose stack has changed these bytes since the start.
  void check_stacks(std::span<const unsigned> units);
  [[noreturn]] void report_hang(std::span<const unsigned> running);

  DeviceLibrary& library_;
  const DeviceLibrary::Functions& abi_;
  KernelCompiler compiler_;
  unsigned units_ = 0;
  std::vector<Level> levels_;
  unsigned line_units_ = 0;
  unsigned lines_ = 0;
  unsigned switch_chips_ = 0;
  bool switch_joins_units_ = false;
  bool switch_reduces_ = false;
  bool switch_has_halves_ = false;
  unsigned packet_bytes_ = 0;
  std::uint64_t clock_mhz_ = 1;
  unsigned tasklets_ = 0;
  std::uint64_t bank_bytes_ = 0;
  std::map<unsigned, std::shared_ptr<const ElfImage>> programs_;
  std::map<unsigned, std::vector<std::uint8_t>> behind_data_;  ///< key: unit; bytes at its start
};

}  // namespace tvp::runtime
