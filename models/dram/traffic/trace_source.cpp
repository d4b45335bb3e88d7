#include "models/dram/traffic/trace_source.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "foundation/fault.h"
#include "foundation/input_file.h"

namespace tvp::dram {

namespace {

/// Limit: about a gigabyte of requests. A longer trace counts as endless.
constexpr std::size_t kMostRequests = std::size_t{1} << 25;
/// Later times could overflow 64 bits of picoseconds.
constexpr MemCycle kLastCycle = MemCycle{1} << 48;
/// Longest transaction of a trace.
constexpr std::uint64_t kLongestTransfer = 65536;

/// Reads a line, but stops as soon as the line is too long.
bool read_line(std::istream& stream, std::string& line) {
  line.clear();
  bool any = false;
  for (int c = stream.get(); c != std::istream::traits_type::eof(); c = stream.get()) {
    any = true;
    if (c == '\n') break;
    line += static_cast<char>(c);
    if (line.size() > TraceLine::kLongest) break;
  }
  return any;
}

ClockRatio clock_of(unsigned mhz, const Period& tck) {
  return {mhz == 0 ? tck : Period::of_mhz(mhz), tck};
}

}  // namespace

TraceSource::TraceSource(const std::string& file, const Options& options,
                         const MemorySystem& memory)
    : options_(options),
      memory_(memory.mapping()),
      to_ck_(clock_of(options.clock_mhz, memory.preset().timing.tck)) {
  using foundation::Fault;
  using foundation::FaultKind;
  std::ifstream stream(file);
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  const bool has_end = std::filesystem::is_regular_file(status) || std::filesystem::is_fifo(status);
  if (!stream || !has_end)
    throw Fault(FaultKind::kDescription, file,
                "cannot be read: expected a text file: " + foundation::why_unreadable(file));
  std::unique_ptr<TraceFormat> format;
  if (options.format != "auto") format = make_trace_format(options.format, memory_);
  TraceLine line(file);
  if (format) line.set_form(format->form());
  std::vector<TraceEntry> entries;
  for (std::string text; read_line(stream, text);) {
    line.take(text);
    if (line.number() > kMostRequests) {
      line.fail("expected at most " + std::to_string(kMostRequests) + " lines");
    }
    if (line.words().empty()) continue;
    if (!format) {
      format = find_trace_format(file, line, memory_);
      line.set_form(format->form());
    }
    entries.clear();
    format->read(line, entries);
    for (const TraceEntry& entry : entries) add(entry, line);
  }
  if (stream.bad())
    throw Fault(FaultKind::kDescription, file, "cannot be read to its end: expected a text file");
}

/// Adds the bursts of an entry. Later bursts go with the first one.
void TraceSource::add(const TraceEntry& entry, const TraceLine& line) {
  using From = TrafficRequest::From;
  using Time = TraceEntry::Time;
  const std::uint64_t address = address_of(entry, line);
  TrafficRequest request;
  request.not_before = cycle_of(entry, line);
  request.from = entry.kind == Time::kAfterAnswer    ? From::kAnswer
                 : entry.kind == Time::kInstructions ? From::kIssue
                                                     : From::kStart;
  request.write = entry.write;
  const std::uint64_t burst = memory_.burst_bytes();
  const std::uint64_t last = (address + entry.bytes - 1) / burst;
  for (std::uint64_t number = address / burst; number <= last; ++number) {
    if (requests_.size() == kMostRequests) {
      line.fail("expected at most " + std::to_string(kMostRequests) + " bursts");
    }
    request.address = number == address / burst ? address : number * burst;
    requests_.push_back(request);
    if (request.from == From::kStart) continue;
    request.from = From::kIssue;
    request.not_before = 0;
  }
}

std::uint64_t TraceSource::address_of(const TraceEntry& entry, const TraceLine& line) const {
  if (entry.bytes == 0 || entry.bytes > kLongestTransfer) {
    line.fail("length " + std::to_string(entry.bytes) + ": expected 1 to " +
              std::to_string(kLongestTransfer) + " bytes");
  }
  const std::uint64_t bytes = memory_.bytes();
  const std::uint64_t address = options_.wraps ? entry.address % bytes : entry.address;
  if (address < bytes && entry.bytes <= bytes - address) return address;
  line.fail("address " + std::to_string(address) + " is outside the " + std::to_string(bytes) +
            " bytes; dram_traffic.trace_wraps=true lets addresses wrap around");
}

/// The cycle of CK of an entry, from the event that it counts from.
MemCycle TraceSource::cycle_of(const TraceEntry& entry, const TraceLine& line) {
  using Time = TraceEntry::Time;
  if (entry.kind == Time::kNone) return 0;
  const bool is_gap = entry.kind == Time::kGap;
  const auto refuse = [&] {
    line.fail("time " + std::string(is_gap ? "+" : "") + std::to_string(entry.time) +
              " is beyond the last cycle, " + std::to_string(kLastCycle));
  };
  const bool adds = is_gap || entry.kind == Time::kAfterAnswer;
  if (entry.time > kLastCycle || (adds && entry.time > kLastCycle - time_)) refuse();
  if (entry.kind == Time::kInstructions) {
    // Differences of sums, so that fractions of a cycle are not lost.
    const double before = std::floor(instructions_ / options_.instructions_per_ck);
    instructions_ += static_cast<double>(entry.time);
    const double now = std::floor(instructions_ / options_.instructions_per_ck);
    if (now > static_cast<double>(kLastCycle)) refuse();
    return static_cast<MemCycle>(now - before);
  }
  std::uint64_t time = adds ? time_ + entry.time : entry.time;
  if (entry.kind == Time::kCycleOrLater) time = std::max(time, time_);
  if (time < time_) {
    line.fail("time " + std::to_string(time) + " is before that of the line before, " +
              std::to_string(time_));
  }
  time_ = time;
  const MemCycle cycle = to_ck_.up(time);
  if (cycle > kLastCycle) refuse();
  return entry.kind == Time::kAfterAnswer ? to_ck_.up(entry.time) : cycle;
}

bool TraceSource::next(TrafficRequest& request) {
  if (at_ == requests_.size()) return false;
  request = requests_[at_++];
  return true;
}

}  // namespace tvp::dram
