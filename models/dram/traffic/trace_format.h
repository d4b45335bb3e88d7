#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/dram/address_mapping.h"
#include "models/dram/traffic/trace_line.h"

namespace tvp::dram {

/// A request as a trace has it.
struct TraceEntry {
  enum class Time : std::uint8_t {
    kNone,          ///< as soon as the memory accepts it
    kCycle,         ///< `time` is a cycle of the trace's clock, not before that of the entry before
    kCycleOrLater,  ///< the same, but an entry with an earlier cycle comes with the one before
    kGap,           ///< cycles after the time of the entry before
    kAfterAnswer,   ///< cycles after the answers of all entries before
    kInstructions,  ///< instructions of a core after the entry before
  };
  Time kind = Time::kNone;
  std::uint64_t time = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 1;  ///< all bursts that they touch are requested
  bool write = false;
};

/// A format of trace files. A new format is a file and a line in trace_format.cpp.
class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  /// The form of a line, for errors, with the simulator that defines it.
  virtual std::string form() const = 0;
  /// True if the words look like a line of this format; at most one format does.
  virtual bool fits(const TraceLine& line) const = 0;
  /// Adds the entries of a line. Fails with what was expected.
  virtual void read(const TraceLine& line, std::vector<TraceEntry>& entries) const = 0;
};

/// The names for `dram_traffic.trace_format` without "auto".
std::vector<std::string> trace_format_names();
/// Throws Fault(kDescription) for an unknown name. `memory` gives the meaning of numbers of rows
/// and banks, and must outlive the format.
std::unique_ptr<TraceFormat> make_trace_format(const std::string& name,
                                               const AddressMapping& memory);
/// The format of a file by its first line with words, and by its ending. Fails with all forms if no
/// format fits.
std::unique_ptr<TraceFormat> find_trace_format(const std::string& file, const TraceLine& line,
                                               const AddressMapping& memory);

}  // namespace tvp::dram
