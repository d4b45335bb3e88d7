#include "models/support/waves/wave_recorder.h"

#include <fnmatch.h>

#include <algorithm>
#include <numeric>

#include "models/support/fault.h"
#include "models/support/waves/fst_writer.h"
#include "models/support/waves/vcd_writer.h"

namespace tvp::support {

std::unique_ptr<WaveWriter> make_wave_writer(const std::string& file) {
  if (file.ends_with(".fst")) return std::make_unique<FstWriter>(file);
  if (file.ends_with(".vcd")) return std::make_unique<VcdWriter>(file);
  throw Fault(FaultKind::kDescription, "",
              "wave file '" + file + "': expected a name that ends in .fst or .vcd");
}

WaveRecorder::WaveRecorder(Options options)
    : options_(std::move(options)), writer_(make_wave_writer(options_.file)) {}

WaveRecorder::~WaveRecorder() = default;

bool WaveRecorder::matches(const std::string& path) const {
  return fnmatch(options_.scope.c_str(), path.c_str(), 0) == 0;
}

std::uint32_t WaveRecorder::add(Entry entry) {
  entries_.push_back(std::move(entry));
  return static_cast<std::uint32_t>(entries_.size() - 1);
}

void WaveRecorder::watch(Signal& signal, const std::string& path, unsigned width, Names names,
                         std::uint64_t initial) {
  if (!matches(path)) return;
  Entry entry;
  entry.info = {path, names != nullptr ? SignalInfo::Kind::kText : SignalInfo::Kind::kBits, width};
  entry.names = names;
  entry.initial = initial;
  signal.attach(*this, add(std::move(entry)));
}

void WaveRecorder::stretch(const std::string& path, const std::string& name, Cycle begin,
                           Cycle end) {
  if (!matches(path)) return;
  auto found = stretches_.find(path);
  if (found == stretches_.end()) {
    Entry entry;
    entry.info = {path, SignalInfo::Kind::kText, 0};
    entry.texts.emplace_back();
    found = stretches_.emplace(path, add(std::move(entry))).first;
  }
  std::vector<std::string>& texts = entries_[found->second].texts;
  auto text = std::find(texts.begin(), texts.end(), name);
  if (text == texts.end()) text = texts.insert(texts.end(), name);
  const auto value = static_cast<std::uint64_t>(text - texts.begin());
  changes_.push_back({begin, found->second, value});
  changes_.push_back({end, found->second, 0});
}

void WaveRecorder::emit(const Entry& entry, std::uint32_t number, std::uint64_t time_ps,
                        std::uint64_t value) {
  if (entry.names != nullptr) {
    writer_->text(time_ps, number, entry.names(value));
  } else if (!entry.texts.empty()) {
    writer_->text(time_ps, number, entry.texts[value]);
  } else {
    writer_->bits(time_ps, number, value);
  }
}

void WaveRecorder::finish(const std::function<std::uint64_t(Cycle)>& ps_of, Cycle end) {
  // The file lists signals by path, whatever the order in which they were found.
  std::vector<std::uint32_t> by_path(entries_.size());
  std::iota(by_path.begin(), by_path.end(), 0U);
  std::sort(by_path.begin(), by_path.end(), [&](std::uint32_t a, std::uint32_t b) {
    return entries_[a].info.path < entries_[b].info.path;
  });
  std::vector<std::uint32_t> number_of(entries_.size());
  for (std::uint32_t i = 0; i < by_path.size(); ++i) {
    number_of[by_path[i]] = i;
    writer_->declare(entries_[by_path[i]].info);
  }
  // Stable: changes of one signal in one cycle stay in their order, and the last one counts. A
  // stretch that ends where the next begins must not blank it.
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.when != b.when ? a.when < b.when : a.signal < b.signal;
  });
  std::vector<std::uint64_t> value(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) value[i] = entries_[i].initial;
  const std::uint64_t end_ps = std::min(ps_of(end), options_.to_ps);
  std::size_t next = 0;
  while (next < changes_.size() && ps_of(changes_[next].when) <= options_.from_ps) {
    value[changes_[next].signal] = changes_[next].value;
    ++next;
  }
  for (const std::uint32_t i : by_path) emit(entries_[i], number_of[i], options_.from_ps, value[i]);
  while (next < changes_.size()) {
    // Last change of this signal in this cycle; of a stretch, the one that is not its end.
    const Change first = changes_[next];
    std::uint64_t last = first.value;
    while (next < changes_.size() && changes_[next].when == first.when &&
           changes_[next].signal == first.signal) {
      const bool is_end = !entries_[first.signal].texts.empty() && changes_[next].value == 0;
      if (!is_end || last == 0) last = changes_[next].value;
      ++next;
    }
    const std::uint64_t time_ps = ps_of(first.when);
    if (time_ps > end_ps) break;
    if (last == value[first.signal]) continue;
    value[first.signal] = last;
    emit(entries_[first.signal], number_of[first.signal], time_ps, last);
  }
  writer_->close(end_ps);
}

}  // namespace tvp::support
