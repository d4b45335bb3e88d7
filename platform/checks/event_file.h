#pragma once

#include <mutex>
#include <string>

#include "foundation/output_file.h"
#include "models/support/probe.h"

namespace tvp::checks {

/// A file of the events of all tiles, one line "TILE EVENT" each, with which checks can be fed
/// later.
class EventFile {
 public:
  explicit EventFile(const std::string& path) : file_(path) {}

  /// Thread-safe: chips that run in parallel may write.
  void write(const std::string& tile, const support::ProbeEvent& event);
  void close() { file_.close(); }

 private:
  foundation::OutputFile file_;
  std::mutex writing_;
};

}  // namespace tvp::checks
