#pragma once

#include <algorithm>
#include <cctype>

#include "models/dram/traffic/trace_format.h"

namespace tvp::dram {

/// Lines ADDRESS READ|WRITE CYCLE (DRAMsim3, tests/example.trace), with upper or lower case. The
/// bus cycles of DRAMSim2's k6 traces are read as well: P_FETCH, P_MEM_RD, P_LOCK_RD are reads,
/// P_MEM_WR, P_LOCK_WR and BOFF are writes.
class Dramsim3Trace : public TraceFormat {
 public:
  std::string form() const override { return "DRAMsim3: 0xADDRESS READ|WRITE CYCLE"; }
  bool fits(const TraceLine& line) const override {
    if (line.words().size() != 3 || line.word(1).size() < 2) return false;
    if (!TraceLine::is_number(line.word(0))) return false;
    return std::ranges::all_of(
        line.word(1), [](unsigned char c) { return std::isalpha(c) != 0 || c == '_' || c == '/'; });
  }
  void read(const TraceLine& line, std::vector<TraceEntry>& entries) const override {
    line.expect_words(3, 3);
    TraceEntry entry;
    entry.kind = TraceEntry::Time::kCycleOrLater;
    entry.address = line.hexadecimal(line.word(0), "address");
    entry.write = is_write(line);
    entry.time = line.decimal(line.word(2), "cycle");
    entries.push_back(entry);
  }

 private:
  static bool is_write(const TraceLine& line) {
    std::string name(line.word(1));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    for (const char* read : {"READ", "P_MEM_RD", "P_FETCH", "P_LOCK_RD"}) {
      if (name == read) return false;
    }
    for (const char* write : {"WRITE", "P_MEM_WR", "P_LOCK_WR", "BOFF"}) {
      if (name == write) return true;
    }
    line.fail("'" + std::string(line.word(1)) + "': expected READ or WRITE");
  }
};

}  // namespace tvp::dram
