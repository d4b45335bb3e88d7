#pragma once
// Pause and resume of a prefetcher. A kernel of another operation constructs a PrefetcherPause for
// each sender, and the two kernels of the sender each have a PrefetcherGate. tt-metal has no such
// interface; its report names it as future work (tech_reports/prefetcher, "Pause Prefetching").

#include "api/dataflow/dataflow_api.h"
#include "debug/assert.h"
#include "foundation/contract/prefetcher_control.h"

namespace tvp::prefetcher {

/// Pauses and resumes one sender. Several kernels can pause the same sender. It resumes when the
/// last of them resumes it.
class PrefetcherPause {
 public:
  /// `x` and `y` are the sender's coordinates, as for get_noc_addr(). `control` is the address of
  /// its contract::PrefetcherControl. `scratch` is a multiple of 16 in this core's L1, where the
  /// class needs 16 bytes.
  PrefetcherPause(uint32_t x, uint32_t y, uint32_t control, uint32_t scratch)
      : control_(get_noc_addr(x, y, control)), scratch_(scratch), place_(y * 64 + x) {}

  /// Returns when the sender neither reads DRAM nor writes to receivers. The blocks that it had
  /// requested before are then in its L1 or at the receivers. Waits for the start of a prefetcher
  /// that has not begun. Uses the read barrier of this core's NoC.
  void pause() {
    if (paused_) debug::trip_assert(place_, contract::kAssertPausedTwice);
    paused_ = true;
    noc_semaphore_inc(control_, 1);
    noc_async_atomic_barrier();
    const auto* words = reinterpret_cast<const volatile contract::PrefetcherControl*>(scratch_);
    do {
      noc_async_read(control_, scratch_, sizeof(contract::PrefetcherControl));
      noc_async_read_barrier();
    } while (words->reader_stopped == 0 || words->writer_stopped == 0);
  }
  /// The sender continues with the block that follows the last one it has requested.
  void resume() {
    if (!paused_) debug::trip_assert(place_, contract::kAssertResumedWithoutPause);
    paused_ = false;
    noc_semaphore_inc(control_, 0xFFFFFFFF);
    noc_async_atomic_barrier();
  }

 private:
  uint64_t control_;
  uint32_t scratch_;
  uint32_t place_;
  bool paused_ = false;
};

/// The side of a sender's reader or writer, from begin() to end(). The kernel asks for requested()
/// before each block, and in each loop in which it waits for something that a paused partner does
/// not give. It then calls wait() with nothing in flight.
class PrefetcherGate {
 public:
  enum class End : uint8_t { kReader, kWriter };

  void begin(uint32_t control, End end) {
    auto& words = *reinterpret_cast<volatile contract::PrefetcherControl*>(control);
    pauses_ = &words.pauses;
    stopped_ = end == End::kReader ? &words.reader_stopped : &words.writer_stopped;
    set_stopped(0);
  }
  /// A prefetcher that has ended counts as stopped.
  void end() const { set_stopped(1); }

  bool requested() const {
    const auto pauses = static_cast<int32_t>(*pauses_);
    if (pauses < 0)
      debug::trip_assert(my_y[noc_index] * 64 + my_x[noc_index],
                         contract::kAssertResumedWithoutPause);
    return pauses != 0;
  }
  /// Blocks until no kernel pauses the prefetcher. A pause that begins between the last look at
  /// `pauses` and the reset of the word sees the word still set, so the look is repeated.
  void wait() const {
    do {
      set_stopped(1);
      while (requested()) {
      }
      set_stopped(0);
    } while (requested());
  }

 private:
  /// Reads the word back, so that the store is in L1 before the next load.
  void set_stopped(uint32_t value) const {
    *stopped_ = value;
    while (*stopped_ != value) {
    }
  }

  const volatile uint32_t* pauses_ = nullptr;
  volatile uint32_t* stopped_ = nullptr;
};

}  // namespace tvp::prefetcher
