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

/// Collects the changes of the signals that match a pattern. It writes wave and trace files at the
/// end of the run, when all changes can be sorted. They include spans of kernels, which the host
/// reads at the end.
class WaveRecorder : public SignalSink {
 public:
  struct Options {
    std::string file{};   ///< .fst or .vcd; empty: none
    std::string trace{};  ///< .pftrace or .json; empty: none
    std::string scope{};  ///< shell pattern over whole paths; empty: all but detail rows
    Cycle from = 0;       ///< earlier changes give the initial value
    Cycle to = kNever;
  };
  /// Display of a signal.
  struct Row {
    std::string path;
    unsigned width = 1;  ///< bits of a number
    /// Returns the text of a value.
    std::function<std::string(std::uint64_t value)> text_of = nullptr;
    std::uint64_t initial = 0;
    bool detail = false;  ///< only if a scope selects it
    bool always = false;  ///< listed even without changes
    std::string rest{};   ///< the text of the idle state
  };

  /// Throws Fault(kDescription) if a file cannot be written.
  explicit WaveRecorder(Options options);
  ~WaveRecorder() override;

  bool wants(const Row& row) const;
  /// Attaches the signal if its row is recorded. With width 1, a level is shown as the bit "above
  /// zero".
  void watch(Signal& signal, const Row& row);
  void watch(LevelSignal& signal, const Row& row);

  /// A named span with its own path, for example a zone of a kernel. Spans of a path must not
  /// overlap. It is shown as a text that is empty in between.
  void span(const std::string& path, const std::string& name, Cycle begin, Cycle end);

  /// True if a file shows arrows.
  bool wants_arrows() const;
  /// A packet's way between two rows that have only ends of arrows. Not recorded unless both rows
  /// are in the scope.
  void arrow(const std::string& from, const std::string& to, const std::string& name, Cycle sent,
             Cycle arrived);

  void change(std::uint32_t signal, Cycle when, std::uint64_t value) override;
  void add(std::uint32_t signal, Cycle when, std::int64_t delta) override {
    change(signal, when, static_cast<std::uint64_t>(delta));
  }

  /// Writes and closes the files. `ps_of` converts a cycle; `end` is the last cycle of the run.
  void finish(const std::function<std::uint64_t(Cycle)>& ps_of, Cycle end);

 private:
  enum class Kind : std::uint8_t { kValue, kLevel, kSpan };
  struct Change {
    Cycle when;
    std::uint32_t signal;
    std::uint64_t value;  ///< for a level the amount to add
  };
  struct Entry {
    SignalInfo info;
    Kind kind = Kind::kValue;
    std::function<std::string(std::uint64_t value)> text_of = nullptr;
    std::uint64_t initial = 0;
    Cycle initial_at = 0;  ///< cycle at which it took that value
    bool always = false;
    bool changed = false;
    std::vector<std::string> texts;  ///< values of the spans
  };
  struct Arrow {
    std::uint32_t from, to, name;  ///< numbers of texts
    Cycle sent, arrived;
  };
  std::uint32_t text_number(const std::string& text);
  void watch_as(Signal& signal, const Row& row, Kind kind);
  std::uint32_t add_entry(Entry entry);
  std::vector<std::uint32_t> declare();
  void emit(const Entry& entry, std::uint32_t number, std::uint64_t time_ps, std::uint64_t value);
  std::uint64_t apply_cycle(std::size_t& next, std::uint64_t value) const;

  Options options_;
  std::vector<std::unique_ptr<WaveWriter>> writers_;
  std::vector<Entry> entries_;
  std::map<std::string, std::uint32_t> spans_;  ///< index: path
  std::vector<Change> changes_;
  std::map<std::string, std::uint32_t> text_numbers_;  ///< of arrows
  std::vector<Arrow> arrows_;
};

}  // namespace tvp::support
