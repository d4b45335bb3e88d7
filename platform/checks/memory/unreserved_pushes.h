#pragma once

#include <array>
#include <cstdint>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Reports pushes of pages for which the core has not seen room. A core sees room when it reads the
/// count of popped pages, as `cb_reserve_back` does. Until it has read the count it knows nothing,
/// so a missing call is reported even if the buffer is large enough for the whole program. A core
/// may push once without a look, because published kernels fill tables that are pushed only once,
/// unless it looks at this buffer later. A look at another buffer since the last push may give room
/// here, too, if one core pops both. Published kernels fill two buffers that are popped together,
/// and reserve pages of one.
///
/// A core that pushes and pops one buffer itself needs no count. Published compute kernels leave
/// out calls for buffers that only they use, so what PACK pushes and UNPACK pops is not checked.
/// Memory of tensors has its data before the program begins, so it needs no room.
class UnreservedPushes : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "unreserved_pushes"; }
  const char* summary() const override { return "pushes of pages without a cb_reserve_back"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr unsigned kBuffers = 32;
  static constexpr unsigned kCores = 5;
  struct Buffer {
    std::uint32_t pages = 0;  ///< 0: the program has no such buffer that is checked
    /// Pages that a core may still push, by the last count that it has read.
    std::array<std::int32_t, kCores> room{};
    /// Buffers at which the core has looked since its last push, a bit for each.
    std::array<std::uint32_t, kCores> looks{};
    struct Push {
      std::uint32_t pc = 0;
      std::int32_t pages = 0;   ///< 0: none
      std::uint32_t looks = 0;  ///< `looks` at that time
    };
    std::array<Push, kCores> blind{};    ///< the core's first push without a look
    std::array<Push, kCores> doubted{};  ///< its first push that waits for the buffers' poppers
    std::uint32_t reported = 0;          ///< a bit for each core
    std::uint32_t poppers = 0;
    std::uint16_t pushed = 0;
  };
  void looked(const ProbeEvent& event);
  void pushed(Buffer& buffer, const ProbeEvent& event);
  void popped(Buffer& buffer, const ProbeEvent& event);
  void decide(Buffer& buffer, unsigned core, unsigned number);
  void decide_all();
  void report(Buffer& buffer, unsigned core, const Buffer::Push& push, unsigned number);

  std::array<Buffer, kBuffers> buffers_{};
};

}  // namespace tvp::checks
