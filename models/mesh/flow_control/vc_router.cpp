#include "models/mesh/flow_control/vc_router.h"

#include <algorithm>
#include <bit>

#include "foundation/fault.h"

namespace tvp::mesh {

using support::Cycle;

namespace {

/// The first set bit from `start` on, modulo `width`. At least one bit is set.
unsigned round_robin(unsigned bits, unsigned start) {
  const unsigned behind = bits >> start;
  if (behind != 0) return start + static_cast<unsigned>(std::countr_zero(behind));
  return static_cast<unsigned>(std::countr_zero(bits));
}

}  // namespace

void VcRouter::init(const Parameters& parameters, const RoutingTable& table, unsigned node,
                    PortMask endpoints) {
  parameters_ = &parameters;
  vcs_ = static_cast<std::uint8_t>(parameters.vcs);
  table_ = &table;
  node_ = node;
  endpoints_ = endpoints;
  occupied_ = 0;
  active_ = 0;
  channels_.fill({});
  flits_of_channels_.assign(std::size_t{kPorts} * parameters.vcs * parameters.buffer_flits, Flit{});
  flit_store_ = flits_of_channels_.data();
  for (auto& credits : credits_) {
    credits.fill(static_cast<std::uint8_t>(parameters.buffer_flits));
  }
  free_vcs_.fill(static_cast<VcMask>((1U << parameters.vcs) - 1));
  flits_ = 0;
  next_vc_.fill(0);
  next_input_.fill(0);
  next_channel_ = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    input_turn_[port].init(parameters.class_weights);
    output_turn_[port].init(parameters.class_weights);
  }
  for (unsigned c = 0; c < kTrafficClasses; ++c) {
    for (unsigned part = 0; part < 2; ++part) {
      class_vcs_[c * 2 + part] = vcs_of_part(parameters, c, part);
    }
  }
}

/// Equal parts; the first ones get the remainder.
std::uint8_t VcRouter::vcs_of_class(const Parameters& parameters, unsigned traffic_class) {
  const unsigned group = std::min(traffic_class, parameters.vc_groups - 1);
  const unsigned first = group * parameters.vcs / parameters.vc_groups;
  const unsigned end = (group + 1) * parameters.vcs / parameters.vc_groups;
  return static_cast<std::uint8_t>((1U << end) - (1U << first));
}

std::uint8_t VcRouter::vcs_of_part(const Parameters& parameters, unsigned traffic_class,
                                   unsigned part) {
  const unsigned all = vcs_of_class(parameters, traffic_class);
  if (parameters.parts < 2) return static_cast<std::uint8_t>(all);
  const auto first = static_cast<unsigned>(std::countr_zero(all));
  const unsigned half = static_cast<unsigned>(std::popcount(all)) / 2;
  const unsigned lower = ((1U << half) - 1) << first;
  return static_cast<std::uint8_t>(part == 0 ? lower : all & ~lower);
}

void VcRouter::receive(Port in, const Flit& flit, Cycle now) {
  const unsigned bit = index(in) * kMaxVcs + flit.vc;
  const unsigned place = place_of(bit);
  InputChannel& to = channels_[place];
  if (to.count == parameters_->buffer_flits) {
    throw foundation::Fault(foundation::FaultKind::kInternal, "mesh.router" + std::to_string(node_),
                            "flit without a credit at its " + std::string(name_of(in)) + " input");
  }
  unsigned slot = to.first + to.count;
  if (slot >= parameters_->buffer_flits) slot -= parameters_->buffer_flits;
  Flit& stored = flit_at(place, slot);
  stored = flit;
  stored.set_arrived(now);
  ++flits_;
  if (to.count++ == 0) {
    occupied_ |= ChannelSet{1} << bit;
    if (flit.head) to.ready_at = static_cast<std::uint32_t>(now) + parameters_->route_cycles;
  }
}

