#pragma once
// The API of a PIM unit's programs: move bytes between the bank and WRAM, send messages into
// windows of other units, wait, meet at barriers, read the clock, print.
//
// A program has an ordinary main(), and the host reads its return value as the status. Static data
// and the stack are in WRAM (64 KiB), so DMA and messages can use every aligned object. The host
// sets variables with C linkage by name before the start. Only dma_read and dma_write reach the
// bank.
//
// Every wait here is a loop of one load, which the simulated core sleeps through.
//
// With PIM_TASKLETS=N, main() runs in N hardware threads of the unit (`pim.tasklets`). They share
// static data, and each has its own stack. dma_read and dma_write then are one instruction that
// stops the tasklet, for up to 2048 bytes, as with a DPU of UPMEM.

#include <cstdint>

#include "foundation/regs/pim.h"

namespace pim {

namespace regs = tvp::regs::pim;

inline volatile std::uint32_t& device_register(std::uint32_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

inline std::uint32_t wram_address(const volatile void* object) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object));
}

/// Waits until the free-running counter at `address` has reached `count`.
inline void wait_count(std::uint32_t address, std::uint32_t count) {
  while (static_cast<std::int32_t>(device_register(address) - count) < 0) {
  }
  asm volatile("" ::: "memory");  // data is read after the wait
}

/// True if the count has reached `count`. Read the data only after this.
inline bool count_reached(std::uint32_t address, std::uint32_t count) {
  const bool reached = static_cast<std::int32_t>(device_register(address) - count) >= 0;
  asm volatile("" ::: "memory");
  return reached;
}

// --- Who and when ---

inline std::uint32_t unit_id() { return device_register(regs::kControl + regs::control::kUnit); }
inline std::uint32_t unit_count() {
  return device_register(regs::kControl + regs::control::kUnits);
}

/// Cycles of the unit's clock since power-on.
inline std::uint64_t timer() {
  const std::uint32_t low = device_register(regs::kControl + regs::control::kTimerLow);
  const std::uint32_t high = device_register(regs::kControl + regs::control::kTimerHigh);
  return std::uint64_t{high} << 32 | low;
}

// --- DMA; addresses and lengths are multiples of 8 ---

/// The operation for which dma_wait() or send_wait() waits.
using Ticket = std::uint32_t;

inline Ticket dma_start(std::uint32_t bank, const volatile void* wram, std::uint32_t bytes,
                        std::uint32_t direction) {
  asm volatile("" ::: "memory");
  device_register(regs::kDma + regs::dma::kWramAddress) = wram_address(wram);
  device_register(regs::kDma + regs::dma::kBankAddress) = bank;
  device_register(regs::kDma + regs::dma::kBytes) = bytes;
  device_register(regs::kDma + regs::dma::kGo) = direction;
  return device_register(regs::kDma + regs::dma::kIssued);
}

/// Bank to WRAM. Up to regs::dma::kQueue may be under way; they are served in order.
inline Ticket dma_read_async(void* wram, std::uint32_t bank, std::uint32_t bytes) {
  return dma_start(bank, wram, bytes, regs::dma::kGoRead);
}
/// WRAM to bank.
inline Ticket dma_write_async(std::uint32_t bank, const void* wram, std::uint32_t bytes) {
  return dma_start(bank, wram, bytes, regs::dma::kGoWrite);
}
inline void dma_wait(Ticket ticket) { wait_count(regs::kDma + regs::dma::kCompleted, ticket); }

inline bool dma_done(Ticket ticket) {
  return count_reached(regs::kDma + regs::dma::kCompleted, ticket);
}

