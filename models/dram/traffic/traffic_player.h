#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/memory_system.h"
#include "models/dram/traffic/burst_values.h"
#include "models/dram/traffic/traffic_source.h"
#include "models/support/latency_histogram.h"

namespace tvp::dram {

/// Plays a source against a memory and checks the answers: every request is answered once, and a
/// read returns the last value written before it. Both sides keep a number for each burst. The
/// memory updates it in the order of data movement, the player in the order of requests.
class TrafficPlayer {
 public:
  struct Totals {
    std::uint64_t issued = 0;
    std::uint64_t answered = 0;
    std::uint64_t wrong_answers = 0;  ///< answers to no open request
    std::uint64_t wrong_data = 0;     ///< reads that did not return the last write
    MemCycle last_done = 0;
    support::LatencyHistogram read_latency;  ///< from the time at which the source issued it
    support::LatencyHistogram write_latency;
  };

  /// At most `outstanding` requests are open. Addresses of the source are inside the memory.
  TrafficPlayer(MemorySystem& memory, TrafficSource& source, unsigned outstanding);

  /// The time of the next event; kNeverMem at the end.
  MemCycle next_time();
  /// Simulates everything before `until`.
  void run(MemCycle until);
  bool finished() const { return !more_ && open_ == 0; }
  const Totals& totals() const { return totals_; }
  /// The error of the run in one sentence; empty if counts and data are right.
  std::string error() const;

 private:
  struct Open {
    std::uint64_t burst = 0;
    MemCycle wanted = 0;
    std::uint32_t value = 0;  ///< for a write the new value, for a read the expected one
    bool write = false;
    bool used = false;
    unsigned next_free = 0;
  };
  struct Done {
    MemCycle at;
    unsigned index;
  };
  static bool later(const Done& a, const Done& b) {
    return a.at != b.at ? a.at > b.at : a.index > b.index;
  }

  void fetch();
  void retire(MemCycle now);
  void inject(MemCycle now);
  bool try_issue(MemCycle now);
  void collect(DramChannel& channel);
  void answer(const Completion& completion);

  MemorySystem& memory_;
  TrafficSource& source_;
  const unsigned burst_shift_;
  TrafficRequest next_request_;
  bool more_ = true;
  bool blocked_ = false;  ///< the channel does not accept next_request_
  bool awaits_ = false;   ///< next_request_ counts from an answer that is to come
  MemCycle now_ = 0;
  MemCycle retry_at_ = kNeverMem;
  std::vector<Open> pool_;
  unsigned free_ = 0;
  unsigned open_ = 0;
  std::vector<Done> done_;  ///< a heap
  std::uint32_t last_value_ = 0;
  BurstValues values_;
  Totals totals_;
};

}  // namespace tvp::dram
