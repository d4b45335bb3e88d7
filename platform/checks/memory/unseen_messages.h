#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "foundation/regs/pim.h"
#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns if a PIM unit uses a message in its window before its core knows that the message is there
/// (UnitOrder). The data then was there only by luck. Messages of one source arrive in order, so a
/// later one may announce an earlier one. A short message may be a flag that the program polls
/// instead, unless the program counts the messages of its channel.
///
/// A use of a place in a window before the first message arrives there is wrong as well if the
/// program never uses the place again. Only the first uses of each window are compared, because
/// loads in a window are slower meanwhile. There is one warning for each place in the code.
class UnseenMessages : public Check {
 public:
  explicit UnseenMessages(const TileContext& tile)
      : Check(tile), range_(tile, TileContext::Kind::kPimUnit) {}
  const char* name() const override { return "unseen_messages"; }
  const char* summary() const override {
    return "uses of a PIM unit's messages before the count of arrivals that announces them";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  struct Message {
    std::uint32_t address;
    std::uint32_t bytes;
    std::uint32_t source;  ///< unit
    std::uint32_t channel;
    std::uint32_t number;  ///< position among those of its unit
  };
  /// A word of a window that the program has used.
  struct Early {
    std::uint32_t address = 0;
    std::uint32_t pc = 0;
    bool sends = false;
    bool has_arrived = false;  ///< since the last use
    std::uint32_t source = 0, channel = 0;
  };
  struct Window {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    unsigned uses = 0;
    unsigned early = 0;  ///< those in early_

    bool contains(std::uint32_t place) const { return place - address < bytes; }
  };
  void arrived(const ProbeEvent& event);
  void used(const ProbeEvent& event);
  void note_early(const ProbeEvent& event);
  void ended();
  void report_early(const Early& early);
  void forget_seen(const ProbeEvent& event);
  void forget_used(const ProbeEvent& event);
  bool is_seen(const Message& message) const;
  static bool is_watched(const Window& window);
  void ask();

  std::vector<Message> unseen_;
  std::uint32_t counted_ = 0;  ///< channels whose count the program has read, a bit for each
  std::array<Window, regs::pim::stop::kChannels> windows_{};
  std::vector<Early> early_;
  std::vector<bool> has_message_;  ///< for each word of WRAM
  bool has_ended_ = false;
  CoreAccessRange range_;
  std::vector<std::uint32_t> reported_;  ///< pcs
};

}  // namespace tvp::checks
