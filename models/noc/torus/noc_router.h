#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/noc/stream_drain.h"
#include "models/noc/torus/route.h"
#include "models/noc/torus/torus.h"
#include "models/noc/wait_graph.h"
#include "models/support/time.h"

namespace tvp::noc {

class DetailedTorus;

/// Places in which flits wait in a router: behind the two incoming links, behind the NIU, and in
/// the NIU before the injection link.
enum class Input : std::uint8_t { kX = 0, kY = 1, kNiu = 2, kQueue = 3 };

/// A packet, or a part of it, in the buffer of one input channel. Packets of a channel leave in
/// order. The copies of a broadcast leave independently, and a flit's slot is free when the last
/// copy has left.
struct Resident {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Branch {
    std::uint16_t leg = 0;
    std::uint16_t sent = 0;
    std::uint8_t port = 0;
    std::uint8_t vc = 0;  ///< output channel, once `has_vc` is set
    bool has_vc = false;
  };
  std::uint32_t slot = 0;      ///< slot of the packet in the ledger
  std::uint32_t next = kNone;  ///< the packet behind it in the same channel
  std::uint16_t flits = 0;
  std::uint16_t arrived = 0;
  std::uint16_t freed = 0;
  std::uint8_t branches = 0;
  std::array<Branch, 3> branch;
  support::Cycle head_at = 0;
};

/// One router with the links that leave it. Flits move in trains. A train has as many flits of one
/// packet as have arrived and have room at the other end, up to the share of one channel. It moves
/// one flit in each cycle and takes one event for each hop.
///
/// The sender keeps the credits. Each channel of the input port behind the link owns some flits of
/// buffer and claims more from a pool (ISA DRAMTile/README.md). Credits return when the flits leave
/// the next router.
class NocRouter {
 public:
  static constexpr unsigned kInputs = 4;
  static constexpr unsigned kMaxTrain = 16;
  /// Data for DRAM waits until this many flits of it, or the rest of the packet, can leave.
  static constexpr unsigned kDrainTrain = 8;

  void init(DetailedTorus& torus, unsigned node, std::vector<LinkStats>& stats);

  /// The first flit of a train arrives. `leg` is the leg of the route that ends here.
  void arrive(support::Cycle now, Input input, unsigned vc, std::uint32_t slot, unsigned leg,
              unsigned flits);
  /// Sends what can be sent on a link, and schedules the next attempt.
  void advance(support::Cycle now, Port port);
  /// Flits that were sent on a link have left the next router.
  void return_credit(Port port, unsigned vc, unsigned flits, support::Cycle when);
  /// Adds, for each packet that cannot move here, the packets that it waits for.
  void note_waits(WaitGraph& graph) const;
  /// The NIU has taken a packet out of its input buffer.
  void niu_took(support::Cycle now, unsigned vc, unsigned flits, bool with_data);
  /// For path reservation: check and take a channel of a link.
  bool vc_free(Port port, unsigned vc) const {
    return outputs_[static_cast<unsigned>(port)].holder[vc] == 0;
  }
  void hold_vc(Port port, unsigned vc, std::uint32_t slot) {
    outputs_[static_cast<unsigned>(port)].holder[vc] = holder_of_packet(slot);
  }

 private:
  struct Credit {
    support::Cycle when;
    std::uint16_t flits;
    std::uint8_t vc;
  };
  struct Output {
    std::uint64_t waiting = 0;  ///< bit input * 16 + VC: its front packet requests this output
    std::uint8_t next_vc = 0;   ///< round robin over the output channels
    std::uint8_t turn = 0;      ///< flits of its turn that this channel has sent
    /// Round robin over the inputs that request each channel.
    std::array<std::uint8_t, vc::kCount> next_bit{};
    support::Cycle link_free = 0;
    support::Cycle advance_at = support::kNever;     ///< cycle of a pending event
    std::array<std::uint32_t, vc::kCount> holder{};  ///< packet that holds each channel; 0: free
    /// Flits in the buffer behind the link, by channel.
    std::array<std::uint16_t, vc::kCount> used{};
    unsigned pool_used = 0;
    std::vector<Credit> credits;  ///< in transit, oldest first from credits_begin
    std::size_t credits_begin = 0;
  };
  struct Channel {
    std::uint32_t first = Resident::kNone;
    std::uint32_t last = Resident::kNone;
  };
  /// Packets that a NIU with the right to refuse has not accepted yet.
  struct Gate {
    unsigned packets = 0;
    unsigned flits = 0;
  };
  struct Choice {
    unsigned bit;
    unsigned vc;
    unsigned flits;
  };

