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

  void find_signallers(const CoreAgent& agent, const PollCondition& condition, Wait& wait) const;
  std::string strayed_signal(const CoreAgent& agent, const PollCondition& condition) const;

  const CoreAgents& cores_;
};

}  // namespace tvp::platform
