#pragma once

#include <string>

namespace tvp::foundation {

/// The text of a nlohmann::json, whatever its strings hold: names of files, symbols and values come
/// from outside and need not be UTF-8, which JSON is. Bytes that are none become U+FFFD.
template <typename Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tvp::foundation