  static constexpr unsigned kBits = kInputs * vc::kCount;
  static_assert(kBits == 64);
  static constexpr unsigned kNoTurn = ~0U;
  static constexpr std::uint32_t kChain = 0x80000000U;
  static std::uint32_t holder_of_packet(std::uint32_t slot) { return slot + 1; }
  static std::uint32_t holder_of_chain(unsigned source) { return kChain | source; }

  void enqueue(support::Cycle now, Input input, Channel& channel, std::uint32_t slot, unsigned leg);
  std::uint32_t new_resident();
  void free_resident(std::uint32_t index);
  void announce(std::uint32_t index, unsigned bit);
  bool pick(support::Cycle now, Output& output, Port port, Choice& choice);
  static unsigned turn_of(const Output& output, unsigned vc, unsigned bit);
  bool pool_is_short(const Output& output) const;
  bool contended(support::Cycle now, const Output& output, Port port, unsigned chosen);
  unsigned can_send(support::Cycle now, const Output& output, Port port, const Resident& resident,
                    const Resident::Branch& branch, unsigned& vc) const;
  bool find_vc(const Output& output, const Resident& resident, const Resident::Branch& branch,
               unsigned in_vc_buddy, unsigned& vc) const;
  unsigned room(const Output& output, unsigned vc) const;
  unsigned pool_left(const Output& output) const;
  unsigned room_at_niu(support::Cycle now, const Resident& resident, const Resident::Branch& branch,
                       unsigned vc) const;
  unsigned room_at_l1(support::Cycle now, const Resident& resident) const;
  void tell_intake(const Packet& packet, unsigned sent, unsigned flits,
                   support::Cycle arrives) const;
  support::Cycle gaps(const NocExtension& header, unsigned sent) const;
  support::Cycle niu_has_room_at(support::Cycle now) const;
  bool is_read_in_order(const NocExtension& header) const;
  bool drains(const NocExtension& header) const;
  bool is_streamed(const NocExtension& header) const;
  bool gate_open(const NocExtension& header, unsigned vc) const;
  void send(support::Cycle now, Port port, const Choice& choice);
  void begin_packet(support::Cycle now, Port port, const Resident& resident,
                    Resident::Branch& branch, unsigned vc);
  void pass_on(support::Cycle now, Port port, const Resident& resident,
               const Resident::Branch& branch, const Choice& choice);
  void eject(support::Cycle now, Resident& resident, const Resident::Branch& branch,
             unsigned flits);
  void leave_buffer(support::Cycle now, unsigned bit, std::uint32_t index, unsigned train);
  void collect_credits(Output& output, support::Cycle now);
  void use_credit(Output& output, unsigned vc, int flits);
  void advance_later(support::Cycle when, Port port);
  Resident::Branch* branch_to(Resident& resident, Port port);
  void note_wait(WaitGraph& graph, Port port, const Resident& resident,
                 const Resident::Branch& branch, unsigned in_vc) const;
  void note_wait_for_channel(WaitGraph& graph, const Output& output, const Resident& resident,
                             const Resident::Branch& branch, Wait wait) const;
  void note_wait_for_buffer(WaitGraph& graph, Port port, Wait wait) const;

  DetailedTorus* torus_ = nullptr;
  unsigned node_ = 0;
  LinkStats* stats_ = nullptr;
  std::array<Output, kPorts> outputs_;
  std::array<Channel, kInputs * vc::kCount> channels_;
  std::array<Gate, vc::kCount> gates_;
  /// The packet whose data the NIU reads, as holder_of_packet; 0: none.
  std::uint32_t fetching_ = 0;
  bool before_dram_ = false;
  /// Writes with data that are in a NIU with the right to refuse, and not accepted yet.
  unsigned streams_ = 0;
  /// The queue of their data in front of DRAM, and the start of a packet's data in it.
  StreamDrain drain_;
  bool streaming_ = false;  ///< the last flit of that packet has not left yet
  support::Cycle stream_began_ = 0;
  std::vector<Resident> residents_;
  std::vector<std::uint32_t> free_residents_;
};

}  // namespace tvp::noc
