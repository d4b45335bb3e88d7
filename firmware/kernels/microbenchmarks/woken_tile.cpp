// An idle tile that also gets the go signal. BRISC does what tt-metal's firmware, built for
// profiling, does in this case (brisc.cc, kernel_profiler.hpp of March 2026). It has been waiting,
// so the measurement begins with the kernel of the signal. Other tiles may notice its narrow
// back-to-back stores to L1.

#include "api/dataflow/dataflow_api.h"
#include "experimental/noc.h"
#include "firmware/kernels/microbenchmarks/go_signal.h"

namespace {

constexpr uint32_t kRounds = get_compile_time_arg_val(0);
constexpr uint32_t kSignal = get_compile_time_arg_val(1);
constexpr uint32_t kReady = get_compile_time_arg_val(2);
constexpr uint32_t kGiverX = get_compile_time_arg_val(3);
constexpr uint32_t kGiverY = get_compile_time_arg_val(4);
constexpr uint32_t kRecords = get_compile_time_arg_val(5);
// True in the tile that sends the signal, in the corner where NoC 1 begins.
constexpr bool kGives = get_compile_time_arg_val(6) != 0;
constexpr uint32_t kTiles = get_compile_time_arg_val(7);
constexpr uint32_t kValue = get_compile_time_arg_val(8);
constexpr uint32_t kEndX = get_compile_time_arg_val(9);
constexpr uint32_t kEndY = get_compile_time_arg_val(10);

using tvp::kernels::microbenchmarks::word_of;
using Words = volatile uint32_t*;

// The profiler's records: the words that cores and host exchange, then 2 KiB for each core. These
// begin with identification and four markers for which space is always reserved.
constexpr uint32_t kControlWords = 32;
constexpr uint32_t kCores = 5;
constexpr uint32_t kCoreWords = 512;
constexpr uint32_t kTimes = 4;
constexpr uint32_t kBehindTimes = 12;
constexpr uint32_t kHost = 3, kTrace = 2;
constexpr uint32_t kValid = 0x80000000;
enum Control : uint32_t { kEnds = 5, kRuns = 15, kDone = 16, kX = 17, kY = 18 };

// Size of the launch message of a tile: the words that the kernel reads of it.
constexpr uint32_t kMessage = kControlWords + kCores * kCoreWords;
constexpr uint32_t kSaid = 28, kWhichSignal = 30, kWhichMessage = 31;  // words of it

Words control() { return reinterpret_cast<Words>(kRecords); }
Words record(uint32_t core) { return control() + kControlWords + core * kCoreWords; }
Words message() { return control() + kMessage; }
void say(uint32_t index, uint8_t what) {
  reinterpret_cast<volatile uint8_t*>(message() + kSaid)[index] = what;
}
void read_message(uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) (void)message()[first + i];
}

/// Position of a tile's loop when the signal arrives: up to 63 cycles, different each time.
FORCE_INLINE void wait_for_phase(uint32_t& state) {
  state = state * 1664525 + 1013904223;
  const auto clock = reinterpret_cast<Words>(RISCV_DEBUG_REG_WALL_CLOCK_L);
  const uint32_t begin = *clock;
  while (*clock - begin < state >> 26) {
  }
}

/// Reads again which signal counts, its value, the message, and if that may run immediately.
__attribute__((noinline)) void wait_for_signal(uint32_t round) {
  const Words signal = word_of(kSignal);
  while (signal[message()[kWhichSignal]] < round && message()[message()[kWhichMessage]] == 0) {
  }
}

/// A tile that never had a kernel starts its records again each time, because its runs are not
/// counted.
__attribute__((noinline)) void begin_records() {
  const uint32_t runs = control()[kRuns];
  control()[kDone] = 0;
  if (runs == 0) {
    for (uint32_t core = 0; core < kCores; ++core) {
      for (uint32_t i = 0; i < kTimes; ++i) record(core)[i] = 0;
      record(core)[kTrace] = record(core)[kTrace] & 0x7FF;
    }
    control()[kX] = my_x[0];
    control()[kY] = my_y[0];
  }
  for (uint32_t core = 0; core < kCores; ++core) {
    for (uint32_t i = kTimes; i < kBehindTimes; ++i) record(core)[i] = kValid;
  }
}

FORCE_INLINE void mark(uint32_t at) {
  const auto clock = reinterpret_cast<Words>(RISCV_DEBUG_REG_WALL_CLOCK_L);
  record(0)[at] = kValid | (*reinterpret_cast<Words>(RISCV_DEBUG_REG_WALL_CLOCK_H) & 0xFFF);
  record(0)[at + 1] = *clock;
}

/// Word RISCV_IC_INVALIDATE_InvalidateAll of the backend's configuration: all cores.
FORCE_INLINE void forget_instructions() {
  reinterpret_cast<Words>(0xFFEF0000)[RISCV_IC_INVALIDATE_InvalidateAll_ADDR32] = 0x1F;
}

/// Writes the markers of the firmware's own zone and the owner of the records.
__attribute__((noinline)) void begin_launch() {
  begin_records();
  mark(kTimes);
  read_message(0, 2);
  control()[kDone] = 1;
  read_message(2, 1);
  for (uint32_t core = 0; core < kCores; ++core) record(core)[kHost] = 0;
  read_message(3, 10);
  forget_instructions();
}

/// Nothing is enabled, so there is no core to wait for.
__attribute__((noinline)) void end_launch() {
  read_message(13, 6);
  noc_local_state_init(0);
  read_message(19, 4);
  say(0, 3);  // T0 may set its registers again
  read_message(23, 1);
  say(1, 0);
  read_message(24, 1);
  say(2, 0);
  say(3, 0);
  read_message(25, 1);
  message()[kWhichMessage] = 0;
  mark(kTimes + 2);
  control()[kEnds] = kBehindTimes;
}

/// Sends the signal when all cores wait for it.
__attribute__((noinline)) void give(uint32_t round) {
  using experimental::Noc;
  noc_semaphore_wait(word_of(kReady), round * (kTiles - 1));
  *word_of(kValue) = round;
  Noc(1).async_write_multicast<Noc::McastMode::INCLUDE_SRC>(
      experimental::UnicastEndpoint{}, experimental::MulticastEndpoint{}, sizeof(uint32_t), kTiles,
      {.addr = get_semaphore(kValue)},
      {.noc_x_start = kGiverX,
       .noc_y_start = kGiverY,
       .noc_x_end = kEndX,
       .noc_y_end = kEndY,
       .addr = get_semaphore(kSignal)});
}

}  // namespace

void kernel_main() {
  const uint64_t giver = get_noc_addr(kGiverX, kGiverY, get_semaphore(kReady));
  uint32_t phase = get_arg_val<uint32_t>(0);
  for (uint32_t round = 1; round <= kRounds; ++round) {
    if constexpr (kGives) {
      give(round);
    } else {
      noc_semaphore_inc(giver, 1);
    }
    wait_for_phase(phase);
    wait_for_signal(round);
    begin_launch();
    end_launch();
  }
  if constexpr (kGives) experimental::Noc(1).async_write_barrier();
  noc_async_atomic_barrier();
}
