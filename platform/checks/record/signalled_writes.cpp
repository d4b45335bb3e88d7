#include "platform/checks/record/signalled_writes.h"

#include <algorithm>

#include "platform/checks/tile_context.h"

namespace tvp::checks {

using Request = ProbeEvent::Request;

SignalledWrites::Tile& SignalledWrites::add(const TileContext& context) {
  Tile& tile = *tiles_.emplace_back(std::make_unique<Tile>(*this, context));
  if (context.x < kColumns && context.y < kColumns)
    by_place_[context.y * kColumns + context.x] = &tile;
  return tile;
}

std::uint64_t SignalledWrites::heard(unsigned x, unsigned y) const {
  const Tile* const tile = at(x, y);
  return tile == nullptr ? moment_ + 1 : tile->heard();
}

SignalledWrites::Place SignalledWrites::place_of(const ProbeEvent& command) const {
  Place place{.x0 = command.x0,
              .y0 = command.y0,
              .x1 = command.x1,
              .y1 = command.y1,
              .address = command.remote_address,
              .bytes = command.request == Request::kInlineWrite ? 4 : command.bytes};
  if (command.remote != ProbeEvent::Place::kDram || dram_ == nullptr) return place;
  const DramBuffers::Place in_bank =
      dram_->place_of({command.x1, command.y1}, command.remote_address);
  place.x0 = place.x1 = static_cast<std::uint8_t>(in_bank.bank);
  place.y0 = place.y1 = Place::kDram;
  place.address = in_bank.address;
  return place;
}

std::optional<SignalledWrites::Found> SignalledWrites::Tile::command(const ProbeEvent& event) {
  if (event.request == Request::kRead) {
    const bool is_poll = event.bytes <= 2 * kMostOfSignal;
    if (is_poll) looked_ = ++chip_.moment_;
    if (incoming_.empty()) return {};
    std::optional<Found> found = reads(chip_.place_of(event));
    if (is_poll) incoming_.clear();
    return found;
  }
  const Command command{.place = chip_.place_of(event),
                        .niu = event.agent,
                        .core = event.core,
                        .pc = event.pc,
                        .cycle = event.cycle};
  const bool is_signal = event.remote == ProbeEvent::Place::kTensix &&
                         (event.request != Request::kWrite || event.bytes <= kMostOfSignal);
  if (is_signal) signals(command);
  if (event.request != Request::kAtomic && !event.is_posted) writes(command);
  return {};
}

void SignalledWrites::Tile::writes(const Command& command) {
  Write write;
  static_cast<Command&>(write) = command;
  write.moment = chip_.moment_;
  write.same_since = count_;
  if (count_ != 0) {
    const Write& last = write_at(count_ - 1);
    if (last.core == command.core && last.niu == command.niu &&
        last.place.has_same_tiles(command.place))
      write.same_since = last.same_since;
  }
  writes_[count_++ % kMost] = write;
}

/// Looks for writes of the core to other tiles from the latest on. Writes to the same tiles, one
/// after the other, are looked at once.
void SignalledWrites::Tile::signals(const Command& command) {
  Incoming incoming{.sender = this, .signal = command, .answered = answered_, .end = count_};
  bool is_ordered = true;
  for (std::uint64_t number = count_; number-- > oldest();) {
    const Write& write = write_at(number);
    const bool has_arrived = number < answered_[niu_of(write.niu)];
    if (has_arrived && number < std::min(answered_[0], answered_[1])) break;
    std::uint64_t first = std::max(write.same_since, oldest());
    if (!has_arrived) first = std::max(first, answered_[niu_of(write.niu)]);
    if (!has_arrived && write.core == command.core && !write.place.has_same_tiles(command.place)) {
      is_ordered = false;
      incoming.moment = write_at(first).moment;
    }
    number = first;
  }
  for (unsigned y = command.place.y0; y <= command.place.y1; ++y)
    for (unsigned x = command.place.x0; x <= command.place.x1; ++x)
      if (Tile* const receiver = chip_.at(x, y); receiver != nullptr && receiver != this)
        receiver->hear(incoming, is_ordered);
}

void SignalledWrites::Tile::hear(const Incoming& incoming, bool is_ordered) {
  if (is_ordered && incoming_.empty()) return;
  std::erase_if(incoming_, [&](const Incoming& known) {
    return known.sender == incoming.sender && known.signal.core == incoming.signal.core;
  });
  if (!is_ordered) incoming_.push_back(incoming);
}

/// A tile that has got no signal since the write cannot announce it. Tiles without an entry here,
/// for example ethernet tiles, may know everything.
void SignalledWrites::Tile::requested(const ProbeEvent& event) {
  const bool is_signal =
      !event.is_local || event.request != Request::kWrite || event.bytes <= kMostOfSignal;
  if (!is_signal) return;
  heard_ = ++chip_.moment_;
  if (incoming_.empty()) return;
  if (!event.is_local) return incoming_.clear();
  const Tile* const from = chip_.at(event.x0, event.y0);
  std::erase_if(incoming_, [&](const Incoming& known) {
    return known.sender != from && (from == nullptr || from->heard_ > known.moment);
  });
}

std::optional<SignalledWrites::Found> SignalledWrites::Tile::reads(const Place& place) const {
  for (const Incoming& incoming : incoming_) {
    const Tile& sender = *incoming.sender;
    for (std::uint64_t number = incoming.end; number-- > sender.oldest();) {
      const Write& write = sender.write_at(number);
      if (number < std::min(incoming.answered[0], incoming.answered[1])) break;
      if (number < incoming.answered[niu_of(write.niu)] || write.core != incoming.signal.core ||
          !write.place.meets(place))
        continue;
      return Found{.sender = &sender.context_, .write = write, .signal = incoming.signal};
    }
  }
  return {};
}

}  // namespace tvp::checks
