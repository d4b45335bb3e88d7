#include "platform/machine/thread_team.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using tvp::platform::ThreadTeam;

TEST(ThreadTeam, DoesEachPieceOnceInEveryRound) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    ThreadTeam team(threads);
    std::vector<std::atomic<unsigned>> times(100);
    for (unsigned round = 1; round <= 3000; ++round) {
      const unsigned pieces = round % 100 + 1;
      for (auto& each : times) each = 0;
      team.run(pieces, [&](unsigned piece) { ++times[piece]; });
      for (unsigned i = 0; i < 100; ++i) ASSERT_EQ(times[i], i < pieces ? 1U : 0U) << round;
    }
  }
}

TEST(ThreadTeam, WhatPiecesWroteIsThereAfterwards) {
  ThreadTeam team(3);
  std::vector<unsigned> plain(64);
  for (unsigned round = 1; round <= 3000; ++round) {
    team.run(64, [&](unsigned piece) { plain[piece] += round; });
    ASSERT_EQ(plain[round % 64], round * (round + 1) / 2);
  }
}

/// The two pieces wait for each other, so they need two threads.
TEST(ThreadTeam, WorksAtTheSameTime) {
  ThreadTeam team(2);
  std::atomic<unsigned> there = 0;
  std::atomic<unsigned> met = 0;
  team.run(2, [&](unsigned) {
    ++there;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (there != 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (there == 2) ++met;
  });
  EXPECT_EQ(met, 2U);
}

TEST(ThreadTeam, MembersThatSleepComeAgain) {
  ThreadTeam team(3);
  std::atomic<unsigned> done = 0;
  for (unsigned round = 0; round < 20; ++round) {
    // Longer than the threads spin.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
    while (std::chrono::steady_clock::now() < end) std::this_thread::yield();
    team.run(5, [&](unsigned) { ++done; });
  }
  EXPECT_EQ(done, 100U);
}

/// The caller waits inside a call and must be interruptible.
TEST(ThreadTeam, SignalsAreTheCallers) {
  ThreadTeam team(2);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<unsigned> there = 0;
  std::atomic<bool> blocked = false;
  team.run(2, [&](unsigned) {
    ++there;
    while (there != 2) std::this_thread::yield();
    sigset_t masked;
    pthread_sigmask(SIG_SETMASK, nullptr, &masked);
    if (std::this_thread::get_id() != caller) blocked = sigismember(&masked, SIGINT) == 1;
  });
  EXPECT_TRUE(blocked);
  sigset_t masked;
  pthread_sigmask(SIG_SETMASK, nullptr, &masked);
  EXPECT_EQ(sigismember(&masked, SIGINT), 0);
}

TEST(ThreadTeam, RefusesNonsense) {
  EXPECT_THROW(ThreadTeam(0), std::invalid_argument);
  ThreadTeam team(2);
  EXPECT_THROW(team.run(ThreadTeam::kMostPieces + 1, [](unsigned) {}), std::invalid_argument);
  team.run(0, [](unsigned) { FAIL(); });
}

}  // namespace
