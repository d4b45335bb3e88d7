#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platform/library/key_values.h"
#include "platform/machine/platform_config.h"
#include "platform/system/system_description.h"

namespace tvp::platform {

/// The host's choices before the machine exists: a system, and settings that override those of its
/// description.
class Configuration {
 public:
  /// Applies lines of `key=value`; `system` names a system or a TOML file. Applies no line if one
  /// throws Fault(kDescription). Returns the lines without effect, because a launcher has set the
  /// key to another value.
  std::vector<std::string> apply(const std::string& text);
  /// The same for the launcher of the host program, whose settings take precedence.
  void apply_launcher(const std::string& text);
  /// Reads the system's description and its settings, once.
  const SystemDescription& load_system();
  /// Reads the system's description without any effect.
  SystemDescription read_system() const;
  /// The name or file of the system.
  const std::string& system_name() const { return system_name_; }
  /// The result of load_system().
  const SystemDescription& system() const { return *system_; }

  PlatformConfig& platform() { return platform_; }
  const PlatformConfig& platform() const { return platform_; }
  /// Options of `vp run` that select this system and the model settings of the host.
  std::string options() const;
  /// All keys, also those of single chips, with value, default, unit, doc and source.
  std::string to_json() const;

 private:
  void apply_pairs(const std::vector<KeyValue>& pairs);
  void take_clock();

  PlatformConfig platform_;
  std::map<std::string, std::string> launcher_;  ///< keys that the launcher has set
  SettingOverrides chosen_;  ///< settings of the host that the shape of chips can depend on
  std::string system_name_ = "single_chip";
  std::optional<SystemDescription> system_;
};

}  // namespace tvp::platform
