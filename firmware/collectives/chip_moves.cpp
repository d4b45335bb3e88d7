// Moves slices between DRAM and L1 for the interpreter, on the other data-movement core of the
// worker (foundation/contract/collectives/chip.h). Several moves are under way, each with its own
// transaction id. Their ends are reported in order.

#include "api/dataflow/dataflow_api.h"
#include "foundation/contract/collectives/chip.h"

namespace {

using namespace tvp::contract::collectives;

constexpr uint32_t kUnderWay = 8;

FORCE_INLINE volatile uint32_t& word(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

constexpr uint32_t kShifts[] = {get_compile_time_arg_val(0), get_compile_time_arg_val(1),
                                get_compile_time_arg_val(2)};
constexpr bool kSamePages = kShifts[0] == kShifts[1] && kShifts[1] == kShifts[2];
/// log2 of the bytes that one NoC request can write.
constexpr uint32_t kLargestShift = 13;

FORCE_INLINE uint32_t page_shift(uint32_t memory) {
  return kSamePages ? kShifts[0] : memory == 0 ? kShifts[0] : kShifts[memory == 1 ? 1 : 2];
}

/// In one piece of a page.
FORCE_INLINE void move(uint32_t memory, uint32_t shift, uint32_t at, uint32_t local, uint32_t bytes,
                       bool store, uint32_t trid) {
  const InterleavedPow2AddrGen<true> pages{.bank_base_address = memory,
                                           .log_base_2_of_page_size = shift};
  const uint64_t there = pages.get_noc_addr(at >> shift, at & ((1U << shift) - 1));
  if (store) {
    noc_async_write_one_packet_with_trid(local, there, bytes, trid);
  } else {
    noc_async_read_set_trid(trid);
    noc_async_read(there, local, bytes);
  }
}

FORCE_INLINE void begin(const volatile Move& command, const volatile ProgramHeader& header,
                        uint32_t trid) {
  const uint32_t what = command.what;
  const bool store = (what & kMoveStore) != 0;
  const uint32_t memory = header.memories[what & 3];
  const uint32_t shift = page_shift(what & 3);
  const uint32_t piece = 1U << (shift < kLargestShift ? shift : kLargestShift);
  uint32_t at = command.at;
  uint32_t local = command.local;
  for (uint32_t left = command.bytes; left != 0;) {
    const uint32_t rest = piece - (at & (piece - 1));
    const uint32_t bytes = left < rest ? left : rest;
    move(memory, shift, at, local, bytes, store, trid);
    at += bytes;
    local += bytes;
    left -= bytes;
  }
}

}  // namespace

void kernel_main() {
  const auto& header =
      *reinterpret_cast<const volatile ProgramHeader*>(get_arg_val<uint32_t>(kChipProgram));
  const uint32_t base = get_arg_val<uint32_t>(kChipBase);
  const ChipLayout layout = chip_layout(base, 0, 0);
  uint32_t issued = 0;
  uint32_t done = 0;
  for (;;) {
    if (issued != word(layout.moves_posted) && issued - done < kUnderWay) {
      const auto& command = reinterpret_cast<const volatile Move*>(layout.moves)[issued % kMoves];
      if (command.what == kMoveStop) {
        if (done == issued) break;
      } else {
        begin(command, header, 1 + issued % kUnderWay);
        ++issued;
      }
    }
    if (done != issued &&
        ncrisc_noc_nonposted_write_with_transaction_id_flushed(noc_index, 1 + done % kUnderWay)) {
      ++done;
      word(layout.moves_done) = done;
    }
  }
  noc_async_read_set_trid(0);
  noc_async_full_barrier();
}
