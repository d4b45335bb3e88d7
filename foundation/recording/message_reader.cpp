#include "foundation/recording/message_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "foundation/fault.h"
#include "foundation/host_error.h"

namespace tvp::foundation {

namespace {

/// Twice the digits of the largest message, plus room for the other fields.
constexpr std::size_t kMostCharacters = 4 * std::size_t{HostMessage::kMaxBytes} + 1024;
constexpr std::size_t kBufferBytes = 64U << 10;

}  // namespace

MessageReader::MessageReader(const std::string& file, std::function<void()> between)
    : file_(file), between_(std::move(between)), buffer_(kBufferBytes) {
  do {
    between_();
    descriptor_ = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) cannot_be_read(errno);
  if (struct stat status{}; fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor_);
    cannot_be_read(EISDIR);
  }
}

MessageReader::~MessageReader() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::optional<HostMessage> MessageReader::next() {
  while (read_line()) {
    between_();
    if (std::optional<HostMessage> message = parse()) return message;
  }
  return std::nullopt;
}

bool MessageReader::fill() {
  ssize_t got = 0;
  do {
    between_();
    got = ::read(descriptor_, buffer_.data(), buffer_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) cannot_be_read(errno);
  rest_ = {buffer_.data(), static_cast<std::size_t>(got)};
  return got != 0;
}

bool MessageReader::read_line() {
  line_.clear();
  if (rest_.empty() && !fill()) return false;
  ++number_;
  do {
    const std::size_t end = rest_.find('\n');
    const std::string_view part = rest_.substr(0, end);
    if (part.size() > kMostCharacters - line_.size()) {
      throw Fault(FaultKind::kDescription, where(),
                  "expected a line of at most " + std::to_string(kMostCharacters) + " characters");
    }
    line_ += part;
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    if (end != std::string_view::npos) return true;
  } while (!rest_.empty() || fill());
  return true;
}

void MessageReader::cannot_be_read(int error) const {
  if (error == EISDIR) {
    throw Fault(FaultKind::kDescription, file_, "expected a recording, not a folder");
  }
  throw_errno(file_, "cannot be read: expected a recording", error);
}

void MessageReader::take_comment(std::string_view comment) {
  if (const auto times = MeasuredTimes::parse(comment, where())) times_ = times;
  if (!comment.starts_with("# ") || !comment.substr(2).starts_with(kToPlayAgain)) return;
  comment.remove_prefix(2 + kToPlayAgain.size());
  // The text goes into messages but can contain anything.
  constexpr std::size_t kMost = 200;
  comment = comment.substr(0, kMost);
  const auto shown = [](char c) { return c >= 0x20 && c < 0x7F; };
  recorded_with_.clear();
  std::copy_if(comment.begin(), comment.end(), std::back_inserter(recorded_with_), shown);
}

std::optional<HostMessage> MessageReader::parse() {
  const std::size_t begin = line_.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return std::nullopt;
  if (line_[begin] == '#') {
    take_comment(std::string_view(line_).substr(begin));
    return std::nullopt;
  }
  HostMessage message = HostMessage::parse(line_, where());
  if (times_ && message.kind != HostMessage::Kind::kRead) {
    throw Fault(FaultKind::kDescription, where(),
                "expected a READ after the line that marks times in its reply");
  }
  message.times = std::exchange(times_, std::nullopt);
  return message;
}

}  // namespace tvp::foundation
