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
  /// Lines of `key=value`; `system` names a system or a TOML file. All of them or, when it throws
  /// Fault(kDescription), none. Returns those that have no effect, as a launcher has set the key to
  /// another value.
  std::vector<std::string> apply(const std::string& text);
  /// The same of who launched the host, and goes before it.
  void apply_launcher(const std::string& text);
  /// Reads the system's description and takes what it sets; once.
  const SystemDescription& load_system();
  /// That of load_system().
  const SystemDescription& system() const { return *system_; }

  PlatformConfig& platform() { return platform_; }
  const PlatformConfig& platform() const { return platform_; }
  /// The system and what the host has set of the models, as options of the command line.
  std::string options() const;
  /// Every key, and those that a chip has for itself, with its value, default, unit, doc and
  /// source.
  std::string to_json() const;

 private:
  void apply_pairs(const std::vector<KeyValue>& pairs);
  void take_clock();

  PlatformConfig platform_;
  std::map<std::string, std::string> launcher_;  ///< keys that a launcher has set, with values
  SettingOverrides chosen_;  ///< what the host set, on which the shape of chips can depend
  std::string system_name_ = "single_chip";
  std::optional<SystemDescription> system_;
};

}  // namespace tvp::platform
