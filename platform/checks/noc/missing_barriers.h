#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about kernels that end before the NoC has answered their commands. At the answer, the core
/// executes the firmware (the first code that was loaded) again. Silicon does not report this;
/// tt-metal's watcher reports a failed assertion. A write to DRAM whose answer has come but that
/// no core has counted when the program ends was in time only by luck.
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
  /// The last command of a kind and core. A read of the counter of its answers removes it.
  struct Command {
    bool is_there = false;
    bool is_to_dram = false;
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
  void program_ends();
  void report(Answer answer, unsigned niu, BusMaster core, std::uint32_t pc,
              const std::string& when);

  std::array<std::array<Commands, kAnswers>, 2> last_{};  ///< by NIU
};

}  // namespace tvp::checks
