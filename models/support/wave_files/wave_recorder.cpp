#include "models/support/wave_files/wave_recorder.h"

#include <fnmatch.h>

#include <algorithm>
#include <numeric>

#include "foundation/fault.h"
#include "foundation/same_file.h"

namespace tvp::support {

namespace {
constexpr std::uint32_t kNotListed = ~std::uint32_t{0};
}

WaveRecorder::WaveRecorder(Options options) : options_(std::move(options)) {
  if (!options_.file.empty() && foundation::same_file(options_.file, options_.trace)) {
    throw foundation::Fault(foundation::FaultKind::kDescription, "",
                            "waves and trace are both to be written to " + options_.file);
  }
  if (!options_.file.empty()) writers_.push_back(make_wave_writer(options_.file));
  if (!options_.trace.empty()) writers_.push_back(make_trace_writer(options_.trace));
}

WaveRecorder::~WaveRecorder() = default;

bool WaveRecorder::wants(const Row& row) const {
  if (options_.scope.empty()) return !row.detail;
  return fnmatch(options_.scope.c_str(), row.path.c_str(), 0) == 0;
}

std::uint32_t WaveRecorder::add_entry(Entry entry) {
  entries_.push_back(std::move(entry));
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

void WaveRecorder::watch_as(Signal& signal, const Row& row, Kind kind) {
  if (!wants(row)) return;
  Entry entry;
  const bool is_text = row.text_of != nullptr;
  entry.info = {row.path, is_text ? SignalInfo::Kind::kText : SignalInfo::Kind::kBits, row.width,
                row.rest};
  entry.kind = kind;
  entry.text_of = row.text_of;
  entry.initial = row.initial;
  entry.always = row.always;
  signal.attach(*this, add_entry(std::move(entry)));
}

void WaveRecorder::watch(Signal& signal, const Row& row) { watch_as(signal, row, Kind::kValue); }

void WaveRecorder::watch(LevelSignal& signal, const Row& row) {
  watch_as(signal, row, Kind::kLevel);
}

void WaveRecorder::span(const std::string& path, const std::string& name, Cycle begin, Cycle end) {
  if (!wants({.path = path})) return;
  auto found = spans_.find(path);
  if (found == spans_.end()) {
    Entry entry;
    entry.info = {path, SignalInfo::Kind::kText, 0, ""};
    entry.kind = Kind::kSpan;
    entry.texts.emplace_back();
    found = spans_.emplace(path, add_entry(std::move(entry))).first;
  }
  std::vector<std::string>& texts = entries_[found->second].texts;
  auto text = std::find(texts.begin(), texts.end(), name);
  if (text == texts.end()) text = texts.insert(texts.end(), name);
  const auto value = static_cast<std::uint64_t>(text - texts.begin());
  change(found->second, begin, value);
  change(found->second, end, 0);
}

bool WaveRecorder::wants_arrows() const {
  return std::any_of(writers_.begin(), writers_.end(),
                     [](const auto& writer) { return writer->wants_arrows(); });
}

std::uint32_t WaveRecorder::text_number(const std::string& text) {
  return text_numbers_.emplace(text, static_cast<std::uint32_t>(text_numbers_.size()))
      .first->second;
}

void WaveRecorder::arrow(const std::string& from, const std::string& to, const std::string& name,
                         Cycle sent, Cycle arrived) {
  if (sent < options_.from || arrived > options_.to) return;
  if (!wants({.path = from}) || !wants({.path = to})) return;
  arrows_.push_back({text_number(from), text_number(to), text_number(name), sent, arrived});
}

void WaveRecorder::change(std::uint32_t signal, Cycle when, std::uint64_t value) {
  if (when > options_.to) return;
  Entry& entry = entries_[signal];
  entry.changed |= entry.kind != Kind::kValue || value != entry.initial;
  // Changes before the window only affect the initial value.
  if (when <= options_.from) {
    if (entry.kind == Kind::kLevel) {
      entry.initial += value;
    } else if (when >= entry.initial_at) {
      const bool is_end = entry.kind == Kind::kSpan && value == 0;
      if (is_end && when == entry.initial_at && entry.initial != 0) return;
      entry.initial = value;
      entry.initial_at = when;
    }
    return;
  }
  changes_.push_back({when, signal, value});
}

void WaveRecorder::emit(const Entry& entry, std::uint32_t number, std::uint64_t time_ps,
                        std::uint64_t value) {
  const bool is_bits = entry.info.kind == SignalInfo::Kind::kBits;
  const std::string text = entry.text_of != nullptr    ? entry.text_of(value)
                           : entry.kind == Kind::kSpan ? entry.texts[value]
                                                       : std::string();
  for (const auto& writer : writers_) {
    if (is_bits) {
      writer->bits(time_ps, number, value);
    } else {
      writer->text(time_ps, number, text);
    }
  }
}

/// Sorts the signals by path, independent of their order of registration. Returns the number in the
/// file of each entry.
std::vector<std::uint32_t> WaveRecorder::declare() {
  std::vector<std::uint32_t> by_path(entries_.size());
  std::iota(by_path.begin(), by_path.end(), 0U);
  std::sort(by_path.begin(), by_path.end(), [&](std::uint32_t a, std::uint32_t b) {
    return entries_[a].info.path < entries_[b].info.path;
  });
  std::vector<std::uint32_t> number_of(entries_.size(), kNotListed);
  std::uint32_t count = 0;
  for (const std::uint32_t i : by_path) {
    if (!entries_[i].always && !entries_[i].changed) continue;
    number_of[i] = count++;
    for (const auto& writer : writers_) writer->declare(entries_[i].info);
  }
  return number_of;
}

/// The value after all changes of one signal in one cycle: for a level their sum, for others the
/// last one. A span that ends where the next one begins must not blank it.
std::uint64_t WaveRecorder::apply_cycle(std::size_t& next, std::uint64_t value) const {
  const Change first = changes_[next];
  const Kind kind = entries_[first.signal].kind;
  std::uint64_t last = kind == Kind::kSpan ? first.value : value;
  while (next < changes_.size() && changes_[next].when == first.when &&
         changes_[next].signal == first.signal) {
    const std::uint64_t change = changes_[next++].value;
    if (kind == Kind::kLevel) {
      last += change;
    } else if (kind == Kind::kValue || change != 0 || last == 0) {
      last = change;
    }
  }
  return last;
}

void WaveRecorder::finish(const std::function<std::uint64_t(Cycle)>& ps_of, Cycle end) {
  const std::vector<std::uint32_t> number_of = declare();
  // Stable: changes of one signal in one cycle stay in their order.
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.when != b.when ? a.when < b.when : a.signal < b.signal;
  });
  const auto shown = [&](std::uint32_t signal, std::uint64_t value) {
    const Entry& entry = entries_[signal];
    const bool is_bit = entry.kind == Kind::kLevel && entry.info.width == 1;
    return is_bit ? std::uint64_t{static_cast<std::int64_t>(value) > 0} : value;
  };
  std::vector<std::uint64_t> value(entries_.size());
  std::vector<std::uint32_t> in_file(entries_.size(), kNotListed);
  std::uint32_t listed = 0;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    value[i] = entries_[i].initial;
    if (number_of[i] == kNotListed) continue;
    in_file[number_of[i]] = i;
    ++listed;
  }
  for (std::uint32_t n = 0; n < listed; ++n) {
    emit(entries_[in_file[n]], n, ps_of(options_.from), shown(in_file[n], value[in_file[n]]));
  }
  const Cycle last_cycle = std::min(end, options_.to);
  for (std::size_t next = 0; next < changes_.size() && changes_[next].when <= last_cycle;) {
    const Change first = changes_[next];
    const std::uint64_t before = value[first.signal];
    const std::uint64_t after = apply_cycle(next, before);
    value[first.signal] = after;
    if (shown(first.signal, after) == shown(first.signal, before)) continue;
    emit(entries_[first.signal], number_of[first.signal], ps_of(first.when),
         shown(first.signal, after));
  }
  std::vector<const std::string*> texts(text_numbers_.size());
  for (const auto& [text, number] : text_numbers_) texts[number] = &text;
  for (const Arrow& arrow : arrows_) {
    if (arrow.arrived > last_cycle) continue;
    const WaveArrow packet{*texts[arrow.from], *texts[arrow.to], *texts[arrow.name],
                           ps_of(arrow.sent), ps_of(arrow.arrived)};
    for (const auto& writer : writers_) writer->arrow(packet);
  }
  for (const auto& writer : writers_) writer->close(ps_of(last_cycle));
  // The check is at the end, since spans of kernels are known only then.
  if (entries_.empty() && !options_.scope.empty())
    throw foundation::Fault(
        foundation::FaultKind::kDescription, "wave.scope",
        "no signal is called " + options_.scope + "; paths are like chip0.tensix_1_2.BRISC.state");
}

}  // namespace tvp::support
