#pragma once

#include <array>
#include <cstdint>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Kernels that end before the NoC has answered what they asked of it: the core is back in the
/// firmware, the first code that was loaded, and waits no more. Silicon does it without a word;
/// tt-metal's watcher calls it a failed assertion.
class MissingBarriers : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "missing_barriers"; }
  const char* summary() const override {
    return "kernels that end before the NoC has answered their commands";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  enum class Answer : std::uint8_t { kRead, kWrite, kAtomic };
  static constexpr unsigned kAnswers = 3;
  /// The last one of its kind and core whose answers nobody has looked for since.
  struct Command {
    bool is_there = false;
    std::uint32_t pc = 0;
  };
  static constexpr unsigned kCores = static_cast<unsigned>(BusMaster::kE) + 1;
  using Commands = std::array<Command, kCores>;
  static Answer answer_of(ProbeEvent::Request request);
  static unsigned niu_of(const ProbeEvent& event) {
    return event.agent == BusMaster::kNoc1 ? 1 : 0;
  }
  Commands& last(const ProbeEvent& event, Answer answer) {
    return last_[niu_of(event)][static_cast<unsigned>(answer)];
  }
  void counter_read(const ProbeEvent& event);
  void answered(const ProbeEvent& event);

  std::array<std::array<Commands, kAnswers>, 2> last_{};  ///< by NIU
};

}  // namespace tvp::checks
