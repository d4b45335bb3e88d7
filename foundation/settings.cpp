#include "foundation/settings.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <sstream>

namespace tvp::foundation::detail {

namespace {
[[noreturn]] void bad(const std::string& name, const std::string& text,
                      const std::string& expected) {
  throw Fault(FaultKind::kDescription, "", name + " = '" + text + "': expected " + expected);
}
}  // namespace

std::uint64_t parse_unsigned(const std::string& name, const std::string& text, std::uint64_t lo,
                             std::uint64_t hi) {
  const std::string expected = "an integer " + std::to_string(lo) + ".." + std::to_string(hi);
  const bool hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  const char* first = text.data() + (hex ? 2 : 0);
  const char* last = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value, hex ? 16 : 10);
  if (error != std::errc{} || end != last || first == last) bad(name, text, expected);
  if (value < lo || value > hi) bad(name, text, expected);
  return value;
}

double parse_real(const std::string& name, const std::string& text, double lo, double hi) {
  const std::string expected = "a number " + format_real(lo) + ".." + format_real(hi);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || errno != 0) bad(name, text, expected);
  if (!(value >= lo && value <= hi)) bad(name, text, expected);
  return value;
}

bool parse_bool(const std::string& name, const std::string& text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  bad(name, text, "true or false");
}

void bad_choice(const std::string& name, const std::string& text, const std::string& expected) {
  bad(name, text, expected);
}

std::string format_real(double value) {
  std::ostringstream s;
  s << value;
  return s.str();
}

}  // namespace tvp::foundation::detail
