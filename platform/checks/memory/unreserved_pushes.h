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
/// If the loop of the core shows for how many pages it waits (PollReader), the core may push these
/// pages only, even if it sees more room. A core that reserves pages beyond its last push reserves
/// too many, or pushes too few, unless it signals other tiles, which may fill these pages.
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
    /// The pages for which the core has waited.
    struct Asked {
      bool is_known = false;
      bool has_pushed = false;
      bool has_matched = false;  ///< a push has ended where the count that was asked for ends
      std::uint16_t end = 0;     ///< count of pushed pages up to which it has asked for room
      std::uint32_t pc = 0;      ///< pc of the loop that asks for the most
    };
    std::array<Asked, kCores> asked{};
    std::uint32_t reported = 0;  ///< a bit for each core
    std::uint32_t poppers = 0;
    std::uint16_t pushed = 0;
  };
  void looked(const ProbeEvent& event);
  void ask(Buffer& buffer, const ProbeEvent& event);
  void report_beyond(Buffer& buffer, unsigned core, const ProbeEvent& event);
  void report_unused(Buffer& buffer, unsigned number);
  void pushed(Buffer& buffer, const ProbeEvent& event);
  void popped(Buffer& buffer, const ProbeEvent& event);
  void decide(Buffer& buffer, unsigned core, unsigned number);
  void decide_all();
  void report(Buffer& buffer, unsigned core, const Buffer::Push& push, unsigned number);

  std::array<Buffer, kBuffers> buffers_{};
  std::uint32_t signallers_ = 0;  ///< cores that signal other tiles; a bit for each
};

}  // namespace tvp::checks
