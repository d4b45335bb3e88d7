#pragma once

#include <mutex>
#include <string>

#include "foundation/output_file.h"
#include "models/support/probe.h"

namespace tvp::checks {

/// The events of all tiles in a file, in lines of "TILE EVENT": to feed checks with them later.
class EventFile {
 public:
  explicit EventFile(const std::string& path) : file_(path) {}

  /// Chips that run at the same time may write.
  void write(const std::string& tile, const support::ProbeEvent& event);
  void close() { file_.close(); }

 private:
  foundation::OutputFile file_;
  std::mutex writing_;
};

}  // namespace tvp::checks
