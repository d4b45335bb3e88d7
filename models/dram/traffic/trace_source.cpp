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
/// A gigabyte of requests; what goes on beyond that has no end.
constexpr std::size_t kMostLines = std::size_t{1} << 25;
/// Its picoseconds, and those of all that follows it, fit 64 bits for every clock.
constexpr MemCycle kLastCycle = MemCycle{1} << 48;

/// A line, of which no more is read than shows that it is too long.
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
  std::string line;
  MemCycle before = 0;
  for (std::size_t number = 1; read_line(stream, line); ++number) {
    const auto fail = [&](const std::string& text) {
      throw Fault(FaultKind::kDescription, file + ":" + std::to_string(number), text);
    };
    if (line.size() > kLongestLine) {
      fail("a line of more than " + std::to_string(kLongestLine) + " characters");
    }
    if (number > kMostLines) fail("expected at most " + std::to_string(kMostLines) + " lines");
    line.resize(std::min(line.size(), line.find('#')));
    std::istringstream words(line);
    std::string time, direction, address, rest;
    if (!(words >> time)) continue;
    if (!(words >> direction >> address)) fail("expected TIME R|W ADDRESS");
    if (words >> rest) fail("'" + rest + "' after the address");
    TrafficRequest request;
    const bool gap = time.front() == '+';
    if (!parse(std::string_view(time).substr(gap ? 1 : 0), request.not_before)) {
      fail("time '" + time + "': expected a cycle, or + and a number of cycles");
    }
    if (request.not_before > kLastCycle || (gap && request.not_before > kLastCycle - before)) {
      fail("time " + time + " is beyond the last cycle, " + std::to_string(kLastCycle));
    }
    if (gap) request.not_before += before;
    if (request.not_before < before) {
      fail("time " + time + " is before that of the line before, " + std::to_string(before));
    }
    before = request.not_before;
    if (direction != "R" && direction != "W") fail("'" + direction + "': expected R or W");
    request.write = direction == "W";
    if (!parse(address, request.address)) fail("address '" + address + "': expected a number");
    if (request.address >= bytes) {
      fail("address " + address + " is outside the " + std::to_string(bytes) + " bytes");
    }
    requests_.push_back(request);
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
