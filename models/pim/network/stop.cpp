#include "models/pim/network/stop.h"

#include <algorithm>
#include <bit>

#include "models/pim/network/pending_reductions.h"
#include "models/support/tile_scheduler.h"

namespace tvp::pim {

namespace stop_regs = regs::pim::stop;
using support::Cycle;
using support::MmioAccess;

namespace {
// Tokens of events.
constexpr std::uint64_t kPump = ~std::uint64_t{0};

/// "6" for a mask, "8 + 2 i, i < 4" for a range.
std::string chips_text(std::uint32_t order, std::uint32_t chips) {
  if ((order & stop_regs::kOrderRanges) == 0) return std::to_string(chips);
  return std::to_string(chips & stop_regs::kRangeMask) + " + " +
         std::to_string(chips >> stop_regs::kRangeStrideShift) + " i, i < " +
         std::to_string(chips >> stop_regs::kRangeCountShift & stop_regs::kRangeMask);
}
}  // namespace

Stop::Stop(const Environment& environment)
    : where_(environment.where),
      unit_(environment.unit),
      units_(environment.units),
      config_(environment.config),
      wram_(environment.wram),
      messages_(environment.messages),
      network_(environment.network),
      calendar_(environment.calendar),
      calendar_index_(environment.calendar_index),
      watch_hub_(environment.watch_hub),
      faults_(environment.faults),
      receiver_(environment) {
  network_.connect(unit_, *this);
}

void Stop::reset() {
  destination_ = channel_ = wram_address_ = bytes_ = offset_ = 0;
  order_ = from_chips_ = to_chips_ = reductions_ = 0;
  issued_ = sent_ = 0;
  next_message_to_.clear();
  next_reduction_ = {};
  receiver_.reset();
}

void Stop::access(MmioAccess& access) {
  if (access.offset >= stop_regs::kWindows) return receiver_.access(access);
  std::uint32_t* plain = nullptr;
  switch (access.offset) {
    case stop_regs::kDestination:
      plain = &destination_;
      break;
    case stop_regs::kChannel:
      plain = &channel_;
      break;
    case stop_regs::kWramAddress:
      plain = &wram_address_;
      break;
    case stop_regs::kBytes:
      plain = &bytes_;
      break;
    case stop_regs::kOffset:
      plain = &offset_;
      break;
    case stop_regs::kOrder:
      plain = &order_;
      break;
    case stop_regs::kFromChips:
      plain = &from_chips_;
      break;
    case stop_regs::kToChips:
      plain = &to_chips_;
      break;
    case stop_regs::kGoSwitch:
      access.unmapped = !access.write;
      if (access.write) go_switch(access);
      return;
    case stop_regs::kGo:
      access.unmapped = !access.write;
      if (access.write) go(access);
      return;
    case stop_regs::kIssued:
    case stop_regs::kSent:
      access.unmapped = access.write;
      access.watch = StopReceiver::kWatch;
      access.data = access.offset == stop_regs::kSent ? sent_ : issued_;
      if (access.offset == stop_regs::kSent && !access.write) receiver_.report_read(0, access);
      return;
    default:
      access.unmapped = true;
      return;
  }
  access.watch = StopReceiver::kWatch;
  (access.write ? *plain : access.data) = access.write ? access.data : *plain;
}

/// Checks that messages and orders share. `text` names the operation in faults.
bool Stop::checks_out(const std::string& text) {
  const auto wrong = [&](const std::string& what) {
    raise(text + what);
    return false;
  };
  if (channel_ >= stop_regs::kChannels) {
    return wrong(": there are channels 0 to " + std::to_string(stop_regs::kChannels - 1));
  }
  if ((bytes_ | offset_ | (bytes_ == 0 ? 0 : wram_address_)) % stop_regs::kAlignment != 0) {
    return wrong(": address " + std::to_string(wram_address_) + ", offset " +
                 std::to_string(offset_) + " and length must be multiples of " +
                 std::to_string(stop_regs::kAlignment));
  }
  if (bytes_ != 0 && !Wram::contains(wram_address_, bytes_)) {
    return wrong(": its bytes at " + std::to_string(wram_address_) + " leave WRAM");
  }
  return true;
}

bool Stop::waits_for_queue(MmioAccess& access) {
  if (issued_ - sent_ < stop_regs::kQueue) return false;
  access.blocked = true;
  access.watch = StopReceiver::kWatch;
  return true;
}

std::uint32_t Stop::new_message(std::uint32_t destination, const SwitchOrder& order, Cycle now) {
  const std::uint32_t index = messages_.allocate();
  Message& message = messages_[index];
  message.source = unit_;
  message.destination = destination;
  message.channel = channel_;
  message.offset = offset_;
  message.number = issued_ + 1;
  message.packets = std::max(1U, (bytes_ + config_.packet_bytes - 1) / config_.packet_bytes);
  message.packets_left = message.packets;
  message.packets_landed = 0;
  message.is_lost = false;
  message.order = order;
  message.next_copy = kNoMessage;
  message.data.resize(bytes_);
  if (bytes_ != 0 && probe_ != nullptr && probe_->wants(support::ProbeEvent::Kind::kRead))
    probe_->report({.kind = support::ProbeEvent::Kind::kRead,
                    .agent = support::BusMaster::kPimStop,
                    .core = support::BusMaster::kB,
                    .memory = support::MemoryKind::kWram,
                    .pc = probe_->pc_of(support::BusMaster::kB),
                    .bytes = bytes_,
                    .address = wram_address_,
                    .cycle = now,
                    .done = now});
  if (bytes_ != 0) wram_.read(wram_address_, message.data.data(), bytes_, port(now));
  return index;
}

/// Reports what becomes of the oldest message.
void Stop::report(support::ProbeEvent::Kind kind, Cycle now) const {
  if (probe_ != nullptr && probe_->wants(kind))
    probe_->report({.kind = kind, .agent = support::BusMaster::kPimStop, .cycle = now});
}

void Stop::report_command(const Message& message, unsigned copies, Cycle now) const {
  using Event = support::ProbeEvent;
  if (probe_ == nullptr || !probe_->wants(Event::Kind::kCommand)) return;
  probe_->report({.kind = Event::Kind::kCommand,
                  .agent = support::BusMaster::kPimStop,
                  .core = support::BusMaster::kB,
                  .memory = support::MemoryKind::kWram,
                  .request = Event::Request::kWrite,
                  .is_broadcast = message.order.kind != SwitchOrder::Kind::kPass,
                  .is_local = true,
                  .pc = probe_->pc_of(support::BusMaster::kB),
                  .bytes = bytes_,
                  .packets = copies,
                  .index = message.channel,
                  .value = message.destination,
                  .address = wram_address_,
                  .cycle = now});
}

/// `copies`: messages that arrive at units.
void Stop::issue(std::uint32_t message, unsigned copies, Cycle now) {
  report_command(messages_[message], copies, now);
  ++issued_;
  ++stats_.messages_sent;
  stats_.bytes_sent += bytes_;
  post(now + config_.send_cycles, message);
}

void Stop::go(MmioAccess& access) {
  const auto text = [&] {
    return "message of " + std::to_string(bytes_) + " bytes to unit " +
           std::to_string(destination_) + ", channel " + std::to_string(channel_);
  };
  if (destination_ >= units_) {
    return raise(text() + ": there are units 0 to " + std::to_string(units_ - 1));
  }
  if (!checks_out(text()) || waits_for_queue(access)) return;
  const std::uint32_t index = new_message(destination_, {}, access.now);
  messages_[index].sequence = next_message_to_[destination_]++;
  issue(index, 1, access.now);
}

std::string Stop::why_no_order(const SwitchOrder& order) const {
  if ((order_ & ~stop_regs::kOrderRanges) >> (stop_regs::kTypeShift + 4) != 0 ||
      (order.kind != SwitchOrder::Kind::kMulticast && order.kind != SwitchOrder::Kind::kReduce)) {
    return "it has no order " + std::to_string(order_);
  }
  if (bytes_ == 0) return "expected some bytes";
  if (order.kind == SwitchOrder::Kind::kReduce) {
    if (order.op > stop_regs::kOpProd || order.type > stop_regs::kTypeBf16) {
      return "it has no op " + std::to_string(order.op) + " of type " + std::to_string(order.type);
    }
    const std::size_t element = reducer_of(order).element_bytes();
    if (bytes_ % element != 0 || config_.packet_bytes % element != 0) {
      return "expected whole elements of " + std::to_string(element) +
             " bytes in the message and in pim.packet_bytes";
    }
  }
  return network_.refusal(unit_, order);
}

/// A multicast is one message to each destination; the packets of the first message travel for all.
/// A reduction is a message to this unit, unless only others receive the result.
void Stop::go_switch(MmioAccess& access) {
  const auto text = [&] {
    return "order to the switch, " + std::to_string(bytes_) + " bytes from chips " +
           chips_text(order_, from_chips_) + " to chips " + chips_text(order_, to_chips_) +
           ", channel " + std::to_string(channel_);
  };
  SwitchOrder order{.kind = static_cast<SwitchOrder::Kind>(order_ & 0xF),
                    .op = static_cast<std::uint8_t>(order_ >> stop_regs::kOpShift & 0xF),
                    .type = static_cast<std::uint8_t>(order_ >> stop_regs::kTypeShift & 0xF),
                    .ranges = (order_ & stop_regs::kOrderRanges) != 0,
                    .from_chips = from_chips_,
                    .to_chips = to_chips_};
  const std::string refusal = why_no_order(order);
  if (!refusal.empty()) return raise(text() + ": " + refusal);
  if (!checks_out(text()) || waits_for_queue(access)) return;
  if (order.kind == SwitchOrder::Kind::kReduce) {
    order.number = reductions_++;
    const std::uint32_t index = new_message(unit_, order, access.now);
    const bool is_receiver = std::ranges::count(network_.receivers(unit_, order), unit_) != 0;
    if (is_receiver) messages_[index].sequence = next_reduction_[channel_]++;
    return issue(index, is_receiver ? 1 : 0, access.now);
  }
  std::uint32_t first = kNoMessage;
  unsigned copies = 0;
  for (const unsigned to : network_.receivers(unit_, order)) {
    ++copies;
    const std::uint32_t index = new_message(to, order, access.now);
    messages_[index].sequence = next_message_to_[to]++;
    messages_[index].next_copy = first;
    first = index;
  }
  issue(first, copies, access.now);
}

void Stop::post(Cycle when, std::uint64_t token) {
  calendar_.post(when,
                 {.phase = static_cast<std::uint8_t>(support::Phase::kNetwork),
                  .block = static_cast<std::uint16_t>(unit_),
                  .source = static_cast<std::uint16_t>(unit_),
                  .sequence = posted_++},
                 *this, token);
}

void Stop::fire(Cycle now, std::uint64_t token) {
  if (token != kPump) outgoing_.push_back(static_cast<std::uint32_t>(token));
  pump(now);
}

void Stop::injection_credit(Cycle when) {
  if (!outgoing_.empty()) post(when, kPump);
}

/// Injects packets of the first message as long as there are credits.
void Stop::pump(Cycle now) {
  while (!outgoing_.empty()) {
    const std::uint32_t index = outgoing_.front();
    const Message& message = messages_[index];
    const std::uint32_t begin = next_packet_ * config_.packet_bytes;
    const auto bytes = static_cast<std::uint32_t>(
        std::min<std::size_t>(config_.packet_bytes, message.data.size() - begin));
    Packet packet{.source = unit_,
                  .destination = message.destination,
                  .payload = {message.data.data() + begin, bytes},
                  .tag = std::uint64_t{index} << 32 | next_packet_,
                  .order = message.order};
    packet.order.part = next_packet_;
    const bool to_itself =
        message.destination == unit_ && message.order.kind == SwitchOrder::Kind::kPass;
    if (!to_itself && !network_.may_inject(packet)) return;
    ++stats_.packets_sent;
    if (++next_packet_ == message.packets) {
      next_packet_ = 0;
      outgoing_.pop_front();
      notify(now + 1, {.kind = Item::Kind::kSent});
    }
    if (to_itself) {
      deliver(packet, now + 1);
    } else {
      network_.inject(packet, now);
    }
  }
}

void Stop::deliver(const Packet& packet, Cycle when) {
  notify(when, {.kind = Item::Kind::kPacket,
                .message = static_cast<std::uint32_t>(packet.tag >> 32),
                .packet = static_cast<std::uint32_t>(packet.tag)});
}

void Stop::altered(const Packet& packet, std::span<const std::uint8_t> bytes) {
  const bool has_copies = packet.order.kind == SwitchOrder::Kind::kMulticast;
  const auto begin = static_cast<std::ptrdiff_t>((packet.tag & 0xFFFFFFFF) * config_.packet_bytes);
  auto index = static_cast<std::uint32_t>(packet.tag >> 32);
  do {
    std::ranges::copy(bytes, messages_[index].data.begin() + begin);
    index = messages_[index].next_copy;
  } while (has_copies && index != kNoMessage);
}

void Stop::lost(const Packet& packet, const std::string& why) {
  ++stats_.packets_lost;
  Message& message = messages_[static_cast<std::uint32_t>(packet.tag >> 32)];
  stats_.messages_lost += !message.is_lost;
  message.is_lost = true;
  raise("message of " + std::to_string(message.data.size()) + " bytes to unit " +
        std::to_string(message.destination) + ", channel " + std::to_string(message.channel) +
        ", is lost: " + why);
}

std::uint64_t Stop::tag_of_copy(const Packet& packet, unsigned destination) {
  auto index = static_cast<std::uint32_t>(packet.tag >> 32);
  while (messages_[index].destination != destination) index = messages_[index].next_copy;
  return std::uint64_t{index} << 32 | (packet.tag & 0xFFFFFFFF);
}

std::span<const std::uint8_t> Stop::payload_of_copy(const Packet& copy) {
  const Message& message = messages_[static_cast<std::uint32_t>(copy.tag >> 32)];
  return std::span(message.data)
      .subspan((copy.tag & 0xFFFFFFFF) * config_.packet_bytes, copy.payload.size());
}

void Stop::combined(const Packet& packet, std::span<const std::uint8_t> result) {
  Message& message = messages_[static_cast<std::uint32_t>(packet.tag >> 32)];
  std::ranges::copy(result, message.data.begin() + packet.order.part * config_.packet_bytes);
}

void Stop::absorbed(const Packet& packet) {
  const auto index = static_cast<std::uint32_t>(packet.tag >> 32);
  if (--messages_[index].packets_left == 0) messages_.release(index);
}

void Stop::notify(Cycle when, const Item& item) {
  inbox_.push(when + config_.receive_cycles, item);
  scheduler().wake(*this, inbox_.next());
  calendar_.tile_woken(calendar_index_);
}

void Stop::run() {
  while (!inbox_.empty() && may_act(inbox_.next())) {
    const Cycle now = inbox_.next();
    const Item item = inbox_.pop();
    if (item.kind == Item::Kind::kSent) {
      ++sent_;
      report(support::ProbeEvent::Kind::kAnswer, now);
      watch_hub_.changed(StopReceiver::kWatch, now, order());
    } else if (receiver_.store(item.message, item.packet, port(now))) {
      watch_hub_.changed(StopReceiver::kWatch, now, order());
    }
  }
  set_next(inbox_.next());
}

std::string Stop::name_of(std::uint32_t offset) {
  if (offset == stop_regs::kSent || offset == stop_regs::kGo || offset == stop_regs::kGoSwitch)
    return "the messages that it sends";
  return StopReceiver::name_of(offset);
}

}  // namespace tvp::pim
