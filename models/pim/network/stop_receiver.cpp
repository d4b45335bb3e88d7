#include "models/pim/network/stop_receiver.h"

#include <algorithm>
#include <cstring>

namespace tvp::pim {

namespace stop_regs = regs::pim::stop;
using support::MmioAccess;

StopReceiver::StopReceiver(const StopEnvironment& environment)
    : where_(environment.where),
      packet_bytes_(environment.config.packet_bytes),
      wram_(environment.wram),
      messages_(environment.messages),
      faults_(environment.faults) {}

void StopReceiver::reset() {
  windows_ = {};
  from_unit_.clear();
  reductions_ = {};
  held_back_ = 0;
}

void StopReceiver::access(MmioAccess& access) {
  const std::uint32_t channel = (access.offset - stop_regs::kWindows) / stop_regs::kWindowStride;
  if (channel >= stop_regs::kChannels) {
    access.unmapped = true;
    return;
  }
  Window& window = windows_[channel];
  access.watch = kWatch;
  switch (access.offset % stop_regs::kWindowStride) {
    case stop_regs::kWindowBase:
      (access.write ? window.base : access.data) = access.write ? access.data : window.base;
      break;
    case stop_regs::kWindowBytes:
      if (access.write && !Wram::contains(window.base, access.data)) {
        raise("window of channel " + std::to_string(channel) + ": " + std::to_string(access.data) +
              " bytes at " + std::to_string(window.base) + " leave WRAM");
        return;
      }
      (access.write ? window.bytes : access.data) = access.write ? access.data : window.bytes;
      if (access.write && probe_ != nullptr && probe_->wants(support::ProbeEvent::Kind::kBuffer))
        probe_->report({.kind = support::ProbeEvent::Kind::kBuffer,
                        .agent = support::BusMaster::kPimStop,
                        .memory = support::MemoryKind::kWram,
                        .pc = probe_->pc_of(support::BusMaster::kB),
                        .bytes = window.bytes,
                        .index = channel,
                        .address = window.base,
                        .cycle = access.now});
      break;
    case stop_regs::kArrivals:
      access.unmapped = access.write;
      if (access.write) break;
      access.data = window.arrivals;
      report_read(1 + channel, access);
      break;
    default:
      access.unmapped = true;
  }
}

void StopReceiver::report_read(std::uint32_t counter, const MmioAccess& access) const {
  if (probe_ == nullptr || !probe_->wants(support::ProbeEvent::Kind::kCounterRead)) return;
  const auto awaited = probe_->awaited();
  probe_->report({.kind = support::ProbeEvent::Kind::kCounterRead,
                  .agent = support::BusMaster::kPimStop,
                  .is_local = awaited.has_value(),
                  .index = counter,
                  .value = access.data,
                  .pushed = awaited.value_or(access.data),
                  .cycle = access.now});
}

bool StopReceiver::peek(MmioAccess& access) const {
  const std::uint32_t channel = (access.offset - stop_regs::kWindows) / stop_regs::kWindowStride;
  if (channel >= stop_regs::kChannels ||
      access.offset % stop_regs::kWindowStride != stop_regs::kArrivals)
    return false;
  access.data = windows_[channel].arrivals;
  return true;
}

StopReceiver::Stream& StopReceiver::stream_of(const Message& message) {
  if (message.is_reduction()) return reductions_[message.channel];
  if (message.source >= from_unit_.size()) from_unit_.resize(message.source + 1);
  return from_unit_[message.source];
}

bool StopReceiver::store(std::uint32_t index, std::uint32_t packet, const Wram::Port& port) {
  Message& message = messages_[index];
  Stream& stream = stream_of(message);
  --message.packets_left;
  if (message.sequence != stream.next) {
    stream.waiting.push_back({index, packet});
    held_back_ += message.packets_left == 0;
    return false;
  }
  land(index, packet, port);
  if (message.packets_left > 0) return false;
  for (bool whole = true; whole;) {
    count(messages_[index], port.now);
    messages_.release(index);
    ++stream.next;
    whole = land_waiting(stream, index, port);
    held_back_ -= whole;
  }
  return true;
}

void StopReceiver::count(const Message& message, support::Cycle now) {
  Window& window = windows_[message.channel];
  ++window.arrivals;
  if (probe_ == nullptr || !probe_->wants(support::ProbeEvent::Kind::kServed)) return;
  std::uint32_t first_word = 0;
  if (!message.data.empty()) std::memcpy(&first_word, message.data.data(), sizeof first_word);
  probe_->report({.kind = support::ProbeEvent::Kind::kServed,
                  .agent = support::BusMaster::kPimStop,
                  .memory = support::MemoryKind::kWram,
                  .is_broadcast = message.is_reduction(),
                  .bytes = static_cast<std::uint32_t>(message.data.size()),
                  .packets = message.number,
                  .index = message.channel,
                  .value = message.source,
                  .popped = first_word,
                  .address = window.base + message.offset,
                  .cycle = now});
}

/// Stores the arrived part of the stream's current message. True if the message is complete;
/// `index` is then its number.
bool StopReceiver::land_waiting(Stream& stream, std::uint32_t& index, const Wram::Port& port) {
  bool whole = false;
  std::erase_if(stream.waiting, [&](const Stream::Waiting& waiting) {
    const Message& message = messages_[waiting.message];
    if (message.sequence != stream.next) return false;
    land(waiting.message, waiting.packet, port);
    whole = message.packets_landed == message.packets;
    index = waiting.message;
    return true;
  });
  return whole;
}

void StopReceiver::land(std::uint32_t index, std::uint32_t packet, const Wram::Port& port) {
  Message& message = messages_[index];
  const bool is_first = message.packets_landed++ == 0;
  if (message.data.empty()) return;
  const Window& window = windows_[message.channel];
  if (std::uint64_t{message.offset} + message.data.size() > window.bytes) {
    if (!is_first) return;
    return raise("message of " + std::to_string(message.data.size()) + " bytes from unit " +
                 std::to_string(message.source) + " at offset " + std::to_string(message.offset) +
                 " into a buffer of " + std::to_string(window.bytes) + ", channel " +
                 std::to_string(message.channel) + ". Expected a set_window of at least " +
                 std::to_string(message.offset + message.data.size()) +
                 " bytes before. Check it, and the unit, channel and offset of the message");
  }
  const std::uint32_t begin = packet * packet_bytes_;
  const auto bytes =
      static_cast<std::uint32_t>(std::min<std::size_t>(packet_bytes_, message.data.size() - begin));
  wram_.write(window.base + message.offset + begin, message.data.data() + begin, bytes, port);
}

std::string StopReceiver::name_of(std::uint32_t offset) {
  if (offset < stop_regs::kWindows || offset % stop_regs::kWindowStride != stop_regs::kArrivals)
    return "";
  return "arrivals of channel " +
         std::to_string((offset - stop_regs::kWindows) / stop_regs::kWindowStride);
}

}  // namespace tvp::pim
