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

/// Why the run stopped.
struct Stop {
  enum class Reason : std::uint8_t {
    kSignal,
    kBreakpoint,
    kWatchpoint,
    kStarted,    ///< the core executes an ELF file
    kLibraries,  ///< other ELF files were loaded
    kBeginning,  ///< nothing earlier can be reached
    kEnd,        ///< the run ended; `signal` is its exit code
  };
  unsigned core = 0;
  Reason reason = Reason::kSignal;
  int signal = 5;
  Trap trap = Trap::kWrite;   ///< set for a watchpoint
  std::uint32_t address = 0;  ///< set for a watchpoint
};

/// Cores as a debugger sees them. Each core is a process with one thread, since cores have
/// different memories at equal addresses. Numbers count from 1.
class Target {
 public:
  static constexpr unsigned kPc = 32;
  static constexpr unsigned kRegisters = 33;  ///< x0 … x31, pc

  struct Library {
    std::string file;
    unsigned sections = 0;  ///< those that occupy memory
  };

  virtual ~Target() = default;
  /// Cores that are or were out of reset.
  virtual std::vector<unsigned> cores() = 0;
  virtual bool has(unsigned core) = 0;
  virtual std::string name(unsigned core) = 0;
  /// The state of a core in a few words.
  virtual std::string state(unsigned core) = 0;
  virtual std::array<std::uint32_t, kRegisters> registers(unsigned core) = 0;
  /// False while the core waits, since what it waits for depends on its registers.
  virtual bool set_register(unsigned core, unsigned index, std::uint32_t value) = 0;
  /// Returns how many bytes from `address` on could be read.
  virtual std::size_t read(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) = 0;
  virtual bool write(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) = 0;
  virtual bool insert(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) = 0;
  virtual bool remove(unsigned core, Trap trap, std::uint32_t address, std::uint32_t bytes) = 0;
  /// When the run continues, stops this core after one instruction, or once its pc has left [from,
  /// to).
  virtual void step(unsigned core, std::uint32_t from, std::uint32_t to) = 0;
  /// The ELF file that the core started with; "" if none is known.
  virtual std::string executable(unsigned core) = 0;
  virtual std::vector<Library> libraries(unsigned core) = 0;
  /// Answer to a `monitor` command of the user.
  virtual std::string monitor(unsigned core, const std::string& command) = 0;
  /// The debugger releases this core.
  virtual void detach(unsigned core) = 0;
};

}  // namespace tvp::debug
