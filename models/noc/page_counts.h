#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/support/bus_access.h"

namespace tvp::noc {

/// Circular buffers whose pages software counts in registers of the stream of the same number:
/// those that were pushed in kRemoteDestBufSize, those that were popped in kRemoteDestBufStart,
/// both in 16 bits. Hardware knows nothing of it; this says which counts no right program comes to.
/// Only buffers are looked at that the host has told of.
class PageCounts {
 public:
  static constexpr unsigned kBuffers = 32;

  /// How many pages a buffer holds; none: not looked at.
  void hold(unsigned buffer, std::uint32_t pages) { buffers_[buffer] = {.pages = pages}; }
  bool looks_at(unsigned stream) const { return stream < kBuffers && buffers_[stream].pages != 0; }

  /// What is wrong with a push or a pop that leaves these counts; empty if nothing is.
  ///
  /// Who pops more than there is reads nothing any more, as some kernels do at their end: it is
  /// wrong when pages are pushed behind it, but for those that a compute kernel makes for itself
  /// and gives back unread. Who pushes a page too many as the last thing fills nothing: it is wrong
  /// when the buffer is used any further, or when the push alone is more than the buffer.
  std::string pushed(unsigned buffer, std::uint32_t pushed, std::uint32_t popped,
                     support::BusMaster by);
  std::string popped(unsigned buffer, std::uint32_t pushed, std::uint32_t popped,
                     support::BusMaster by);

 private:
  static constexpr auto kNobody = support::BusMaster::kDebug;
  struct Buffer {
    std::uint32_t pages = 0;
    support::BusMaster popped_ahead = kNobody;
    support::BusMaster pushed_over = kNobody;
    std::int32_t over = 0;  ///< pages in the buffer then
    std::uint32_t last_pushed = 0;
  };
  std::string too_many(unsigned buffer, std::int32_t in, support::BusMaster by) const;

  std::array<Buffer, kBuffers> buffers_{};
};

}  // namespace tvp::noc