void VcRouter::step(Cycle now, Outputs& outputs) {
  outputs.flits = 0;
  outputs.credits = 0;
  outputs.heads_blocked = 0;
  // Both allocations use the registers at the beginning of the cycle. A channel that the switch
  // frees can be allocated in the next cycle.
  ChannelSet candidates = occupied_ & active_;
  const ChannelSet waiting = occupied_ & ~active_;
  if (waiting != 0) allocate_vcs(now, waiting);
  if (parameters_->vc_allocation_cycles == 0) candidates = occupied_ & active_;
  if (candidates != 0) allocate_switch(now, candidates, outputs);
}

/// Separable, input first: each input proposes one channel, each output selects one input.
void VcRouter::allocate_switch(Cycle now, ChannelSet candidates, Outputs& outputs) {
  if ((candidates & (candidates - 1)) == 0) {  // the usual case in light traffic
    const auto bit = static_cast<unsigned>(std::countr_zero(candidates));
    const InputChannel& only = channel(bit);
    if (only.is_ready(now) && has_credit(only)) take(now, only.out_port, bit, outputs);
    return;
  }
  std::array<std::uint8_t, kPorts> requests{};  // set of inputs for each output
  std::array<std::uint8_t, kPorts> proposed;    // channel for each input
  unsigned requested = 0;
  while (candidates != 0) {
    const unsigned in = static_cast<unsigned>(std::countr_zero(candidates)) / kMaxVcs;
    auto bits = static_cast<unsigned>(candidates >> (in * kMaxVcs) & 0xFF);
    candidates &= ~(ChannelSet{0xFF} << (in * kMaxVcs));
    const InputChannel* const of_input = &channel(in * kMaxVcs);
    unsigned ready = 0;
    for (; bits != 0; bits &= bits - 1) {
      const auto vc = static_cast<unsigned>(std::countr_zero(bits));
      if (of_input[vc].is_ready(now) && has_credit(of_input[vc])) ready |= 1U << vc;
    }
    if (ready == 0) continue;
    const unsigned vc = first_of(ready, input_turn_[in], next_vc_[in], nullptr, in * kMaxVcs);
    const unsigned bit = in * kMaxVcs + vc;
    proposed[in] = static_cast<std::uint8_t>(bit);
    const unsigned out = channel(bit).out_port;
    requests[out] |= static_cast<std::uint8_t>(1U << in);
    requested |= 1U << out;
  }
  for (; requested != 0; requested &= requested - 1) {
    const auto out = static_cast<unsigned>(std::countr_zero(requested));
    const unsigned in =
        first_of(requests[out], output_turn_[out], next_input_[out], proposed.data(), 0);
    take(now, out, proposed[in], outputs);
  }
}

/// An output takes the first flit of a channel.
inline void VcRouter::take(Cycle now, unsigned out, unsigned bit, Outputs& outputs) {
  const unsigned in = bit / kMaxVcs;
  const unsigned next_vc = bit % kMaxVcs + 1;
  next_input_[out] = static_cast<std::uint8_t>((in + 1) % kPorts);
  next_vc_[in] = static_cast<std::uint8_t>(next_vc == vcs_ ? 0 : next_vc);
  if (parameters_->arbitration == Arbitration::kWeighted) {
    input_turn_[in].gone(front(bit).traffic_class);
    output_turn_[out].gone(front(bit).traffic_class);
  }
  leave(now, bit, outputs);
}

/// The candidate with priority. `channel_of` maps its number to a channel; without it, the channel
/// is `base` + number.
unsigned VcRouter::first_of(unsigned candidates, const ClassTurn& turn, unsigned start,
                            const std::uint8_t* channel_of, unsigned base) {
  if (parameters_->arbitration == Arbitration::kRoundRobin ||
      (candidates & (candidates - 1)) == 0) {
    return round_robin(candidates, start);
  }
  const auto flit = [&](unsigned number) -> const Flit& {
    return front(channel_of != nullptr ? channel_of[number] : base + number);
  };
  if (parameters_->arbitration == Arbitration::kOldest) {
    auto best = static_cast<unsigned>(std::countr_zero(candidates));
    for (unsigned left = candidates & (candidates - 1); left != 0; left &= left - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(left));
      if (static_cast<std::int32_t>(flit(other).age - flit(best).age) < 0) best = other;
    }
    return best;
  }
  unsigned classes = 0;
  for (unsigned left = candidates; left != 0; left &= left - 1) {
    classes |= 1U << flit(static_cast<unsigned>(std::countr_zero(left))).traffic_class;
  }
  const unsigned chosen = parameters_->arbitration == Arbitration::kStrict
                              ? static_cast<unsigned>(std::bit_width(classes)) - 1
                              : turn.pick(classes);
  unsigned of_class = 0;
  for (unsigned left = candidates; left != 0; left &= left - 1) {
    const auto number = static_cast<unsigned>(std::countr_zero(left));
    if (flit(number).traffic_class == chosen) of_class |= 1U << number;
  }
  return round_robin(of_class, start);
}

