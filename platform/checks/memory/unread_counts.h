#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Reports pushes of pages for which the core has not seen room, and pops of pages that it has not
/// seen. A core sees them when it reads the other side's count, as `cb_reserve_back` and
/// `cb_wait_front` do. Until it has read a count it knows nothing, so a missing call is reported
/// even if the buffer is large enough for the whole program. A core may push once without a look:
/// published kernels fill tables that are pushed only once.
///
/// A core that pushes and pops one buffer itself needs no count. Published compute kernels leave
/// out calls for buffers that only they use, so what PACK pushes and UNPACK pops is not checked.
/// Memory of tensors often has its data before the program begins, so only its pops are checked,
/// and only if a core pushes pages.
class UnreadCounts : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unread_counts"; }
  const char* summary() const override {
    return "pushes and pops of pages without a look at the other side's count";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr unsigned kBuffers = 32;
  static constexpr unsigned kCores = 5;
  /// Pages that a core may still push, or pop, by the last count that it has read.
  struct Side {
    std::array<std::int32_t, kCores> allowed{};
    std::uint32_t users = 0;  ///< a bit for each core that has pushed, or popped
    std::uint32_t reported = 0;
    std::uint32_t blind = 0;  ///< cores that have once pushed without a look
    std::uint16_t count = 0;
  };
  struct Buffer {
    std::uint32_t pages = 0;  ///< 0: the program has no such buffer
    bool is_tensor = false;
    Side pushes, pops;
    std::uint32_t packed_at = 0;  ///< pc of PACK's first push without a look; 0: none
    std::int32_t packed = 0;      ///< pages of that push
  };
  void read(Buffer& buffer, const ProbeEvent& event);
  void pushed(Buffer& buffer, const ProbeEvent& event);
  void popped(Buffer& buffer, const ProbeEvent& event);
  /// Counts a push or pop. Returns the pages that the core had not seen, which are reported.
  static std::int32_t take(Side& side, std::uint32_t now, BusMaster core);
  void warn_of(Side& side, BusMaster core, std::uint32_t pc, unsigned buffer, std::int32_t unseen);

  std::array<Buffer, kBuffers> buffers_{};
};

}  // namespace tvp::checks
