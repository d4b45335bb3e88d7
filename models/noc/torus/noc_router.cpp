#include "models/noc/torus/noc_router.h"

#include <algorithm>
#include <bit>

#include "models/noc/torus/detailed_torus.h"

namespace tvp::noc {

using support::Cycle;

namespace {

/// True for whole words to L1, one flit in each cycle. Narrow writes and writes to registers do not
/// stream.
bool streams_to_l1(const NocExtension& header) {
  const bool has_data = header.kind == PacketKind::kReadResponse || carries_data(header);
  return has_data && header.bytes >= 16 && !header.byte_enabled &&
         header.address < regs::noc::kFirstMmioAddress;
}

}  // namespace

void NocRouter::init(DetailedTorus& torus, unsigned node, std::vector<LinkStats>& stats) {
  torus_ = &torus;
  node_ = node;
  stats_ = &stats[link_index(node, Port::kX)];
  before_dram_ = torus.before_dram(node);
  if (before_dram_)
    drain_ = StreamDrain(torus.grid().map().flit_bytes / torus.config().dram_write_bytes_per_cycle,
                         kMaxTrain);
}

std::uint32_t NocRouter::new_resident() {
  if (free_residents_.empty()) {
    residents_.emplace_back();
    return static_cast<std::uint32_t>(residents_.size() - 1);
  }
  const std::uint32_t index = free_residents_.back();
  free_residents_.pop_back();
  residents_[index] = Resident{};
  return index;
}

void NocRouter::free_resident(std::uint32_t index) { free_residents_.push_back(index); }

Resident::Branch* NocRouter::branch_to(Resident& resident, Port port) {
  for (unsigned i = 0; i < resident.branches; ++i) {
    if (resident.branch[i].port == static_cast<unsigned>(port)) return &resident.branch[i];
  }
  return nullptr;
}

void NocRouter::arrive(Cycle now, Input input, unsigned vc, std::uint32_t slot, unsigned leg,
                       unsigned flits) {
  const unsigned bit = static_cast<unsigned>(input) * vc::kCount + vc;
  Channel& channel = channels_[bit];
  if (channel.last == Resident::kNone || residents_[channel.last].slot != slot) {
    enqueue(now, input, channel, slot, leg);
  }
  Resident& resident = residents_[channel.last];
  resident.arrived = static_cast<std::uint16_t>(resident.arrived + flits);
  if (channel.first != channel.last) return;
  announce(channel.first, bit);
  const unsigned branches = resident.branches;
  std::array<Port, 3> ports{};
  for (unsigned i = 0; i < branches; ++i) ports[i] = static_cast<Port>(resident.branch[i].port);
  for (unsigned i = 0; i < branches; ++i) advance(now, ports[i]);
}

/// The first flits of a packet arrive. The packet is then the last one of its channel.
void NocRouter::enqueue(Cycle now, Input input, Channel& channel, std::uint32_t slot,
                        unsigned leg) {
  const std::uint32_t index = new_resident();
  Resident& resident = residents_[index];
  resident.slot = slot;
  resident.flits = static_cast<std::uint16_t>(torus_->packet(slot).header().flits);
  resident.head_at = now;
  if (input == Input::kQueue) {
    // The packet waits for the injection link; the NIU has chosen its channel.
    resident.branches = 1;
    resident.branch[0].port = static_cast<std::uint8_t>(Port::kInjection);
  } else {
    const auto& flight = torus_->flight(slot);
    for (const std::uint16_t next : flight.next[leg]) {
      if (next == DetailedTorus::kNoLeg) break;
      Resident::Branch& branch = resident.branch[resident.branches++];
      branch.leg = next;
      branch.port = static_cast<std::uint8_t>(flight.legs[next].port());
    }
  }
  if (channel.first == Resident::kNone) {
    channel.first = index;
  } else {
    residents_[channel.last].next = index;
  }
  channel.last = index;
}

/// The front packet of a channel requests its outputs.
void NocRouter::announce(std::uint32_t index, unsigned bit) {
  Resident& resident = residents_[index];
  for (unsigned i = 0; i < resident.branches; ++i) {
    const Resident::Branch& branch = resident.branch[i];
    if (branch.sent < resident.arrived) outputs_[branch.port].waiting |= std::uint64_t{1} << bit;
  }
}

void NocRouter::advance(Cycle now, Port port) {
  Output& output = outputs_[static_cast<unsigned>(port)];
  if (output.advance_at <= now) output.advance_at = support::kNever;
  if (output.waiting == 0) return;
  if (output.link_free > now) return advance_later(output.link_free, port);
  collect_credits(output, now);
  Choice choice;
  if (!pick(now, output, port, choice)) {
    if (!output.credits.empty()) advance_later(output.credits[output.credits_begin].when, port);
    if (port == Port::kNiu && niu_has_room_at(now) > now) advance_later(niu_has_room_at(now), port);
    return;
  }
  send(now, port, choice);
  if (output.waiting != 0) advance_later(output.link_free, port);
}

void NocRouter::advance_later(Cycle when, Port port) {
  Output& output = outputs_[static_cast<unsigned>(port)];
  if (output.advance_at <= when) return;
  output.advance_at = when;
  torus_->post_advance(when, node_, port);
}

/// Round robin between the channels of a link, and between the inputs whose packets want the same
/// channel. The two are independent. A turn has the length of a long train, from any number of
/// packets. So channels with short packets get their share of the flits (ISA NoC/RoutingPaths.md:
/// they take turns flit by flit). Among packets that compete for a channel, a higher priority goes
/// before a lower one that is not zero (ISA NoC/MemoryMap.md, NOC_CMD_ARB_PRIORITY).
bool NocRouter::pick(Cycle now, Output& output, Port port, Choice& choice) {
  unsigned best_turn = kNoTurn;
  unsigned best_priority = 0;  // priority of a packet that begins
  for (std::uint64_t left = output.waiting; left != 0; left &= left - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(left));
    Resident& resident = residents_[channels_[bit].first];
    const Resident::Branch& branch = *branch_to(resident, port);
    unsigned vc = bit % vc::kCount;
    const unsigned flits = can_send(now, output, port, resident, branch, vc);
    if (flits == 0) continue;
    const unsigned priority = branch.has_vc ? 0 : torus_->packet(resident.slot).header().priority;
    const bool ranked = best_priority != 0 && priority != 0 && priority != best_priority;
    const unsigned turn = turn_of(output, vc, bit);
    if (ranked ? priority < best_priority : turn > best_turn) continue;
    best_turn = turn;
    best_priority = priority;
    choice = {bit, vc, flits};
  }
  if (best_turn == kNoTurn) return false;
  const bool by_flit = pool_is_short(output);
  if (by_flit && choice.flits > 1 && contended(now, output, port, choice.bit)) choice.flits = 1;
  const bool goes_on = choice.vc == output.next_vc;
  output.turn = static_cast<std::uint8_t>((goes_on ? output.turn : 0) + choice.flits);
  const bool over = by_flit || output.turn >= kMaxTrain;
  if (over) output.turn = 0;
  output.next_vc = static_cast<std::uint8_t>((choice.vc + (over ? 1 : 0)) % vc::kCount);
  output.next_bit[choice.vc] = static_cast<std::uint8_t>((choice.bit + 1) % kBits);
  return true;
}

