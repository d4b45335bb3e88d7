#pragma once

#include <cstdint>
#include <string>
#include <systemc>

#include "foundation/clock_ratio.h"
#include "models/ethernet/ethernet_config.h"
#include "models/ethernet/ethernet_queues.h"
#include "models/ethernet/link_end.h"
#include "models/ethernet/mac_pcs.h"
#include "models/noc/niu/niu.h"
#include "models/noc/overlay.h"
#include "models/riscv/core.h"
#include "models/support/calendar.h"
#include "models/support/socket_device.h"
#include "models/support/tile_scheduler.h"
#include "models/support/watch.h"
#include "models/tensix/tile/l1.h"
#include "models/tensix/tile/risc_debug.h"
#include "models/tensix/tile/tile_bus.h"
#include "models/tensix/tile/tile_control.h"

namespace tvp::ethernet {

/// An ethernet tile (ISA WormholeB0/EthernetTile): 256 KiB of L1, RISC-V core E, two NIUs, overlay
/// streams, and the transmit and receive queues at one end of a link. The core is in soft reset
/// until software releases it.
class EthernetTile : public sc_core::sc_module, private tensix::TileControlClient {
 public:
  /// The objects that the chip gives to a tile.
  struct Environment {
    std::string where;  ///< "chip0.ethernet(9,0)"
    unsigned x = 0;     ///< NoC 0 coordinates
    unsigned y = 0;
    unsigned index = 0;  ///< channel
    const noc::Grid& grid;
    const noc::NocConfig& noc;
    const riscv::CoreConfig& riscv;
    const EthernetConfig& ethernet;
    std::uint64_t aiclk_mhz = 1000;
    support::Calendar& calendar;
    foundation::FaultPolicy& faults;
  };

  EthernetTile(const sc_core::sc_module_name& name, const Environment& environment);

  /// Connects the tile to an end of a link; without one, sending is a fault.
  void attach(LinkEnd& link);

  support::TileScheduler& scheduler() { return scheduler_; }
  support::WatchHub& watch_hub() { return watch_hub_; }
  unsigned calendar_index() const { return calendar_index_; }
  noc::Niu& niu(unsigned noc) { return noc == 0 ? niu0_ : niu1_; }
  riscv::Core& core() { return core_; }
  const EthernetQueues& queues() const { return queues_; }
  EthernetQueues& queues() { return queues_; }
  noc::Overlay& overlay() { return overlay_; }
  const std::string& where() const { return where_; }
  unsigned x() const { return x_; }
  unsigned y() const { return y_; }
  std::uint8_t* l1_bytes() { return l1_.bytes(); }
  std::uint32_t l1_size_bytes() const { return l1_.size_bytes(); }

  /// Sets the probe to which the tile's models report events; null: none.
  void set_probe(support::Probe* probe) {
    for (noc::Niu* niu : {&niu0_, &niu1_}) niu->set_probe(probe);
    core_.set_probe(probe);
  }

  /// Access of the host without time, at the calendar's cycle. False if nothing is mapped there.
  /// The caller notifies the calendar that the tile may have been woken.
  bool debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes, bool write);
  bool debug_read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) {
    return debug_access(address, data, bytes, false);
  }
  bool debug_write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) {
    return debug_access(address, const_cast<std::uint8_t*>(data), bytes, true);
  }

  /// Sets the observer of every access to L1 and the core's local memory; null: none. Call it
  /// between two runs.
  void set_memory_observer(support::Probe::Listener* observer) {
    bus_.set_memory_observer(observer);
    core_.set_memory_observer(observer);
  }

  /// Off: every poll is executed (--lockstep).
  void set_poll_sleep(bool on) { core_.set_poll_sleep(on); }
  void set_counting_sleep(bool on) { core_.set_counting_sleep(on); }

 private:
  // TileControlClient
  void soft_reset_changed(std::uint32_t before, std::uint32_t after, support::Cycle now,
                          unsigned order) override;
  void set_pc_buf_override(std::uint32_t value, support::Cycle now, unsigned order) override;
  std::uint32_t pc_buf_override() const override { return 0; }
  void set_feature_disable(std::uint32_t value) override;
  std::uint32_t config_word(std::uint32_t) const override { return 0; }
  std::uint32_t dst_word(std::uint32_t, std::uint32_t) const override { return 0; }

  std::string where_;
  unsigned x_;
  unsigned y_;
  support::Calendar& calendar_;
  foundation::FaultPolicy& faults_;
  foundation::Period clock_;
  support::TileScheduler scheduler_;
  unsigned calendar_index_;
  support::WatchHub watch_hub_;
  tensix::L1 l1_;
  tensix::TileBus bus_;
  noc::Niu niu0_;
  noc::Niu niu1_;
  noc::Overlay overlay_;
  EthernetQueues queues_;
  MacPcs mac_pcs_;
  riscv::Core core_;
  tensix::RiscDebug risc_debug_;
  tensix::TileControl control_;
  support::SocketDevice niu0_registers_;
  support::SocketDevice niu1_registers_;
  support::SocketDevice overlay_registers_;
};

}  // namespace tvp::ethernet
