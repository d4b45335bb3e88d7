#pragma once
// Slices of the interpreter on a worker of a chip. Packets of the fabric go into slots of workers
// on other chips, which count arrivals. The other cores of the worker get commands for all other
// work.

#include "api/dataflow/dataflow_api.h"
#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/tt_fabric_api.h"
#include "firmware/collectives/transport/packet_port.h"
#include "foundation/contract/collectives/chip.h"
#include "risc_common.h"

namespace tvp::firmware::collectives {

namespace c = tvp::contract::collectives;

class ChipSlices {
 public:
  using Ticket = uint32_t;
  using Connection = tvp::contract::collectives::Connection;
  using Port = PacketPort;
  using Header = volatile PACKET_HEADER_TYPE;

  struct Place {
    uint32_t program;
    uint32_t base;  ///< address of the ChipLayout
    uint32_t x;     ///< coordinates of the workers
    uint32_t y;
    uint32_t tile_shift;    ///< a tile has 2 to its power bytes
    uint32_t packet_bytes;  ///< of payload
  };

  ChipSlices(const Place& place, Port* ports) : place_(place), ports_(ports) {
    const auto& header = *reinterpret_cast<const c::ProgramHeader*>(place.program);
    const c::ProgramLayout at = c::layout_of(header);
    const auto* const outs = reinterpret_cast<const Connection*>(place.program + at.outs);
    const auto* const ins = reinterpret_cast<const Connection*>(place.program + at.ins);
    layout_ = c::chip_layout(place.base, header.outs, header.ins);
    credit_headers_ = layout_.headers + header.outs * c::kSliceHeaders * c::kHeaderBytes;
    for (uint32_t i = 0; i < header.outs; ++i) prepare_data(outs[i], i);
    for (uint32_t i = 0; i < header.ins; ++i)
      prepare_credit(ins[i], credit_header(i), header.credit_batch);
  }

  uint8_t* local(uint32_t address) { return reinterpret_cast<uint8_t*>(place_.program + address); }
  uint32_t clock() const { return c_tensix_core::read_wall_clock_l(); }
  void idle() {}

  Ticket fetch(uint32_t memory, uint32_t at, void* to, uint32_t bytes) {
    return move(at, to, bytes, memory);
  }
  Ticket store(uint32_t memory, uint32_t at, const void* from, uint32_t bytes) {
    return move(at, from, bytes, memory | c::kMoveStore);
  }
  bool fetched(Ticket ticket) const { return reached(word(layout_.moves_done), ticket); }
  bool stored(Ticket ticket) const { return reached(word(layout_.moves_done), ticket); }

  Ticket combine(void* mine, const void* received, uint32_t bytes) {
    return post(mine, reinterpret_cast<uintptr_t>(received), bytes, c::Combining::kCombine);
  }
  Ticket scale(void* mine, uint32_t bytes, uint32_t divisor) {
#ifdef COLLECTIVE_AVERAGES_INT32
    // The vector unit does not divide integers: this core does, towards zero.
    auto* value = static_cast<volatile int32_t*>(mine);
    for (const volatile int32_t* const end = value + bytes / sizeof(int32_t); value != end; ++value)
      *value = *value / static_cast<int32_t>(divisor);
    return *get_cb_tiles_received_ptr(c::kCombined);
#else
    const float factor = 1.0F / static_cast<float>(divisor);
    return post(mine, __builtin_bit_cast(uint32_t, factor), bytes, c::Combining::kScale);
#endif
  }
  bool combined(Ticket ticket) const {
    // The count has 16 bits.
    const uint32_t done = *get_cb_tiles_received_ptr(c::kCombined);
    if (static_cast<int16_t>(done - ticket) < 0) return false;
    *get_cb_tiles_acked_ptr(c::kCombined) = done;  // Pages of it are only counted.
    return true;
  }

  bool can_send(const Connection& out) const { return ports_[out.port].edm_has_space_for_packet(); }
  Ticket send(const Connection& out, uint32_t number, uint32_t slot, const void* data,
              uint32_t bytes, uint32_t count) {
    Port& port = taken(out.port);
    uint32_t header = slice_header(number, count % c::kStaging);
    uint32_t to = there(out.slots) + slot;
    auto from = reinterpret_cast<uintptr_t>(data);
    uint32_t plain = header;
    const uint32_t most = place_.packet_bytes;
    for (; bytes > most; bytes -= most) {
      plain += c::kHeaderBytes;
      send_packet(port, plain, to, from, most);
      from += most;
      to += most;
      port.wait_for_empty_write_slot();
    }
    reinterpret_cast<Header*>(header)->payload_size_bytes = static_cast<uint16_t>(bytes);
    send_packet(port, header, to, from, bytes);
    return noc_nonposted_writes_num_issued[noc_index];
  }
  bool sent(Ticket ticket) const {
    return reached(NOC_STATUS_READ_REG(noc_index, NIU_MST_NONPOSTED_WR_REQ_SENT), ticket);
  }

