#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/recording/host_message.h"

namespace tvp::foundation {

/// Begins the comment in which a recording of ours tells with which options it is to be played.
inline constexpr std::string_view kToPlayAgain = "to play it again: vp replay FILE ";

/// The messages of a recording, one after the other; the file may be a pipe, and as long as it
/// likes.
class MessageReader {
 public:
  /// `between` is called at every line, since a file may be all comments, and whenever a signal
  /// comes while a pipe keeps us waiting: what it throws ends that. Throws Fault(kDescription) when
  /// the file cannot be read.
  explicit MessageReader(
      const std::string& file, std::function<void()> between = [] {});
  ~MessageReader();
  MessageReader(const MessageReader&) = delete;
  MessageReader& operator=(const MessageReader&) = delete;

  /// Nothing at the end of the file. Throws Fault(kDescription) that names file and line.
  std::optional<HostMessage> next();
  /// The options of `vp replay` for what has recorded this, as HostRecorder tells them; empty
  /// before that line, and in recordings of others.
  const std::string& recorded_with() const { return recorded_with_; }
  /// Place of the last message: "file:line".
  std::string where() const { return file_ + ":" + std::to_string(number_); }

 private:
  /// False at the end.
  bool read_line();
  /// Reads more of the file; false at its end.
  bool fill();
  /// Nothing of a comment; a mark is kept for the message behind it.
  std::optional<HostMessage> parse();
  void take_comment(std::string_view comment);
  [[noreturn]] void cannot_be_read(int error) const;

  std::string file_;
  std::function<void()> between_;
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::string_view rest_;  ///< of the buffer
  std::uint64_t number_ = 0;
  std::string line_;
  std::optional<MeasuredTimes> times_;
  std::string recorded_with_;
};

}  // namespace tvp::foundation
