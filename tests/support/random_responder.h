#pragma once

#include <cstdint>
#include <map>
#include <systemc>
#include <tlm>
#include <vector>

#include "foundation/random.h"

namespace tvp::tests {

/// A memory that answers an initiator socket of the base protocol in every legal way, and in
/// illegal ones if its Manners name some. Equal seeds give equal answers.
class RandomResponder : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  enum class Act {
    kPast,      ///< a response before the request arrives
    kPhase,     ///< a phase of the initiator
    kTwice,     ///< END_REQ twice
    kStranger,  ///< a response to what was not asked
    kChange,    ///< an attribute of the request changed
    kNoStatus,  ///< no response status; loosely timed, too
    kError,     ///< an error response, which is legal; loosely timed, too
    kNever,     ///< no response
  };
  struct Manners {
    std::vector<Act> acts;
    unsigned of_1000 = 0;  ///< requests with one of them
  };

  RandomResponder(const sc_core::sc_module_name& name, std::uint64_t seed)
      : RandomResponder(name, seed, Manners()) {}
  RandomResponder(const sc_core::sc_module_name& name, std::uint64_t seed, Manners manners);

  tlm::tlm_target_socket<> socket;

  /// The byte at an address, which is 0 at the start.
  std::uint8_t& byte(std::uint64_t address);
  std::uint64_t requests() const { return requests_; }
  /// Illegal acts, each of which the initiator must report once.
  std::uint64_t illegal_acts() const { return illegal_acts_; }

 private:
  using Payload = tlm::tlm_generic_payload;
  using Time = sc_core::sc_time;
  /// A call on the backward path that is due at a time.
  struct Call {
    Payload* payload;
    tlm::tlm_phase_enum phase;
  };

  void b_transport(Payload& payload, Time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, Time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(Payload& payload) override;

  void serve(Payload& payload);
  void change(Payload& payload);
  /// True if the next request gets an act.
  bool misbehaves() { return random_.below(1000) < manners_.of_1000; }
  Act act() { return manners_.acts[random_.below(manners_.acts.size())]; }
  tlm::tlm_sync_enum misbehave(Payload& payload, tlm::tlm_phase& phase, Time& delay);
  void later(Payload& payload, tlm::tlm_phase_enum phase, const Time& at);
  void call_back();
  Time random_delay();

  const Manners manners_;
  foundation::Random random_;
  std::map<std::uint64_t, std::vector<std::uint8_t>> pages_;
  std::multimap<Time, Call> calls_;
  sc_core::sc_event due_;
  sc_core::sc_event never_;
  std::uint64_t requests_ = 0;
  std::uint64_t illegal_acts_ = 0;
  Payload stranger_;
};

}  // namespace tvp::tests
