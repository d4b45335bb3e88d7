#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"

namespace tvp::platform {

/// Stops at the first fault, or (`faults=warn`) notes firmware faults and lets the model do what
/// silicon does. The same fault again is counted.
class RecordingFaultPolicy : public foundation::FaultPolicy, public foundation::WarningSink {
 public:
  static constexpr std::size_t kKept = 100;  ///< different texts; all are counted

  /// What else is known of a fault, to stand behind its text: functions and lines.
  using Lines = std::function<std::string(const foundation::Fault&)>;

  void set_warn(bool warn) { warn_ = warn; }
  void set_lines(Lines lines) { lines_ = std::move(lines); }
  void raise(const foundation::Fault& fault) override {
    if (!warn_ || fault.kind() != foundation::FaultKind::kFirmware) throw fault;
    warn(fault);
  }
  void warn(const foundation::Fault& fault) override {
    ++count_;
    const auto known = index_.find(fault.what());
    if (known != index_.end()) {
      ++noted_[known->second].times;
    } else if (noted_.size() < kKept) {
      index_.emplace(fault.what(), noted_.size());
      noted_.push_back({fault.what() + (lines_ ? lines_(fault) : std::string()), 1});
    }
  }
  /// In the order in which they were first raised.
  std::vector<std::string> warnings() const {
    std::vector<std::string> texts;
    std::uint64_t told = 0;
    for (const Noted& each : noted_) {
      const bool once = each.times == 1;
      texts.push_back(each.text + (once ? "" : " (" + std::to_string(each.times) + " times)"));
      told += each.times;
    }
    if (told != count_) texts.push_back("and " + std::to_string(count_ - told) + " others");
    return texts;
  }
  std::uint64_t count() const { return count_; }

 private:
  struct Noted {
    std::string text;
    std::uint64_t times;
  };
  bool warn_ = false;
  Lines lines_;
  std::vector<Noted> noted_;
  std::unordered_map<std::string, std::size_t> index_;
  std::uint64_t count_ = 0;
};

}  // namespace tvp::platform
