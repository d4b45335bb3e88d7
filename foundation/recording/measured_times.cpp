#include "foundation/recording/measured_times.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

constexpr std::string_view kMark = "# tensix-vp: times ";

/// "in bytes A-B of every C of the next reply"
struct Parts {
  bool take(std::string_view text) {
    if (!rest.starts_with(text)) return false;
    rest.remove_prefix(text.size());
    return true;
  }
  bool take(std::uint32_t& number) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return error == std::errc();
  }
  std::string_view rest;
};

}  // namespace

MeasuredTimes MeasuredTimes::checked(std::uint32_t period, std::uint32_t first, std::uint32_t bytes,
                                     const std::string& where) {
  if (!std::has_single_bit(period) || period > kMostPeriod) {
    throw Fault(FaultKind::kDescription, where,
                "times in every " + std::to_string(period) + " bytes: expected a power of two up " +
                    "to " + std::to_string(kMostPeriod));
  }
  if (bytes == 0 || first >= period || bytes > period - first) {
    throw Fault(FaultKind::kDescription, where,
                "times in " + std::to_string(bytes) + " bytes from byte " + std::to_string(first) +
                    " on: expected one or more in every " + std::to_string(period) + " bytes");
  }
  return {period, first, bytes};
}

std::optional<MeasuredTimes> MeasuredTimes::parse(std::string_view line, const std::string& where) {
  if (!line.starts_with(kMark)) return std::nullopt;
  line.remove_prefix(kMark.size());
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  Parts parts{line};
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t period = 0;
  const bool read = parts.take("in bytes ") && parts.take(first) && parts.take("-") &&
                    parts.take(last) && parts.take(" of every ") && parts.take(period) &&
                    parts.take(" of the next reply") && parts.rest.empty();
  if (!read || last < first || last >= kMostPeriod) {
    throw Fault(FaultKind::kDescription, where,
                std::string(kMark) + "…: expected \"in bytes A-B of every C of the next reply\"");
  }
  return checked(period, first, last - first + 1, where);
}

std::string MeasuredTimes::to_line() const {
  return std::string(kMark) + "in bytes " + std::to_string(first) + "-" +
         std::to_string(first + bytes - 1) + " of every " + std::to_string(period) +
         " of the next reply\n";
}

void MeasuredTimes::clear(std::vector<std::uint8_t>& reply) const {
  for (std::size_t at = first; at < reply.size(); at += period) {
    const std::size_t end = std::min<std::size_t>(at + bytes, reply.size());
    std::fill(reply.begin() + static_cast<std::ptrdiff_t>(at),
              reply.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{0});
  }
}

}  // namespace tvp::foundation
