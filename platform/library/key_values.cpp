#include "platform/library/key_values.h"

#include <sstream>

#include "foundation/fault.h"
#include "foundation/utf8.h"

namespace tvp::platform {

std::vector<KeyValue> parse_key_values(const std::string& text) {
  std::vector<KeyValue> pairs;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    foundation::require_utf8("setting", line);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw foundation::Fault(foundation::FaultKind::kDescription, "",
                              "setting '" + line + "': expected key=value");
    }
    pairs.push_back({line.substr(0, equals), line.substr(equals + 1)});
  }
  return pairs;
}

}  // namespace tvp::platform
