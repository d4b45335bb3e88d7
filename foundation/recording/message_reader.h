#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/recording/host_message.h"

namespace tvp::foundation {

/// Begins the comment that our recordings contain with the options for replaying them.
inline constexpr std::string_view kToPlayAgain = "to play it again: vp replay FILE ";

/// The messages of a recording in order. The file may be an endless pipe.
class MessageReader {
 public:
  /// `between` is called at every line, since a file may consist of comments only, and at every
  /// signal while a pipe blocks. An exception from it ends the reading. Throws Fault(kDescription)
  /// if the file cannot be read.
  explicit MessageReader(
      const std::string& file, std::function<void()> between = [] {});
  ~MessageReader();
  MessageReader(const MessageReader&) = delete;
  MessageReader& operator=(const MessageReader&) = delete;

  /// The next message; nothing at the end of the file. Throws Fault(kDescription) that names file
  /// and line.
  std::optional<HostMessage> next();
  /// The options of `vp replay` as HostRecorder wrote them. Empty before that line and in
  /// recordings of other programs.
  const std::string& recorded_with() const { return recorded_with_; }
  /// Place of the last message: "file:line".
  std::string where() const { return file_ + ":" + std::to_string(number_); }

 private:
  /// False at the end of the file.
  bool read_line();
  /// Reads more of the file; false at its end.
  bool fill();
  /// Parses the line; nothing for a comment. A mark of measured times is kept for the next message.
  std::optional<HostMessage> parse();
  void take_comment(std::string_view comment);
  [[noreturn]] void cannot_be_read(int error) const;

  std::string file_;
  std::function<void()> between_;
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::string_view rest_;  ///< the unread part of the buffer
  std::uint64_t number_ = 0;
  std::string line_;
  std::optional<MeasuredTimes> times_;
  std::string recorded_with_;
};

}  // namespace tvp::foundation
