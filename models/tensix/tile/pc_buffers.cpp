#include "models/tensix/tile/pc_buffers.h"

namespace tvp::tensix {

using support::MmioAccess;
using support::Watch;

void PcBuffers::wait(MmioAccess& access) const {
  access.blocked = true;
  access.watch = Watch::kCoprocessor;
}

void PcBuffers::access_from_b(unsigned thread, MmioAccess& access) {
  Fifo& fifo = fifo_[thread];
  if (access.write) {
    if (fifo.size == kDepth) return wait(access);
    fifo.value[(fifo.first + fifo.size) % kDepth] = access.data;
    ++fifo.size;
    watch_hub_.changed(Watch::kCoprocessor, access.now, access.order);
    return;
  }
  const bool forced = override_enabled(thread) && override_busy(thread);
  const bool drained = fifo.size == 0 && fifo.reader_waits && status_.thread_idle(thread);
  if (!forced && !drained) return wait(access);
  access.data = 0;
}

void PcBuffers::access_from_t(unsigned thread, MmioAccess& access) {
  if (access.write) return;  // discarded
  Fifo& fifo = fifo_[thread];
  if (fifo.size == 0) {
    if (override_enabled(thread)) {
      access.data = override_value(thread);
      return;
    }
    if (!fifo.reader_waits) {
      fifo.reader_waits = true;
      watch_hub_.changed(Watch::kCoprocessor, access.now, access.order);
    }
    return wait(access);
  }
  fifo.reader_waits = false;
  access.data = fifo.value[fifo.first];
  fifo.first = (fifo.first + 1) % kDepth;
  --fifo.size;
  watch_hub_.changed(Watch::kCoprocessor, access.now, access.order);
}

void PcBuffers::access_sync(unsigned thread, unsigned which, MmioAccess& access) {
  if (access.write) return;  // only orders
  const bool done = which == 0 ? status_.thread_idle(thread) : status_.mop_expander_done(thread);
  if (!done && !(override_enabled(thread) && override_busy(thread))) return wait(access);
  access.data = 0;  // documented as undefined
}

void PcBuffers::set_override(std::uint32_t value, support::Cycle now, unsigned order) {
  override_ = value;
  watch_hub_.changed(Watch::kCoprocessor, now, order);
}

void PcBuffers::reset_reader(unsigned thread, support::Cycle now, unsigned order) {
  fifo_[thread] = {};
  watch_hub_.changed(Watch::kCoprocessor, now, order);
}

}  // namespace tvp::tensix
