#pragma once
// The other routers that a router works with: its peer at the other end of the link, and the
// routers of other directions on the same chip.

#include "firmware/fabric/router_places.h"

namespace tvp::fabric::router {
namespace {  // parts of the one program that includes them, and inlined as such

/// The sender channel of the other router that an output leads to.
constexpr uint32_t channel_of(uint32_t output) {
  return output == kStraight ? kStraightChannel : turn_channel(kDirection == kNorth ? 0 : 1);
}
constexpr uint32_t neighbor_of(uint32_t output) { return output; }
/// The place of this router among the neighbors of `neighbor`: 0 if it is the opposite one, else 1
/// or 2, the sides.
constexpr uint32_t my_place_at(uint32_t neighbor) {
  return neighbor == 0 ? 0 : 1 + (kDirection & 1u);
}

// Command buffers that keep the state of writes to a neighbor: its coordinates, and the whole
// credit. With one output this state never changes.
constexpr uint8_t kForwardBuf = write_reg_cmd_buf;
constexpr uint8_t kCreditBuf = read_cmd_buf;  // the router reads nothing over the NoC
constexpr bool kOneOutput = kOutputs == 1;
constexpr uint32_t kHelloWord = 0x4F4C4C45;

/// A router of another direction on the chip.
struct Neighbor {
  bool there = false;
  uint64_t address = 0;  ///< NoC address of its address 0
};

/// In a mesh the router sets up the whole command for each packet, as tt-metal's does. Elsewhere
/// the command buffers keep what is the same for all packets.
constexpr bool kStateful = !kMesh;

/// Writes to neighbors are posted.
struct Neighbors {
  Neighbor neighbor[kNeighbors];
  uint32_t output_slot[kOutputs];

  void start();
  void hand_shake();
  template <uint32_t kOutput>
  void forward(Header* header, uint32_t payload_bytes, uint32_t trid);
  template <uint32_t kChannel>
  void return_slots(uint32_t packets);
};

inline void Neighbors::start() {
  each<kOutputs>([&]<uint32_t i>() __attribute__((always_inline)) {
    output_slot[i] = kLayout.channel_base(channel_of(i));
    credit_init(stream_forward_free_slots(i), kLayout.forward_slots);
  });
  each<kNeighbors>([&]<uint32_t i>() __attribute__((always_inline)) {
    constexpr uint32_t kFirst = i * kRouterNeighborArgs;
    neighbor[i].there = get_arg_val<uint32_t>(kFirst + kRouterArgHasNeighbor) != 0;
    neighbor[i].address = get_noc_addr(get_arg_val<uint32_t>(kFirst + kRouterArgNeighborX),
                                       get_arg_val<uint32_t>(kFirst + kRouterArgNeighborY), 0);
  });
  noc_async_write_one_packet_with_trid_set_state<true>(neighbor[0].address, kForwardBuf);
  noc_inline_dw_write_set_state<true>(
      neighbor[0].address | credit_update_address(stream_sender_free_slots(kStraightChannel)),
      credit_update(-1), 0xF, kCreditBuf);
}

/// Shakes hands with the peer, then with the other routers of the chip. After its handshake a
/// router may rely on initialized registers of the other one.
inline void Neighbors::hand_shake() {
  word(kLayout.hello()) = kHelloWord;
  internal_::eth_send_packet(kQueue, kLayout.hello() >> 4, kLayout.remote_hello() >> 4, 1);
  while (word(kLayout.remote_hello()) != kHelloWord) {
  }
  word(kLayout.status()) = kStatusRemoteHandshakeComplete;
  each<kNeighbors>([&]<uint32_t i>() __attribute__((always_inline)) {
    if (neighbor[i].there)
      noc_inline_dw_write(neighbor[i].address | kLayout.neighbor_ready(my_place_at(i)), 1);
  });
  each<kNeighbors>([&]<uint32_t i>() __attribute__((always_inline)) {
    if (neighbor[i].there) {
      while (word(kLayout.neighbor_ready(i)) != 1) {
      }
    }
  });
  word(kLayout.status()) = kStatusLocalHandshakeComplete;
  word(kLayout.status()) = kStatusReadyForTraffic;
}

template <uint32_t kOutput>
FORCE_INLINE void Neighbors::forward(Header* header, uint32_t payload_bytes, uint32_t trid) {
  const uint64_t there = neighbor[neighbor_of(kOutput)].address;
  const uint32_t credit = credit_update_address(stream_sender_free_slots(channel_of(kOutput)));
  if constexpr (!kStateful) {
    noc_async_write_one_packet_with_trid<false, true>(
        reinterpret_cast<uintptr_t>(header), there | output_slot[kOutput],
        packet_bytes(payload_bytes), trid, kForwardBuf);
    noc_inline_dw_write<InlineWriteDst::REG>(there | credit, credit_update(-1));
  } else {
    noc_wait_cmd_buf(noc_index, kForwardBuf);
    noc_wait_cmd_buf(noc_index, kCreditBuf);
    if constexpr (!kOneOutput) {
      const auto coordinates = static_cast<uint32_t>(there >> NOC_ADDR_COORD_SHIFT);
      NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_RET_ADDR_COORDINATE, coordinates);
      NOC_CMD_BUF_WRITE_REG(noc_index, kCreditBuf, NOC_TARG_ADDR_COORDINATE, coordinates);
      NOC_CMD_BUF_WRITE_REG(noc_index, kCreditBuf, NOC_TARG_ADDR_LO, credit);
    }
    NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_PACKET_TAG,
                          NOC_PACKET_TAG_TRANSACTION_ID(trid));
    NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_TARG_ADDR_LO,
                          reinterpret_cast<uintptr_t>(header));
    NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_RET_ADDR_LO, output_slot[kOutput]);
    NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_AT_LEN_BE, packet_bytes(payload_bytes));
    noc_send(noc_index, kForwardBuf);
    noc_send(noc_index, kCreditBuf);
  }
  credit_add(stream_forward_free_slots(kOutput), -1);
  output_slot[kOutput] = next_slot(output_slot[kOutput], kLayout.channel_base(channel_of(kOutput)),
                                   kLayout.forward_slots);
}

/// Gives `packets` slots of a sender channel back to the router that forwards to it.
template <uint32_t kChannel>
FORCE_INLINE void Neighbors::return_slots(uint32_t packets) {
  // The output by which that router forwards to this channel.
  constexpr uint32_t kFrom = kChannel - kStraightChannel;
  constexpr uint32_t kOutput =
      kChannel == kStraightChannel ? kStraight : side_output(kDirection & 1u);
  noc_inline_dw_write<InlineWriteDst::REG, true>(
      neighbor[kFrom].address | credit_update_address(stream_forward_free_slots(kOutput)),
      credit_update(static_cast<int32_t>(packets)), 0xF, kCreditNoc);
}

}  // namespace
}  // namespace tvp::fabric::router
