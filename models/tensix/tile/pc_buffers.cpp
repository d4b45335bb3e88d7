#include "models/tensix/tile/pc_buffers.h"

namespace tvp::tensix {

using support::MmioAccess;
using support::Watch;

void PcBuffers::wait(MmioAccess& access) const {
  access.blocked = true;
  access.watch = Watch::kCoprocessor;
}

void PcBuffers::access_from_b(unsigned thread, MmioAccess& access) {
  Buffer& buffer = buffers_[thread];
  if (access.write) {
    if (buffer.words.full()) return wait(access);
    buffer.words.push(access.data);
    watch_hub_.changed(Watch::kCoprocessor, access.now, access.order);
    return;
  }
  const bool forced = override_enabled(thread) && override_busy(thread);
  const bool drained = buffer.words.empty() && buffer.reader_waits && status_.thread_idle(thread);
  if (!forced && !drained) return wait(access);
  access.data = 0;
}

void PcBuffers::access_from_t(unsigned thread, MmioAccess& access) {
  if (access.write) return;  // discarded
  Buffer& buffer = buffers_[thread];
  if (buffer.words.empty()) {
    if (override_enabled(thread)) {
      access.data = override_value(thread);
      return;
    }
    if (!buffer.reader_waits) {
      buffer.reader_waits = true;
      watch_hub_.changed(Watch::kCoprocessor, access.now, access.order);
    }
    return wait(access);
  }
  buffer.reader_waits = false;
  access.data = buffer.words.front();
  buffer.words.pop();
  watch_hub_.changed(Watch::kCoprocessor, access.now, access.order);
}

void PcBuffers::access_sync(unsigned thread, unsigned which, MmioAccess& access) {
  if (access.write) return;  // only orders accesses
  const bool done = which == 0 ? status_.thread_idle(thread) : status_.mop_expander_done(thread);
  if (!done && !(override_enabled(thread) && override_busy(thread))) return wait(access);
  access.data = 0;  // the documentation leaves it undefined
}

void PcBuffers::set_override(std::uint32_t value, support::Cycle now, unsigned order) {
  override_ = value;
  watch_hub_.changed(Watch::kCoprocessor, now, order);
}

void PcBuffers::reset_reader(unsigned thread, support::Cycle now, unsigned order) {
  buffers_[thread] = {};
  watch_hub_.changed(Watch::kCoprocessor, now, order);
}

}  // namespace tvp::tensix
