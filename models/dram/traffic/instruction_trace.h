#pragma once

#include <algorithm>

#include "models/dram/traffic/trace_format.h"

namespace tvp::dram {

/// Lines INSTRUCTIONS READ [WRITEBACK] (Ramulator 1, README.md: CPU trace; Ramulator 2's examples
/// have it as well). A line holds a number of instructions without memory access and the address of
/// a read. WRITEBACK is the address of the cache line that the read displaces.
class InstructionTrace : public TraceFormat {
 public:
  std::string form() const override {
    return "Ramulator: INSTRUCTIONS READ_ADDRESS [WRITEBACK_ADDRESS]";
  }
  bool fits(const TraceLine& line) const override {
    return line.words().size() >= 2 && std::ranges::all_of(line.words(), TraceLine::is_number);
  }
  void read(const TraceLine& line, std::vector<TraceEntry>& entries) const override {
    line.expect_words(2, 3);
    TraceEntry entry;
    entry.kind = TraceEntry::Time::kInstructions;
    entry.time = line.decimal(line.word(0), "instructions");
    entry.address = line.number(line.word(1), "address");
    entries.push_back(entry);
    if (line.words().size() == 2) return;
    entry.time = 0;
    entry.address = line.number(line.word(2), "address");
    entry.write = true;
    entries.push_back(entry);
  }
};

}  // namespace tvp::dram
