#include "tests/unit/ethernet/two_tiles.h"

#include <algorithm>

#include "tests/support/described_chips.h"

namespace tvp::ethernet::test {

namespace txq = regs::ethernet::txq;

void Script::send(Cycle not_before, std::uint32_t queue, std::uint32_t command,
                  std::uint32_t source, std::uint32_t destination, std::uint32_t bytes) {
  poll(not_before, queue + txq::kCmd, 0);
  write(0, queue + txq::kTransferStartAddr, source);
  write(0, queue + txq::kTransferSizeBytes, bytes);
  write(0, queue + txq::kDestAddr, destination);
  write(0, queue + txq::kCmd, command);
}

void Script::run() {
  Cycle now = next();
  while (at_ < steps_.size()) {
    const Step& step = steps_[at_];
    now = std::max(now, step.not_before);
    if (!may_act(now)) break;
    std::uint32_t value = step.data;
    const auto result = bus.transport(step.kind == Step::kWrite, step.address,
                                      reinterpret_cast<std::uint8_t*>(&value), 4, now, order());
    if (!result.ok) throw std::runtime_error("script: access failed");
    if (step.kind == Step::kPoll && value != step.data) {
      now += kPollCycles;
      continue;
    }
    if (step.kind != Step::kWrite) observed.push_back({now, value});
    ++now;
    ++at_;
  }
  set_next(at_ < steps_.size() ? now : support::kNever);
}

Tile::Tile(const sc_core::sc_module_name& name, const EthernetConfig& config,
           foundation::FaultPolicy& faults)
    : sc_module(name),
      l1(tests::wormhole().memories.ethernet_l1_bytes, watch_hub),
      bus("bus", "tile", l1, sc_core::sc_time(1, sc_core::SC_NS), faults),
      queues("queues", std::string(name), config, watch_hub, faults),
      mac(std::string(name), faults),
      e("e") {
  bus.map(tensix::TileBus::Window::kEthernetQueues, queues);
  bus.map(tensix::TileBus::Window::kEthernetControl, mac);
  queues.rx_memory.socket.bind(bus.master(support::BusMaster::kEthernetRx));
  queues.tx_memory.socket.bind(bus.master(support::BusMaster::kEthernetTx));
  e.bus.socket.bind(bus.master(support::BusMaster::kE));
  queues.add_agents(scheduler);
  scheduler.add(e);
}

TwoTiles::TwoTiles(const sc_core::sc_module_name& name)
    : sc_module(name),
      calendar{support::Calendar({.tile_to_tile = 20, .event_to_tile = 10}),
               support::Calendar({.tile_to_tile = 20, .event_to_tile = 10})},
      a("a", config, faults),
      b("b", config, faults),
      link("link", 0, config) {
  config.link_latency_ps.set("330000");  // the tests' derived times assume this
  a.queues.connect(link.end(0), calendar[0], calendar[0].add_tile(a.scheduler), {});
  b.queues.connect(link.end(1), calendar[1], calendar[1].add_tile(b.scheduler), {});
}

void TwoTiles::run(Cycle end, Cycle window) {
  a.e.start();
  b.e.start();
  for (auto& c : calendar) c.tile_woken(0);
  if (window == 0) window = link.min_latency_cycles();
  for (Cycle at = calendar[0].now(); at < end; at += window) {
    for (auto& c : calendar) c.run_until(std::min(at + window, end));
  }
}

}  // namespace tvp::ethernet::test
