#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tvp::collectives {

/// `key=value` words of a command line. A read of a key declares it. `require_used` then refuses
/// the others.
class ToolArguments {
 public:
  /// Throws Fault(kDescription) for words of another form.
  explicit ToolArguments(const std::vector<std::string>& words);

  std::optional<std::string> text(const std::string& key);
  std::string need(const std::string& key);
  std::uint32_t number(const std::string& key, std::uint32_t otherwise);
  std::optional<std::uint32_t> maybe_number(const std::string& key);
  double real(const std::string& key, double otherwise);
  bool flag(const std::string& key);
  void require_used() const;

 private:
  std::map<std::string, std::string> values_;
  std::set<std::string> read_;
};

}  // namespace tvp::collectives