/// Round robin distance of the packet that waits as `bit` and would leave on channel `vc`.
unsigned NocRouter::turn_of(const Output& output, unsigned vc, unsigned bit) {
  return (vc - output.next_vc) % vc::kCount * kBits + (bit - output.next_bit[vc]) % kBits;
}

/// True if another channel could not get its share of the buffer behind the link. Then packets must
/// take turns flit by flit, not train by train (ISA NoC/RoutingPaths.md, Congestion).
bool NocRouter::pool_is_short(const Output& output) const {
  return pool_left(output) < torus_->config().vc_pool_flits;
}

/// True if another packet could also send now.
bool NocRouter::contended(Cycle now, const Output& output, Port port, unsigned chosen) {
  const std::uint64_t others = output.waiting & ~(std::uint64_t{1} << chosen);
  for (std::uint64_t left = others; left != 0; left &= left - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(left));
    Resident& resident = residents_[channels_[bit].first];
    unsigned vc = bit % vc::kCount;
    if (can_send(now, output, port, resident, *branch_to(resident, port), vc) > 0) return true;
  }
  return false;
}

/// Length of the train that could leave now. `vc` is the packet's channel on entry and its next
/// channel on return.
unsigned NocRouter::can_send(Cycle now, const Output& output, Port port, const Resident& resident,
                             const Resident::Branch& branch, unsigned& vc) const {
  const unsigned available = resident.arrived - branch.sent;  // a waiting packet always has some
  if (port == Port::kInjection && fetching_ != 0 && fetching_ != holder_of_packet(resident.slot) &&
      is_read_in_order(torus_->packet(resident.slot).header()))
    return 0;
  if (branch.has_vc) {
    vc = branch.vc;
  } else if (port != Port::kInjection) {
    if (!find_vc(output, resident, branch, vc >> 1 & 1, vc)) return 0;
  } else if (output.holder[vc] != 0 && output.holder[vc] != holder_of_packet(resident.slot) &&
             output.holder[vc] != holder_of_chain(node_)) {
    return 0;
  }
  const unsigned space =
      port == Port::kNiu ? room_at_niu(now, resident, branch, vc) : room(output, vc);
  return std::min({available, space, kMaxTrain});
}

