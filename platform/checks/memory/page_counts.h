#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Pushes and pops that no right program makes. Kernels count the pages of a circular buffer in two
/// registers of the stream of the same number, in 16 bits: pushed pages in kRemoteDestBufSize,
/// popped pages in kRemoteDestBufStart. Hardware knows nothing of it.
///
/// Some kernels pop more than there is at their end, after which they read nothing. It is wrong if
/// pages are pushed afterwards, except those that a compute kernel makes for itself and gives back
/// unread (tt-metal's RMS norm). Some push a page too many as the last thing (tt-metal's sort). It
/// is wrong if the buffer is used any further, or if the push alone is more than the buffer.
class PageCounts : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "page_counts"; }
  const char* summary() const override {
    return "pushes and pops of more pages than a circular buffer has";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr unsigned kBuffers = 32;
  static constexpr auto kNobody = BusMaster::kDebug;
  struct Buffer {
    std::uint32_t pages = 0;  ///< 0: the program has no such buffer
    BusMaster popped_ahead = kNobody;
    BusMaster pushed_over = kNobody;
    std::int32_t over = 0;  ///< pages in the buffer then
    std::uint32_t last_pushed = 0;
  };
  // What is wrong; empty if nothing is.
  std::string pushed(const ProbeEvent& event);
  std::string popped(const ProbeEvent& event);
  std::string too_many(unsigned buffer, std::int32_t in, BusMaster by) const;

  std::array<Buffer, kBuffers> buffers_{};
};

}  // namespace tvp::checks