void VcRouter::leave(Cycle now, unsigned bit, Outputs& outputs) {
  InputChannel& from = channel(bit);
  const unsigned in = bit / kMaxVcs;
  const unsigned out = from.out_port;
  Flit& flit = outputs.flit[out];
  flit = front(bit);
  outputs.flits |= static_cast<PortMask>(1U << out);
  outputs.credits |= static_cast<PortMask>(1U << in);
  outputs.credit_vc[in] = flit.vc;
  flit.vc = from.out_vc & 7;
  if (flit.head) {
    const std::uint32_t least = parameters_->route_cycles + parameters_->vc_allocation_cycles;
    const bool blocked = flit.waited_until(now) > least;
    outputs.heads_blocked |= static_cast<std::uint8_t>(blocked << out);
  }
  if ((endpoints_ >> out & 1) == 0) --credits_[out][from.out_vc];
  if (++from.first == parameters_->buffer_flits) from.first = 0;
  --flits_;
  if (--from.count == 0) {
    occupied_ &= ~(ChannelSet{1} << bit);
    from.first = 0;
  }
  if (flit.tail) {
    active_ &= ~(ChannelSet{1} << bit);
    free_vcs_[out] |= static_cast<VcMask>(1U << from.out_vc);
    from.ready_at = static_cast<std::uint32_t>(now) + 1 + parameters_->route_cycles;
  }
}

/// Each waiting input channel in turn gets a free output channel: in round robin order, or the
/// oldest or most urgent first.
void VcRouter::allocate_vcs(Cycle now, ChannelSet waiting) {
  bool granted = false;
  const auto try_one = [&](unsigned bit) {
    if (!allocate_vc(now, bit)) return;
    if (!granted) next_channel_ = static_cast<std::uint8_t>((bit + 1) % kChannels);
    granted = true;
  };
  if (parameters_->arbitration == Arbitration::kOldest ||
      parameters_->arbitration == Arbitration::kStrict) {
    while (waiting != 0) {
      const unsigned bit = first_waiting(waiting);
      waiting &= ~(ChannelSet{1} << bit);
      try_one(bit);
    }
    return;
  }
  const ChannelSet from_start = waiting >> next_channel_ << next_channel_;
  for (ChannelSet part : {from_start, waiting & ~from_start}) {
    for (; part != 0; part &= part - 1) try_one(static_cast<unsigned>(std::countr_zero(part)));
  }
}

/// The oldest one, or the next one behind the pointer in the most urgent class.
unsigned VcRouter::first_waiting(ChannelSet waiting) {
  const bool by_age = parameters_->arbitration == Arbitration::kOldest;
  const ChannelSet from_start = waiting >> next_channel_ << next_channel_;
  unsigned best = kChannels;
  for (ChannelSet part : {from_start, waiting & ~from_start}) {
    for (; part != 0; part &= part - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(part));
      if (best == kChannels) {
        best = bit;
        continue;
      }
      const Flit& a = front(bit);
      const Flit& b = front(best);
      const bool before =
          by_age ? static_cast<std::int32_t>(a.age - b.age) < 0 : a.traffic_class > b.traffic_class;
      if (before) best = bit;
    }
  }
  return best;
}

