#pragma once

#include <string>

#include "platform/machine/report/core_agents.h"

namespace tvp::platform {

/// Explains waits for words of L1 and for registers: the current and the awaited value, which cores
/// have signalled the word, and which ones could.
class WordWaits {
 public:
  explicit WordWaits(const CoreAgents& cores) : cores_(cores) {}

  void explain(const CoreAgent& agent, const PollCondition& compared, WaitGraph::Wait& wait) const;

 private:
  using Wait = WaitGraph::Wait;

  /// The cores that have signalled the awaited words.
  struct Signals {
    std::vector<const CoreAgent*> by{};
    std::vector<std::string> kernels{};
    std::string text{};  ///< describes the last one
    bool all_ended = true;
  };
  Signals signals_of(const CoreAgent& agent, const PollCondition& condition, Wait& wait) const;
  void find_signallers(const CoreAgent& agent, const PollCondition& condition, Wait& wait) const;
  void nobody_signalled(const CoreAgent& agent, const PollCondition& condition, Wait& wait) const;
  std::string earlier_signals(const CoreAgent& agent, const PollCondition& condition) const;
  std::string holders(const CoreAgent& agent, const PollCondition& condition, Wait& wait) const;
  std::string strayed_signal(const CoreAgent& agent, const PollCondition& condition) const;
  std::string signal_text(const CoreAgent& by, const checks::HandOvers::Signaller& signal,
                          const std::string& did) const;
  std::string waits_of(const CoreAgent& agent) const;
  std::string last_command_of(const CoreAgent& agent) const;

  const CoreAgents& cores_;
};

}  // namespace tvp::platform
