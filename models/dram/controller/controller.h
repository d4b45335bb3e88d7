#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/dram/storage.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"
#include "models/support/memory_observer.h"
#include "models/support/signal.h"

namespace tvp::dram {

/// A channel of GDDR6 with its controller. Requests come with BEGIN_REQ of the base protocol,
/// addresses are within the channel; END_REQ says that the request is queued, BEGIN_RESP or
/// TLM_COMPLETED when its last byte has been moved. Several requests may be open. Delays are
/// relative to Calendar::now().
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
  /// Who is told of every access, or null.
  void observe(support::MemoryObserver* observer) { observer_ = observer; }

  /// Statistics of the accepted requests.
  const Stats& stats() const { return stats_; }
  /// To be added to the scheduler of the tile, if the controller acts on its own.
  virtual support::Agent* agent() { return nullptr; }
  /// The data bus moves something.
  support::LevelSignal& busy_signal() { return busy_signal_; }

 protected:
  /// A request that wants() has let through comes with BEGIN_REQ.
  virtual tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  /// When a part of a request moves in the model, and when hardware is done with it.
  struct Moment {
    support::Cycle now;
    support::Cycle done;
  };
  /// Moves a part of the bytes of a request.
  void move(tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
            const Moment& moment);
  /// Tells the observer, of enabled bytes only. Called by move(), and by who moves bytes without.
  void told(const tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
            const Moment& moment) {
    if (observer_ != nullptr) [[unlikely]]
      tell(payload, offset, bytes, moment);
  }

  support::Calendar& calendar_;
  support::LevelSignal busy_signal_;

 private:
  void tell(const tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
            const Moment& moment);
  void tell_debug(std::uint64_t address, std::uint64_t bytes, bool write);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  /// False, with the response set, when nothing is to be moved.
  bool wants(tlm::tlm_generic_payload& payload);

  Storage storage_;
  Stats stats_;
  support::MemoryObserver* observer_ = nullptr;
};

}  // namespace tvp::dram
