#pragma once

#include <array>
#include <utility>

#include "models/support/agent.h"
#include "models/support/left_agents.h"
#include "models/support/time.h"

namespace tvp::support {

/// Runs the agents of one tile in the total order (cycle, order of addition).
///
/// The chip's calendar calls `run(horizon)` and guarantees that nothing outside the tile can reach
/// it before `horizon`.
class TileScheduler {
 public:
  static constexpr unsigned kMaxAgents = 16;
  /// An agent without others to wait for returns after this time, which costs nothing, and can
  /// check itself.
  static constexpr Cycle kLongestRun = 4096;

  TileScheduler() = default;
  TileScheduler(const TileScheduler&) = delete;  // agents point into it
  TileScheduler& operator=(const TileScheduler&) = delete;

  /// Agents added earlier win ties.
  void add(Agent& agent);
  /// Like add(), for an agent without a port to the network. It reaches other tiles only through
  /// another agent, which it wakes with a request (Calendar::Lookahead::portless_more).
  void add_portless(Agent& agent);

  /// Runs all agents up to, but excluding, `horizon`.
  void run(Cycle horizon);

  /// Cycle of the earliest pending action of the tile.
  Cycle next() const;
  /// `next`, or the later time at which agents without a port reach others, `portless_more` after
  /// their cycle.
  Cycle reach(Cycle next, Cycle portless_more) const;

  /// The running agent may act at every cycle below this. The limit can decrease when the agent
  /// wakes another one.
  Cycle limit() const { return limit_; }

  /// Lets `agent` act at cycle t or before. An agent calls it when it changes something that
  /// `agent` waits for; t is never before the cycle of that change. Outside of run() (a delivery
  /// from the network, the host between two runs) it only changes next().
  void wake(Agent& agent, Cycle t) {
    if (t >= *agent.next_) return;
    *agent.next_ = t;
    due_ |= 1U << agent.order_;
    if (running_ != nullptr && running_ != &agent) lower_limit(agent);
  }

  // A sleeping agent need not act while no agent of its tile reads what it stores or changes what
  // it loads. Agents that do not ask first (Agent::set_asks) could do so whenever they act, so the
  // sleeping agent catches up before.

  /// `agent`, which is running, goes to sleep. `use` describes the L1 that it uses until it
  /// returns.
  void leave_to_itself(const Agent& agent, const LeftAgents::Use& use) {
    left_.add(agent.order_, use);
  }
  void return_to(const Agent& agent) { left_.remove(agent.order_); }
  bool has_left() const { return left_.any(); }
  /// Cores may access L1 below this address without asking.
  std::uint32_t untouched_below() const { return left_.untouched_below(); }
  /// True if an access concerns a sleeping agent.
  bool is_used(std::uint32_t address, std::uint32_t bytes, bool write) const;
  /// Like is_used(), for an access that `agent` will make at cycle t. The agents concerned catch
  /// up, and the access must be tried again when everything before it is done.
  bool disturbs(const Agent& agent, Cycle t, std::uint32_t address, std::uint32_t bytes,
                bool write);
  /// All sleeping agents catch up, before the agent with that order acts at cycle t.
  void catch_up(Cycle t, unsigned order);
  /// Earliest pending action of other agents that do not ask.
  Cycle next_unasked(const Agent& agent) const;

  /// The running agent has sent something that can return to this tile at cycle t. The tile must
  /// not act at t or later until the calendar has checked again.
  void lower_horizon(Cycle t) {
    if (t < horizon_) horizon_ = t;
    if (t < limit_) limit_ = t;
  }

  /// Prefetches the data of the agent that ran last. With 80 busy tiles most of it has left the
  /// first cache in between.
  void prefetch() const {
    constexpr std::size_t kLine = 64;
    constexpr std::size_t kCodeLines = 5;
    for (std::size_t i = 0; i < hot_.state_bytes; i += kLine) __builtin_prefetch(hot_.state + i);
    // Not as a pointer: agents without code have a null pointer.
    const auto code = reinterpret_cast<std::uintptr_t>(hot_.code);
    for (std::size_t i = 0; i < kCodeLines; ++i)
      __builtin_prefetch(reinterpret_cast<const void*>(code + i * kLine));
  }

  /// The agent whose run() is in progress, or null.
  const Agent* running() const { return running_; }

 private:
  void lower_limit(const Agent& agent) {
    const Cycle t = *agent.next_ + (running_->order_ < agent.order_ ? 1 : 0);
    if (t < limit_) limit_ = t;
  }
  static constexpr std::array<Cycle, kMaxAgents + 1> all_never() {
    std::array<Cycle, kMaxAgents + 1> cycles{};
    cycles.fill(kNever);
    return cycles;
  }
  /// The first agent and the next one; kMaxAgents stands for none.
  std::pair<unsigned, unsigned> first_two();
  /// The earliest next_ of a set of agents, one bit each.
  Cycle first_of(unsigned agents) const;

  /// Next cycle of each agent in their order. The extra entry for no agent is kNever.
  std::array<Cycle, kMaxAgents + 1> next_ = all_never();
  /// Bit i: agent i may have work. If it is clear, next_ is kNever. Most agents of a busy tile wait
  /// for others.
  unsigned due_ = 0;
  std::array<Agent*, kMaxAgents> agents_{};
  unsigned count_ = 0;
  unsigned asking_ = 0;    ///< bit i: agent i asks before it concerns those in left_
  unsigned portless_ = 0;  ///< bit i: agent i has no port to the network
  LeftAgents left_;
  Agent* running_ = nullptr;
  Cycle limit_ = 0;
  Cycle horizon_ = 0;
  Agent::Hot hot_;
};

inline void Agent::wake(Cycle t) { scheduler_->wake(*this, t); }
inline bool Agent::may_act(Cycle t) const { return t < scheduler_->limit(); }

}  // namespace tvp::support
