#include "models/dram/traffic/trace_source.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "foundation/fault.h"
#include "foundation/input_file.h"

namespace tvp::dram {

namespace {

constexpr std::size_t kLongestLine = 4096;
/// Limit: about a gigabyte of requests. A longer trace counts as endless.
constexpr std::size_t kMostLines = std::size_t{1} << 25;
/// Later times could overflow 64 bits of picoseconds.
constexpr MemCycle kLastCycle = MemCycle{1} << 48;

/// Reads a line, but stops as soon as the line is too long.
bool read_line(std::istream& stream, std::string& line) {
  line.clear();
  bool any = false;
  for (int c = stream.get(); c != std::istream::traits_type::eof(); c = stream.get()) {
    any = true;
    if (c == '\n') break;
    line += static_cast<char>(c);
    if (line.size() > kLongestLine) break;
  }
  return any;
}

bool parse(std::string_view text, std::uint64_t& value) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, base);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

/// Parses the lines of a trace.
class TraceLines {
 public:
  TraceLines(const std::string& file, std::uint64_t bytes) : file_(file), bytes_(bytes) {}

  /// Reads the request of a line; false if the line has none.
  bool read(std::string& line, TrafficRequest& request) {
    ++number_;
    if (line.size() > kLongestLine) {
      fail("a line of more than " + std::to_string(kLongestLine) + " characters");
    }
    if (number_ > kMostLines) fail("expected at most " + std::to_string(kMostLines) + " lines");
    line.resize(std::min(line.size(), line.find('#')));
    std::istringstream words(line);
    std::string time, direction, address, rest;
    if (!(words >> time)) return false;
    if (!(words >> direction >> address)) fail("expected TIME R|W ADDRESS");
    if (words >> rest) fail("'" + rest + "' after the address");
    request.not_before = before_ = cycle(time);
    if (direction != "R" && direction != "W") fail("'" + direction + "': expected R or W");
    request.write = direction == "W";
    if (!parse(address, request.address)) fail("address '" + address + "': expected a number");
    if (request.address >= bytes_) {
      fail("address " + address + " is outside the " + std::to_string(bytes_) + " bytes");
    }
    return true;
  }

 private:
  /// "120" is a cycle; "+120" is relative to the line before.
  MemCycle cycle(const std::string& time) const {
    MemCycle value = 0;
    const bool gap = time.front() == '+';
    if (!parse(std::string_view(time).substr(gap ? 1 : 0), value)) {
      fail("time '" + time + "': expected a cycle, or + and a number of cycles");
    }
    if (value > kLastCycle || (gap && value > kLastCycle - before_)) {
      fail("time " + time + " is beyond the last cycle, " + std::to_string(kLastCycle));
    }
    if (gap) value += before_;
    if (value < before_) {
      fail("time " + time + " is before that of the line before, " + std::to_string(before_));
    }
    return value;
  }
  [[noreturn]] void fail(const std::string& text) const {
    throw foundation::Fault(foundation::FaultKind::kDescription,
                            file_ + ":" + std::to_string(number_), text);
  }

  const std::string& file_;
  const std::uint64_t bytes_;
  std::size_t number_ = 0;
  MemCycle before_ = 0;
};

}  // namespace

TraceSource::TraceSource(const std::string& file, std::uint64_t bytes) {
  using foundation::Fault;
  using foundation::FaultKind;
  std::ifstream stream(file);
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  const bool has_end = std::filesystem::is_regular_file(status) || std::filesystem::is_fifo(status);
  if (!stream || !has_end)
    throw Fault(FaultKind::kDescription, file,
                "cannot be read: expected a text file: " + foundation::why_unreadable(file));
  TraceLines lines(file, bytes);
  TrafficRequest request;
  for (std::string line; read_line(stream, line);) {
    if (lines.read(line, request)) requests_.push_back(request);
  }
  if (stream.bad())
    throw Fault(FaultKind::kDescription, file, "cannot be read to its end: expected a text file");
}

bool TraceSource::next(TrafficRequest& request) {
  if (at_ == requests_.size()) return false;
  request = requests_[at_++];
  return true;
}

}  // namespace tvp::dram
