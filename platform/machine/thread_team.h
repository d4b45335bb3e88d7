#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace tvp::platform {

/// Threads of the host that repeatedly share out pieces of work. Between rounds they spin for a
/// moment, since the next round usually comes within microseconds, and then sleep.
class ThreadTeam {
 public:
  static constexpr unsigned kMostPieces = (1U << 20) - 1;

  /// `threads` includes the caller of run() and is at least 1.
  explicit ThreadTeam(unsigned threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  using Work = std::function<void(unsigned piece)>;
  /// Calls work(0) to work(pieces - 1), each once and on any free thread. Returns when all are
  /// done. `work` must not throw.
  void run(unsigned pieces, const Work& work);

 private:
  void member();
  /// Takes pieces of the current round until none is left.
  void take_part();

  // A round is one word: its number, its number of pieces and the next free piece. A thread that
  // comes late therefore finds no piece left and cannot take one of the next round.
  static constexpr unsigned kPieceBits = 24;
  static constexpr unsigned kPiecesBits = 20;
  std::atomic<std::uint64_t> round_ = 0;
  std::atomic<std::uint32_t> rounds_ = 0;  ///< number of rounds begun; members sleep on it
  std::atomic<std::uint32_t> done_ = 0;    ///< pieces of the current round that are done
  std::atomic<bool> ends_ = false;
  const Work* work_ = nullptr;
  std::vector<std::thread> members_;
};

}  // namespace tvp::platform
