#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tvp::platform {

/// Threads of the host that do pieces of work at the same time, over and over. They wait awake for
/// a moment, since the next round mostly comes within microseconds, and then sleep.
class ThreadTeam {
 public:
  static constexpr unsigned kMostPieces = (1U << 20) - 1;

  /// `threads` counts the caller of run(), who works, too; one at least.
  explicit ThreadTeam(unsigned threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  using Work = std::function<void(unsigned piece)>;
  /// Calls work(0) to work(pieces - 1), each once and by whoever is free, and returns when all are
  /// done. `work` must not throw.
  void run(unsigned pieces, const Work& work);

 private:
  void member();
  /// Takes pieces of the present round as long as there are any.
  void take_part();

  // A round is one word, so that whoever comes late finds that nothing is left of it and touches
  // nothing of the next: its number, how many pieces it has, and the first that nobody has taken.
  static constexpr unsigned kPieceBits = 24;
  static constexpr unsigned kPiecesBits = 20;
  std::atomic<std::uint64_t> round_ = 0;
  std::atomic<std::uint32_t> rounds_ = 0;  ///< begun; members sleep on it
  std::atomic<std::uint32_t> done_ = 0;    ///< pieces of the present round
  std::atomic<bool> ends_ = false;
  const Work* work_ = nullptr;
  std::vector<std::thread> members_;
};

}  // namespace tvp::platform