/// A channel of the packet's class for the next hop: the same buddy if free, else the other one if
/// the packet may flip. Followers of a chain use the kept channel.
bool NocRouter::find_vc(const Output& output, const Resident& resident,
                        const Resident::Branch& branch, unsigned buddy, unsigned& vc) const {
  const NocExtension& header = torus_->packet(resident.slot).header();
  const unsigned dateline = torus_->flight(resident.slot).legs[branch.leg].dateline;
  for (unsigned flip = 0; flip < (header.static_vc || header.path_reserve ? 1U : 2U); ++flip) {
    const unsigned candidate = vc::number(header.vc_class, buddy ^ flip, dateline);
    const std::uint32_t holder = output.holder[candidate];
    const bool own_chain =
        !header.first_of_chain && holder == holder_of_chain(header.source.index());
    if (holder == 0 || holder == holder_of_packet(resident.slot) || own_chain) {
      vc = candidate;
      return true;
    }
  }
  return false;
}

unsigned NocRouter::room(const Output& output, unsigned vc) const {
  const NocConfig& config = torus_->config();
  const unsigned reserved = config.vc_reserved_flits;
  const unsigned used = output.used[vc];
  const unsigned claimed = used > reserved ? used - reserved : 0;
  const unsigned own = used < reserved ? reserved - used : 0;
  const unsigned share = config.vc_pool_flits - std::min(claimed, config.vc_pool_flits.value());
  return own + std::min(share, pool_left(output));
}

/// The part of the pool that channels may still claim. A nearly full pool counts as full (ISA
/// DRAMTile/README.md, Performance).
unsigned NocRouter::pool_left(const Output& output) const {
  const NocConfig& config = torus_->config();
  const unsigned taken = output.pool_used + config.pool_spare_flits;
  return config.pool_flits - std::min(taken, config.pool_flits.value());
}

