#pragma once

#include <string>

namespace tvp::foundation {

/// The text of a nlohmann::json. Strings from outside (file names, symbols, values) need not be
/// UTF-8, but JSON must be. Bytes that are not UTF-8 become U+FFFD.
template <typename Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tvp::foundation
