#include "models/support/wave_files/signal_path.h"

#include <algorithm>

namespace tvp::support {

std::vector<std::string> scopes_of(const std::string& path) {
  std::vector<std::string> scopes;
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    scopes.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  return scopes;
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::size_t common_prefix(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

}  // namespace tvp::support
