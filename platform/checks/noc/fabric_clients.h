#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns about clients of the fabric that break the rules of a connection to a router. Their packet
/// is larger than a slot, goes to a slot that need not be free, or has no route, or the connection
/// stays open. A router notices none of them.
///
/// A connection is known by the arguments of the kernel, whose order tt-metal defines
/// (contract::fabric::ConnectionRuntimeArg): it begins with a write to their handshake address.
/// Connections that a kernel finds elsewhere, and those to muxes, are not followed.
class FabricClients : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "fabric_clients"; }
  const char* summary() const override {
    return "packets that do not fit into a router's slot, or that go to no free slot or nowhere, "
           "and "
           "connections left open";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  struct Kernel {
    BusMaster core = BusMaster::kDebug;
    std::vector<std::uint32_t> arguments{};
  };
  struct Connection {
    BusMaster core = BusMaster::kDebug;
    std::uint8_t x = 0, y = 0;  ///< coordinates of the router
    std::uint32_t handshake = 0;
    std::uint32_t info = 0;
    std::uint32_t base = 0;  ///< address of the first slot
    std::uint32_t slots = 0;
    std::uint32_t slot_bytes = 0;
    bool is_open = false;
    std::uint32_t opened_at = 0;   ///< pc
    std::uint32_t counter = 0;     ///< word in L1 that counts packets which the router has taken
    bool has_looked = false;       ///< has loaded the counter since the connection was opened
    std::uint32_t since_look = 0;  ///< packets since then
  };
  struct Read {  ///< the latest read that may fetch a router's count
    BusMaster core = BusMaster::kDebug;
    std::uint64_t from = 0;
    std::uint32_t to = 0;
  };
  void command(const ProbeEvent& event);
  void shakes_hands(const ProbeEvent& event);
  void sends(Connection& connection, const ProbeEvent& event);
  void sends_header(Connection& connection, const ProbeEvent& event);
  void program_ends();
  Connection* to_handshake(const ProbeEvent& event);
  bool has_route(const ProbeEvent& header) const;
  void warn_once(const Connection& connection, std::uint32_t pc, const std::string& text);
  static std::string router_text(const Connection& connection);
  void ask();

  std::vector<Kernel> kernels_;
  std::vector<Connection> connections_;
  std::vector<Read> reads_;
  CoreAccessRange range_{tile_};
  std::vector<std::pair<std::uint32_t, std::string>> reported_;  ///< pc and text
};

}  // namespace tvp::checks
