#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/support/blocking_target.h"
#include "models/support/time_base.h"

namespace tvp::support {

/// Target of the TLM-2.0 base protocol through which a module of a user accesses a block that
/// counts its own time, with back-pressure. The counterpart of ForeignMemory; BlockingTarget is for
/// blocks that always accept.
///
/// b_transport waits until the response; any number of calls may be in progress. Approximately
/// timed, END_REQ and BEGIN_RESP come at their times, without an annotated delay.
class ForeignInitiator : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  using Payload = tlm::tlm_generic_payload;

  /// A transaction between its request and its response.
  struct Transfer {
    Payload* payload = nullptr;
    sc_core::sc_time arrival;
    unsigned index = 0;  ///< see transfer()
    // For the client.
    std::uint32_t sent = 0;  ///< bytes
    unsigned open = 0;       ///< packets without a response
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

    sc_core::sc_event done;  ///< wakes a b_transport
    sc_core::sc_time answered;
    bool blocking = false;
  };
  class Client {
   public:
    virtual ~Client() = default;
    /// TLM_OK_RESPONSE if the block serves the request. Attributes are checked already.
    virtual tlm::tlm_response_status check(const Payload& payload) = 0;
    /// The request arrives at Transfer::arrival, which is not before sc_time_stamp(). Calls need
    /// not be in the order of arrivals.
    virtual void arrives(Transfer& transfer) = 0;
    /// transport_dbg of an access that check() accepts.
    virtual unsigned debug(Payload& payload) = 0;
  };

  ForeignInitiator(const sc_core::sc_module_name& name, Client& client, TimeBase& base);
  ~ForeignInitiator() override;

  OptionalTargetSocket socket;

  Transfer& transfer(unsigned index) { return *transfers_[index]; }
  /// The block has room for the next request from `at` on.
  void accept(const Transfer& transfer, const sc_core::sc_time& at);
  /// The response leaves the block at `at`, which is not before accept()'s time.
  void respond(Transfer& transfer, const sc_core::sc_time& at);
  /// Adds a line for each request without a response, for the report of a hang.
  void describe_open(std::vector<std::string>& lines) const;

  SC_HAS_PROCESS(ForeignInitiator);

 private:
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(Payload& payload) override;

  bool wants(Payload& payload);
  bool is_open(const Payload& payload) const;
  void begin(Payload& payload, const sc_core::sc_time& delay);
  Transfer& add(Payload& payload, const sc_core::sc_time& delay);
  void release(Transfer& transfer);
  void call_at(const sc_core::sc_time& at);
  void step();
  void send_response();
  void finish();

  Client& client_;
  TimeBase& base_;
  sc_core::sc_event due_;
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<unsigned> free_;
  TargetPhases phases_;
  bool accepted_ = false;  ///< END_REQ is due at accepted_at_
  sc_core::sc_time accepted_at_;
  std::deque<Transfer*> responses_;  ///< by time
  Transfer* response_ = nullptr;     ///< between BEGIN_RESP and END_RESP
};

}  // namespace tvp::support
