#pragma once

#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <tlm>

#include "models/support/sent_attributes.h"

namespace tvp::tests {

/// Receives a sentence for every broken rule.
using Complaint = std::function<void(const std::string&)>;

/// Attributes of a generic payload that the other side of a socket must not change.
struct Attributes : support::SentAttributes {
  explicit Attributes(const tlm::tlm_generic_payload& payload)
      : SentAttributes(payload), address(payload.get_address()) {}
  const char* difference(const tlm::tlm_generic_payload& payload) const {
    return payload.get_address() != address ? "address" : SentAttributes::difference(payload);
  }

  sc_dt::uint64 address;
};

/// Checks that the initiator has set all fields of a generic payload (IEEE 1666-2011, 14.7 to
/// 14.17).
void check_initialized(const tlm::tlm_generic_payload& payload, const Complaint& complain);

/// Rules of b_transport. A target that sets BusAccess::blocked must leave the response incomplete;
/// every other target must set one. Time must not go back.
class BlockingRules {
 public:
  explicit BlockingRules(const Complaint& complain) : complain_(complain) {}
  template <typename Call>
  void around(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, Call call) {
    check_initialized(payload, complain_);
    const Attributes before(payload);
    const sc_core::sc_time time_before = sc_core::sc_time_stamp() + delay;
    call();
    check_answer(before, time_before, payload, sc_core::sc_time_stamp() + delay);
  }

 private:
  void check_answer(const Attributes& before, const sc_core::sc_time& time_before,
                    const tlm::tlm_generic_payload& payload, const sc_core::sc_time& time) const;

  const Complaint& complain_;
};

/// Rules of the base protocol's phases without its exclusion rules, since a memory channel has many
/// open requests (models/dram/controller/controller.h). Times are those of the clock that delays
/// refer to.
class BasePhaseRules {
 public:
  BasePhaseRules(const Complaint& complain, std::function<sc_core::sc_time()> now)
      : complain_(complain), now_(std::move(now)) {}
  /// Call these before and after each call, on both paths.
  void forward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
               const sc_core::sc_time& delay);
  void forward_answer(const tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum status,
                      const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void backward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay);
  void backward_answer(const tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum status,
                       const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  std::size_t open() const { return open_.size(); }

 private:
  struct Open {
    Attributes attributes;
    tlm::tlm_phase_enum phase;
    sc_core::sc_time when;
  };
  void advance(const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum to,
               const sc_core::sc_time& delay);
  void finish(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  const Complaint& complain_;
  std::function<sc_core::sc_time()> now_;
  std::map<const tlm::tlm_generic_payload*, Open> open_;
};

/// Rules between a NIU and its router (models/noc/noc_protocol.h) in one direction.
class NocPhaseRules {
 public:
  enum class Towards { kRouter, kNiu };
  NocPhaseRules(const Complaint& complain, std::function<sc_core::sc_time()> now, Towards towards)
      : complain_(complain), now_(std::move(now)), towards_(towards) {}
  void forward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
               const sc_core::sc_time& delay);
  void forward_answer(const tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum status,
                      const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void backward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay);
  void backward_answer(const tlm::tlm_generic_payload& payload, tlm::tlm_sync_enum status,
                       const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  /// Number of packets that wait for END_REQ or, towards a NIU, for the last flit.
  std::size_t open() const { return open_.size(); }

 private:
  struct Open {
    sc_core::sc_time head;
    bool taken = false;  ///< END_REQ
    bool tail = false;   ///< TAIL_ARRIVED
  };
  void take(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void close_if_over(const tlm::tlm_generic_payload& payload);

  const Complaint& complain_;
  std::function<sc_core::sc_time()> now_;
  Towards towards_;
  std::map<const tlm::tlm_generic_payload*, Open> open_;
};

}  // namespace tvp::tests