/// A NIU accepts the rest of a packet that has begun. In front of DRAM it accepts data at the rate
/// of its controller.
unsigned NocRouter::room_at_niu(Cycle now, const Resident& resident, const Resident::Branch& branch,
                                unsigned vc) const {
  const NocExtension& header = torus_->packet(resident.slot).header();
  if (!branch.has_vc && !gate_open(header, vc)) return 0;
  if (!drains(header)) return room_at_l1(now, resident);
  unsigned room = drain_.room(now);
  const unsigned left = resident.flits - branch.sent;
  // Behind a packet that the controller has not accepted, only the queue has room.
  if (streams_ > (branch.has_vc ? 1U : 0U))
    room = std::min(room, kMaxTrain - std::min<unsigned>(branch.sent, kMaxTrain));
  return room < std::min(left, kDrainTrain) ? 0 : room;
}

/// Data for L1 that is delayed there fills the NIU and then waits here.
unsigned NocRouter::room_at_l1(Cycle now, const Resident& resident) const {
  support::L1Intake* const intake = torus_->intake(node_);
  if (intake == nullptr || !streams_to_l1(torus_->packet(resident.slot).header())) return kMaxTrain;
  return intake->room(now, torus_->config().router_to_niu_cycles);
}

void NocRouter::tell_intake(const Packet& packet, unsigned sent, unsigned flits,
                            Cycle arrives) const {
  const NocExtension& header = packet.header();
  support::L1Intake* const intake = torus_->intake(node_);
  if (intake == nullptr || !streams_to_l1(header)) return;
  const unsigned headers = sent == 0 ? 1 : 0;
  if (flits == headers) return;
  const unsigned words = intake->lanes();  // words of a flit
  intake->send(static_cast<std::uint32_t>(header.address / 16) + (sent + headers - 1) * words,
               (flits - headers) * words, arrives + headers, gaps(header, sent),
               gaps(header, sent + flits));
}

/// A response leaves late enough that its last flit leaves when its data was read. In hardware the
/// earlier flits leave sooner with gaps, since the NIU reads more slowly than links transfer.
/// Returns the cycles of gaps behind `sent` flits.
Cycle NocRouter::gaps(const NocExtension& header, unsigned sent) const {
  if (header.kind != PacketKind::kReadResponse) return 0;
  const double cycles_a_flit =
      torus_->grid().map().flit_bytes / torus_->config().answer_bytes_per_cycle.value();
  return static_cast<Cycle>((header.flits - sent) * std::max(cycles_a_flit - 1, 0.0));
}

Cycle NocRouter::niu_has_room_at(Cycle now) const {
  if (drain_.limits()) return drain_.has_room_at(kDrainTrain);
  const support::L1Intake* const intake = torus_->intake(node_);
  return intake == nullptr ? now : intake->has_room_at(now, torus_->config().router_to_niu_cycles);
}

/// True if a NIU reads the packet's data in order. A NIU reads the data of writes one after the
/// other. A DRAM tile's NIU receives read data in order, since AXI returns the data of a channel's
/// requests in their order (ISA DRAMTile/README.md, Ordering).
bool NocRouter::is_read_in_order(const NocExtension& header) const {
  return carries_data(header) || (before_dram_ && header.kind == PacketKind::kReadResponse);
}

/// True if the packet's data goes through the drain queue. Broadcasts bypass a DRAM tile's NIU. A
/// NIU that accepts everything (as in some tests) has no queue.
bool NocRouter::drains(const NocExtension& header) const {
  return torus_->niu_refuses(node_) && is_streamed(header);
}

bool NocRouter::is_streamed(const NocExtension& header) const {
  return drain_.limits() && carries_data(header) && !header.broadcast;
}

/// A NIU that can refuse may have its own input buffer. A long packet may stream through if no
/// packet is before it.
bool NocRouter::gate_open(const NocExtension& header, unsigned vc) const {
  if (!torus_->niu_refuses(node_) || is_response(header.kind) || header.broadcast) return true;
  // AXI's write data channel does not interleave (ISA DRAMTile/README.md).
  if (carries_data(header)) {
    // If the data has a queue, the next packet follows the one that the NIU is accepting.
    if (drains(header)) return !streaming_ && streams_ <= 1;
    if (streams_ != 0) return false;
  }
  const Gate& gate = gates_[vc];
  return gate.packets == 0 || gate.flits + header.flits <= torus_->request_buffer(node_);
}

