#include "platform/machine/recording_fault_policy.h"

#include <cctype>

namespace tvp::platform {
namespace {

/// A text without its numbers.
std::string kind_of(const std::string& text) {
  std::string kind;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is = [&](std::size_t at, auto what) {
      return at < text.size() && what(static_cast<unsigned char>(text[at])) != 0;
    };
    const bool hex = text.compare(i, 2, "0x") == 0;
    if (!hex && !is(i, isdigit)) {
      kind += text[i];
      continue;
    }
    if (hex) ++i;
    while (hex ? is(i + 1, isxdigit) : is(i + 1, isdigit)) ++i;
    // A list of numbers counts as one number, so that its length does not matter.
    kind += '#';
    if (kind.ends_with("# #")) kind.resize(kind.size() - 2);
  }
  return kind;
}

}  // namespace

void RecordingFaultPolicy::raise(const foundation::Fault& fault) {
  if (stops_at(fault)) throw fault;
  warn(fault);
}

void RecordingFaultPolicy::warn(const foundation::Fault& fault) { note(fault, lines_of(fault)); }

std::string RecordingFaultPolicy::lines_of(const foundation::Fault& fault) const {
  if (!lines_ || noted_.size() == kKept || index_.contains(fault.what())) return {};
  const auto kind = kinds_.find(kind_of(fault.what()));
  if (kind != kinds_.end() && kind->second.kept == kOfAKind) return {};
  return lines_(fault);
}

void RecordingFaultPolicy::note(const foundation::Fault& fault, const std::string& lines) {
  ++count_;
  const auto known = index_.find(fault.what());
  if (known != index_.end()) {
    ++noted_[known->second].times;
    return;
  }
  Kind& kind = kinds_[kind_of(fault.what())];
  if (kind.kept == kOfAKind) {
    ++noted_[kind.last].alike;
    return;
  }
  if (noted_.size() == kKept) return;
  index_.emplace(fault.what(), noted_.size());
  ++kind.kept;
  kind.last = noted_.size();
  noted_.push_back({.text = fault.what() + lines});
  if (listener_) listener_(noted_.back().text);
}

std::string RecordingFaultPolicy::Noted::counts() const {
  std::string counted;
  if (times != 1) counted += " (" + std::to_string(times) + " times)";
  if (alike != 0) counted += " (and " + std::to_string(alike) + " more of this kind)";
  return counted;
}

std::string RecordingFaultPolicy::others() const {
  std::uint64_t known = 0;
  for (const Noted& each : noted_) known += each.times + each.alike;
  return known == count_ ? "" : "and " + std::to_string(count_ - known) + " others";
}

std::vector<std::string> RecordingFaultPolicy::warnings() const {
  std::vector<std::string> texts;
  texts.reserve(noted_.size() + 1);
  for (const Noted& each : noted_) texts.push_back(each.text + each.counts());
  if (const std::string rest = others(); !rest.empty()) texts.push_back(rest);
  return texts;
}

std::vector<std::string> RecordingFaultPolicy::repetitions() const {
  std::vector<std::string> texts;
  for (const Noted& each : noted_) {
    const std::string counts = each.counts();
    if (!counts.empty()) texts.push_back(each.text.substr(0, each.text.find('\n')) + counts);
  }
  if (const std::string rest = others(); !rest.empty()) texts.push_back(rest);
  return texts;
}

}  // namespace tvp::platform
