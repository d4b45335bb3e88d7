#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/support/signal.h"
#include "models/support/waves/wave_writer.h"

namespace tvp::support {

/// Collects the changes of the signals that match a pattern, and writes them as one wave file when
/// the run is over: only then are all of them in order, stretches of kernels included that the host
/// reads out at the end.
class WaveRecorder : public SignalSink {
 public:
  struct Options {
    std::string file;
    std::string scope = "*";  ///< shell pattern over whole paths
    std::uint64_t from_ps = 0;
    std::uint64_t to_ps = ~std::uint64_t{0};
  };

  /// Throws Fault(kDescription) when the file cannot be written.
  explicit WaveRecorder(Options options);
  ~WaveRecorder() override;

  /// Numbers a signal and attaches it, if its path matches. `name_of` makes a text of each value;
  /// without it the value is shown as `width` bits.
  using Names = const char* (*)(std::uint64_t value);
  void watch(Signal& signal, const std::string& path, unsigned width, Names names,
             std::uint64_t initial);

  /// A named stretch of a path of its own, e.g. a zone of a kernel; may overlap none of the same
  /// path. Shown as a text that is empty in between.
  void stretch(const std::string& path, const std::string& name, Cycle begin, Cycle end);

  void change(std::uint32_t signal, Cycle when, std::uint64_t value) override {
    changes_.push_back({when, signal, value});
  }

  /// Writes and ends the file. `ps_of` converts a cycle; `end` is the last cycle of the run.
  void finish(const std::function<std::uint64_t(Cycle)>& ps_of, Cycle end);

 private:
  struct Change {
    Cycle when;
    std::uint32_t signal;
    std::uint64_t value;
  };
  struct Entry {
    SignalInfo info;
    Names names = nullptr;
    std::uint64_t initial = 0;
    std::vector<std::string> texts;  ///< of stretches: the values
  };
  bool matches(const std::string& path) const;
  std::uint32_t add(Entry entry);
  void emit(const Entry& entry, std::uint32_t number, std::uint64_t time_ps, std::uint64_t value);

  Options options_;
  std::unique_ptr<WaveWriter> writer_;
  std::vector<Entry> entries_;
  std::map<std::string, std::uint32_t> stretches_;  ///< by path
  std::vector<Change> changes_;
};

}  // namespace tvp::support
