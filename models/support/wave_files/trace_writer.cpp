#include "models/support/wave_files/trace_writer.h"

#include <cstdio>
#include <cstdlib>

#include "foundation/utf8.h"
#include "models/support/wave_files/signal_path.h"

namespace tvp::support {

namespace {

/// Numbers of processes that are no chip (rows that the host names) follow those of all chips.
constexpr unsigned kFirstOther = 1000;

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : foundation::valid_utf8(text)) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      json += escape;
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::string microseconds(std::uint64_t ps) {
  constexpr std::uint64_t kPerMicrosecond = 1'000'000;
  char text[40];
  std::snprintf(text, sizeof text, "%llu.%06llu",
                static_cast<unsigned long long>(ps / kPerMicrosecond),
                static_cast<unsigned long long>(ps % kPerMicrosecond));
  return text;
}

std::string place(unsigned process, std::size_t thread) {
  return "\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread);
}

}  // namespace

TraceWriter::TraceWriter(const std::string& file) : file_(file) { file_.write("["); }

void TraceWriter::write(const std::string& event) {
  file_.write((first_ ? "\n{" : ",\n{") + event + "}");
  first_ = false;
}

unsigned TraceWriter::process_of(const std::string& scope) {
  const auto known = processes_.find(scope);
  if (known != processes_.end()) return known->second;
  char* end = nullptr;
  const bool is_chip = scope.rfind("chip", 0) == 0 && scope.size() > 4;
  const unsigned long chip = is_chip ? std::strtoul(scope.c_str() + 4, &end, 10) : 0;
  const unsigned process = is_chip && *end == '\0'
                               ? static_cast<unsigned>(chip)
                               : kFirstOther + static_cast<unsigned>(processes_.size());
  processes_[scope] = process;
  write("\"ph\":\"M\",\"name\":\"process_name\"," + place(process, 0) +
        ",\"args\":{\"name\":" + quoted(scope) + "}");
  write("\"ph\":\"M\",\"name\":\"process_sort_index\"," + place(process, 0) +
        ",\"args\":{\"sort_index\":" + std::to_string(process) + "}");
  return process;
}

void TraceWriter::declare(const SignalInfo& signal) {
  const std::size_t dot = signal.path.find('.');
  Row row;
  row.process = process_of(dot == std::string::npos ? "system" : signal.path.substr(0, dot));
  row.name = quoted(dot == std::string::npos ? signal.path : signal.path.substr(dot + 1));
  row.leaf = name_of(signal.path);
  row.rest = signal.rest;
  row.width = signal.kind == SignalInfo::Kind::kBits ? signal.width : 0;
  rows_.push_back(row);
  if (row.width > 1) return;  // the name of a counter identifies its track
  const std::size_t thread = rows_.size();
  write("\"ph\":\"M\",\"name\":\"thread_name\"," + place(row.process, thread) +
        ",\"args\":{\"name\":" + row.name + "}");
  write("\"ph\":\"M\",\"name\":\"thread_sort_index\"," + place(row.process, thread) +
        ",\"args\":{\"sort_index\":" + std::to_string(thread) + "}");
}

/// Ends the current event of a row and begins another one.
void TraceWriter::begin(std::uint64_t time_ps, std::uint32_t signal, const std::string& event) {
  Row& row = rows_[signal];
  if (!row.event.empty() && time_ps > row.begin_ps) {
    write("\"ph\":\"X\",\"name\":" + quoted(row.event) + "," + place(row.process, signal + 1) +
          ",\"ts\":" + microseconds(row.begin_ps) +
          ",\"dur\":" + microseconds(time_ps - row.begin_ps));
  }
  row.event = event;
  row.begin_ps = time_ps;
}

void TraceWriter::bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) {
  const Row& row = rows_[signal];
  if (row.width == 1) return begin(time_ps, signal, value != 0 ? row.leaf : "");
  write("\"ph\":\"C\",\"name\":" + row.name + "," + place(row.process, 0) +
        ",\"ts\":" + microseconds(time_ps) + ",\"args\":{\"value\":" + std::to_string(value) + "}");
}

void TraceWriter::text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) {
  begin(time_ps, signal, value == rows_[signal].rest ? "" : value);
}

void TraceWriter::close(std::uint64_t time_ps) {
  for (std::uint32_t i = 0; i < rows_.size(); ++i) begin(time_ps, i, "");
  file_.write("\n]\n");
  file_.close();
}

}  // namespace tvp::support
