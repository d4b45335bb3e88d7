#include "platform/ranks/mpi_ranks.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "foundation/host_error.h"

namespace tvp::platform {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTag = 1;
/// A receiver spins so long before it gives its core away: the time of a few exchanges.
constexpr std::chrono::microseconds kSpin(50);
/// The longest nap of a receiver, which bounds the delay of a message after a long wait.
constexpr std::chrono::nanoseconds kLongestNap(1'000'000);

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw foundation::HostError("mpi", std::string(what) + ": " + text);
}

/// CPU time of this thread in seconds.
double cpu_s() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

/// The name of a rank for all others.
struct Card {
  char host[256] = {};
  int process = 0;
  RankWatch::Addresses addresses{};
};

}  // namespace

MpiRanks::MpiRanks() {
  int is_ready = 0;
  MPI_Initialized(&is_ready);
  if (is_ready == 0) {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<unsigned>(rank);
  size_ = static_cast<unsigned>(size);
  watch_ = std::make_unique<RankWatch>(rank_, size_);
  Card mine;
  gethostname(mine.host, sizeof mine.host - 1);
  mine.process = getpid();
  if (rank_ == 0) mine.addresses = watch_->listen();
  std::vector<Card> cards(size_);
  check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, cards.data(), sizeof mine, MPI_BYTE,
                      MPI_COMM_WORLD),
        "MPI_Allgather");
  for (unsigned each = 0; each < size_; ++each)
    watch_->set_place(each,
                      "process " + std::to_string(cards[each].process) + " on " + cards[each].host);
  watch_->connect(cards[0].addresses);
  const auto here = std::count_if(cards.begin(), cards.end(), [&](const Card& each) {
    return std::strcmp(each.host, mine.host) == 0;
  });
  is_crowded_ = here > static_cast<long>(std::thread::hardware_concurrency());
}

void MpiRanks::send(unsigned to, const Message& message) {
  forget_sent();
  Sent& sent = sent_.emplace_back();
  sent.bytes = message.bytes();
  ++sent_messages_;
  sent_bytes_ += sent.bytes.size();
  check(MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE,
                  static_cast<int>(to), kTag, MPI_COMM_WORLD, &sent.request),
        "MPI_Isend");
}

void MpiRanks::forget_sent() {
  sent_.remove_if([](Sent& each) {
    int is_done = 0;
    MPI_Test(&each.request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
}

Message MpiRanks::receive(unsigned from) {
  const auto start = Clock::now();
  const double cpu_before = cpu_s();
  for (;;) {
    int is_there = 0, size = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(static_cast<int>(from), kTag, MPI_COMM_WORLD, &is_there, &handle, &status),
          "MPI_Improbe");
    const auto waited = Clock::now() - start;
    if (is_there != 0) {
      MPI_Get_count(&status, MPI_BYTE, &size);
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
      check(MPI_Mrecv(bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE), "MPI_Mrecv");
      waited_s_ += std::chrono::duration<double>(waited).count();
      waited_cpu_s_ += cpu_s() - cpu_before;
      return Message(std::move(bytes));
    }
    if (!sent_.empty()) forget_sent();
    if (waited < kSpin) {
      if (is_crowded_) sched_yield();
      continue;
    }
    watch_->nap(std::min<std::chrono::nanoseconds>(waited / 8, kLongestNap));
  }
}

void MpiRanks::close() {
  watch_->stop();
  // A job without one of its ranks cannot end in order: mpirun ends it.
  if (is_broken()) return;
  for (Sent& each : sent_) MPI_Wait(&each.request, MPI_STATUS_IGNORE);
  sent_.clear();
  MPI_Finalize();
}

}  // namespace tvp::platform

extern "C" __attribute__((visibility("default"))) tvp::platform::Ranks* tensix_vp_make_ranks() {
  return new tvp::platform::MpiRanks();
}
