#include "foundation/recording/message_reader.h"

#include <filesystem>

#include "foundation/fault.h"

namespace tvp::foundation {

namespace {

/// Two bytes of the largest message a digit, twice, and the other fields.
constexpr std::size_t kMostCharacters = 4 * std::size_t{HostMessage::kMaxBytes} + 1024;

}  // namespace

MessageReader::MessageReader(const std::string& file) : file_(file), in_(file, std::ios::binary) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw Fault(FaultKind::kDescription, file, "expected a recording, not a folder");
  }
  if (!in_) throw Fault(FaultKind::kDescription, file, "cannot be read: expected a recording");
}

bool MessageReader::read_line() {
  line_.clear();
  std::streambuf& buffer = *in_.rdbuf();
  int c = buffer.sbumpc();
  if (c == std::char_traits<char>::eof()) return false;
  ++number_;
  for (; c != '\n' && c != std::char_traits<char>::eof(); c = buffer.sbumpc()) {
    if (line_.size() == kMostCharacters) {
      throw Fault(FaultKind::kDescription, where(),
                  "expected a line of at most " + std::to_string(kMostCharacters) + " characters");
    }
    line_ += static_cast<char>(c);
  }
  return true;
}

}  // namespace tvp::foundation
