#pragma once

#include <cstdint>
#include <string>

#include "platform/machine/report/core_agents.h"

namespace tvp::platform {

/// Explains waits for pages of circular buffers, or for room in them: how many there are, which
/// cores of the tile push or pop them, and where they did last.
class BufferWaits {
 public:
  explicit BufferWaits(const CoreAgents& cores) : cores_(cores) {}

  /// False if the condition does not compare the counts of a circular buffer.
  bool explain(const CoreAgent& agent, const PollCondition& condition, WaitGraph::Wait& wait) const;

 private:
  using Wait = WaitGraph::Wait;

  /// The core pushes (else pops) pages of some circular buffer.
  bool has_role(const CoreAgent& agent, bool pushes) const;
  bool reserves(const CoreAgent& agent, unsigned buffer, bool pushes) const;
  /// The cores of the tile that push (else pop) pages of a circular buffer, or are about to.
  void find_givers(const CoreAgent& agent, unsigned buffer, bool pushes, std::uint32_t missing,
                   Wait& wait) const;
  void explain_count(const CoreAgent& agent, const PollCondition& compared, unsigned buffer,
                     Wait& wait) const;
  std::string own_steps(const CoreAgent& agent, unsigned buffer, bool pops) const;
  /// A count of a circular buffer.
  static std::uint32_t core_reads(const CoreAgent& agent, unsigned buffer, unsigned index);

  const CoreAgents& cores_;
};

}  // namespace tvp::platform
