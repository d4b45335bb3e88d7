#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_set>
#include <vector>

#include "models/sockets/tensix_vp/systemc/arrival.h"
#include "models/support/sent_attributes.h"
#include "models/support/time_base.h"

namespace tvp::support {

/// Initiator of the TLM-2.0 base protocol through which a block that counts its own time accesses a
/// memory that a user has bound.
///
/// Approximately timed, requests leave in the order of the calls, one at a time until its END_REQ;
/// any number may wait for a response. Memory controllers expect one burst in a transaction, so
/// larger requests leave as several. Loosely timed, each request is a b_transport in a thread of
/// its own at the time of the request, and any number may be in progress.
class ForeignMemory : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  struct Request {
    tlm::tlm_command command = tlm::TLM_READ_COMMAND;
    std::uint64_t address = 0;
    std::uint8_t* data = nullptr;  ///< lives until the response
    std::uint32_t bytes = 0;
    std::uint8_t* enables = nullptr;  ///< one for each byte, or null; lives until the response
    void* token = nullptr;            ///< for the client
    sc_core::sc_time first_byte{};    ///< streamed writes only; otherwise zero
  };
  enum class Timing { kApproximate, kLoose };
  class Client {
   public:
    virtual ~Client() = default;
    /// The memory has accepted the request at time `at`.
    virtual void taken(void* token, const sc_core::sc_time& at) = 0;
    /// The response comes at time `at`. It follows taken().
    virtual void answered(void* token, tlm::tlm_response_status status,
                          const sc_core::sc_time& at) = 0;
  };

  /// `burst_bytes`: the largest transaction of the approximate timing, a power of two; 0: no limit.
  ForeignMemory(const sc_core::sc_module_name& name, Client& client, TimeBase& base, Timing timing,
                std::uint32_t burst_bytes = 0);
  ~ForeignMemory() override;

  tlm_utils::simple_initiator_socket<ForeignMemory> socket;

  /// Sends a request at time `at`, which is not before sc_time_stamp().
  void request(const Request& request, const sc_core::sc_time& at);
  /// Accesses the memory in no simulated time; returns the number of bytes.
  unsigned debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                 std::uint32_t bytes);
  /// Number of transactions without a response.
  std::size_t open() const { return open_; }
  /// Adds a line for each of them, for the report of a hang.
  void describe_open(std::vector<std::string>& lines) const;

 private:
  /// A request and what its transactions have done so far.
  struct Progress {
    Request request;
    unsigned to_take = 0;
    unsigned to_answer = 0;
    sc_core::sc_time taken{};
    sc_core::sc_time answered{};
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  };
  class Transaction : public tlm::tlm_generic_payload {
   public:
    explicit Transaction(tlm::tlm_mm_interface* manager) : tlm_generic_payload(manager) {}
    tensix_vp::Arrival arrival;
    Request request;  ///< the part that this burst transfers
    Progress* progress = nullptr;
    SentAttributes sent;
    sc_core::sc_time asked;
    sc_core::sc_time accepted;  ///< if `taken`
    bool taken = false;
    bool answered = true;
  };

  struct Ending {
    Transaction* transaction;
    sc_core::sc_time at;
  };
  /// A thread that executes one b_transport after the other.
  struct Caller {
    Transaction* transaction = nullptr;
    sc_core::sc_event go;
  };
  Transaction& make(Progress& progress, const Request& request, const sc_core::sc_time& at);
  void call(Transaction& transaction);
  void run(Caller& caller);
  void send(Transaction& transaction);
  void send_next();
  void take(Transaction& transaction, sc_core::sc_time at);
  void finish(Transaction& transaction, sc_core::sc_time at);
  template <typename Function>
  void report_faults(Function function);
  /// Reports what the bound module must not do to a transaction, and error responses.
  void check_answer(Transaction& transaction) const;
  std::string text_of(const Transaction& transaction, const std::string& what) const;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void end_responses();
  void free(tlm::tlm_generic_payload* payload) override;
  /// Reports a violation of the protocol by the bound module.
  void refuse(const Transaction& transaction, const std::string& what) const;

  Client& client_;
  TimeBase& base_;
  const Timing timing_;
  const std::uint32_t burst_bytes_;
  std::vector<Ending> endings_;  ///< responses whose END_RESP comes with `ending_`
  sc_core::sc_event ending_;
  std::vector<std::unique_ptr<Caller>> callers_;
  std::vector<Caller*> idle_callers_;
  std::vector<std::unique_ptr<Transaction>> transactions_;
  std::vector<Transaction*> free_;
  std::vector<std::unique_ptr<Progress>> requests_;
  std::vector<Progress*> free_requests_;
  std::unordered_set<const tlm::tlm_generic_payload*> own_;  ///< all of transactions_
  std::deque<Transaction*> waiting_;                         ///< for the END_REQ of `requesting_`
  Transaction* requesting_ = nullptr;                        ///< between BEGIN_REQ and END_REQ
  sc_core::sc_time free_from_;                               ///< time of the last END_REQ
  std::size_t open_ = 0;                                     ///< transactions without a response
};

}  // namespace tvp::support
