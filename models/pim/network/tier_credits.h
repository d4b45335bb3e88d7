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

/// Credits for the gateways of chips and the buffers of ranks, with queues of waiting requests.
/// Credits are given in the order of the requests.
class TierCredits {
 public:
  static constexpr unsigned kNoBuffer = 0xFFFFFFFF;
  /// A request for credits into each of these chips, or for the buffer of a rank.
  struct Request {
    enum class Who : std::uint8_t { kGateway, kBuffer, kCombiner, kHost } who = Who::kGateway;
    std::uint32_t number = 0;       ///< number of the chip, rank, or slot
    std::vector<unsigned> chips{};  ///< in the system, each once
    unsigned buffer = kNoBuffer;
  };
  class Client {
   public:
    virtual ~Client() = default;
    virtual void granted(const Request& request, support::Cycle now) = 0;
    /// The unit gets what it waited for, from cycle `when` on.
    virtual void may_inject_again(unsigned unit, support::Cycle when) = 0;
  };

  TierCredits(const PimConfig& config, const TierGeometry& geometry, unsigned units,
              Client& client);

  // For units that send packets out of their chips:
  /// True if this packet's gateway had a credit, which is now reserved for its unit. Otherwise the
  /// client is called when it can ask again.
  bool reserve(const Packet& packet);
  /// Takes the reserved credit, or a free one.
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
  /// Credits with a queue of requests. A credit always goes to the request that has waited longest.
  /// Two requests for several credits therefore never hold what the other one needs.
  struct Credits {
    std::uint32_t free = 0;
    std::deque<Ticket> waiting;  ///< longest wait first

    bool reach(Ticket ticket) const;
    void take(Ticket ticket);
  };
  struct Gateway {
    std::uint32_t out = 0;                 ///< free credits
    std::deque<std::uint32_t> units_wait;  ///< units that wait for an outgoing credit
    Credits in;
  };
  struct Sender {
    std::uint32_t reductions = 0;  ///< reductions at the gateway or on their way to it
    bool waits_to_combine = false;
    bool waits_to_leave = false;
    bool has_credit = false;  ///< an outgoing credit is reserved for it
  };

  /// Calls `f` for each kind of credit that a request needs.
  void for_all_wanted(const Request& request, auto&& f);
  void give_back(Credits& credits, std::uint32_t count, support::Cycle now);
  void note_if_ready(Ticket ticket);
  void grant(support::Cycle now);

  const PimConfig& config_;
  const TierGeometry& geometry_;
  Client& client_;
  std::vector<Gateway> gateways_;  ///< index: chip
  std::vector<Credits> buffers_;   ///< index: rank
  std::vector<Sender> senders_;    ///< index: unit
  Ticket next_ticket_ = 0;
  std::unordered_map<Ticket, Request> requests_;
  std::vector<Ticket> ready_;  ///< requests whose credits are all free
};

}  // namespace tvp::pim
