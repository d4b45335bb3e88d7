#pragma once

#include <string>
#include <vector>

namespace tvp::platform {

struct KeyValue {
  std::string key;
  std::string value;
};

/// Lines of `key=value`, empty ones aside. Throws Fault(kDescription) at anything else.
std::vector<KeyValue> parse_key_values(const std::string& text);

}  // namespace tvp::platform