bool VcRouter::allocate_vc(Cycle now, unsigned bit) {
  InputChannel& waiting = channel(bit);
  if (!waiting.is_ready(now)) return false;
  Flit& head = front(bit);
  if (head.via == node_) [[unlikely]] {
    head.via = Flit::kNoVia;
    head.part = 1;
  }
  unsigned port = 0;
  unsigned vc = 0;
  if (!choose_output(head, bit, port, vc)) return false;
  free_vcs_[port] &= static_cast<VcMask>(~(1U << vc));
  active_ |= ChannelSet{1} << bit;
  waiting.out_port = static_cast<std::uint8_t>(port);
  waiting.out_vc = static_cast<std::uint8_t>(vc);
  waiting.ready_at = static_cast<std::uint32_t>(now) + parameters_->vc_allocation_cycles;
  return true;
}

/// Channels of an output that the packet may get. If there is an escape channel, it is channel 0. A
/// packet gets another channel only if its buffer is empty or takes the whole packet. Only a packet
/// that holds no other channel may then wait behind another one, which could escape in another
/// direction (Ma, Enright Jerger, Wang: Whole packet forwarding, HPCA 2012).
VcRouter::VcMask VcRouter::usable_vcs(unsigned port, const Flit& head, bool has_escape) const {
  if (!has_escape) return free_vcs_[port] & vcs_of(head);
  auto usable = static_cast<VcMask>(free_vcs_[port] & 0xFE);
  for (unsigned bits = usable; bits != 0; bits &= bits - 1) {
    const auto vc = static_cast<unsigned>(std::countr_zero(bits));
    const unsigned room = credits_[port][vc];
    if (room < parameters_->buffer_flits && room < head.length) {
      usable &= static_cast<VcMask>(~(1U << vc));
    }
  }
  return usable;
}

/// Chooses the allowed output with the most buffer space behind free channels. The lower port
/// breaks ties.
bool VcRouter::choose_output(const Flit& head, unsigned bit, unsigned& port, unsigned& vc) const {
  const auto in = static_cast<Port>(bit / kMaxVcs);
  const unsigned to = head.via == Flit::kNoVia ? head.destination : head.via;
  unsigned outputs = table_->outputs(node_, in, to, head.part);
  const unsigned escape = table_->escape(node_, in, to);
  if (escape == 0 && std::has_single_bit(outputs)) {
    port = static_cast<unsigned>(std::countr_zero(outputs));
    const VcMask usable = usable_vcs(port, head, false);
    if (usable == 0) return false;
    vc = best_vc(port, usable, bit);
    return true;
  }
  unsigned best = 0;
  VcMask best_usable = 0;
  for (; outputs != 0; outputs &= outputs - 1) {
    const auto candidate = static_cast<unsigned>(std::countr_zero(outputs));
    const VcMask usable = usable_vcs(candidate, head, escape != 0);
    unsigned room = 0;
    for (unsigned bits = usable; bits != 0; bits &= bits - 1) {
      room += 1U + credits_[candidate][static_cast<unsigned>(std::countr_zero(bits))];
    }
    if (room <= best) continue;
    best = room;
    best_usable = usable;
    port = candidate;
  }
  if (best_usable != 0) {
    vc = best_vc(port, best_usable, bit);
    return true;
  }
  if (escape == 0) return false;
  port = static_cast<unsigned>(std::countr_zero(escape));
  vc = 0;
  return (free_vcs_[port] & 1) != 0;
}

/// The channel with the most credits; the lowest of equal ones. Or the next one behind the last
/// output channel of the input channel, as the accept arbiters of iSLIP choose (McKeown, IEEE/ACM
/// Transactions on Networking 7(2), 1999).
unsigned VcRouter::best_vc(unsigned port, VcMask usable, unsigned bit) const {
  if (parameters_->rotates_vcs) {
    const InputChannel& last = channel(bit);
    return round_robin(usable, last.out_port == port ? last.out_vc + 1U : 0);
  }
  unsigned best = static_cast<unsigned>(std::countr_zero(usable));
  for (unsigned bits = usable; bits != 0; bits &= bits - 1) {
    const auto vc = static_cast<unsigned>(std::countr_zero(bits));
    if (credits_[port][vc] > credits_[port][best]) best = vc;
  }
  return best;
}

}  // namespace tvp::mesh
