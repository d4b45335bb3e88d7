#include "platform/checks/record/tile_record.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;

TileRecord::TileRecord(Probe& probe, const LoadedCode& code) : l1(probe), code_(code) {
  l1.set_page_uses(page_uses);
  l1.set_listener(this);
  l1.set_guard(this);
  l1.arrivals().set_listener(this);
  page_uses.set_probe(probe);
  page_uses.set_listener(this);
}

Probe::Kinds TileRecord::kinds() {
  return L1InFlight::kinds() | HandOvers::kKinds | kAnnouncements;
}

void TileRecord::announced(const ProbeEvent& event) {
  switch (event.kind) {
    case Kind::kProgramEnds:
      buffers_.clear();
      return page_uses.hold({});
    case Kind::kBuffer:
      if (event.index >= PageUses::kBuffers) return;
      if (event.index >= buffers_.size()) buffers_.resize(event.index + 1);
      buffers_[event.index] = {.pages = event.packets,
                               .page_bytes = event.bytes,
                               .address = static_cast<std::uint32_t>(event.address),
                               .is_tensor = event.is_own,
                               .format = event.value};
      return;
    default:  // kProgramBegins
      l1.guard_below(code_.firmware_end());
      return page_uses.hold(buffers_);
  }
}

void TileRecord::forget_found() {
  found_ = {};
  has_found_ = false;
}

}  // namespace tvp::checks
