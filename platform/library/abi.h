#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#define TVP_EXPORT __attribute__((visibility("default")))

namespace tvp::platform {

/// As much of a text as fits into the host's buffer, with a zero at its end; returns its length.
inline std::uint32_t copy_out(const std::string& text, char* buffer, std::uint32_t size) {
  if (buffer != nullptr && size > 0) {
    const std::size_t n = std::min<std::size_t>(text.size(), size - 1);
    std::memcpy(buffer, text.data(), n);
    buffer[n] = '\0';
  }
  return static_cast<std::uint32_t>(text.size());
}

}  // namespace tvp::platform
