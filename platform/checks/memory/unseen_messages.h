#pragma once

#include <cstdint>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns if a PIM unit uses a message in its window before its core has read a count of arrivals.
/// The data then was there only by luck. Any count shows all messages that have arrived: those of
/// one source arrive in order, and a later message may announce an earlier one. A short message may
/// be a flag that the program polls instead. There is one warning for each place in the code.
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
  };
  void arrived(const ProbeEvent& event);
  void used(const ProbeEvent& event);
  void forget();

  std::vector<Message> unseen_;
  CoreAccessRange range_;
  std::vector<std::uint32_t> reported_;  ///< pcs
};

}  // namespace tvp::checks
