#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Reports pushes and pops that no correct program makes, and pages that compute cores cannot
/// count. Kernels count the pages of a circular buffer in two registers of the stream of the same
/// number, in 16 bits: pushed pages in kRemoteDestBufSize, popped pages in kRemoteDestBufStart.
/// Hardware does not check these counts.
///
/// Some kernels pop more pages than the buffer holds at their end and read nothing afterwards. This
/// is a mistake only if a core pushes pages later. Pages that a compute kernel both makes and pops
/// unread are an exception (tt-metal's RMS norm). Some kernels push a page too many as their last
/// action (tt-metal's sort). This is a mistake if the buffer is used again, or if the push alone
/// has more pages than the buffer.
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
  static constexpr std::uint32_t kAddressUnit = 16;  ///< bytes
  static constexpr auto kNobody = BusMaster::kDebug;
  struct Buffer {
    std::uint32_t pages = 0;  ///< 0: the program has no such buffer
    std::uint32_t page_bytes = 0;
    bool has_warned = false;  ///< of page_bytes
    BusMaster popped_ahead = kNobody;
    std::uint32_t popped_at = 0;  ///< pc of that pop
    BusMaster pushed_over = kNobody;
    std::uint32_t pushed_over_at = 0;  ///< pc of that push
    std::int32_t over = 0;             ///< pages in the buffer after the push of `pushed_over`
    std::uint32_t last_pushed = 0;
  };
  // These return the text of the fault, or "" if there is none.
  std::string pushed(const ProbeEvent& event);
  std::string popped(const ProbeEvent& event);
  void check_page_size(const ProbeEvent& event);
  std::string too_many(unsigned buffer, std::int32_t in, BusMaster by) const;

  std::array<Buffer, kBuffers> buffers_{};
};

}  // namespace tvp::checks
