#include "models/support/overtaken_writes.h"

namespace tvp::support {

void OvertakenWrites::writes(const Request& request) {
  for (Write& known : writes_) {
    if (!is_like(known.request, request)) continue;
    if (known.is_overtaken) listener_->may_overtake(known.signal, known.request);
    known = {.request = request};
    return;
  }
  if (writes_.size() == kMost) writes_.erase(writes_.begin());
  writes_.push_back({.request = request});
}

void OvertakenWrites::signals(const Request& request) {
  for (std::size_t i = writes_.size(); i-- > 0;) {
    Write& write = writes_[i];
    if (write.request.core != request.core || !meet(write.request, request)) continue;
    if (write.has_arrived || same_way(write.request, request)) {
      writes_.erase(writes_.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (!write.is_overtaken) {
      write.is_overtaken = true;
      write.signal = request;
    }
  }
}

/// Those that nothing may overtake any more are done with.
void OvertakenWrites::know_arrived(BusMaster niu) {
  for (Write& write : writes_)
    if (write.request.niu == niu) write.has_arrived = true;
  std::erase_if(writes_,
                [](const Write& write) { return write.has_arrived && !write.is_overtaken; });
}

void OvertakenWrites::end() {
  for (const Write& write : writes_)
    if (write.is_overtaken) listener_->may_overtake(write.signal, write.request);
  writes_.clear();
}

}  // namespace tvp::support
