#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "models/noc/niu.h"
#include "models/noc/overlay.h"
#include "models/riscv/core.h"
#include "models/support/calendar.h"
#include "models/support/socket_device.h"
#include "models/support/tile_scheduler.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/coprocessor.h"
#include "models/tensix/tile/l1.h"
#include "models/tensix/tile/mailboxes.h"
#include "models/tensix/tile/pc_buffers.h"
#include "models/tensix/tile/sync_window.h"
#include "models/tensix/tile/tile_bus.h"
#include "models/tensix/tile/tile_control.h"

namespace tvp::tensix {

/// Cores of a tile, in the order in which agents and reports list them.
enum class TileCore : std::uint8_t { kB, kNc, kT0, kT1, kT2 };
inline constexpr unsigned kTileCores = 5;

/// What a tile is given by its chip.
struct TileEnvironment {
  const noc::NocConfig& noc;
  const riscv::CoreConfig& riscv;
  const coprocessor::CoprocessorConfig& coprocessor;
  const coprocessor::MovementConfig& movement;
  sc_core::sc_time cycle;
  support::Calendar& calendar;
  foundation::FaultPolicy& faults;
};

/// A Tensix tile (ISA WormholeB0/TensixTile/README.md): L1, five RISC-V cores, the coprocessor, two
/// NIUs and the NoC overlay. All cores are in soft reset until software lets them go.
class TensixTile : public sc_core::sc_module,
                   public TileControlClient,
                   private coprocessor::CoprocessorClient,
                   private ThreadStatus,
                   private riscv::TensixInstructionPort {
 public:
  /// (x, y) are NoC 0 coordinates, `where` is "chip0.tensix(1,2)".
  TensixTile(const sc_core::sc_module_name& name, const std::string& where, unsigned x, unsigned y,
             unsigned endpoint_index, const TileEnvironment& environment);

  support::TileScheduler& scheduler() { return scheduler_; }
  unsigned calendar_index() const { return calendar_index_; }
  noc::Niu& niu(unsigned noc) { return noc == 0 ? niu0_ : niu1_; }
  riscv::Core& core(TileCore core) { return *cores_[static_cast<unsigned>(core)]; }
  coprocessor::Coprocessor& coprocessor() { return coprocessor_; }
  noc::Overlay& overlay() { return overlay_; }
  L1& l1() { return l1_; }
  const std::string& where() const { return where_; }
  unsigned x() const { return x_; }
  unsigned y() const { return y_; }

  /// Zero-time access of the host at the calendar's cycle; false when nothing is mapped there.
  bool debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes, bool write);

  /// Off: every poll is executed (--lockstep).
  void set_poll_sleep(bool on);

  // TileControlClient
  void soft_reset_changed(std::uint32_t before, std::uint32_t after, support::Cycle now,
                          unsigned order) override;
  void set_pc_buf_override(std::uint32_t value, support::Cycle now, unsigned order) override;
  std::uint32_t pc_buf_override() const override { return pc_buffers_.override_bits(); }
  void set_feature_disable(std::uint32_t value) override;
  std::uint32_t config_word(std::uint32_t index) const override {
    return coprocessor_.config_word(index);
  }

 private:
  void make_core(TileCore core, const TileEnvironment& environment);
  void map_windows();
  std::uint32_t reset_pc(TileCore core) const;

  // What the coprocessor does to, and asks of, the rest of the tile.
  void invalidate_instruction_caches(std::uint32_t mask, support::Cycle now) override;
  void write_instruction_ram(std::uint32_t offset, const std::uint8_t* data,
                             support::Cycle now) override;
  bool thread_idle(unsigned thread) const override { return coprocessor_.thread_idle(thread); }
  bool mop_expander_done(unsigned thread) const override {
    return coprocessor_.mop_expander_done(thread);
  }
  bool push(unsigned thread, std::uint32_t instruction, support::Cycle now,
            unsigned order) override {
    return coprocessor_.push(thread, instruction, now, order);
  }

  std::string where_;
  unsigned x_;
  unsigned y_;
  support::Calendar& calendar_;
  foundation::FaultPolicy& faults_;
  support::TileScheduler scheduler_;
  unsigned calendar_index_;
  support::WatchHub watch_hub_;
  L1 l1_;
  TileBus bus_;
  noc::Niu niu0_;
  noc::Niu niu1_;
  noc::Overlay overlay_;
  coprocessor::Coprocessor coprocessor_;
  std::array<std::unique_ptr<riscv::Core>, kTileCores> cores_;
  Mailboxes mailboxes_;
  PcBuffers pc_buffers_;
  SyncWindow sync_window_;
  TileControl control_;
  support::SocketDevice niu0_registers_;
  support::SocketDevice niu1_registers_;
  support::SocketDevice overlay_registers_;
};

}  // namespace tvp::tensix
