#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tvp::debug {

/// The kind of a breakpoint or watchpoint. The numbers are those of Z packets.
enum class Trap : std::uint8_t {
  kSoftwareBreakpoint,
  kHardwareBreakpoint,
  kWrite,
  kRead,
  kAccess,
};

/// Why everything stands still.
struct Stop {
  enum class Reason : std::uint8_t {
    kSignal,
    kBreakpoint,
    kWatchpoint,
    kLibraries,  ///< other ELF files were loaded
    kEnd,        ///< of the run; `signal` is its exit code
  };
  unsigned core = 0;
  Reason reason = Reason::kSignal;
  int signal = 5;
  Trap trap = Trap::kWrite;   ///< of a watchpoint
  std::uint32_t address = 0;  ///< of a watchpoint
};

/// Cores as a debugger sees them: each is a process of its own with one thread, since each has
/// memories of its own at addresses that others use, too. Numbers count from 1.
class Target {
 public:
  static constexpr unsigned kPc = 32;
  static constexpr unsigned kRegisters = 33;  ///< x0 … x31, pc

  struct Library {
    std::string file;
    unsigned sections = 0;  ///< that take memory
  };

  virtual ~Target() = default;
  /// Cores that are out of reset, or have been.
  virtual std::vector<unsigned> cores() = 0;
  virtual bool has(unsigned core) = 0;
  virtual std::string name(unsigned core) = 0;
  /// The state of a core in a few words.
  virtual std::string state(unsigned core) = 0;
  virtual std::array<std::uint32_t, kRegisters> registers(unsigned core) = 0;
  /// False while the core waits for something: what it waits for depends on its registers.
  virtual bool set_register(unsigned core, unsigned index, std::uint32_t value) = 0;
  /// How many bytes from the start on can be seen.
  virtual std::size_t read(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) = 0;
  virtual bool write(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual bool insert(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) = 0;
  virtual bool remove(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) = 0;
  /// Before going on: this core is to stop behind one instruction, or as soon as its pc has left
  /// [from, to).
  virtual void step(unsigned core, std::uint32_t from, std::uint32_t to) = 0;
  /// The ELF file that it began with, "" when none is known.
  virtual std::string executable(unsigned core) = 0;
  virtual std::vector<Library> libraries(unsigned core) = 0;
  /// Answer to a command of the user.
  virtual std::string monitor(unsigned core, const std::string& command) = 0;
  /// The debugger has no more interest in this core.
  virtual void detach(unsigned core) = 0;
};

}  // namespace tvp::debug
