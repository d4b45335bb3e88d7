#pragma once

#include <cstdint>
#include <string>

namespace tvp::support {

/// "0x1a2b", for reports.
inline std::string hex(std::uint64_t value) {
  std::string text;
  do {
    text.insert(text.begin(), "0123456789abcdef"[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

}  // namespace tvp::support
