#pragma once
// The transport of the collectives on a PIM unit.

#include <cstdint>

#include "firmware/api/pim.h"
#include "firmware/collectives/layout.h"
#include "firmware/collectives/reductions.h"

namespace tvp::firmware::collectives {

class UnitTransport {
 public:
  using Ticket = ::pim::Ticket;

  std::uint32_t unit() const { return ::pim::unit_id(); }
  std::uint64_t cycles() const { return ::pim::timer(); }

  // The engine takes no empty descriptors; ticket 0 is over.
  Ticket dma_read_async(void* wram, std::uint32_t bank, std::uint32_t bytes) {
    return bytes == 0 ? 0 : ::pim::dma_read_async(wram, bank, bytes);
  }
  Ticket dma_write_async(std::uint32_t bank, const void* wram, std::uint32_t bytes) {
    return bytes == 0 ? 0 : ::pim::dma_write_async(bank, wram, bytes);
  }
  void dma_wait(Ticket ticket) { ::pim::dma_wait(ticket); }
  bool dma_done(Ticket ticket) const { return ::pim::dma_done(ticket); }

  void set_window(std::uint32_t channel, void* base, std::uint32_t bytes) {
    ::pim::set_window(channel, base, bytes);
  }
  Ticket send_async(std::uint32_t unit, std::uint32_t channel, std::uint32_t offset,
                    const void* data, std::uint32_t bytes) {
    return ::pim::send_async(unit, channel, offset, data, bytes);
  }
  void send_wait(Ticket ticket) { ::pim::send_wait(ticket); }
  bool send_done(Ticket ticket) const { return ::pim::send_done(ticket); }
  void signal(std::uint32_t unit, std::uint32_t channel) { ::pim::signal(unit, channel); }

  // A member of the group is a chip of the rank. Sets of members have the form of an order to the
  // switch: a bit each, or ranges.
  template <std::uint32_t form = 0>
  Ticket multicast_async(const Group&, std::uint32_t to_members, std::uint32_t channel,
                         std::uint32_t offset, const void* data, std::uint32_t bytes) {
    return ::pim::multicast_async(to_members, channel, offset, data, bytes, form);
  }
  template <typename Reduction, std::uint32_t form = 0>
  Ticket reduce_async(const Group&, std::uint32_t from_members, std::uint32_t to_members,
                      std::uint32_t channel, std::uint32_t offset, const void* data,
                      std::uint32_t bytes) {
    namespace stop = ::pim::regs::stop;
    static_assert(static_cast<std::uint32_t>(Op::kSum) == stop::kOpSum &&
                  static_cast<std::uint32_t>(Op::kMax) == stop::kOpMax &&
                  static_cast<std::uint32_t>(Op::kMin) == stop::kOpMin &&
                  static_cast<std::uint32_t>(Op::kProd) == stop::kOpProd);
    static_assert(kSwitchType<std::int32_t> == stop::kTypeInt32 &&
                  kSwitchType<std::int64_t> == stop::kTypeInt64 &&
                  kSwitchType<float> == stop::kTypeFp32 &&
                  kSwitchType<BFloat16> == stop::kTypeBf16);
    return ::pim::reduce_async(static_cast<std::uint32_t>(Reduction::op),
                               kSwitchType<typename Reduction::Element>, from_members, to_members,
                               channel, offset, data, bytes, form);
  }

  std::uint32_t arrivals(std::uint32_t channel) const { return ::pim::arrivals(channel); }
  /// Until something may have changed: the loop around it is a poll.
  void idle() {}
  void wait_arrivals(std::uint32_t channel, std::uint32_t count) {
    ::pim::wait_arrivals(channel, count);
  }
  void wait_word(const std::uint32_t& word, std::uint32_t count) {
    ::pim::wait_count(::pim::wram_address(&word), count);
  }
  void barrier() { ::pim::barrier(); }
};

}  // namespace tvp::firmware::collectives