void NocRouter::use_credit(Output& output, unsigned vc, int flits) {
  const int reserved = static_cast<int>(torus_->config().vc_reserved_flits.value());
  const int before = output.used[vc];
  const int after = before + flits;
  output.used[vc] = static_cast<std::uint16_t>(after);
  output.pool_used =
      static_cast<unsigned>(static_cast<int>(output.pool_used) + std::max(after - reserved, 0) -
                            std::max(before - reserved, 0));
}

void NocRouter::collect_credits(Output& output, Cycle now) {
  while (output.credits_begin < output.credits.size() &&
         output.credits[output.credits_begin].when <= now) {
    const Credit& credit = output.credits[output.credits_begin++];
    use_credit(output, credit.vc, -static_cast<int>(credit.flits));
  }
  if (output.credits_begin == output.credits.size()) {
    output.credits.clear();
    output.credits_begin = 0;
  } else if (output.credits_begin > 64 && 2 * output.credits_begin > output.credits.size()) {
    // A stream without a gap always has credits in transit. Used entries are erased in blocks, so
    // that each credit moves at most once.
    output.credits.erase(
        output.credits.begin(),
        output.credits.begin() + static_cast<std::ptrdiff_t>(output.credits_begin));
    output.credits_begin = 0;
  }
}

void NocRouter::return_credit(Port port, unsigned vc, unsigned flits, Cycle when) {
  Output& output = outputs_[static_cast<unsigned>(port)];
  // A packet may not collect credits for a long time, so keep the list short.
  if (output.credits.size() > 64) collect_credits(output, torus_->calendar_.now());
  torus_->show_occupancy(node_, port, vc, when, -static_cast<int>(flits));
  output.credits.push_back(
      {when, static_cast<std::uint16_t>(flits), static_cast<std::uint8_t>(vc)});
  if (output.waiting != 0) advance_later(std::max(when, output.link_free), port);
}

void NocRouter::niu_took(Cycle now, unsigned vc, unsigned flits, bool with_data) {
  if (with_data) --streams_;
  --gates_[vc].packets;
  gates_[vc].flits -= flits;
  advance(now, Port::kNiu);
}

void NocRouter::send(Cycle now, Port port, const Choice& choice) {
  Output& output = outputs_[static_cast<unsigned>(port)];
  const std::uint32_t index = channels_[choice.bit].first;
  Resident& resident = residents_[index];
  Resident::Branch& branch = *branch_to(resident, port);
  const NocExtension& header = torus_->packet(resident.slot).header();
  const unsigned sent_before = branch.sent;
  if (sent_before == 0) begin_packet(now, port, resident, branch, choice.vc);
  stats_[static_cast<unsigned>(port)].flits += choice.flits;
  torus_->show_train(node_, port, now, choice.flits);
  output.link_free = now + choice.flits;
  branch.sent = static_cast<std::uint16_t>(sent_before + choice.flits);
  const bool ends = branch.sent == resident.flits;
  if (port == Port::kInjection && is_read_in_order(header))
    fetching_ = ends ? 0 : holder_of_packet(resident.slot);
  if (ends) {
    output.holder[choice.vc] = header.linked ? holder_of_chain(header.source.index()) : 0;
  }
  if (branch.sent == resident.arrived) {
    output.waiting &= ~(std::uint64_t{1} << choice.bit);
  }
  if (port == Port::kNiu) {
    Resident::Branch train = branch;
    train.sent = static_cast<std::uint16_t>(sent_before);
    eject(now, resident, train, choice.flits);
  } else {
    pass_on(now, port, resident, branch, choice);
    if (port == Port::kInjection && ends) {
      torus_->left_niu(node_, torus_->packet(resident.slot), now, choice.flits);
    }
  }
  leave_buffer(now, choice.bit, index, choice.flits);
}

