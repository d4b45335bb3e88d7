#include "platform/library/host_recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/output_file.h"

namespace tvp::platform {

using foundation::HostMessage;

namespace {

/// Longer lines are hard to read.
constexpr std::uint32_t kMostBytes = 64U << 10;
static_assert(kMostBytes % foundation::MeasuredTimes::kMostPeriod == 0);

}  // namespace

HostRecorder::HostRecorder(const std::string& file, const std::string& title,
                           host::HostMemory& memory)
    : file_(file),
      memory_(memory),
      descriptor_(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) cannot_write();
  comment(title);
}

HostRecorder::~HostRecorder() {
  if (descriptor_ >= 0) close(descriptor_);
}

void HostRecorder::listen(DeviceAccess& devices) {
  for (unsigned device = 0; device < HostMessage::kDevices; ++device) {
    if (!devices.has_device(device)) continue;
    chips_.push_back(std::make_unique<Chip>(*this, device));
    devices.set_listener(device, *chips_.back());
  }
}

void HostRecorder::Chip::tile_accessed(unsigned x, unsigned y, const Access& access) {
  HostMessage message;
  message.chip = device_;
  message.x = x;
  message.y = y;
  recorder_.record(message, access);
}

void HostRecorder::Chip::bar_accessed(unsigned bar, const Access& access) {
  HostMessage message;
  message.chip = device_;
  message.bar = bar;
  recorder_.record(message, access);
}

void HostRecorder::record(HostMessage message, const host::AccessListener::Access& access) {
  message.kind = access.write ? HostMessage::Kind::kWrite : HostMessage::Kind::kRead;
  for (std::uint32_t done = 0; done < access.bytes; done += message.size) {
    message.address = access.address + done;
    message.size = std::min(kMostBytes, access.bytes - done);
    HostMessage::Bytes bytes(access.data + done, access.data + done + message.size);
    if (access.write) {
      message.data = std::move(bytes);
    } else {
      message.reply = std::move(bytes);
    }
    const bool marked = times_ && !access.write && !message.bar;
    put((marked ? times_->to_line() : "") + message.to_line());
  }
}

void HostRecorder::read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) {
  memory_.read(address, data, bytes);
  if (told_.holds(address, data, bytes)) return;
  told_.write(address, data, bytes);
  HostMessage message;
  message.kind = HostMessage::Kind::kHost;
  message.address = address;
  message.size = bytes;
  message.data.assign(data, data + bytes);
  put(message.to_line());
}

void HostRecorder::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) {
  memory_.write(address, data, bytes);
  told_.write(address, data, bytes);
}

void HostRecorder::clocked(std::uint32_t cycles) {
  HostMessage message;
  message.kind = HostMessage::Kind::kClock;
  message.cycles = cycles;
  put(message.to_line());
}

void HostRecorder::comment(const std::string& text) {
  std::string line = "# " + text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  put(line + "\n");
}

void HostRecorder::ended() { put(HostMessage{}.to_line()); }

void HostRecorder::put(const std::string& line) {
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(descriptor_, line.data() + done, line.size() - done);
    if (n > 0) done += static_cast<std::size_t>(n);
    if (n < 0 && errno != EINTR) {
      throw foundation::HostError("record.file", "cannot write the recording to " + file_ + ": " +
                                                     foundation::reason_of(errno));
    }
  }
}

void HostRecorder::cannot_write() const {
  foundation::throw_errno("record.file", "cannot write the recording to " + file_, errno);
}

}  // namespace tvp::platform
