#pragma once

#include "models/dram/traffic/trace_format.h"

namespace tvp::dram {

/// Lines LD|ST ADDRESS without times (Ramulator 2, README.md: LoadStoreTrace).
class LoadStoreTrace : public TraceFormat {
 public:
  std::string form() const override { return "Ramulator 2: LD|ST ADDRESS"; }
  bool fits(const TraceLine& line) const override {
    return !line.words().empty() && (line.word(0) == "LD" || line.word(0) == "ST");
  }
  void read(const TraceLine& line, std::vector<TraceEntry>& entries) const override {
    line.expect_words(2, 2);
    TraceEntry entry;
    if (!fits(line)) line.fail("'" + std::string(line.word(0)) + "': expected LD or ST");
    entry.write = line.word(0) == "ST";
    entry.address = line.number(line.word(1), "address");
    entries.push_back(entry);
  }
};

}  // namespace tvp::dram
