#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns about clients of the fabric that break the rules of a connection to a router. Their packet
/// is larger than a slot, goes to a slot that need not be free, or has no route. Its size is not
/// the one of its header, or the connection stays open. A router notices none of them.
///
/// A connection to a router or a mux begins with the client's writes to the three words of a
/// ConnectionInfo, behind which comes the write to the handshake address. The next write there ends
/// it. The slots are known if the arguments of the kernel have the order that tt-metal defines for
/// connections to routers (contract::fabric::ConnectionRuntimeArg).
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
  std::vector<foundation::Fault> found_so_far(bool is_idle) const override;

 private:
  struct Kernel {
    BusMaster core = BusMaster::kDebug;
    std::vector<std::uint32_t> arguments{};
  };
  struct Connection {
    BusMaster core = BusMaster::kDebug;
    std::uint8_t x = 0, y = 0;  ///< coordinates of the router or mux
    bool is_router = false;
    std::uint32_t handshake = 0;
    std::uint32_t info = 0;
    std::uint32_t base = 0;   ///< address of the first slot
    std::uint32_t slots = 0;  ///< 0: not known
    std::uint32_t slot_bytes = 0;
    bool is_open = false;
    std::uint32_t opened_at = 0;   ///< pc
    std::uint32_t counter = 0;     ///< word in L1 that counts packets which the router has taken
    std::uint32_t credits = 0;     ///< register of the router that counts announced packets
    std::uint32_t packets = 0;     ///< headers written since it was opened
    std::uint32_t announced = 0;   ///< of them
    std::uint32_t last_write = 0;  ///< pc of the last header
    /// The first command behind a header that has not announced it.
    ProbeEvent next{};
    bool has_looked = false;       ///< has loaded the counter since the connection was opened
    std::uint32_t since_look = 0;  ///< packets since then
    struct Slot {
      std::uint32_t payload = 0;  ///< bytes since the last header
      bool has_earlier = false;   ///< payload, which stays there
    };
    std::vector<Slot> contents{};
    /// The bytes written last, if the slots are not known.
    std::uint64_t payload_begin = 0, payload_end = 0;
  };
  /// The latest inline writes of a core to one tile.
  struct InlineWrites {
    BusMaster core = BusMaster::kDebug;
    std::uint8_t x = 0, y = 0;
    std::array<std::uint64_t, 3> addresses{};
  };
  struct Read {  ///< the latest read that may fetch a router's count
    BusMaster core = BusMaster::kDebug;
    std::uint64_t from = 0;
    std::uint32_t to = 0;
  };
  void command(const ProbeEvent& event);
  void announces(const ProbeEvent& event);
  void shakes_hands(const ProbeEvent& event);
  void sends(Connection& connection, const ProbeEvent& event);
  void sends_somewhere(Connection& connection, const ProbeEvent& event);
  void sends_header(Connection& connection, const ProbeEvent& event);
  void compare_sizes(const Connection& connection, const ProbeEvent& header, std::uint32_t payload);
  void program_ends();
  Connection* known_connection(const ProbeEvent& event);
  Connection& new_connection(const ProbeEvent& event, std::uint32_t info);
  InlineWrites& writes_of(const ProbeEvent& event);
  bool has_route(const ProbeEvent& header) const;
  void warn_once(const Connection& connection, std::uint32_t pc, const std::string& text);
  static std::string endpoint_text(const Connection& connection);
  void ask();

  std::vector<Kernel> kernels_;
  std::vector<Connection> connections_;
  static constexpr std::size_t kMostReads = 16;  ///< open() reads a count immediately before
  std::vector<Read> reads_;
  std::vector<InlineWrites> writes_;
  CoreAccessRange range_{tile_};
  std::vector<std::pair<std::uint32_t, std::string>> reported_;  ///< pc and text
};

}  // namespace tvp::checks
