#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

#include "models/dram/dram_config.h"
#include "models/dram/storage.h"
#include "models/support/agent.h"
#include "models/support/calendar.h"
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
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t busy_cycles = 0;  ///< the data bus moves something
  };

  Controller(const sc_core::sc_module_name& name, support::Calendar& calendar)
      : sc_module(name), port("port"), calendar_(calendar) {
    port.register_nb_transport_fw(this, &Controller::nb_transport_fw);
    port.register_transport_dbg(this, &Controller::transport_dbg);
  }

  tlm_utils::simple_target_socket<Controller> port;

  /// For the host's untimed access.
  Storage& storage() { return storage_; }
  virtual Stats stats() const = 0;
  /// To be added to the scheduler of the tile, if the controller acts on its own.
  virtual support::Agent* agent() { return nullptr; }
  /// The data bus moves something.
  support::LevelSignal& busy_signal() { return busy_signal_; }

 protected:
  /// A request that wants() has let through comes with BEGIN_REQ.
  virtual tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  /// Moves a part of the bytes of a request.
  void move(tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes);

  support::Calendar& calendar_;
  Storage storage_;
  support::LevelSignal busy_signal_;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  /// False, with the response set, when nothing is to be moved.
  static bool wants(tlm::tlm_generic_payload& payload);
};

std::unique_ptr<Controller> make_controller(const sc_core::sc_module_name& name,
                                            const DramConfig& config, support::Calendar& calendar,
                                            Period aiclk);

}  // namespace tvp::dram