#ifndef PIM_TASKLETS
inline void dma_read(void* wram, std::uint32_t bank, std::uint32_t bytes) {
  dma_wait(dma_read_async(wram, bank, bytes));
}
inline void dma_write(std::uint32_t bank, const void* wram, std::uint32_t bytes) {
  dma_wait(dma_write_async(bank, wram, bytes));
}
#else
inline void dma_read(void* wram, std::uint32_t bank, std::uint32_t bytes) {
  asm volatile(".insn r4 %0, %1, 0, x0, %2, %3, %4" ::"i"(regs::tasklet::kMoveOpcode),
               "i"(regs::tasklet::kMoveRead), "r"(wram), "r"(bank), "r"(bytes)
               : "memory");
}
inline void dma_write(std::uint32_t bank, const void* wram, std::uint32_t bytes) {
  asm volatile(".insn r4 %0, %1, 0, x0, %2, %3, %4" ::"i"(regs::tasklet::kMoveOpcode),
               "i"(regs::tasklet::kMoveWrite), "r"(wram), "r"(bank), "r"(bytes)
               : "memory");
}

// --- Tasklets ---

inline constexpr std::uint32_t kTasklets = PIM_TASKLETS;
static_assert(kTasklets >= 1 && kTasklets <= regs::kMaxTasklets);

inline std::uint32_t tasklet_id() { return device_register(regs::kTasklets + regs::tasklet::kId); }

/// Waits until all tasklets have called this.
inline void tasklet_barrier() {
  asm volatile("" ::: "memory");
  device_register(regs::kTasklets + regs::tasklet::kMeet) = 1;
  asm volatile("" ::: "memory");
}

/// One of the unit's mutexes, 0 to 31. A tasklet that waits for one executes a loop.
class Mutex {
 public:
  explicit constexpr Mutex(std::uint32_t number)
      : address_(regs::kTasklets + regs::tasklet::kMutex + 4 * number) {}
  void lock() const {
    while (device_register(address_) == 0) {
    }
    asm volatile("" ::: "memory");
  }
  void unlock() const {
    asm volatile("" ::: "memory");
    device_register(address_) = 0;
  }

 private:
  std::uint32_t address_;
};
#endif

// --- Messages; addresses, offsets and lengths are multiples of 4 ---

/// Where messages of a channel (0 to 15) are written. A message beyond the end is a fault, so a
/// window must be there before the first message is: set windows, then barrier().
inline void set_window(std::uint32_t channel, void* base, std::uint32_t bytes) {
  const std::uint32_t window =
      regs::kStop + regs::stop::kWindows + channel * regs::stop::kWindowStride;
  device_register(window + regs::stop::kWindowBase) = wram_address(base);
  device_register(window + regs::stop::kWindowBytes) = bytes;
}

/// Writes `bytes` of WRAM into the window of `channel` at unit `destination`, `offset` behind its
/// base. The bytes may change after send_wait().
inline Ticket send_async(std::uint32_t destination, std::uint32_t channel, std::uint32_t offset,
                         const void* data, std::uint32_t bytes) {
  asm volatile("" ::: "memory");
  device_register(regs::kStop + regs::stop::kDestination) = destination;
  device_register(regs::kStop + regs::stop::kChannel) = channel;
  device_register(regs::kStop + regs::stop::kWramAddress) = wram_address(data);
  device_register(regs::kStop + regs::stop::kBytes) = bytes;
  device_register(regs::kStop + regs::stop::kOffset) = offset;
  device_register(regs::kStop + regs::stop::kGo) = 1;
  return device_register(regs::kStop + regs::stop::kIssued);
}
/// Waits until the bytes of the message may be overwritten. The message need not have arrived.
inline void send_wait(Ticket ticket) { wait_count(regs::kStop + regs::stop::kSent, ticket); }

inline bool send_done(Ticket ticket) {
  return count_reached(regs::kStop + regs::stop::kSent, ticket);
}

inline void send(std::uint32_t destination, std::uint32_t channel, std::uint32_t offset,
                 const void* data, std::uint32_t bytes) {
  send_wait(send_async(destination, channel, offset, data, bytes));
}
/// Sends a message of 0 bytes: a credit or a signal.
inline void signal(std::uint32_t destination, std::uint32_t channel) {
  send_async(destination, channel, 0, nullptr, 0);
}

