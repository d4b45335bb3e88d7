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
  unsigned width = 1;  ///< of kBits
  std::string rest;    ///< of kText: the value that says that nothing is going on
};

/// A wave file being written. Times are in ps and never fall.
class WaveWriter {
 public:
  virtual ~WaveWriter() = default;
  /// Before the first change; numbers count from 0. Signals come sorted by path.
  virtual void declare(const SignalInfo& signal) = 0;
  virtual void bits(std::uint64_t time_ps, std::uint32_t signal, std::uint64_t value) = 0;
  virtual void text(std::uint64_t time_ps, std::uint32_t signal, const std::string& value) = 0;
  /// Ends the file at that time.
  virtual void close(std::uint64_t time_ps) = 0;
};

/// Makes a writer for the ending of the name, .fst or .vcd. Throws Fault(kDescription) if the
/// ending is another one or the file cannot be written.
std::unique_ptr<WaveWriter> make_wave_writer(const std::string& file);

}  // namespace tvp::support