/// The first flit of a packet takes a channel; its last flit returns the channel.
void NocRouter::begin_packet(Cycle now, Port port, const Resident& resident,
                             Resident::Branch& branch, unsigned vc) {
  branch.has_vc = true;
  branch.vc = static_cast<std::uint8_t>(vc);
  outputs_[static_cast<unsigned>(port)].holder[vc] = holder_of_packet(resident.slot);
  LinkStats& stats = stats_[static_cast<unsigned>(port)];
  ++stats.packets;
  stats.wait_cycles += now - resident.head_at;
}

/// A train crosses a link into the buffer of the next router, or enters this router from the NIU.
void NocRouter::pass_on(Cycle now, Port port, const Resident& resident,
                        const Resident::Branch& branch, const Choice& choice) {
  const NocConfig& config = torus_->config();
  use_credit(outputs_[static_cast<unsigned>(port)], choice.vc, static_cast<int>(choice.flits));
  torus_->show_occupancy(node_, port, choice.vc, now, static_cast<int>(choice.flits));
  if (port == Port::kInjection) {
    torus_->post_arrival(now + config.niu_to_router_cycles, node_, Input::kNiu, choice.vc,
                         resident.slot, 0, choice.flits);
  } else {
    const bool broadcast = torus_->packet(resident.slot).header().broadcast;
    torus_->post_arrival(now + (broadcast ? config.broadcast_hop_cycles : config.hop_cycles),
                         torus_->neighbor(node_, port), port == Port::kX ? Input::kX : Input::kY,
                         choice.vc, resident.slot, branch.leg, choice.flits);
  }
}

void NocRouter::eject(Cycle now, Resident& resident, const Resident::Branch& train,
                      unsigned flits) {
  Packet& packet = torus_->packet(resident.slot);
  const Cycle arrives = now + torus_->config().router_to_niu_cycles;
  const bool slow = is_streamed(packet.header());
  tell_intake(packet, train.sent, flits, arrives);
  if (slow) {
    // This includes the first packet, whose head shows that the NIU refuses. A second packet that
    // began beside it would never end.
    drain_.take(now, flits);
    streaming_ = train.sent + flits < resident.flits;
  }
  if (train.sent == 0) {
    stream_began_ = arrives;
    packet.header().last_vc = train.vc;
    if (!torus_->head_to_niu(node_, packet, arrives)) {
      streams_ += carries_data(packet.header());
      ++gates_[train.vc].packets;
      gates_[train.vc].flits += packet.header().flits;
    }
  }
  if (train.sent + flits == resident.flits) {
    if (slow)
      packet.header().streamed = static_cast<std::uint32_t>(arrives + flits - 1 - stream_began_);
    torus_->tail_to_niu(node_, packet, arrives + flits - 1);
  }
}

/// Flits that have left by every branch free their slots. When the whole packet has left, the next
/// one of the channel becomes the front packet.
void NocRouter::leave_buffer(Cycle now, unsigned bit, std::uint32_t index, unsigned train) {
  Resident& resident = residents_[index];
  unsigned left = resident.flits;
  for (unsigned i = 0; i < resident.branches; ++i) {
    left = std::min<unsigned>(left, resident.branch[i].sent);
  }
  const unsigned freed = left - resident.freed;
  resident.freed = static_cast<std::uint16_t>(left);
  const auto input = static_cast<Input>(bit / vc::kCount);
  if (freed > 0 && input != Input::kQueue) {
    constexpr std::array<Port, 3> kFeeders{Port::kX, Port::kY, Port::kInjection};
    torus_->routers_[torus_->upstream(node_, input)].return_credit(
        kFeeders[static_cast<unsigned>(input)], bit % vc::kCount, freed,
        now + torus_->config().credit_cycles);
  }
  if (left < resident.flits) return;
  Channel& channel = channels_[bit];
  channel.first = resident.next;
  free_resident(index);
  if (channel.first == Resident::kNone) {
    channel.last = Resident::kNone;
    return;
  }
  announce(channel.first, bit);
  // Its first flit is behind the last one of the packet that left.
  const Resident& front = residents_[channel.first];
  for (unsigned i = 0; i < front.branches; ++i) {
    advance_later(now + train, static_cast<Port>(front.branch[i].port));
  }
}

