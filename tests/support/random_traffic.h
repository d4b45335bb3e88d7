#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "foundation/random.h"
#include "tests/support/tlm_checker.h"

namespace tvp::tests {

/// Rules of a target socket of the base protocol: it serves some addresses and attributes, and
/// refuses the others.
struct TrafficRules {
  /// Memory that no other module changes. At the start the driver fills it with zeros by
  /// b_transport.
  struct Range {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    /// The address behind the last byte is no memory: accesses over it are address errors.
    bool ends = true;
  };
  std::vector<Range> memory;
  /// 8-byte words to write first: address and value.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> setup;
  /// Addresses from which 256 bytes are no memory: TLM_ADDRESS_ERROR_RESPONSE.
  std::vector<std::uint64_t> absent;
  /// Ranges to access with any result: registers, for example.
  std::vector<Range> wild;
  bool wild_writes = false;
  unsigned longest = 512;  ///< bytes of most transactions
  unsigned maximal = 512;  ///< bytes of few transactions
  bool byte_enables = true;
  bool debug = true;
  bool dmi = false;
  bool approximate = true;  ///< the socket serves nb_transport
  /// Overlapping approximately timed transactions keep their order.
  bool ordered = false;
  /// Illegal attributes and phases, too.
  bool illegal = true;
  /// A wait longer than this is a hang.
  sc_core::sc_time patience = sc_core::sc_time(1, sc_core::SC_MS);
};

/// An initiator that sends random legal and illegal transactions to a target socket and checks the
/// answers against IEEE 1666-2011 and a copy of the memory. Equal seeds give equal traffic. A
/// deviation fails the running test; it names seed and number of the transaction.
///
/// Construct it during elaboration and bind `socket`. After sc_start(), finished() must be true.
/// A ReportRecorder must exist, since illegal phases are reported.
class RandomTraffic : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  RandomTraffic(const sc_core::sc_module_name& name, TrafficRules rules, std::uint64_t seed,
                std::uint64_t count);
  ~RandomTraffic() override;

 private:
  using Time = sc_core::sc_time;
  struct Transaction;
  struct Note;  ///< an ignorable extension

  TlmChecker<> checker_;
  tlm_utils::simple_initiator_socket<RandomTraffic> to_checker_;

 public:
  /// Bind it to the target.
  tlm_utils::simple_initiator_socket<TlmChecker<>>& socket = checker_.to_target;

  bool finished() const { return finished_; }
  /// Numbers of what was sent, so that a test can see that each kind occurred.
  struct Counts {
    std::uint64_t blocking = 0;
    std::uint64_t phased = 0;
    std::uint64_t refused = 0;       ///< error responses, all expected
    std::uint64_t wrong_phases = 0;  ///< illegal calls, each reported once
    std::uint64_t debug = 0;
    std::uint64_t direct = 0;   ///< grants of DMI
    std::uint64_t early = 0;    ///< requests that TLM_COMPLETED ends
    std::uint64_t updated = 0;  ///< requests that TLM_UPDATED answers
  };
  const Counts& counts() const { return counts_; }

 private:
  void run();
  void prepare();
  void write(std::uint64_t address, const std::uint8_t* data, unsigned bytes);
  void step();
  void blocking(Transaction& t);
  void phased(Transaction& t);
  void debug();
  void direct();
  void wrong_phase();
  void settle(std::size_t left);

  Transaction& make();
  void choose_address(Transaction& t);
  void choose_attributes(Transaction& t);
  void make_illegal(Transaction& t);
  void expect(Transaction& t);
  void finish(Transaction& t);
  bool overlaps_open(const Transaction& t) const;
  bool in_memory(std::uint64_t address, std::uint64_t bytes) const;
  std::uint8_t& golden(std::uint64_t address);
  Time random_delay();
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                              Time& delay);
  void begin_response(Transaction& t, const Time& at);
  void check_turn(const Time& at);
  void end_responses();
  void invalidate(sc_dt::uint64 start, sc_dt::uint64 end);
  void free(tlm::tlm_generic_payload* payload) override;
  void fail(const std::string& what);
  void flush_complaints(bool legal);

  const TrafficRules rules_;
  const std::uint64_t seed_;
  const std::uint64_t count_;
  foundation::Random random_;
  std::uint64_t number_ = 0;
  bool finished_ = false;
  Counts counts_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> pages_;  ///< copy of the memory
  std::vector<std::unique_ptr<Transaction>> all_;
  std::vector<Transaction*> free_;
  std::set<Transaction*> open_;
  Transaction* requesting_ = nullptr;  ///< between BEGIN_REQ and END_REQ
  Time free_from_;                     ///< time of the last END_REQ
  Transaction* response_ = nullptr;    ///< between BEGIN_RESP and END_RESP, if the driver waits
  Time end_at_;                        ///< time of that END_RESP
  Time responses_from_;                ///< time of the last END_RESP
  sc_core::sc_event changed_;
  sc_core::sc_event end_due_;
  std::vector<tlm::tlm_dmi> grants_;
  std::vector<std::string> complaints_;
  bool failed_ = false;
};

}  // namespace tvp::tests
