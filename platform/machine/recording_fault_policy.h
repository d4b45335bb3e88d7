#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"

namespace tvp::platform {

/// Stops at the first fault. With `faults=warn` it records firmware faults, and the model continues
/// as silicon does. Repeated faults are counted, as are those that differ in numbers only, so that
/// one kind cannot fill the list.
class RecordingFaultPolicy : public foundation::FaultPolicy, public foundation::WarningSink {
 public:
  static constexpr std::size_t kKept = 100;  ///< different texts; further ones are only counted
  static constexpr std::size_t kOfAKind =
      8;  ///< texts that differ in numbers only; further ones are only counted

  /// Returns functions and source lines to append to a fault's text.
  using Lines = std::function<std::string(const foundation::Fault&)>;

  void set_warn(bool warn) { warn_ = warn; }
  /// True if raise() would throw this fault.
  bool stops_at(const foundation::Fault& fault) const {
    return !warn_ || fault.kind() != foundation::FaultKind::kFirmware;
  }
  void set_lines(Lines lines) { lines_ = std::move(lines); }
  /// Receives each text of warnings() when it first occurs, without the count.
  using Listener = std::function<void(const std::string& text)>;
  void set_listener(Listener listener) { listener_ = std::move(listener); }
  void raise(const foundation::Fault& fault) override;
  void warn(const foundation::Fault& fault) override;

  // The two halves of warn().
  /// Lines to append to the fault's text; "" if the text will not be kept.
  std::string lines_of(const foundation::Fault& fault) const;
  void note(const foundation::Fault& fault, const std::string& lines);

  /// Warnings in the order of their first occurrence.
  std::vector<std::string> warnings() const;
  /// The first lines of repeated warnings with their counts, which the listener does not know.
  std::vector<std::string> repetitions() const;
  std::uint64_t count() const { return count_; }

 private:
  struct Noted {
    std::string text;
    std::uint64_t times = 1;
    std::uint64_t alike = 0;     ///< further faults of this kind without a text of their own
    std::string counts() const;  ///< "" if it occurred once
  };
  struct Kind {
    std::size_t kept = 0;
    std::size_t last = 0;  ///< index into `noted_`
  };

  bool warn_ = false;
  std::string others() const;  ///< warnings without a text, or ""

  Lines lines_;
  Listener listener_;
  std::vector<Noted> noted_;
  std::unordered_map<std::string, std::size_t> index_;
  std::unordered_map<std::string, Kind> kinds_;
  std::uint64_t count_ = 0;
};

}  // namespace tvp::platform
