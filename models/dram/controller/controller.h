#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/dram/storage.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"
#include "models/support/probe.h"
#include "models/support/signal.h"

namespace tvp::dram {

/// A channel of GDDR6 with its controller. Requests come with BEGIN_REQ of the base protocol;
/// addresses are within the channel. END_REQ means that the request is queued, BEGIN_RESP or
/// TLM_COMPLETED that its last byte was moved. Several requests may be open. Delays are relative to
/// Calendar::now().
class Controller : public sc_core::sc_module {
 public:
  struct Stats {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
  };

  Controller(const sc_core::sc_module_name& name, std::uint64_t bytes, support::Calendar& calendar)
      : sc_module(name), port("port"), calendar_(calendar), storage_(bytes) {
    port.register_nb_transport_fw(this, &Controller::nb_transport_fw);
    port.register_transport_dbg(this, &Controller::transport_dbg);
  }

  tlm_utils::passthrough_target_socket<Controller> port;

  /// The host's untimed access, and that of debuggers; the range must lie within the channel.
  virtual void debug_read(std::uint64_t address, std::uint8_t* data, std::uint64_t bytes);
  virtual void debug_write(std::uint64_t address, const std::uint8_t* data, std::uint64_t bytes);
  const Storage& storage() const { return storage_; }
  /// Sets the observer of every access; null: none.
  void observe(support::Probe::Listener* observer) { observer_ = observer; }

  /// Statistics of the accepted requests.
  const Stats& stats() const { return stats_; }
  /// The agent for the scheduler of the tile; null if the controller is none.
  virtual support::Agent* agent() { return nullptr; }
  /// Active while the data bus moves data.
  support::LevelSignal& busy_signal() { return busy_signal_; }

 protected:
  /// BEGIN_REQ of a request for which wants() is true.
  virtual tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  /// Cycles at which a part of a request moves in the model, and at which hardware is done with it.
  struct Moment {
    support::Cycle now;
    support::Cycle done;
  };
  /// Moves a part of the bytes of a request.
  void move(tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
            const Moment& moment);
  /// Reports the enabled bytes to the observer. move() calls it, and so does code that moves bytes
  /// without move().
  void observed(const tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
                const Moment& moment) {
    if (observer_ != nullptr) [[unlikely]]
      report(payload, offset, bytes, moment);
  }

  support::Calendar& calendar_;
  support::LevelSignal busy_signal_;

 private:
  void report(const tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
              const Moment& moment);
  void report_debug(std::uint64_t address, std::uint64_t bytes, bool write);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  /// False, with the response set, if nothing has to be moved.
  bool wants(tlm::tlm_generic_payload& payload);

  Storage storage_;
  Stats stats_;
  support::Probe::Listener* observer_ = nullptr;
};

}  // namespace tvp::dram
