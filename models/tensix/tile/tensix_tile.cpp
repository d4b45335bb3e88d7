#include "models/tensix/tile/tensix_tile.h"

#include "foundation/regs/tensix_tile.h"

namespace tvp::tensix {

namespace regs = tvp::regs::tensix_tile;
using support::BusMaster;

namespace {

noc::Place place(const noc::Grid& grid, unsigned noc, unsigned x, unsigned y, unsigned index,
                 unsigned tile, const std::string& where) {
  return {.grid = grid,
          .noc = noc,
          .x = x,
          .y = y,
          .type = noc::EndpointType::kTensix,
          .index = index,
          .tile = tile,
          .where = where + ".niu" + std::to_string(noc)};
}

}  // namespace

TensixTile::TensixTile(const sc_core::sc_module_name& name, const std::string& where, unsigned x,
                       unsigned y, unsigned endpoint_index, const TileEnvironment& environment)
    : sc_module(name),
      where_(where),
      x_(x),
      y_(y),
      calendar_(environment.calendar),
      calendar_index_(environment.calendar.add_tile(scheduler_)),
      l1_(environment.grid.spec().memories.tensix_l1_bytes, watch_hub_,
          environment.grid.spec().generation),
      bus_("bus", where, l1_, environment.cycle, environment.faults),
      niu0_("niu0", environment.noc,
            place(environment.grid, 0, x, y, endpoint_index, calendar_index_, where),
            environment.calendar, watch_hub_, environment.faults),
      niu1_("niu1", environment.noc,
            place(environment.grid, 1, x, y, endpoint_index, calendar_index_, where),
            environment.calendar, watch_hub_, environment.faults),
      overlay_("overlay", environment.noc, false, watch_hub_, environment.faults,
               where + ".overlay"),
      cores_(where, environment.grid.spec(), environment.riscv, watch_hub_, environment.faults),
      coprocessor_("coprocessor", where + ".coprocessor", l1_, watch_hub_, environment.faults,
                   cores_, environment.movement, environment.coprocessor,
                   environment.grid.spec().generation),
      threads_(coprocessor_),
      mailboxes_(watch_hub_),
      pc_buffers_(threads_, watch_hub_),
      sync_window_(pc_buffers_, coprocessor_),
      control_targets_(where, {.cores = cores_,
                               .coprocessor = coprocessor_,
                               .mailboxes = mailboxes_,
                               .pc_buffers = pc_buffers_,
                               .faults = environment.faults}),
      risc_debug_(where + ".control", bus_, environment.faults),
      control_(where + ".control", regs::kResetCores, control_targets_, risc_debug_, watch_hub_,
               environment.faults),
      niu0_registers_("niu0_registers"),
      niu1_registers_("niu1_registers"),
      overlay_registers_("overlay_registers") {
  join();
  map_windows();
}

void TensixTile::join() {
  // This order decides ties.
  scheduler_.add(niu0_);
  scheduler_.add(niu1_);
  scheduler_.add_portless(coprocessor_.mover());
  scheduler_.add_portless(coprocessor_.issue());
  for (const auto& core : cores_) scheduler_.add_portless(*core);

  // NC has no debug unit.
  for (const TileCore core : {TileCore::kB, TileCore::kT0, TileCore::kT1, TileCore::kT2})
    risc_debug_.add(cores_[core]);
  // tt-exalens, functional_worker_debug_bus_signals.py.
  for (const auto& [core, signal] : {std::pair{TileCore::kB, 10U},
                                     {TileCore::kT0, 12U},
                                     {TileCore::kT1, 14U},
                                     {TileCore::kT2, 16U},
                                     {TileCore::kNc, 24U}})
    risc_debug_.add_signal(signal, cores_[core]);

  niu0_.memory.bind(bus_.master(BusMaster::kNoc0));
  niu1_.memory.bind(bus_.master(BusMaster::kNoc1));
  coprocessor_.thcon.bind(bus_.master(BusMaster::kThcon));
  for (const auto& core : cores_) core->bus.bind(bus_.master(core->master()));
  l1_.meet(cores_.l1_holders());
  niu0_.meet(l1_.intake(0));
  niu1_.meet(l1_.intake(1));
  for (const TileCore core : {TileCore::kT0, TileCore::kT1, TileCore::kT2}) {
    cores_[core].connect(threads_);
    const auto thread = static_cast<unsigned>(core) - static_cast<unsigned>(TileCore::kT0);
    coprocessor_.issue().set_core(thread, *cores_[core].pc_of_access());
  }
  niu0_registers_.socket.bind(niu0_.regs);
  niu1_registers_.socket.bind(niu1_.regs);
  overlay_registers_.socket.bind(overlay_.regs);
}

void TensixTile::map_windows() {
  using Window = TileBus::Window;
  bus_.map(Window::kTdma, coprocessor_.tdma_window());
  bus_.map(Window::kControl, control_);
  bus_.map(Window::kNiu0, niu0_registers_);
  bus_.map(Window::kNiu1, niu1_registers_);
  bus_.map(Window::kOverlay, overlay_registers_);
  bus_.map(Window::kMopConfig, coprocessor_.windows().mop_config());
  bus_.map(Window::kGprs, coprocessor_.windows().gprs());
  bus_.map(Window::kPush, coprocessor_.windows().push());
  bus_.map(Window::kPcBuf, sync_window_);
  bus_.map(Window::kMailbox, mailboxes_);
  bus_.map(Window::kConfig, coprocessor_.windows().config());
}

void TensixTile::add_devices(std::uint32_t first, std::uint32_t bytes,
                             support::CalendarBlock& block) {
  const std::string name = "devices_" + std::to_string(x_) + "_" + std::to_string(y_);
  devices_ = std::make_unique<DeviceWindow>(name.c_str(), block, calendar_index_, watch_hub_);
  bus_.map_devices(first, bytes, *devices_);
  control_targets_.connect(*devices_);
}

bool TensixTile::debug_access(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes,
                              bool write) {
  return bus_.debug_access(address, data, bytes, write, calendar_.now());
}

void TensixTile::set_probe(support::Probe* probe) {
  for (noc::Niu* niu : {&niu0_, &niu1_}) niu->set_probe(probe);
  overlay_.set_probe(probe);
  l1_.set_probe(probe);
  coprocessor_.set_probe(probe);
  mailboxes_.set_probe(probe);
  for (const auto& core : cores_) core->set_probe(probe);
  if (probe != nullptr) probe->set_watches(watch_hub_);
}

void TensixTile::describe_waiting(std::vector<std::string>& lines) {
  for (unsigned t = 0; t < 3; ++t) {
    if (coprocessor_.thread_idle(t)) continue;
    lines.push_back(where_ + ".coprocessor.T" + std::to_string(t) + ": " +
                    coprocessor_.issue().inspector().waiting_for(t));
  }
}

void TensixTile::set_memory_observer(support::Probe::Listener* observer) {
  bus_.set_memory_observer(observer);
  for (const auto& core : cores_) core->set_memory_observer(observer);
}

void TensixTile::set_poll_sleep(bool on) {
  for (const auto& core : cores_) core->set_poll_sleep(on);
}

void TensixTile::set_counting_sleep(bool on) {
  for (const auto& core : cores_) core->set_counting_sleep(on);
}

}  // namespace tvp::tensix