// --- The switch between the chips of a rank; systems of tiers have one ---
// It joins the units that have the same number in their chips. Chips are those of the rank, a bit
// each, or a regs::stop::chip_range() in an order of the form regs::stop::kOrderRanges. A window
// must be free when it is written, as with messages.

inline Ticket switch_order_async(std::uint32_t order, std::uint32_t from_chips,
                                 std::uint32_t to_chips, std::uint32_t channel,
                                 std::uint32_t offset, const void* data, std::uint32_t bytes) {
  asm volatile("" ::: "memory");
  device_register(regs::kStop + regs::stop::kOrder) = order;
  device_register(regs::kStop + regs::stop::kFromChips) = from_chips;
  device_register(regs::kStop + regs::stop::kToChips) = to_chips;
  device_register(regs::kStop + regs::stop::kChannel) = channel;
  device_register(regs::kStop + regs::stop::kWramAddress) = wram_address(data);
  device_register(regs::kStop + regs::stop::kBytes) = bytes;
  device_register(regs::kStop + regs::stop::kOffset) = offset;
  device_register(regs::kStop + regs::stop::kGoSwitch) = 1;
  return device_register(regs::kStop + regs::stop::kIssued);
}

/// Sends a message to the unit of this number in each chip of `to_chips`, for the beats of one
/// message. This chip must not be in a mask `to_chips`; a range leaves it out.
inline Ticket multicast_async(std::uint32_t to_chips, std::uint32_t channel, std::uint32_t offset,
                              const void* data, std::uint32_t bytes, std::uint32_t form = 0) {
  return switch_order_async(regs::stop::kOrderMulticast | form, 0, to_chips, channel, offset, data,
                            bytes);
}

/// The units of this number in all of `from_chips`, which includes this chip, call this with the
/// same arguments. Chips in `to_chips`, a subset, get the combination of all operands as a message
/// at the place of their own call. `op` and `type` are those of regs::stop. Operands are combined
/// in the order of the chips.
inline Ticket reduce_async(std::uint32_t op, std::uint32_t type, std::uint32_t from_chips,
                           std::uint32_t to_chips, std::uint32_t channel, std::uint32_t offset,
                           const void* data, std::uint32_t bytes, std::uint32_t form = 0) {
  const std::uint32_t order =
      regs::stop::kOrderReduce | op << regs::stop::kOpShift | type << regs::stop::kTypeShift | form;
  return switch_order_async(order, from_chips, to_chips, channel, offset, data, bytes);
}

/// Messages of a channel that have arrived since the unit was started, modulo 2^32.
inline std::uint32_t arrivals(std::uint32_t channel) {
  return device_register(regs::kStop + regs::stop::kWindows + channel * regs::stop::kWindowStride +
                         regs::stop::kArrivals);
}
/// Waits until `count` messages have arrived since the start of the unit.
inline void wait_arrivals(std::uint32_t channel, std::uint32_t count) {
  wait_count(regs::kStop + regs::stop::kWindows + channel * regs::stop::kWindowStride +
                 regs::stop::kArrivals,
             count);
}

// --- Barrier ---

/// Waits until all units that were started together reach the barrier.
inline void barrier() {
  const std::uint32_t generation = device_register(regs::kBarrier + regs::barrier::kGeneration);
  device_register(regs::kBarrier + regs::barrier::kArrive) = 1;
  wait_count(regs::kBarrier + regs::barrier::kGeneration, generation + 1);
}

// --- Print ---

inline void print(char character) {
  device_register(regs::kControl + regs::control::kPrint) = static_cast<unsigned char>(character);
}
inline void print(const char* text) {
  while (*text != 0) print(*text++);
}
inline void print(std::uint32_t number) {
  char digits[10];
  unsigned count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) print(digits[--count]);
}

}  // namespace pim
