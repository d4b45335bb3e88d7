#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"

namespace tvp::platform {

/// Stops at the first fault, or (`faults=warn`) notes firmware faults and lets the model do what
/// silicon does. The same fault again is counted, and so are many that differ in numbers alone: a
/// hundred rows of which nothing is known would hide what else there is.
class RecordingFaultPolicy : public foundation::FaultPolicy, public foundation::WarningSink {
 public:
  static constexpr std::size_t kKept = 100;   ///< different texts; all are counted
  static constexpr std::size_t kOfAKind = 8;  ///< of which so many differ in numbers alone

  /// Adds functions and lines behind the text of a fault.
  using Lines = std::function<std::string(const foundation::Fault&)>;

  void set_warn(bool warn) { warn_ = warn; }
  /// raise() would throw it.
  bool stops_at(const foundation::Fault& fault) const {
    return !warn_ || fault.kind() != foundation::FaultKind::kFirmware;
  }
  void set_lines(Lines lines) { lines_ = std::move(lines); }
  void raise(const foundation::Fault& fault) override;
  void warn(const foundation::Fault& fault) override;

  // The two halves of warn().
  /// What is to stand behind the text, or "" if the text will not be kept.
  std::string lines_of(const foundation::Fault& fault) const;
  void note(const foundation::Fault& fault, const std::string& lines);

  /// In the order in which they were first raised.
  std::vector<std::string> warnings() const;
  std::uint64_t count() const { return count_; }

 private:
  struct Noted {
    std::string text;
    std::uint64_t times = 1;
    std::uint64_t alike = 0;  ///< others of its kind that have no text of their own
  };
  struct Kind {
    std::size_t kept = 0;
    std::size_t last = 0;  ///< of `noted_`
  };

  bool warn_ = false;
  Lines lines_;
  std::vector<Noted> noted_;
  std::unordered_map<std::string, std::size_t> index_;
  std::unordered_map<std::string, Kind> kinds_;
  std::uint64_t count_ = 0;
};

}  // namespace tvp::platform
