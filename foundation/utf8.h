#pragma once

#include <string>
#include <string_view>

namespace tvp::foundation {

/// The text, with U+FFFD for each byte that is not UTF-8.
std::string valid_utf8(std::string_view text);

/// Throws Fault(kDescription) unless the text is UTF-8; `where` names its origin.
void require_utf8(const std::string& where, std::string_view text);

/// The text as a terminal may get it: names come from untrusted files, and control characters in
/// them could move its cursor or type for the user. Those but tab and line feed become \x1B.
std::string printable(std::string_view text);

}  // namespace tvp::foundation
