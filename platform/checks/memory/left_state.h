#pragma once

#include <array>
#include <cstdint>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about state of a tile that a program leaves behind at its end, and that disturbs the next
/// one or hangs on hardware:
///   - a NIU whose last request is linked, so that its path stays reserved (ISA
///     NoC/Counters.md and NoC/RoutingPaths.md);
///   - words in mailboxes between cores;
///   - pages of a circular buffer of which others were popped, or that no core has waited for.
///     Pages of a tensor may stay, and so may constants of which no core pops any.
class LeftState : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "left_state"; }
  const char* summary() const override {
    return "linked multicasts, words in mailboxes and pages that a program leaves behind";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr unsigned kNius = 2, kMasters = 5, kBuffers = 32;
  struct Access {
    BusMaster core = BusMaster::kDebug;
    std::uint32_t pc = 0;
  };
  struct Mailbox {
    std::uint32_t words = 0;
    std::uint32_t pc = 0;  ///< pc at which the last word was sent
  };
  /// A circular buffer of the program, with the counts since firmware has reset them.
  struct Pages {
    std::uint32_t pages = 0;  ///< 0: the program has no such buffer
    std::uint32_t pushed = 0, popped = 0;
    Access last_push{};
    Access last_pop{};
    Access waiter{};            ///< the core that has waited for most pages, if that is known
    std::uint16_t awaited = 0;  ///< count of pushed pages that it waited for
  };
  void counted(const ProbeEvent& event);
  void waits(const ProbeEvent& event);
  void program_ends();
  void report_links();
  void report_mailboxes();
  void report_pages(unsigned number);

  std::array<Access, kNius> links_{};  ///< commands whose paths are still reserved, by NIU
  std::array<Pages, kBuffers> buffers_{};
  std::array<std::array<Mailbox, kMasters>, kMasters> mailboxes_{};  ///< index: sender, receiver
};

}  // namespace tvp::checks
