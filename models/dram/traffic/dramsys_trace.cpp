#include "models/dram/traffic/dramsys_trace.h"

namespace tvp::dram {

void DramsysTrace::read(const TraceLine& line, std::vector<TraceEntry>& entries) const {
  if (!fits(line)) line.fail("'" + std::string(line.word(0)) + "': expected a cycle and ':'");
  std::string_view time = line.word(0);
  time.remove_suffix(1);
  TraceEntry entry;
  entry.kind = is_relative_ ? TraceEntry::Time::kAfterAnswer : TraceEntry::Time::kCycleOrLater;
  entry.time = line.decimal(time, "cycle");
  const bool has_length = line.words().size() > 1 && line.word(1).starts_with('(');
  const std::size_t first = has_length ? 2 : 1;
  line.expect_words(first + 2, first + 3);
  if (has_length) {
    std::string_view length = line.word(1);
    if (!length.ends_with(')')) {
      line.fail("'" + std::string(length) + "': expected a number of bytes in brackets");
    }
    length.remove_prefix(1);
    length.remove_suffix(1);
    entry.bytes = line.decimal(length, "length");
  }
  const std::string_view command = line.word(first);
  if (command != "read" && command != "write") {
    line.fail("'" + std::string(command) + "': expected read or write");
  }
  entry.write = command == "write";
  entry.address = line.hexadecimal(line.word(first + 1), "address");
  if (line.words().size() == first + 3) {
    const std::string_view data = line.word(first + 2);
    if (!data.starts_with("0x") || !TraceLine::is_number(data) || !entry.write) {
      line.fail("'" + std::string(data) + "': expected 0x and hexadecimal digits behind a write");
    }
  }
  entries.push_back(entry);
}

}  // namespace tvp::dram
