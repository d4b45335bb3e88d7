#pragma once

#include <string>
#include <vector>

namespace tvp::platform {

struct KeyValue {
  std::string key;
  std::string value;
};

/// Parses lines of `key=value` and skips empty ones. Throws Fault(kDescription) for any other line.
std::vector<KeyValue> parse_key_values(const std::string& text);

}  // namespace tvp::platform
