#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "foundation/recording/host_message.h"

namespace tvp::foundation {

/// The messages of a recording, one after the other; the file may be a pipe, and as long as it
/// likes.
class MessageReader {
 public:
  /// Throws Fault(kDescription) when the file cannot be read.
  explicit MessageReader(const std::string& file);

  /// Nothing at the end of the file. Throws Fault(kDescription) that names file and line. `between`
  /// is called at every line: a file may be all comments.
  template <typename Between>
  std::optional<HostMessage> next(const Between& between) {
    while (read_line()) {
      between();
      const std::size_t first = line_.find_first_not_of(" \t\r");
      if (first == std::string::npos || line_[first] == '#') continue;
      return HostMessage::parse(line_, where());
    }
    return std::nullopt;
  }
  /// Of the last message: "file:line".
  std::string where() const { return file_ + ":" + std::to_string(number_); }

 private:
  /// False at the end.
  bool read_line();

  std::string file_;
  std::ifstream in_;
  std::uint64_t number_ = 0;
  std::string line_;
};

}  // namespace tvp::foundation
