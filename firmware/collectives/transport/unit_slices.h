#pragma once
// Slices of the interpreter over the transport of a PIM unit: fetches and stores are DMA, slots are
// in the window of a channel, the unit's core combines.
//
// The host selects how slices and slots are counted. If there are few connections, each has two
// channels, one for slices and one for credits, and the arrivals of messages count. If there are
// more connections than channels, one window holds everything, and a message with the count follows
// each slice. Messages from one source to one destination arrive in their order.

#include <cstdint>

#include "firmware/collectives/layout.h"
#include "foundation/contract/collectives/program.h"

namespace tvp::firmware::collectives {

/// Numbers below this in Connection::here and there are channels, others places in the arena.
inline constexpr std::uint32_t kUnitChannels = 16;
inline constexpr std::uint32_t kArenaChannel = 0;  ///< channel of all connections that have none

template <typename Reduction, typename Transport>
class UnitSlices {
 public:
  using Ticket = typename Transport::Ticket;
  using Connection = tvp::contract::collectives::Connection;

  /// The program is at the beginning of the arena, and all its addresses count from there.
  UnitSlices(Transport& transport, std::uint8_t* arena, std::uint32_t arena_bytes)
      : transport_(transport), arena_(arena) {
    namespace c = tvp::contract::collectives;
    const auto& header = *reinterpret_cast<const c::ProgramHeader*>(arena);
    const c::ProgramLayout at = c::layout_of(header);
    memories_ = header.memories;
    const auto* const outs = reinterpret_cast<const Connection*>(arena + at.outs);
    const auto* const ins = reinterpret_cast<const Connection*>(arena + at.ins);
    transport_.set_window(kArenaChannel, arena, arena_bytes);
    for (std::uint32_t i = 0; i < header.ins; ++i)
      if (ins[i].here < kUnitChannels) transport_.set_window(ins[i].here, arena, arena_bytes);
    for (std::uint32_t i = 0; i < header.outs; ++i)
      if (outs[i].here < kUnitChannels) transport_.set_window(outs[i].here, arena, 0);
  }

  std::uint8_t* local(std::uint32_t address) { return arena_ + address; }
  std::uint32_t clock() const { return static_cast<std::uint32_t>(transport_.cycles()); }
  void idle() { transport_.idle(); }

  Ticket fetch(std::uint32_t memory, std::uint32_t at, void* to, std::uint32_t bytes) {
    return transport_.dma_read_async(to, memories_[memory] + at, bytes);
  }
  Ticket store(std::uint32_t memory, std::uint32_t at, const void* from, std::uint32_t bytes) {
    return transport_.dma_write_async(memories_[memory] + at, from, bytes);
  }
  bool fetched(Ticket ticket) const { return transport_.dma_done(ticket); }
  bool stored(Ticket ticket) const { return transport_.dma_done(ticket); }

  Ticket combine(void* mine, const void* received, std::uint32_t bytes) {
    Reduction::reduce(mine, received, bytes);
    return {};
  }
  Ticket scale(void* mine, std::uint32_t bytes, std::uint32_t divisor) {
    using T = typename Reduction::Element;
    T* value = static_cast<T*>(mine);
    for (const T* const end = value + bytes / sizeof(T); value != end; ++value)
      *value = static_cast<T>(*value / static_cast<T>(static_cast<int>(divisor)));
    return {};
  }
  bool combined(Ticket) const { return true; }

  bool can_send(const Connection&) const { return true; }
  Ticket send(const Connection& out, std::uint32_t, std::uint32_t slot, const void* data,
              std::uint32_t bytes, std::uint32_t count) {
    if (out.there < kUnitChannels)
      return transport_.send_async(out.peer, out.there, out.slots + slot, data, bytes);
    transport_.send_async(out.peer, kArenaChannel, out.slots + slot, data, bytes);
    return notify(out.peer, kArenaChannel, out.there, count);
  }
  bool sent(Ticket ticket) const { return transport_.send_done(ticket); }

  std::uint32_t arrived(const Connection& in) const { return count(in.here); }
  std::uint32_t returned(const Connection& out) const { return count(out.here); }
  void give_back(const Connection& in, std::uint32_t, std::uint32_t slots, std::uint32_t count) {
    if (in.there >= kUnitChannels) {
      notify(in.peer, kArenaChannel, in.there, count);
      return;
    }
    for (std::uint32_t i = 0; i < slots; ++i) transport_.signal(in.peer, in.there);
  }

 private:
  std::uint32_t count(std::uint32_t here) const {
    if (here < kUnitChannels) return transport_.arrivals(here);
    return *reinterpret_cast<const volatile std::uint32_t*>(arena_ + here);
  }
  static constexpr std::uint32_t kTold = 8;
  std::uint32_t told_ = 0;
  std::uint32_t counts_[kTold] = {};
  Ticket tickets_[kTold] = {};

 protected:
  /// Writes a count into the arena of a unit.
  Ticket notify(std::uint32_t unit, std::uint32_t channel, std::uint32_t at, std::uint32_t count) {
    const std::uint32_t i = told_++ % kTold;
    transport_.send_wait(tickets_[i]);
    counts_[i] = count;
    return tickets_[i] = transport_.send_async(unit, channel, at, &counts_[i], 4);
  }

  Transport& transport_;
  std::uint8_t* arena_;
  const std::uint32_t* memories_ = nullptr;
};

}  // namespace tvp::firmware::collectives
