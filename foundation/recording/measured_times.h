#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tvp::foundation {

/// The bytes of a reply that are times measured by firmware: in every `period` bytes, `bytes` bytes
/// from `first` on. Another machine replies with other values there.
struct MeasuredTimes {
  /// Limit of the period in bytes. A period is a power of two, so that the parts of a divided reply
  /// keep the same period.
  static constexpr std::uint32_t kMostPeriod = 65536;

  /// Throws Fault(kDescription) that begins with `where` and says what was expected.
  static MeasuredTimes checked(std::uint32_t period, std::uint32_t first, std::uint32_t bytes,
                               const std::string& where);
  /// Reads a line of a recording. Returns nothing if the line is another comment. Throws like
  /// `checked`.
  static std::optional<MeasuredTimes> parse(std::string_view line, const std::string& where);
  /// The line with its line feed. Other simulators read it as a comment.
  std::string to_line() const;

  bool all() const { return bytes == period; }
  /// Sets these bytes to 0.
  void clear(std::vector<std::uint8_t>& reply) const;

  std::uint32_t period = 1;
  std::uint32_t first = 0;
  std::uint32_t bytes = 1;
};

}  // namespace tvp::foundation
