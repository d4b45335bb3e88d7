#pragma once
// Slices of the interpreter on a unit whose system has a switch that combines and multicasts.
//
// Data that the switch sends to a unit on a channel of the schedule arrives in the window of the
// stop's channel with the same number. A contribution to a reduction names the slot for its result
// at its own rank, so a rank waits only for its own slots. A multicast waits for slots of all
// members; the sender has a count of each member. All other messages use one window, on the first
// channel that the switch does not use, as in programs whose connections have no channels of their
// own.

#include "firmware/collectives/transport/unit_slices.h"
#include "foundation/regs/pim.h"

namespace tvp::firmware::collectives {

/// The peer of a connection to the switch. For an outgoing Connection, slots is the set of members
/// and there the set of contributors, in the form of the orders (0 for a multicast). The port is
/// the channel. The field here is the first of the counts of returned slots; hops is their number,
/// and with 0 no slots return. With ranges, bits 4 to 7 of the port are bits 8 to 11 of the number.
/// Incoming connections are as others, on channel here.
inline constexpr std::uint16_t kSwitchPeer = 0xFFFF;
/// The port of connections to ranks: the channel of the other side's only window. Incoming
/// connections from the switch have this value in hops.
inline constexpr std::uint8_t kFromSwitch = 1;

/// `form` is that of sets of units in orders: 0 for a bit each, or kOrderRanges.
template <typename Reduction, typename Transport, std::uint32_t form = 0>
class SwitchedSlices : public UnitSlices<Reduction, Transport> {
  using Base = UnitSlices<Reduction, Transport>;

 public:
  using typename Base::Connection;
  using typename Base::Ticket;

  SwitchedSlices(Transport& transport, std::uint8_t* arena, std::uint32_t arena_bytes)
      : Base(transport, arena, arena_bytes), unit_(transport.unit()) {
    namespace c = tvp::contract::collectives;
    const auto& header = *reinterpret_cast<const c::ProgramHeader*>(arena);
    const auto* const ins = reinterpret_cast<const Connection*>(arena + c::layout_of(header).ins);
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < header.ins; ++i) {
      if (ins[i].hops != kFromSwitch) continue;
      used |= 1u << ins[i].here;
      transport.set_window(ins[i].here, arena + ins[i].slots, header.slots * header.slice_bytes);
    }
    std::uint32_t free = 0;
    while ((used >> free & 1u) != 0) ++free;
    transport.set_window(free, arena, arena_bytes);
  }

  Ticket send(const Connection& out, std::uint32_t, std::uint32_t slot, const void* data,
              std::uint32_t bytes, std::uint32_t count) {
    if (out.peer != kSwitchPeer) {
      this->transport_.send_async(out.peer, out.port, out.slots + slot, data, bytes);
      return this->notify(out.peer, out.port, out.there, count);
    }
    if (out.there == 0)
      return this->transport_.template multicast_async<form>(Group{}, out.slots, channel(out), slot,
                                                             data, bytes);
    if (counts(out) == 0) word(out.here) = count;
    return this->transport_.template reduce_async<Reduction, form>(Group{}, out.there, out.slots,
                                                                   channel(out), slot, data, bytes);
  }
  std::uint32_t returned(const Connection& out) const {
    std::uint32_t least = word(out.here);
    for (std::uint32_t member = 1; member < counts(out); ++member) {
      const std::uint32_t count = word(out.here + member * tvp::contract::collectives::kCountBytes);
      if (static_cast<std::int32_t>(count - least) < 0) least = count;
    }
    return least;
  }
  void give_back(const Connection& in, std::uint32_t, std::uint32_t, std::uint32_t count) {
    if (in.peer == unit_) {
      word(in.there) = count;
    } else {
      this->notify(in.peer, in.port, in.there, count);
    }
  }

 private:
  static std::uint32_t channel(const Connection& out) {
    return form == 0 ? out.port : out.port & 0xFU;
  }
  static std::uint32_t counts(const Connection& out) {
    return form == 0 ? out.hops : out.hops | (out.port & 0xF0U) << 4;
  }
  volatile std::uint32_t& word(std::uint32_t at) const {
    return *reinterpret_cast<volatile std::uint32_t*>(this->arena_ + at);
  }
  const std::uint32_t unit_;
};

/// Systems with more units than an order has bits.
template <typename Reduction, typename Transport>
using RangedSlices = SwitchedSlices<Reduction, Transport, tvp::regs::pim::stop::kOrderRanges>;

}  // namespace tvp::firmware::collectives
