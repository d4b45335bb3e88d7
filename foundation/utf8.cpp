#include "foundation/utf8.h"

#include <cstdint>
#include <cstdio>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

/// Bytes of the first character of a text; 0 if it is not valid UTF-8 (RFC 3629).
std::size_t length_of_first(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  const std::uint8_t second = byte(1);
  if (first >= 0xE0 && first <= 0xEF) {
    // Refuses overlong forms and halves of UTF-16 pairs.
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
    return continues(1) && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
    return continues(1) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const std::size_t length = length_of_first(text);
    if (length == 0) {
      valid += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      valid += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return valid;
}

void require_utf8(const std::string& where, std::string_view text) {
  const std::string valid = valid_utf8(text);
  if (valid == text) return;
  throw Fault(FaultKind::kDescription, where,
              "'" + valid + "' is not UTF-8: expected text in UTF-8");
}

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = static_cast<std::uint8_t>(text[i]);
    // U+0080 to U+009F are control characters, too.
    const bool is_c1 = code == 0xC2 && i + 1 < text.size() && (text[i + 1] & 0xE0) == 0x80;
    if (is_c1) code = static_cast<std::uint8_t>(text[++i]);
    if (is_c1 || code == 0x7F || (code < 0x20 && code != '\t' && code != '\n')) {
      char hex[8];
      std::snprintf(hex, sizeof hex, "\\x%02X", code);
      shown += hex;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

}  // namespace tvp::foundation
