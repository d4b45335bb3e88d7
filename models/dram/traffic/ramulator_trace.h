#pragma once

#include "models/dram/traffic/trace_format.h"

namespace tvp::dram {

/// Lines ADDRESS R|W without times (Ramulator 1, README.md: memory trace).
class RamulatorTrace : public TraceFormat {
 public:
  std::string form() const override { return "Ramulator: 0xADDRESS R|W"; }
  bool fits(const TraceLine& line) const override {
    return line.words().size() == 2 && (line.word(1) == "R" || line.word(1) == "W");
  }
  void read(const TraceLine& line, std::vector<TraceEntry>& entries) const override {
    line.expect_words(2, 2);
    TraceEntry entry;
    entry.address = line.hexadecimal(line.word(0), "address");
    if (line.word(1) != "R" && line.word(1) != "W") {
      line.fail("'" + std::string(line.word(1)) + "': expected R or W");
    }
    entry.write = line.word(1) == "W";
    entries.push_back(entry);
  }
};

}  // namespace tvp::dram
