#include "platform/machine/thread_team.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

#include <signal.h>

#include <stdexcept>
#include <system_error>

namespace tvp::platform {

namespace {

/// Number of looks before a thread sleeps: some 20 us, two or three times as long as a wake-up.
constexpr unsigned kLooks = 500;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#endif
}

/// Waits until `value` differs from `old`.
void wait_until_not(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (unsigned i = 0; i < kLooks; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadTeam::ThreadTeam(unsigned threads) {
  if (threads == 0) throw std::invalid_argument("ThreadTeam: no thread");
  // Members block all signals, since signals are to interrupt a call of the main thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (unsigned i = 1; i < threads; ++i) members_.emplace_back([this] { member(); });
  } catch (const std::system_error&) {
    // The host has no more threads; continue with those that exist.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ThreadTeam::~ThreadTeam() {
  ends_.store(true, std::memory_order_release);
  rounds_.fetch_add(1, std::memory_order_release);
  rounds_.notify_all();
  for (std::thread& each : members_) each.join();
}

void ThreadTeam::run(unsigned pieces, const Work& work) {
  if (pieces == 0) return;
  if (pieces > kMostPieces) throw std::invalid_argument("ThreadTeam: too many pieces");
  work_ = &work;
  done_.store(0, std::memory_order_relaxed);
  const std::uint64_t number =
      (round_.load(std::memory_order_relaxed) >> (kPieceBits + kPiecesBits)) + 1;
  round_.store(number << (kPieceBits + kPiecesBits) | std::uint64_t{pieces} << kPieceBits,
               std::memory_order_release);
  rounds_.fetch_add(1, std::memory_order_release);
  rounds_.notify_all();
  take_part();
  while (true) {
    const std::uint32_t done = done_.load(std::memory_order_acquire);
    if (done == pieces) return;
    wait_until_not(done_, done);
  }
}

void ThreadTeam::take_part() {
  constexpr std::uint64_t kPieces = (std::uint64_t{1} << kPiecesBits) - 1;
  constexpr std::uint64_t kPiece = (std::uint64_t{1} << kPieceBits) - 1;
  while (true) {
    const std::uint64_t taken = round_.fetch_add(1, std::memory_order_acq_rel);
    const std::uint64_t piece = taken & kPiece;
    if (piece >= (taken >> kPieceBits & kPieces)) return;
    (*work_)(static_cast<unsigned>(piece));
    done_.fetch_add(1, std::memory_order_acq_rel);
    done_.notify_one();
  }
}

void ThreadTeam::member() {
  std::uint32_t seen = 0;
  while (true) {
    wait_until_not(rounds_, seen);
    seen = rounds_.load(std::memory_order_acquire);
    if (ends_.load(std::memory_order_acquire)) return;
    take_part();
  }
}

}  // namespace tvp::platform
