#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tvp::support {

/// The properties of a signal that a wave file needs.
struct SignalInfo {
  enum class Kind : std::uint8_t { kBits, kText };
  std::string path;  ///< scopes and name, separated by '.': "chip0.tensix_1_2.BRISC.state"
  Kind kind = Kind::kBits;
  unsigned width = 1;  ///< bits, for kBits
  std::string rest;    ///< text of the idle state, for kText
};

/// A packet's way from one row to another.
struct WaveArrow {
  const std::string& from;  ///< path of a row, which has only ends of arrows
  const std::string& to;
  const std::string& name;
  std::uint64_t sent_ps = 0;
  std::uint64_t arrived_ps = 0;
};

/// An open wave file. Times are in ps and never decrease.
class WaveWriter {
 public:
  virtual ~WaveWriter() = default;
  /// Comes before the first change, sorted by path. Signals are numbered from 0.
  virtual void declare(const SignalInfo& signal) = 0;
  virtual void bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) = 0;
  virtual void text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) = 0;
  /// True for formats that have arrows.
  virtual bool wants_arrows() const { return false; }
  /// Comes between the last change and close(), in any order of time.
  virtual void arrow(const WaveArrow& /*arrow*/) {}
  /// Closes the file at that time.
  virtual void close(std::uint64_t time_ps) = 0;
};

/// Makes a writer for the extension .fst or .vcd. Throws Fault(kDescription) for other extensions
/// or if the file cannot be written.
std::unique_ptr<WaveWriter> make_wave_writer(const std::string& file);
/// Makes a PerfettoWriter for .pftrace, otherwise a TraceWriter.
std::unique_ptr<WaveWriter> make_trace_writer(const std::string& file);

}  // namespace tvp::support
