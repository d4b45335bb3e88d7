#include "models/ethernet/ethernet_tile.h"

#include "foundation/regs/ethernet.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::ethernet {

namespace ethernet_regs = regs::ethernet;
using support::BusMaster;
using support::Cycle;

namespace {

// tt-umd uses the bit of RISCV B to hold and release core E.
constexpr std::uint32_t kResetE = tvp::regs::tensix_tile::kResetB;
constexpr std::uint32_t kResetPcE = 0;

noc::Place place(unsigned noc, unsigned tile, const EthernetTile::Environment& environment) {
  return {.grid = environment.grid,
          .noc = noc,
          .x = environment.x,
          .y = environment.y,
          .type = noc::EndpointType::kEthernet,
          .index = environment.index,
          .tile = tile,
          .where = environment.where + ".niu" + std::to_string(noc)};
}

}  // namespace

EthernetTile::EthernetTile(const sc_core::sc_module_name& name, const Environment& environment)
    : sc_module(name),
      where_(environment.where),
      x_(environment.x),
      y_(environment.y),
      calendar_(environment.calendar),
      faults_(environment.faults),
      clock_(foundation::Period::of_mhz(environment.aiclk_mhz)),
      calendar_index_(environment.calendar.add_tile(scheduler_)),
      l1_(environment.grid.spec().memories.ethernet_l1_bytes, watch_hub_),
      bus_("bus", where_, l1_,
           sc_core::sc_time(1e6 / static_cast<double>(environment.aiclk_mhz), sc_core::SC_PS),
           environment.faults),
      niu0_("niu0", environment.noc, place(0, calendar_index_, environment), environment.calendar,
            watch_hub_, environment.faults),
      niu1_("niu1", environment.noc, place(1, calendar_index_, environment), environment.calendar,
            watch_hub_, environment.faults),
      overlay_("overlay", environment.noc, true, watch_hub_, environment.faults,
               where_ + ".overlay"),
      queues_("queues", where_, environment.ethernet, watch_hub_, environment.faults),
      mac_pcs_(where_ + ".mac", environment.faults),
      core_("ERISC",
            riscv::Identity{.master = BusMaster::kE,
                            .where = where_ + ".ERISC",
                            .local_bytes = environment.grid.spec().memories.data_local_bytes,
                            .iram_bytes = environment.grid.spec().memories.instruction_bytes,
                            .generation = environment.grid.spec().generation},
            environment.riscv, watch_hub_, environment.faults),
      risc_debug_(where_ + ".control", bus_, environment.faults),
      control_(where_ + ".control", kResetE, *this, risc_debug_, watch_hub_, environment.faults),
      niu0_registers_("niu0_registers"),
      niu1_registers_("niu1_registers"),
      overlay_registers_("overlay_registers") {
  risc_debug_.add(core_);
  risc_debug_.add_signal(18, core_);  // tt-exalens, eth_block.py
  // A packet from the link is an event of the chip. Events reach a tile no earlier than this.
  const Cycle least = noc::lookahead(environment.noc).event_to_tile;
  if (environment.ethernet.receive_cycles < least) {
    throw foundation::Fault(foundation::FaultKind::kDescription, where_,
                            "ethernet.receive_cycles must be at least " + std::to_string(least) +
                                " with these NoC latencies");
  }
  scheduler_.add(niu0_);
  scheduler_.add(niu1_);
  queues_.add_agents(scheduler_);
  scheduler_.add(core_);

  niu0_.memory.bind(bus_.master(BusMaster::kNoc0));
  niu1_.memory.bind(bus_.master(BusMaster::kNoc1));
  queues_.rx_memory.socket.bind(bus_.master(BusMaster::kEthernetRx));
  queues_.tx_memory.socket.bind(bus_.master(BusMaster::kEthernetTx));
  core_.bus.bind(bus_.master(BusMaster::kE));
  niu0_registers_.socket.bind(niu0_.regs);
  niu1_registers_.socket.bind(niu1_.regs);
  overlay_registers_.socket.bind(overlay_.regs);

  using Window = tensix::TileBus::Window;
  bus_.map(Window::kControl, control_);
  bus_.map(Window::kNiu0, niu0_registers_);
  bus_.map(Window::kNiu1, niu1_registers_);
  bus_.map(Window::kOverlay, overlay_registers_);
  bus_.map(Window::kEthernetQueues, queues_);
  bus_.map(Window::kEthernetControl, mac_pcs_);
}

void EthernetTile::attach(LinkEnd& link) {
  queues_.connect(link, calendar_, calendar_index_, clock_);
}

bool EthernetTile::debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                                bool write) {
  return bus_.debug_access(address, data, bytes, write, calendar_.now());
}

void EthernetTile::soft_reset_changed(std::uint32_t before, std::uint32_t after, Cycle now,
                                      unsigned) {
  const std::uint32_t changed = before ^ after;
  // Hosts write one mask of all cores to tiles of every kind; an ethernet tile has only core E.
  if ((changed & ~tvp::regs::tensix_tile::kResetCores & 0x7FFFFFU) != 0) {
    faults_.raise({foundation::FaultKind::kUnmodelled, where_,
                   "soft reset of a unit other than the RISC-V core"});
  }
  if ((changed & kResetE) == 0) return;
  if ((after & kResetE) != 0) {
    core_.assert_reset(now);
  } else {
    // The store that releases the core completes before the core fetches.
    core_.release_reset(now + 1, kResetPcE);
  }
}

void EthernetTile::set_pc_buf_override(std::uint32_t, Cycle, unsigned) {
  faults_.raise({foundation::FaultKind::kUnmodelled, where_,
                 "TRISC_PC_BUF_OVERRIDE in a tile without a coprocessor"});
}

void EthernetTile::set_feature_disable(std::uint32_t) {
  faults_.raise({foundation::FaultKind::kUnmodelled, where_,
                 "DBG_FEATURE_DISABLE in a tile without a coprocessor"});
}

}  // namespace tvp::ethernet