void NocRouter::note_waits(WaitGraph& graph) const {
  for (unsigned bit = 0; bit < channels_.size(); ++bit) {
    if (channels_[bit].first == Resident::kNone) continue;
    const Resident& front = residents_[channels_[bit].first];
    for (unsigned i = 0; i < front.branches; ++i) {
      const Resident::Branch& branch = front.branch[i];
      if (branch.sent < front.arrived)
        note_wait(graph, static_cast<Port>(branch.port), front, branch, bit % vc::kCount);
    }
    // The packets behind it wait until it is gone.
    for (std::uint32_t next = front.next; next != Resident::kNone; next = residents_[next].next) {
      graph.add({.waiter = residents_[next].slot,
                 .blocker = front.slot,
                 .node = static_cast<std::uint16_t>(node_),
                 .port = static_cast<Port>(front.branch[0].port),
                 .vc = static_cast<std::uint8_t>(bit % vc::kCount)});
    }
  }
}

void NocRouter::note_wait(WaitGraph& graph, Port port, const Resident& resident,
                          const Resident::Branch& branch, unsigned in_vc) const {
  if (port == Port::kNiu && branch.has_vc) return;  // a NIU accepts a packet that has begun
  const Output& output = outputs_[static_cast<unsigned>(port)];
  Wait wait{.waiter = resident.slot,
            .node = static_cast<std::uint16_t>(node_),
            .port = port,
            .vc = static_cast<std::uint8_t>(branch.has_vc ? branch.vc : in_vc)};
  unsigned vc = in_vc;
  if (!branch.has_vc && port != Port::kInjection &&
      !find_vc(output, resident, branch, in_vc >> 1 & 1, vc)) {
    return note_wait_for_channel(graph, output, resident, branch, wait);
  }
  if (port != Port::kX && port != Port::kY) return;
  if (branch.has_vc) vc = branch.vc;
  if (room(output, vc) > 0) return;
  wait.vc = static_cast<std::uint8_t>(vc);
  note_wait_for_buffer(graph, port, wait);
}

void NocRouter::note_wait_for_channel(WaitGraph& graph, const Output& output,
                                      const Resident& resident, const Resident::Branch& branch,
                                      Wait wait) const {
  const NocExtension& header = torus_->packet(resident.slot).header();
  const unsigned dateline = torus_->flight(resident.slot).legs[branch.leg].dateline;
  for (unsigned buddy = 0; buddy < 2; ++buddy) {
    wait.vc = static_cast<std::uint8_t>(vc::number(header.vc_class, buddy, dateline));
    // The channel has no holder, or a chain is between two packets. Such a wait is not part of a
    // cycle.
    wait.blocker = output.holder[wait.vc] - 1;
    graph.add(wait);
  }
}

/// The buffer behind a link is full. The front packets of its channels hold it.
void NocRouter::note_wait_for_buffer(WaitGraph& graph, Port port, Wait wait) const {
  wait.for_buffer = true;
  const NocRouter& behind = torus_->routers_[torus_->neighbor(node_, port)];
  const unsigned input = static_cast<unsigned>(port == Port::kX ? Input::kX : Input::kY);
  for (unsigned other = 0; other < vc::kCount; ++other) {
    const Channel& channel = behind.channels_[input * vc::kCount + other];
    if (channel.first == Resident::kNone) continue;
    wait.blocker = behind.residents_[channel.first].slot;
    graph.add(wait);
  }
}

}  // namespace tvp::noc
