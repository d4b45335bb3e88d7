#pragma once

#include "models/dram/traffic/trace_format.h"

namespace tvp::dram {

/// Lines CYCLE: [(BYTES)] read|write ADDRESS [DATA] (DRAMSys, configs/README.md). In files *.stl
/// the cycle counts from the start. In files *.rstl it counts from the end of the entry before. The
/// player writes own numbers instead of DATA, to check the order of all accesses.
class DramsysTrace : public TraceFormat {
 public:
  explicit DramsysTrace(bool is_relative) : is_relative_(is_relative) {}
  std::string form() const override {
    return "DRAMSys: CYCLE: [(BYTES)] read|write 0xADDRESS [0xDATA]";
  }
  bool fits(const TraceLine& line) const override {
    return !line.words().empty() && line.word(0).ends_with(':');
  }
  void read(const TraceLine& line, std::vector<TraceEntry>& entries) const override;

 private:
  const bool is_relative_;
};

}  // namespace tvp::dram
