#pragma once

#include "models/dram/traffic/trace_format.h"

namespace tvp::dram {

/// Lines TIME R|W ADDRESS. TIME is a cycle, or +GAP after the line before.
class NativeTrace : public TraceFormat {
 public:
  std::string form() const override { return "TIME R|W ADDRESS"; }
  bool fits(const TraceLine& line) const override {
    return line.words().size() >= 3 && (line.word(1) == "R" || line.word(1) == "W");
  }
  void read(const TraceLine& line, std::vector<TraceEntry>& entries) const override {
    line.expect_words(3, 3);
    TraceEntry entry;
    std::string_view time = line.word(0);
    const bool is_gap = time.starts_with('+');
    entry.kind = is_gap ? TraceEntry::Time::kGap : TraceEntry::Time::kCycle;
    if (is_gap) time.remove_prefix(1);
    entry.time = line.number(time, "time");
    if (line.word(1) != "R" && line.word(1) != "W") {
      line.fail("'" + std::string(line.word(1)) + "': expected R or W");
    }
    entry.write = line.word(1) == "W";
    entry.address = line.number(line.word(2), "address");
    entries.push_back(entry);
  }
};

}  // namespace tvp::dram
