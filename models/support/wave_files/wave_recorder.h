#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/support/signal.h"
#include "models/support/wave_files/wave_writer.h"

namespace tvp::support {

/// Collects the changes of the signals that match a pattern, and writes them as wave and trace
/// files when the run is over: only then are all of them in order, spans of kernels included
/// that the host reads out at the end.
class WaveRecorder : public SignalSink {
 public:
  struct Options {
    std::string file{};   ///< .fst or .vcd; empty for none
    std::string trace{};  ///< .json; empty for none
    std::string scope{};  ///< shell pattern over whole paths; empty: all but rows of detail
    Cycle from = 0;       ///< what came before is the initial value
    Cycle to = kNever;
  };
  /// How a signal is shown.
  struct Row {
    std::string path;
    unsigned width = 1;  ///< bits of a number
    /// Makes a text of each value.
    std::string (*text_of)(std::uint64_t value) = nullptr;
    std::uint64_t initial = 0;
    bool detail = false;  ///< only when a scope asks for it
    bool always = false;  ///< listed even when nothing ever changes it
    std::string rest{};   ///< the text that says that nothing is going on
  };

  /// Throws Fault(kDescription) when a file cannot be written.
  explicit WaveRecorder(Options options);
  ~WaveRecorder() override;

  /// True if a row of that path is recorded.
  bool wants(const Row& row) const;
  /// Attaches the signal, if its row is wanted. A level is shown as the bit "above zero" when the
  /// row has width 1.
  void watch(Signal& signal, const Row& row);
  void watch(LevelSignal& signal, const Row& row);

  /// A named span of a path of its own, e.g. a zone of a kernel; may overlap none of the same
  /// path. Shown as a text that is empty in between.
  void span(const std::string& path, const std::string& name, Cycle begin, Cycle end);

  void change(std::uint32_t signal, Cycle when, std::uint64_t value) override;
  void add(std::uint32_t signal, Cycle when, std::int64_t delta) override {
    change(signal, when, static_cast<std::uint64_t>(delta));
  }

  /// Writes and ends the files. `ps_of` converts a cycle; `end` is the last cycle of the run.
  void finish(const std::function<std::uint64_t(Cycle)>& ps_of, Cycle end);

 private:
  enum class Kind : std::uint8_t { kValue, kLevel, kSpan };
  struct Change {
    Cycle when;
    std::uint32_t signal;
    std::uint64_t value;  ///< of a level: what is added
  };
  struct Entry {
    SignalInfo info;
    Kind kind = Kind::kValue;
    std::string (*text_of)(std::uint64_t value) = nullptr;
    std::uint64_t initial = 0;
    Cycle initial_at = 0;  ///< when it took that value
    bool always = false;
    bool changed = false;
    std::vector<std::string> texts;  ///< of a span: the values
  };
  void watch_as(Signal& signal, const Row& row, Kind kind);
  std::uint32_t add_entry(Entry entry);
  std::vector<std::uint32_t> declare();
  void emit(const Entry& entry, std::uint32_t number, std::uint64_t time_ps, std::uint64_t value);
  std::uint64_t apply_cycle(std::size_t& next, std::uint64_t value) const;

  Options options_;
  std::vector<std::unique_ptr<WaveWriter>> writers_;
  std::vector<Entry> entries_;
  std::map<std::string, std::uint32_t> spans_;  ///< by path
  std::vector<Change> changes_;
};

}  // namespace tvp::support
