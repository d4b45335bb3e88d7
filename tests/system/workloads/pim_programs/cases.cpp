// Programs of PIM units with valid and invalid accesses; the host selects the case.

#include "firmware/api/pim.h"

extern "C" {
std::uint32_t test_case;
std::uint32_t result;
}

namespace {

constexpr std::uint32_t kMessages = 60;
alignas(8) std::uint32_t buffer[4096];
alignas(8) std::uint32_t window[4096];

void print_something() {
  pim::print("unit ");
  pim::print(pim::unit_id());
  pim::print(" of ");
  pim::print(pim::unit_count());
}

/// Each of 16 units sends messages of 0 to 236 bytes to all others, which check each message as
/// soon as it is counted. The channel is the source.
int many_messages() {
  const std::uint32_t me = pim::unit_id();
  const std::uint32_t units = 16;
  constexpr std::uint32_t kSlot = 240;
  for (std::uint32_t c = 0; c < units; ++c) {
    pim::set_window(c, reinterpret_cast<std::uint8_t*>(window) + c * kSlot, kSlot);
  }
  pim::barrier();
  for (std::uint32_t round = 0; round < kMessages; ++round) {
    for (std::uint32_t i = 0; i < round; ++i) buffer[i] = me << 16 | round;
    const std::uint32_t bytes = round % 60 * 4;
    for (std::uint32_t d = 1; d < units; ++d) {
      pim::send((me + d) % units, me, 0, buffer, bytes);
    }
    for (std::uint32_t s = 0; s < units; ++s) {
      if (s == me) continue;
      pim::wait_arrivals(s, round + 1);
      const std::uint32_t* const got = window + s * (kSlot / 4);
      for (std::uint32_t i = 0; i < bytes / 4; ++i) {
        if (got[i] != (s << 16 | round)) return 1;
      }
    }
    pim::barrier();  // windows may be written again
  }
  return 0;
}

/// Counts in WRAM until a message arrives, as idle firmware does.
int heartbeats(bool ends) {
  if (ends && pim::unit_id() == 0) {
    for (volatile std::uint32_t i = 0; i < 3000; i = i + 1) {
    }
    for (std::uint32_t d = 1; d < pim::unit_count(); ++d) pim::signal(d, 3);
    return 0;
  }
  volatile std::uint32_t& beats = result;
  while (pim::arrivals(3) == 0) beats = beats + 1;
  return 0;
}

/// Reads, sends or overwrites arriving data after a wait, without one, or after an incomplete one.
int uses_dma(unsigned way) {
  constexpr std::uint32_t kBytes = 512;
  const auto pause = [] {
    for (std::uint64_t end = pim::timer() + 5000; pim::timer() < end;) {
    }
  };
  volatile std::uint32_t* const brought = buffer;
  const pim::Ticket ticket = pim::dma_read_async(buffer, 0, kBytes);
  buffer[1024] = 1;  // outside of the transfer
  if (way == 0) pim::dma_wait(ticket);
  if (way == 2) pause();
  if (way <= 2) result = brought[kBytes / 4 - 1];
  if (way == 3) {
    pim::set_window(2, window, kBytes);
    pim::send(pim::unit_id(), 2, 0, buffer, kBytes);
  }
  if (way == 4) {  // in order: the engine waits, so the core need not
    pim::dma_wait(pim::dma_write_async(kBytes, buffer, kBytes));
  }
  pim::dma_wait(ticket);
  const pim::Ticket written = pim::dma_write_async(kBytes, buffer, kBytes);
  result = brought[1];  // the result must not change
  if (way == 5) brought[1] = 7;
  if (way != 6) pim::dma_wait(written);
  return 0;
}

/// Sends a message to this unit and changes its bytes at once, later, or after the wait.
int changes_a_message(unsigned way) {
  constexpr std::uint32_t kBytes = 512;
  pim::set_window(2, window, kBytes);
  const pim::Ticket ticket = pim::send_async(pim::unit_id(), 2, 0, buffer, kBytes);
  result = buffer[1];  // a load is right
  if (way == 1) {
    for (const std::uint64_t end = pim::timer() + 5000; pim::timer() < end;) {
    }
  }
  if (way == 2) pim::send_wait(ticket);
  buffer[1] = 7;
  pim::send_wait(ticket);
  pim::wait_arrivals(2, 1);
  return 0;
}

/// Uses a message from this unit before the count of arrivals, or after it.
int uses_a_message(bool waits) {
  constexpr std::uint32_t kBytes = 512;
  pim::set_window(2, window, kBytes);
  pim::send(pim::unit_id(), 2, 0, buffer, kBytes);
  for (const std::uint64_t end = pim::timer() + 5000; pim::timer() < end;) {
  }
  if (waits) pim::wait_arrivals(2, 1);
  result = *reinterpret_cast<volatile std::uint32_t*>(window);
  return 0;
}

/// Sends two messages to one place. The first must be counted before the second.
int overwrites_a_message(bool waits) {
  constexpr std::uint32_t kBytes = 512;
  pim::set_window(2, window, kBytes);
  for (std::uint32_t i = 1; i <= 2; ++i) {
    pim::send(pim::unit_id(), 2, 0, buffer, kBytes);
    if (waits) pim::wait_arrivals(2, i);
  }
  pim::wait_arrivals(2, 2);
  return 0;
}

/// Each call takes more than 256 bytes of the stack.
__attribute__((noinline)) std::uint32_t calls_itself(std::uint32_t times) {
  volatile std::uint32_t local[64];
  for (std::uint32_t i = 0; i < 64; ++i) local[i] = times;
  return times == 0 ? 0 : calls_itself(times - 1) + local[times % 64];
}

}  // namespace

int main() {
  const std::uint32_t me = pim::unit_id();
  switch (test_case) {
    case 0:
      print_something();
      return 0;
    case 1:
      return 7;
    case 2:  // no unit sends to unit 5
      if (me == 5) pim::wait_arrivals(3, 1);
      return 0;
    case 3:  // unit 1 never reaches the barrier
      if (me != 1) pim::barrier();
      return 0;
    case 4:
      pim::set_window(2, window, 32);
      pim::barrier();
      if (me == 0) pim::send(1, 2, 0, buffer, 64);
      pim::barrier();
      return 0;
    case 5:
      pim::dma_read(buffer, 0, 64);
      return 0;
    case 6:
      return many_messages();
    case 7:
      result = *reinterpret_cast<volatile std::uint32_t*>(0xFFC00000);  // instruction memory
      return 0;
    case 8: {  // units that start together have equal times
      const std::uint64_t begin = pim::timer();
      pim::barrier();
      result = static_cast<std::uint32_t>(pim::timer() - begin);
      return 0;
    }
    case 9:
    case 10:
      return heartbeats(test_case == 9);
    default:
      if (test_case >= 27 && test_case <= 29) return changes_a_message(test_case - 27);
      if (test_case >= 40) {
        result = calls_itself(test_case - 40);
        return 0;
      }
      if (test_case == 32 || test_case == 33) return overwrites_a_message(test_case == 33);
      if (test_case == 30 || test_case == 31) return uses_a_message(test_case == 31);
      return test_case >= 20 && test_case <= 26 ? uses_dma(test_case - 20) : 99;
  }
}
