#pragma once

#include <cstdint>
#include <string>

namespace tvp::foundation {

/// "1a2b", zero-padded to `digits` digits.
inline std::string hex_digits(std::uint64_t value, std::size_t digits = 1) {
  std::string text;
  do {
    text.insert(text.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value != 0 || text.size() < digits);
  return text;
}

/// "0x1a2b", for messages and reports.
inline std::string hex(std::uint64_t value, std::size_t digits = 1) {
  return "0x" + hex_digits(value, digits);
}

}  // namespace tvp::foundation
