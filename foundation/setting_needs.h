#pragma once

#include <optional>
#include <string>
#include <vector>

#include "foundation/settings_registry.h"

namespace tvp::foundation {

/// A setting that a key needs to have an effect.
struct SettingNeed {
  std::string key;                  ///< whole name: "mesh.flow_control"
  bool others = false;              ///< all values but `values`
  std::vector<std::string> values;  ///< as SettingBase::text() has them

  bool is_met(const std::string& value) const;
  std::string text() const;  ///< "mesh.flow_control=buffered"
};

/// The needs of a key, which its declaration states at the end of its doc, for readers and for
/// programs alike: "(only with flow_control=buffered)". `key=value|value` and `key!=value` name a
/// key of the group, or with a group in front any key, and ` or ` separates alternatives. Throws
/// Fault(kInternal) for another text there.
std::vector<SettingNeed> needs_of(const SettingBase& setting, const std::string& group);

/// A key without effect.
struct WithoutEffect {
  std::string text;                ///< the settings that the key needs, and those that it has
  std::vector<std::string> needs;  ///< their keys
};
/// The reason why a known key has no effect with the values of other keys; null if it has one. A
/// run that sets such a key is refused.
std::optional<WithoutEffect> without_effect(const SettingsRegistry& registry,
                                            const std::string& key);

}  // namespace tvp::foundation
