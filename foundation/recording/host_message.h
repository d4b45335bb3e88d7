#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/recording/measured_times.h"

namespace tvp::foundation {

/// One line of a recording: an action of the host on the chips, or the passing of time (README.md
/// here).
struct HostMessage {
  enum class Kind : std::uint8_t {
    kWrite,
    kRead,
    kResetAssert,
    kResetDeassert,
    kHost,  ///< bytes of the host's own memory
    kClock,
    kExit,
  };
  using Bytes = std::vector<std::uint8_t>;

  static constexpr std::uint32_t kMaxBytes = 16U << 20;
  static constexpr unsigned kCoordinates = 64;  ///< nodes along each axis of a NoC
  static constexpr unsigned kDevices = 32;      ///< devices on a PCI bus
  static constexpr unsigned kTileAddressBits = 36;

  /// Throws Fault(kDescription) that begins with `where` and names the field and what was expected.
  static HostMessage parse(std::string_view line, const std::string& where);
  /// The line with its line feed, but without the comment before it.
  std::string to_line() const;

  bool has_place() const { return kind != Kind::kClock && kind != Kind::kExit; }

  Kind kind = Kind::kExit;
  unsigned chip = 0;            ///< number of the PCI device
  std::optional<unsigned> bar;  ///< replaces the core: the address is an offset in this BAR
  unsigned x = 0;
  unsigned y = 0;
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  Bytes data;  ///< empty if the line has "-"
  std::optional<Bytes> reply;
  std::optional<MeasuredTimes> times;  ///< from the comment before the line
  std::uint32_t cycles = 0;            ///< of kClock
};

}  // namespace tvp::foundation
