#pragma once

#include <string>
#include <vector>

namespace tvp::foundation {

/// One alternative of `SettingBase::Declaration::needs`.
struct SettingNeed {
  std::string key;                  ///< whole name: "mesh.flow_control"
  bool others = false;              ///< all values but `values`
  std::vector<std::string> values;  ///< as SettingBase::text() has them

  bool is_met(const std::string& value) const;
  std::string text() const;  ///< "mesh.flow_control=buffered"
};

/// The alternatives of a declaration. Names without a group are keys of `group`. Throws
/// Fault(kInternal) for a text that has no `=`.
std::vector<SettingNeed> parse_needs(const std::string& text, const std::string& group);

}  // namespace tvp::foundation
