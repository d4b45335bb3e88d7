#include "models/pim/stop_receiver.h"

#include <algorithm>

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
  next_arrival_.clear();
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
      break;
    case stop_regs::kArrivals:
      access.unmapped = access.write;
      if (!access.write) access.data = window.arrivals;
      break;
    default:
      access.unmapped = true;
  }
}

bool StopReceiver::store(std::uint32_t index, std::uint32_t packet, const Wram::Port& port) {
  Message& message = messages_[index];
  const Window& window = windows_[message.channel];
  const std::uint64_t end = std::uint64_t{message.offset} + message.data.size();
  const bool fits = end <= window.bytes || message.data.empty();
  if (!fits && message.packets_left == message.packets) {
    raise("message of " + std::to_string(message.data.size()) + " bytes from unit " +
          std::to_string(message.source) + " at offset " + std::to_string(message.offset) +
          " into a buffer of " + std::to_string(window.bytes) + ", channel " +
          std::to_string(message.channel));
  }
  if (fits && !message.data.empty()) {
    const std::uint32_t begin = packet * packet_bytes_;
    const auto bytes = static_cast<std::uint32_t>(
        std::min<std::size_t>(packet_bytes_, message.data.size() - begin));
    const std::uint32_t at = window.base + message.offset + begin;
    wram_.write(at, message.data.data() + begin, bytes, port);
  }
  if (--message.packets_left > 0) return false;
  complete(index);
  return true;
}

bool StopReceiver::in_turn(const Message& message) {
  std::uint32_t& next = next_arrival_[message_stream(message.source, message.channel)];
  if (message.sequence != next) return false;
  ++next;
  return true;
}

/// Counts a message, and those behind it that came earlier.
void StopReceiver::complete(std::uint32_t index) {
  held_back_.push_back(index);
  bool counted = true;
  while (counted) {
    counted = false;
    for (std::size_t i = 0; i < held_back_.size(); ++i) {
      const Message& message = messages_[held_back_[i]];
      if (!in_turn(message)) continue;
      ++windows_[message.channel].arrivals;
      messages_.release(held_back_[i]);
      held_back_.erase(held_back_.begin() + static_cast<std::ptrdiff_t>(i));
      counted = true;
      break;
    }
  }
}

std::string StopReceiver::name_of(std::uint32_t offset) {
  if (offset < stop_regs::kWindows || offset % stop_regs::kWindowStride != stop_regs::kArrivals)
    return "";
  return "arrivals of channel " +
         std::to_string((offset - stop_regs::kWindows) / stop_regs::kWindowStride);
}

}  // namespace tvp::pim
