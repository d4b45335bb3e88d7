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
  void hold(unsigned buffer, std::uint32_t pages) { buffers_[buffer] = {pages, kNobody}; }
  bool looks_at(unsigned stream) const { return stream < kBuffers && buffers_[stream].pages != 0; }

  /// What is wrong with a push that leaves these counts; empty if nothing is.
  std::string pushed(unsigned buffer, std::uint32_t pushed, std::uint32_t popped);
  /// Who pops more than there is reads nothing any more, as some kernels do at their end: it is
  /// wrong when pages are pushed behind it.
  void popped(unsigned buffer, std::uint32_t pushed, std::uint32_t popped, support::BusMaster by);

 private:
  static constexpr auto kNobody = support::BusMaster::kDebug;
  struct Buffer {
    std::uint32_t pages = 0;
    support::BusMaster popped_ahead = kNobody;
  };
  std::array<Buffer, kBuffers> buffers_{};
};

}  // namespace tvp::noc
