#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "foundation/regs/pim.h"
#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns if a message overwrites bytes in the window of a PIM unit that the unit may still use.
/// These are an earlier message, or the bytes of a transfer or of a message under way. The sender
/// must have got a message that the unit has issued later, or have met it at a barrier. The same
/// holds for the window, which must be set before. UnitOrder says what the sender knew, so a
/// finding does not depend on the model's cycles. There is one warning for each pair of places in
/// the code.
///
/// With `keep_stores`, loads and stores of the core in a window are uses, too. Without it only the
/// moment counts at which the core has learned of the message.
///
/// Messages of at most UnitOrder::kMostFlagBytes are flags and counts, which newer ones replace.
class UnorderedMessages : public Check {
 public:
  explicit UnorderedMessages(const TileContext& tile);
  const char* name() const override { return "unordered_messages"; }
  const char* summary() const override {
    return "messages into the window of a PIM unit that may still use the place, or has no window";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  struct Use {
    enum class Kind : std::uint8_t { kMessage, kDma, kSource };
    Kind kind = Kind::kMessage;
    std::uint32_t address = 0, bytes = 0;
    std::uint32_t pc = 0;      ///< pc of the core, or of the message's sender
    std::uint32_t number = 0;  ///< number of the message or transfer
    unsigned source = 0;       ///< unit that has sent the message
    std::uint32_t begun = 0;   ///< step of the core at the begin
    std::uint32_t over = 0;    ///< step in which the core knew that it is over; 0: it does not know

    bool meets(std::uint32_t other, std::uint32_t other_bytes) const {
      return address < other + other_bytes && other < address + bytes;
    }
    bool has(std::uint32_t other, std::uint32_t other_bytes) const {
      return address <= other && other + other_bytes <= address + bytes;
    }
  };
  struct Window {
    std::uint32_t address = 0, bytes = 0;
    std::uint32_t step = 0;  ///< in which it was set
    std::uint32_t pc = 0;
  };
  void begins(const Use& use);
  void arrived(const ProbeEvent& event);
  void counted(const ProbeEvent& event);
  void accessed(const ProbeEvent& event);
  void update_messages();
  void report_window(const Window& window, const ProbeEvent& event);
  void report_use(const Use& use, const ProbeEvent& event);
  std::string place_text(const std::string& what, std::uint32_t pc) const;
  void ask();

  const UnitOrder::Unit* const order_;  ///< null: the tile is no unit of a system
  std::vector<Use> uses_;
  std::size_t latest_ = 0;  ///< index of the message that the core has read last
  std::array<Window, regs::pim::stop::kChannels> windows_{};
  std::uint64_t changes_ = 0;    ///< those of the record that uses_ includes
  std::uint32_t transfers_ = 0;  ///< number of transfers in the program
  CoreAccessRange range_;
};

}  // namespace tvp::checks