  uint32_t arrived(const Connection& in) const { return word(there(in.here)); }
  uint32_t returned(const Connection& out) const { return word(there(out.here)); }
  void give_back(const Connection& in, uint32_t number, uint32_t, uint32_t) {
    Port& port = taken(in.port);
    port.wait_for_empty_write_slot();
    port.send_packet(reinterpret_cast<uintptr_t>(credit_header(number)));
  }

  /// Ends the kernels of the other cores.
  void stop() {
    move(0, nullptr, 0, c::kMoveStop);
    post(nullptr, 0, 0, c::Combining::kStop);
  }
  const c::ChipLayout& layout() const { return layout_; }

 private:
  static volatile uint32_t& word(uint32_t address) {
    return *reinterpret_cast<volatile uint32_t*>(address);
  }
  static bool reached(uint32_t count, Ticket ticket) {
    return static_cast<int32_t>(count - ticket) >= 0;
  }
  /// Programs of all ranks begin at one address, their places count from there.
  uint32_t there(uint32_t place) const { return place_.program + place; }

  FORCE_INLINE Port& taken(uint32_t port) {
    if (port != taken_) {
      taken_ = port;
      ports_[port].take();
    }
    return ports_[port];
  }

  /// The first header of a set belongs to the last packet.
  uint32_t slice_header(uint32_t out, uint32_t set) const {
    return layout_.headers + (out * c::kSliceHeaders + set * c::kPackets) * c::kHeaderBytes;
  }
  Header* credit_header(uint32_t in) const {
    return reinterpret_cast<Header*>(credit_headers_ + in * c::kHeaderBytes);
  }
  /// Without routes through a mesh all packets end at the next chip.
  static void set_route(Header* header, [[maybe_unused]] uint16_t device) {
#if defined(FABRIC_2D)
    tt::tt_fabric::fabric_set_unicast_route(header, device);
#else
    tt::tt_fabric::fabric_set_unicast_route<false>(header, 1);
#endif
  }
  /// All that is the same of every slice.
  void prepare_data(const Connection& out, uint32_t number) const {
    const uint64_t slots = get_noc_addr(place_.x, place_.y, there(out.slots));
    const uint64_t count = get_noc_addr(place_.x, place_.y, there(out.there));
    for (uint32_t i = 0; i < c::kSliceHeaders; ++i) {
      auto* const header = reinterpret_cast<Header*>(slice_header(number, 0) + i * c::kHeaderBytes);
      set_route(header, out.peer);
      if (i % c::kPackets == 0) {
        header->to_noc_fused_unicast_write_atomic_inc({slots, count, 1, false}, 0);
      } else {
        header->to_noc_unicast_write(tt::tt_fabric::NocUnicastCommandHeader{slots},
                                     place_.packet_bytes);
      }
    }
  }
  /// Both commands begin with the address; its upper half names the worker.
  static FORCE_INLINE void send_packet(Port& port, uint32_t header, uint32_t to, uint32_t from,
                                       uint32_t bytes) {
    word(header) = to;
    port.send_packet(header, from, bytes);
  }
  void prepare_credit(const Connection& in, Header* header, uint32_t slots) const {
    set_route(header, in.peer);
    header->to_noc_unicast_atomic_inc(
        {get_noc_addr(place_.x, place_.y, there(in.there)), slots, false});
  }

  Ticket move(uint32_t at, const void* data, uint32_t bytes, uint32_t what) {
    while (moves_ - moves_seen_ >= c::kMoves) moves_seen_ = word(layout_.moves_done);
    auto* const command = reinterpret_cast<volatile c::Move*>(layout_.moves) + moves_ % c::kMoves;
    command->at = at;
    command->local = reinterpret_cast<uintptr_t>(data);
    command->bytes = bytes;
    command->what = what;
    word(layout_.moves_posted) = ++moves_;
    return moves_;
  }
  Ticket post(void* mine, uint32_t received, uint32_t bytes, c::Combining what) {
    while (!combined(combinations_ - (c::kCombinations - 1))) {
    }
    auto* const command = reinterpret_cast<volatile c::Combination*>(layout_.combinations) +
                          combinations_ % c::kCombinations;
    command->mine = reinterpret_cast<uintptr_t>(mine);
    command->received = received;
    command->tiles = (bytes + (1u << place_.tile_shift) - 1) >> place_.tile_shift;
    command->what = what;
    word(layout_.combinations_posted) = ++combinations_;
    return combinations_;
  }

  Place place_;
  Port* ports_;
  c::ChipLayout layout_{};
  uint32_t taken_ = ~0u;  ///< port that has the command buffers
  uint32_t credit_headers_ = 0;
  uint32_t moves_seen_ = 0;
  uint32_t moves_ = 0;
  uint32_t combinations_ = 0;
};

}  // namespace tvp::firmware::collectives
