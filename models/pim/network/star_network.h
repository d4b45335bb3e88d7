#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "foundation/clock_ratio.h"
#include "models/pim/network/network.h"
#include "models/pim/network/star_combiner.h"
#include "models/pim/network/star_link.h"
#include "models/pim/pim_config.h"
#include "models/pim/pim_hierarchy.h"
#include "models/support/calendar.h"
#include "models/switch/switch_config.h"
#include "models/switch/switch_link_faults.h"
#include "models/switch/switch_tree.h"

namespace tvp::pim {

/// Participants at the ports of a switch with an ALU, or of a tree of such switches (`switch.*`).
///
/// Links are full duplex and carry whole packets in order. A switch cuts through: a packet can
/// leave `cut_through_ns` after its first byte left the previous node, on each of its links as soon
/// as that link is free. Operands of a reduction wait at their ports until the others arrive; the
/// combination leaves `alu_ns` later. It goes up while some participants are elsewhere. From the
/// switch above all participants it goes down to its receivers. Switches copy multicasts.
///
/// A packet leaves for a switch when there is a slot behind the link. Participants accept all
/// packets. Packets go up and then down, and the operands of each group have separate slots, so no
/// cycle of waits can form. Arrivals in the same cycle of the units' clock are served in the order
/// of links.
class StarNetwork : public Network, public support::EventTarget {
 public:
  using Ps = StarLink::Ps;
  using Set = switching::SwitchTree::Set;
  struct Stats {
    std::uint64_t injected = 0;
    std::uint64_t multicasts = 0;  ///< packets to be copied
    std::uint64_t reductions = 0;  ///< combinations in all switches
    std::uint64_t lost = 0;
    std::size_t most_to_combine = 0;  ///< maximum of operands that waited in a switch
  };

  /// Throws Fault(kDescription) in the name of a key.
  StarNetwork(const PimConfig& config, const switching::SwitchConfig& switches,
              const PimHierarchy& hierarchy, support::Calendar& calendar);

  void connect(unsigned unit, NetworkEndpoint& endpoint) override { endpoints_[unit] = &endpoint; }
  bool may_inject(const Packet& packet) override;
  void inject(const Packet& packet, support::Cycle when) override;
  std::string refusal(unsigned unit, const SwitchOrder& order) const override;
  /// Orders name participants as chips.
  unsigned peer(unsigned, unsigned chip) const override { return chip; }
  std::vector<unsigned> receivers(unsigned unit, const SwitchOrder& order) const override;
  void check_conservation() const override;
  void check_at_end() const override;
  void fire(support::Cycle now, std::uint64_t token) override;

  const switching::SwitchTree& tree() const { return tree_; }
  const Stats& stats() const { return stats_; }
  /// up(): the link from a node towards the root. down(): the opposite direction.
  StarLink& up(unsigned node) { return links_[node]; }
  StarLink& down(unsigned node) { return links_[tree_.nodes() + node]; }
  const StarLink& up(unsigned node) const { return links_[node]; }
  const StarLink& down(unsigned node) const { return links_[tree_.nodes() + node]; }
  /// "unit3.up", "switch0.down".
  std::string name_of(const StarLink& link) const;
  /// The incomplete reductions in switches and the missing participants, one line each.
  std::vector<std::string> waiting() const;

 private:
  static constexpr std::uint32_t kNoLink = 0xFFFFFFFF;
  enum class Step : std::uint8_t {
    kArrive,   ///< the first byte of a parcel is in a switch and may leave it
    kDeliver,  ///< the last byte is at a participant
    kSent,     ///< the last byte of a parcel has left on a link
    kCredit,   ///< a slot behind a link is free again
  };
  /// A packet, or the result of packets, at one node or on its way there.
  struct Parcel {
    enum class State : std::uint8_t { kFree, kTravels, kWaits, kLeaves };
    State state = State::kFree;
    bool is_operand = false;
    std::uint32_t group = 0;  ///< reduction: number of its set of participants, from 1 on
    Packet packet;
    std::shared_ptr<const PartialResult> what;        ///< reduction: partial result
    std::shared_ptr<const std::vector<Packet>> each;  ///< multicast: packets of its targets
    Set targets;                                      ///< receivers
    std::uint32_t in_link = kNoLink;                  ///< link whose slot it holds
    std::uint32_t copies = 0;                         ///< copies that have not left
    Ps ready = 0;                                     ///< its first byte can leave
    Ps whole = 0;                                     ///< its last byte can leave
    std::vector<std::uint32_t> holds;                 ///< operands of which it consists
  };

  std::uint32_t make(Parcel parcel);
  std::uint64_t wire_bytes(const Parcel& parcel) const;
  std::uint32_t& slots_in_use(StarLink& link, const Parcel& parcel);
  bool has_slot(StarLink& link, const Parcel& parcel);
  void queue(StarLink& link, std::uint32_t number, support::Cycle now);
  void pump(StarLink& link, support::Cycle now, Ps earliest);
  void send(StarLink& link, std::uint32_t number, support::Cycle now, Ps earliest);
  void lose(const StarLink& link, const Parcel& parcel, const std::string& why);
  void arrived(unsigned node, std::uint32_t number, support::Cycle now);
  void combine(unsigned node, std::uint32_t number, support::Cycle now);
  void distribute(unsigned node, unsigned came_from, std::uint32_t number, support::Cycle now);
  void deliver(unsigned unit, std::uint32_t number, support::Cycle now);
  void sent(StarLink& link, std::uint32_t number, support::Cycle now);
  void release(std::uint32_t number, Ps when, support::Cycle now);
  /// The participants in a register of an order; none if it has one that does not exist.
  Set set_of(const SwitchOrder& order, std::uint32_t value) const;
  /// The participants that get a multicast or a result of this unit.
  Set targets(unsigned unit, const SwitchOrder& order) const;
  std::uint32_t group_of(const Set& from);
  void credit(StarLink& link, std::uint32_t group, support::Cycle now);
  std::shared_ptr<const std::vector<Packet>> copies_of(const Packet& packet) const;
  static Packet copy_for(unsigned unit, const Parcel& parcel);

  std::uint32_t index(const StarLink& link) const {
    return static_cast<std::uint32_t>(&link - links_.data());
  }
  void post(Step step, StarLink& link, std::uint32_t what, support::Cycle when);
  support::Cycle cycle_of(Ps ps, support::Cycle now) const;
  support::Cycle cycle_after(Ps ps, support::Cycle now) const;

  const PimConfig& config_;
  const switching::SwitchConfig& switches_;
  const switching::SwitchTree tree_;
  const switching::SwitchLinkFaults faults_;
  support::Calendar& calendar_;
  const foundation::Period clock_;
  const Ps hop_;
  const Ps alu_;
  std::vector<StarLink> links_;          ///< up by node, then down by node
  std::vector<StarCombiner> combiners_;  ///< index: switch
  std::vector<NetworkEndpoint*> endpoints_;
  std::vector<bool> waits_to_inject_;  ///< index: participant
  std::vector<Set> groups_;            ///< sets of participants of reductions
  std::vector<Parcel> parcels_;
  std::vector<std::uint32_t> free_parcels_;
  Stats stats_;
};

}  // namespace tvp::pim
