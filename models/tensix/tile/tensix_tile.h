#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/noc/niu/niu.h"
#include "models/noc/overlay.h"
#include "models/support/calendar.h"
#include "models/support/huge_pages.h"
#include "models/support/socket_device.h"
#include "models/support/tile_scheduler.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/coprocessor.h"
#include "models/tensix/tile/control_targets.h"
#include "models/tensix/tile/core_mailboxes.h"
#include "models/tensix/tile/device_window.h"
#include "models/tensix/tile/l1.h"
#include "models/tensix/tile/pc_buffers.h"
#include "models/tensix/tile/risc_debug.h"
#include "models/tensix/tile/sync_window.h"
#include "models/tensix/tile/thread_port.h"
#include "models/tensix/tile/tile_bus.h"
#include "models/tensix/tile/tile_control.h"
#include "models/tensix/tile/tile_cores.h"

namespace tvp::tensix {

/// The objects that a chip gives to a tile.
struct TileEnvironment {
  const noc::Grid& grid;
  const noc::NocConfig& noc;
  const riscv::CoreConfig& riscv;
  const coprocessor::CoprocessorConfig& coprocessor;
  const coprocessor::MovementConfig& movement;
  sc_core::sc_time cycle;
  support::Calendar& calendar;
  foundation::FaultPolicy& faults;
};

/// A Tensix tile (ISA WormholeB0/TensixTile/README.md): L1, five RISC-V cores, the coprocessor, two
/// NIUs and the NoC overlay. All cores are in soft reset until software releases them.
class TensixTile : public sc_core::sc_module, public support::OnHugePages {
 public:
  /// (x, y) are NoC 0 coordinates, `where` is "chip0.tensix(1,2)".
  TensixTile(const sc_core::sc_module_name& name, const std::string& where, unsigned x, unsigned y,
             unsigned endpoint_index, const TileEnvironment& environment);

  support::TileScheduler& scheduler() { return scheduler_; }
  unsigned calendar_index() const { return calendar_index_; }
  noc::Niu& niu(unsigned noc) { return noc == 0 ? niu0_ : niu1_; }
  riscv::Core& core(TileCore core) { return cores_[core]; }
  coprocessor::Coprocessor& coprocessor() { return coprocessor_; }
  noc::Overlay& overlay() { return overlay_; }
  L1& l1() { return l1_; }
  /// Puts devices of the user into [first, first + bytes) of the bus (DeviceWindow::kFirst, kEnd).
  void add_devices(std::uint32_t first, std::uint32_t bytes, support::CalendarBlock& block);
  /// Null if there are none.
  support::ForeignMemory* devices() { return devices_ ? &devices_->devices : nullptr; }
  const std::string& where() const { return where_; }
  unsigned x() const { return x_; }
  unsigned y() const { return y_; }

  /// Sets the probe to which the tile's models report events; null: none.
  void set_probe(support::Probe* probe);

  /// Access of the host without time, at the calendar's cycle; false if nothing is mapped there.
  bool debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes, bool write);

  /// One line for each thread of the coprocessor that waits, for the report of a hang.
  void describe_waiting(std::vector<std::string>& lines);

  /// Sets the observer of every access to L1 and the cores' local memories; null: none. Call it
  /// between two runs.
  void set_memory_observer(support::Probe::Listener* observer);

  /// Off: every poll is executed (--lockstep).
  void set_poll_sleep(bool on);
  void set_counting_sleep(bool on);

 private:
  void join();
  void map_windows();

  std::string where_;
  unsigned x_;
  unsigned y_;
  support::Calendar& calendar_;
  support::TileScheduler scheduler_;
  unsigned calendar_index_;
  support::WatchHub watch_hub_;
  L1 l1_;
  TileBus bus_;
  noc::Niu niu0_;
  noc::Niu niu1_;
  noc::Overlay overlay_;
  TileCores cores_;
  coprocessor::Coprocessor coprocessor_;
  ThreadPort threads_;
  CoreMailboxes mailboxes_;
  PcBuffers pc_buffers_;
  SyncWindow sync_window_;
  ControlTargets control_targets_;
  RiscDebug risc_debug_;
  TileControl control_;
  support::SocketDevice niu0_registers_;
  support::SocketDevice niu1_registers_;
  support::SocketDevice overlay_registers_;
  std::unique_ptr<DeviceWindow> devices_;
};

}  // namespace tvp::tensix
