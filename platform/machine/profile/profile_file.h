#pragma once

#include <memory>
#include <string>

#include "foundation/output_file.h"
#include "platform/machine/profile/profile_row.h"

namespace tvp::platform {

/// A file that shows a profile. The name decides about the format: .callgrind or callgrind.out.*
/// for callgrind_annotate and KCachegrind, .folded for flame graphs, .csv for tables.
/// profile_log_device.csv is the file of tt-metal's device profiler.
class ProfileFile {
 public:
  /// Throws Fault(kDescription) for other names, or if the file cannot be written.
  explicit ProfileFile(const std::string& file);
  void write(const Profile& profile);
  bool shows_zones() const { return format_ == device_log; }

 private:
  static std::string device_log(const Profile& profile);
  using Format = std::string (*)(const Profile& profile);
  static Format format_of(const std::string& file);

  Format format_;
  foundation::OutputFile file_;
};

}  // namespace tvp::platform
