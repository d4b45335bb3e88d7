#pragma once

#include <string>
#include <string_view>

namespace tvp::foundation {

/// The text with each byte that is no part of UTF-8 as U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace tvp::foundation
