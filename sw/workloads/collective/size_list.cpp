#include "sw/workloads/collective/size_list.h"

#include <charconv>
#include <string_view>

#include "sw/runtime/errors.h"

namespace tvp::workloads::collective {

namespace {

constexpr std::uint64_t kLargest = std::uint64_t{1} << 31;
/// A range with small steps would use all memory before it is refused.
constexpr std::size_t kMostSizes = 10'000;

[[noreturn]] void refuse(const std::string& where, const std::string& part) {
  runtime::bad_use(where,
                   "'" + part +
                       "' is no size: expected bytes (1024, 64K, 1M, 1G) up to 2G, a list of "
                       "them, or from:to:step and from:to:*factor");
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::uint64_t parse_size(const std::string& where, const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string unit(rest, end);
  const std::size_t thousands = std::string_view("KMG").find(unit);
  if (error != std::errc{} || unit.size() > 1 || thousands == std::string_view::npos)
    refuse(where, text);
  const std::uint64_t scale = unit.empty() ? 1 : std::uint64_t{1024} << (10 * thousands);
  if (value == 0 || value > kLargest / scale) refuse(where, text);
  return value * scale;
}

}  // namespace

std::vector<std::uint64_t> parse_sizes(const std::string& where, const std::string& text) {
  std::vector<std::uint64_t> sizes;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> range = split(part, ':');
    if (range.size() == 1) {
      sizes.push_back(parse_size(where, part));
      continue;
    }
    if (range.size() != 3 || range[2].empty()) refuse(where, part);
    const bool factor = range[2][0] == '*';
    const std::uint64_t from = parse_size(where, range[0]);
    const std::uint64_t to = parse_size(where, range[1]);
    const std::uint64_t by = parse_size(where, factor ? range[2].substr(1) : range[2]);
    if (from > to || (factor && by < 2)) refuse(where, part);
    for (std::uint64_t size = from; size <= to; size = factor ? size * by : size + by) {
      if (sizes.size() == kMostSizes)
        runtime::bad_use(
            where, "'" + part + "': expected at most " + std::to_string(kMostSizes) + " sizes");
      sizes.push_back(size);
    }
  }
  return sizes;
}

}  // namespace tvp::workloads::collective
