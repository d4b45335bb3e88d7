#pragma once
// The transport of the collectives on a PIM unit.

#include <cstdint>

#include "firmware/api/pim.h"

namespace pim::collectives {

class UnitTransport {
 public:
  using Ticket = pim::Ticket;

  std::uint32_t unit() const { return pim::unit_id(); }
  std::uint64_t cycles() const { return pim::timer(); }

  // The engine takes no empty descriptors; ticket 0 is over.
  Ticket dma_read_async(void* wram, std::uint32_t bank, std::uint32_t bytes) {
    return bytes == 0 ? 0 : pim::dma_read_async(wram, bank, bytes);
  }
  Ticket dma_write_async(std::uint32_t bank, const void* wram, std::uint32_t bytes) {
    return bytes == 0 ? 0 : pim::dma_write_async(bank, wram, bytes);
  }
  void dma_wait(Ticket ticket) { pim::dma_wait(ticket); }

  void set_window(std::uint32_t channel, void* base, std::uint32_t bytes) {
    pim::set_window(channel, base, bytes);
  }
  Ticket send_async(std::uint32_t unit, std::uint32_t channel, std::uint32_t offset,
                    const void* data, std::uint32_t bytes) {
    return pim::send_async(unit, channel, offset, data, bytes);
  }
  void send_wait(Ticket ticket) { pim::send_wait(ticket); }
  void signal(std::uint32_t unit, std::uint32_t channel) { pim::signal(unit, channel); }

  void wait_arrivals(std::uint32_t channel, std::uint32_t count) {
    pim::wait_arrivals(channel, count);
  }
  void wait_word(const std::uint32_t& word, std::uint32_t count) {
    pim::wait_count(pim::wram_address(&word), count);
  }
  void barrier() { pim::barrier(); }
};

}  // namespace pim::collectives
