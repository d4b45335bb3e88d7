#include "platform/machine/waves/stream_waves.h"

namespace tvp::platform {

namespace overlay = regs::overlay;
using support::Cycle;

namespace {
constexpr unsigned kCounterBits = 17;
}

void StreamWaves::watch(support::Signal& signal, const std::string& name, std::uint32_t initial) {
  recorder_.watch(signal, {.path = path_ + "." + name, .width = kCounterBits, .initial = initial});
}

void StreamWaves::on(const support::ProbeEvent& written) {
  auto& state = streams_[written.stream];
  if (!state) state = std::make_unique<Stream>();
  if (written.index == overlay::kRemoteDestBufSpaceAvailable) {
    show_credits(*state, written.stream, written.cycle, written.value);
  } else {
    show_buffer(*state, written.stream, written.index, written.cycle, written.value);
  }
}

void StreamWaves::show_buffer(Stream& stream, unsigned number, unsigned index, Cycle when,
                              std::uint32_t value) {
  if (index == overlay::kRemoteDestBufSize) {
    stream.size = value;
    stream.received.set(when, value);
    return;
  }
  if (!stream.is_buffer) {
    stream.is_buffer = true;
    const std::string name = "cb_" + std::to_string(number);
    watch(stream.received, name + ".received", stream.size);
    watch(stream.acked, name + ".acked", 0);
  }
  stream.acked.set(when, value);
}

void StreamWaves::show_credits(Stream& stream, unsigned number, Cycle when, std::uint32_t value) {
  // A store to the size also sets the space. Only an update makes the stream a counter.
  if (!stream.is_credit && value != stream.size) {
    stream.is_credit = true;
    watch(stream.credits, "stream_" + std::to_string(number) + ".credits", stream.space);
  }
  stream.space = value;
  stream.credits.set(when, value);
}

}  // namespace tvp::platform
