#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "models/pim/network/network.h"
#include "models/pim/network/tier_geometry.h"
#include "models/pim/pim_config.h"
#include "models/support/time.h"

namespace tvp::pim {

/// Credits for the gateways of chips and the buffers of ranks: who gets one, and who waits. All are
/// given in the order of asking.
class TierCredits {
 public:
  static constexpr unsigned kNoBuffer = 0xFFFFFFFF;
  /// Somebody who asks for a credit for the way into each of these chips, or for the buffer of a
  /// rank.
  struct Request {
    enum class Who : std::uint8_t { kGateway, kBuffer, kCombiner, kHost } who = Who::kGateway;
    std::uint32_t number = 0;       ///< chip, rank, or slot
    std::vector<unsigned> chips{};  ///< of the system, each once
    unsigned buffer = kNoBuffer;
  };
  class Client {
   public:
    virtual ~Client() = default;
    virtual void granted(const Request& request, support::Cycle now) = 0;
    /// The unit has what it waited for, from a cycle on.
    virtual void may_inject_again(unsigned unit, support::Cycle when) = 0;
  };

  TierCredits(const PimConfig& config, const TierGeometry& geometry, unsigned units,
              Client& client);

  // For units that send packets out of their chips:
  /// True if this packet's gateway had a credit, which is now reserved for its unit. Otherwise the
  /// client is called when it can ask again.
  bool reserve(const Packet& packet);
  /// The one that was kept, or a free one.
  void take(const Packet& packet);
  void return_out(unsigned chip, support::Cycle now);
  void return_to_combine(unsigned unit, support::Cycle now);

  // For packets that are outside of chips:
  /// Client::granted() follows, at once or later.
  void ask(Request request, support::Cycle now);
  void return_in(unsigned chip, unsigned count, support::Cycle now);
  void return_buffer(unsigned rank, support::Cycle now);

 private:
  /// Number of a request, in the order of asking.
  using Ticket = std::uint64_t;
  /// Credits that requests wait for. Nobody gets one that somebody wants who has waited longer, so
  /// two who want several never hold what the other one waits for.
  struct Credits {
    std::uint32_t free = 0;
    std::deque<Ticket> waiting;  ///< longest first

    bool reach(Ticket ticket) const;
    void take(Ticket ticket);
  };
  struct Gateway {
    std::uint32_t out = 0;                 ///< credits that are free
    std::deque<std::uint32_t> units_wait;  ///< for one to go out
    Credits in;
  };
  struct Sender {
    std::uint32_t reductions = 0;  ///< at the gateway, or on their way to it
    bool waits_to_combine = false;
    bool waits_to_leave = false;
    bool has_credit = false;  ///< one to go out is kept for it
  };

  /// Calls `f` for all credits that a request wants.
  void for_all_wanted(const Request& request, auto&& f);
  void give_back(Credits& credits, std::uint32_t count, support::Cycle now);
  void note_if_ready(Ticket ticket);
  void grant(support::Cycle now);

  const PimConfig& config_;
  const TierGeometry& geometry_;
  Client& client_;
  std::vector<Gateway> gateways_;  ///< by chip
  std::vector<Credits> buffers_;   ///< by rank
  std::vector<Sender> senders_;    ///< by unit
  Ticket next_ticket_ = 0;
  std::unordered_map<Ticket, Request> requests_;
  std::vector<Ticket> ready_;  ///< all of their credits are free
};

}  // namespace tvp::pim
