#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/noc/foreign_packets.h"
#include "models/noc/niu/niu_register_port.h"
#include "models/noc/torus/torus.h"
#include "models/support/blocking_target.h"
#include "models/support/tile_scheduler.h"

namespace tvp::noc {

/// A node of a chip whose tile is a module of the user, with a NIU on each NoC.
///
/// Requests of other tiles leave through `memory`; the address is the 36-bit offset in the node.
/// The user's requests enter through `requests`. Their address consists of:
///
/// | bits  | meaning                                                   |
/// |-------|-----------------------------------------------------------|
/// | 35:0  | offset in the target node                                 |
/// | 41:36 | coordinate x of the target, as software writes it         |
/// | 47:42 | coordinate y of the target, as software writes it         |
/// | 48    | number of the NoC                                         |
///
/// The node cuts a transaction into packets. The transaction ends when the last one is answered.
class ForeignNode : public sc_core::sc_module,
                    public ForeignPackets,
                    private support::BlockingTarget::Server,
                    private support::Sleeper {
 public:
  static constexpr unsigned kXShift = 36;
  static constexpr unsigned kYShift = 42;
  static constexpr unsigned kNocShift = 48;

  ForeignNode(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
              Node at, support::CalendarBlock& block, foundation::FaultPolicy& faults,
              const std::string& where, support::ForeignMemory::Timing timing);

  support::OptionalTargetSocket requests;

  Node at() const { return at_; }
  Niu& niu(unsigned noc) { return *nius_[noc]; }
  void attach(Torus& torus) { torus.attach(*nius_[torus.noc()]); }
  /// All nodes of the NoCs are foreign; index: Grid::number(). An error response of a memory then
  /// returns to the module that sent the request, and is no fault. `nodes` must outlive the node.
  void meet(const std::vector<ForeignNode*>& nodes) { nodes_ = &nodes; }
  /// An access of the host in no simulated time; false where nothing is.
  bool debug_access(unsigned noc, std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                    bool write);

 protected:
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

 private:
  using FromNiu = tlm_utils::passthrough_target_socket_tagged<ForeignNode>;
  /// A request initiator of a NIU with the bytes of its packet.
  struct Slot {
    unsigned noc = 0;
    unsigned initiator = 0;
    bool busy = false;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    std::vector<std::uint8_t> bytes;
  };

  tlm::tlm_sync_enum from_niu_fw(int noc, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
  /// Accesses of a NIU for requests of the user: of slots only.
  void from_niu_b(int noc, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool access_slot(tlm::tlm_generic_payload& payload);
  void pass_back(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase,
                 sc_core::sc_time& delay) override;
  void location_changed(support::Cycle when, unsigned order) override;

  unsigned serve_debug(tlm::tlm_generic_payload& payload) override;
  Node target_of(const tlm::tlm_generic_payload& payload) const;
  tlm::tlm_response_status transfer(const tlm::tlm_generic_payload& payload, std::uint32_t offset,
                                    std::uint32_t bytes);
  void return_error(tlm::tlm_generic_payload& payload) const;
  Slot& take_slot(unsigned noc);
  bool is_open(const Slot& slot);
  void start(const Slot& slot, bool write, std::uint64_t local, std::uint64_t remote,
             std::uint32_t bytes);
  void set_register(const Slot& slot, std::uint32_t offset, std::uint32_t value);
  std::uint8_t* slot_bytes(std::uint64_t address, std::uint32_t bytes);

  support::BlockingTarget requests_;
  const Node at_;
  support::TileScheduler scheduler_;
  support::WatchHub watches_;
  std::array<std::unique_ptr<Niu>, 2> nius_;
  std::array<std::unique_ptr<FromNiu>, 2> from_niu_;
  std::array<std::unique_ptr<NiuRegisterPort>, 2> registers_;
  std::vector<Slot> slots_;
  const std::vector<ForeignNode*>* nodes_ = nullptr;
  unsigned waiting_ = 0;  ///< calls that wait for an answer
  sc_core::sc_event changed_;
  sc_core::sc_event slot_free_;
};

}  // namespace tvp::noc
