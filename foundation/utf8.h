#pragma once

#include <string>
#include <string_view>

namespace tvp::foundation {

/// The text with each byte that is no part of UTF-8 as U+FFFD.
std::string valid_utf8(std::string_view text);

/// Throws Fault(kDescription) unless a text from outside is UTF-8; `where` says whose it is.
void require_utf8(const std::string& where, std::string_view text);

/// The text as a terminal may get it: names come from untrusted files, and control characters in
/// them could move its cursor or type for the user. Those but tab and line feed become \x1B.
std::string printable(std::string_view text);

}  // namespace tvp::foundation
