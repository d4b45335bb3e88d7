#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "platform/checks/event_types.h"

namespace tvp::checks {

/// The cores that hand pages of circular buffers over, and those that signal words of L1, in the
/// program that runs. The report of a hang names them.
class HandOvers {
 public:
  static constexpr unsigned kCores = 5;  ///< BusMaster::kB to BusMaster::kT2
  static constexpr unsigned kBuffers = 32;

  /// The pushes, or the pops, of one core at a circular buffer.
  struct Steps {
    std::uint32_t pages = 0;  ///< pushed, or popped, in all
    std::uint32_t pc = 0;     ///< pc of the last push or pop
    Cycle cycle = 0;
  };
  struct Party {
    Steps pushes, pops;
    /// Places at which the core has looked at the counts; 0: none. A core that moves data reads
    /// both counts for either purpose.
    std::array<std::uint32_t, 8> looks{};
  };
  /// Signals of one core, at (x, y) of NoC 0, to a word.
  struct Signaller {
    std::uint8_t x = 0, y = 0;
    BusMaster core = BusMaster::kDebug;  ///< kDebug: not known
    std::uint32_t pc = 0;                ///< pc of the last signal
    Cycle cycle = 0;
    std::uint32_t count = 0;
    std::uint32_t increment = 0;  ///< increment of each signal; 0: they differ or are none
  };

  /// The last command that a core gave to a NIU.
  struct Command {
    std::uint32_t pc = 0;  ///< 0: there is none
    Cycle cycle = 0;
  };

  static constexpr Probe::Kinds kKinds =
      Probe::bit(ProbeEvent::Kind::kCommand) | Probe::bit(ProbeEvent::Kind::kArgument) |
      Probe::bit(ProbeEvent::Kind::kStreamRead) | Probe::bit(ProbeEvent::Kind::kStreamWritten) |
      Probe::bit(ProbeEvent::Kind::kRequest) | Probe::bit(ProbeEvent::Kind::kKernel) |
      Probe::bit(ProbeEvent::Kind::kProgramEnds);
  void on(const ProbeEvent& event);

  /// `core` is a BusMaster below kCores.
  const Party& party(unsigned buffer, unsigned core) const { return parties_[buffer][core]; }
  /// In the order of their first signals.
  const std::vector<Signaller>& signallers(std::uint32_t address) const;
  /// Those of the last program with signals.
  const std::vector<Signaller>& earlier_signallers(std::uint32_t address) const;
  /// In this program, or in the last one of the core.
  const Command& last_command(unsigned core) const { return last_commands_[core]; }
  /// The arguments of the core's kernel, or of its last one.
  const std::vector<std::uint32_t>& arguments(unsigned core) const { return arguments_[core]; }
  /// A signal of each core that has signalled any word, in this program or else in the last one.
  std::vector<Signaller> all_signallers() const;
  /// A core that moves data starts a kernel of this program.
  bool starts_kernel(unsigned core) const { return (kernels_ >> core & 1U) != 0; }
  bool knows_kernels() const { return kernels_ != 0; }

 private:
  void count(const ProbeEvent& event);
  void look(const ProbeEvent& event);
  void signal(const ProbeEvent& event);

  std::array<std::array<Party, kCores>, kBuffers> parties_{};
  std::map<std::uint32_t, std::vector<Signaller>> signallers_;  ///< by address
  std::map<std::uint32_t, std::vector<Signaller>> last_signallers_;
  std::uint32_t kernels_ = 0;  ///< bit i: BusMaster i
  std::array<Command, kCores> last_commands_{};
  std::array<std::vector<std::uint32_t>, kCores> arguments_{};
};

}  // namespace tvp::checks
