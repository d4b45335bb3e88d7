#include "platform/machine/waves/machine_waves.h"

#include "foundation/abi/tensix_vp/libttsim.h"

namespace tvp::platform {

namespace {

constexpr unsigned kQueueBits = 8;
constexpr unsigned kBytesBits = 16;

/// "chip0.tensix(1,2).BRISC" as a path of scopes: viewers interpret brackets and commas.
std::string path_of(const std::string& where) {
  std::string path;
  for (const char c : where) {
    if (c == ')') continue;
    path += c == '(' || c == ',' ? '_' : c;
  }
  return path;
}

/// Direction of a router's links: NoC 0 moves data right and down, NoC 1 left and up (ISA
/// NoC/README.md).
const char* link_name(unsigned noc, noc::Port port) {
  switch (port) {
    case noc::Port::kX:
      return noc == 0 ? "right" : "left";
    case noc::Port::kY:
      return noc == 0 ? "down" : "up";
    case noc::Port::kNiu:
      return "to_niu";
    case noc::Port::kInjection:
      break;
  }
  return "from_niu";
}

constexpr noc::Port kTorusLinks[] = {noc::Port::kX, noc::Port::kY, noc::Port::kNiu,
                                     noc::Port::kInjection};

/// Row names of the units of interest; "" for units without a row.
const char* row_of(tensix::coprocessor::Unit unit) {
  using tensix::coprocessor::Unit;
  switch (unit) {
    case Unit::kUnpacker0:
      return "unpack0";
    case Unit::kUnpacker1:
      return "unpack1";
    case Unit::kMatrix:
      return "math";
    case Unit::kPackers:
      return "pack";
    case Unit::kVector:
      return "sfpu";
    case Unit::kScalar:
      return "thcon";
    default:
      return "";
  }
}

}  // namespace

MachineWaves::MachineWaves(support::WaveRecorder& recorder, const SystemDescription& system,
                           const std::vector<std::unique_ptr<Chip>>& chips,
                           const std::vector<std::unique_ptr<ethernet::Link>>& links,
                           const SymbolTable& symbols)
    : recorder_(recorder), symbols_(symbols) {
  for (const auto& chip : chips) {
    if (recorder.wants_arrows()) noc_arrows_.emplace_back(recorder, *chip);
    for (unsigned noc = 0; noc < 2; ++noc) {
      watch_torus(*chip, noc);
      if (recorder.wants_arrows()) chip->torus(noc).set_observer(&noc_arrows_.back());
    }
    for (const auto& tile : chip->tensix_tiles()) {
      const std::string path = path_of(tile->where());
      for (unsigned i = 0; i < tensix::kTileCores; ++i) {
        watch_core(tile->core(static_cast<tensix::TileCore>(i)),
                   {chip->id(), tile->x(), tile->y(), TENSIX_VP_CORE_BRISC + i});
      }
      for (unsigned noc = 0; noc < 2; ++noc) watch_niu(tile->niu(noc), path);
      watch_coprocessor(tile->coprocessor(), path + ".coprocessor");
      watch_streams(tile->overlay(), path);
    }
    for (unsigned channel = 0; channel < chip->ethernet_tiles().size(); ++channel) {
      const auto& tile = chip->ethernet_tiles()[channel];
      const auto [x, y] = chip->spec().ethernet[channel];
      const std::string path = path_of(tile->where());
      watch_core(tile->core(), {chip->id(), x, y, TENSIX_VP_CORE_ERISC});
      for (unsigned noc = 0; noc < 2; ++noc) watch_niu(tile->niu(noc), path);
      watch_queues(tile->queues(), path);
      watch_streams(tile->overlay(), path);
    }
    for (const auto& tile : chip->dram_tiles()) {
      watch_dram(*tile,
                 "chip" + std::to_string(chip->id()) + ".dram" + std::to_string(tile->group()));
    }
  }
  watch_links(system, links);
}

void MachineWaves::watch_number(support::Signal& signal, const std::string& path, unsigned width,
                                bool detail) {
  recorder_.watch(signal, {.path = path, .width = width, .detail = detail});
}

void MachineWaves::watch_level(support::LevelSignal& signal, const std::string& path,
                               unsigned width, bool detail) {
  recorder_.watch(signal, {.path = path, .width = width, .detail = detail});
}

void MachineWaves::watch_links(const SystemDescription& system,
                               const std::vector<std::unique_ptr<ethernet::Link>>& links) {
  for (unsigned i = 0; i < links.size(); ++i) {
    const LinkEnd ends[] = {system.links[i].a, system.links[i].b};
    for (unsigned from = 0; from < 2; ++from) {
      const std::string path = "chip" + std::to_string(ends[from].chip) + ".link_" +
                               std::to_string(ends[from].channel) + "_to_chip" +
                               std::to_string(ends[1 - from].chip);
      recorder_.watch(links[i]->end(from).busy_signal(), {.path = path + ".busy", .always = true});
      recorder_.watch(links[i]->end(from).packet_signal(),
                      {.path = path + ".packet", .text_of = ethernet::LinkEnd::packet_text});
      if (!recorder_.wants_arrows()) continue;
      links[i]->end(from).set_observer(
          &link_arrows_.emplace_back(recorder_, path + ".sent",
                                     "chip" + std::to_string(ends[1 - from].chip) + ".link_" +
                                         std::to_string(ends[1 - from].channel) + "_to_chip" +
                                         std::to_string(ends[from].chip) + ".arrived"));
    }
  }
}

void MachineWaves::LinkArrows::flies(const ethernet::EthernetPacket& packet, support::Cycle sent,
                                     support::Cycle arrives) {
  recorder_.arrow(from_, to_, std::to_string(packet.bytes) + " B", sent, arrives);
}

MachineWaves::NocArrows::NocArrows(support::WaveRecorder& recorder, const Chip& chip)
    : recorder_(recorder), chip_("chip" + std::to_string(chip.id()) + ".") {
  for (const auto& tile : chip.tensix_tiles())
    tiles_[{tile->x(), tile->y()}] = path_of(tile->where());
  for (std::size_t channel = 0; channel < chip.ethernet_tiles().size(); ++channel) {
    const auto [x, y] = chip.spec().ethernet[channel];
    tiles_[{x, y}] = path_of(chip.ethernet_tiles()[channel]->where());
  }
}

std::string MachineWaves::NocArrows::row_of(unsigned noc, noc::Node node, const char* name) const {
  const auto tile = tiles_.find({node.x, node.y});
  return (tile != tiles_.end()
              ? tile->second
              : chip_ + "node_" + std::to_string(node.x) + "_" + std::to_string(node.y)) +
         ".noc" + std::to_string(noc) + "." + name;
}

/// Acknowledgments carry nothing, and each would double the arrow of its request.
void MachineWaves::NocArrows::arrives(unsigned noc, const noc::NocExtension& header, noc::Node from,
                                      noc::Node to, support::Cycle when) {
  if (header.kind == noc::PacketKind::kWriteAck || header.kind == noc::PacketKind::kAtomicResponse)
    return;
  std::string name = noc::name_of(header.kind);
  if (header.bytes != 0) name += " " + std::to_string(header.bytes) + " B";
  recorder_.arrow(row_of(noc, from, "sent"), row_of(noc, to, "arrived"), name, header.injected,
                  when);
}

void MachineWaves::watch_core(riscv::Core& core, const checks::CodeOwner& owner) {
  cores_.watch(recorder_, core, path_of(core.where()), symbols_, owner);
}

void MachineWaves::watch_torus(Chip& chip, unsigned noc) {
  noc::Torus& torus = chip.torus(noc);
  const std::string prefix =
      "chip" + std::to_string(chip.id()) + ".noc" + std::to_string(noc) + ".router_";
  for (unsigned y = 0; y < chip.spec().rows; ++y) {
    for (unsigned x = 0; x < chip.spec().columns; ++x) {
      const std::string router = prefix + std::to_string(x) + "_" + std::to_string(y);
      for (const noc::Port port : kTorusLinks) {
        const support::WaveRecorder::Row row{.path = router + "." + link_name(noc, port)};
        if (recorder_.wants(row)) recorder_.watch(torus.busy_signal(x, y, port), row);
      }
      watch_channels(torus, router, x, y);
    }
  }
}

/// Adds the buffers of the channels behind each link, if the model has any.
void MachineWaves::watch_channels(noc::Torus& torus, const std::string& router, unsigned x,
                                  unsigned y) {
  for (const noc::Port port : {noc::Port::kX, noc::Port::kY, noc::Port::kInjection}) {
    for (unsigned vc = 0; vc < noc::vc::kCount; ++vc) {
      const support::WaveRecorder::Row row{.path = router + "." + link_name(torus.noc(), port) +
                                                   "_vc" + std::to_string(vc) + ".occupied",
                                           .width = kQueueBits,
                                           .detail = true};
      if (!recorder_.wants(row)) continue;
      support::LevelSignal* occupied = torus.occupancy_signal(x, y, port, vc);
      if (occupied == nullptr) return;
      recorder_.watch(*occupied, row);
    }
  }
}

void MachineWaves::watch_niu(noc::Niu& niu, const std::string& path) {
  const std::string name = path + ".niu" + std::to_string(niu.place().noc) + ".";
  // The group costs time after every step of the NIU, so attach it only if one of its rows is
  // wanted.
  const bool some = recorder_.wants({.path = name + "outstanding"}) ||
                    recorder_.wants({.path = name + "commands"}) ||
                    recorder_.wants({.path = name + "serving"}) ||
                    recorder_.wants({.path = name + "outstanding_id0", .detail = true});
  if (!some) return;
  noc::Niu::Signals& signals = niu.signals();
  watch_number(signals.commands, name + "commands", kQueueBits);
  watch_number(signals.outstanding, name + "outstanding", kBytesBits);
  watch_number(signals.serving, name + "serving", kQueueBits);
  for (unsigned id = 0; id < signals.outstanding_id.size(); ++id) {
    watch_number(signals.outstanding_id[id], name + "outstanding_id" + std::to_string(id),
                 kQueueBits, true);
  }
}

void MachineWaves::watch_coprocessor(tensix::coprocessor::Coprocessor& coprocessor,
                                     const std::string& path) {
  using tensix::coprocessor::SyncUnit;
  using tensix::coprocessor::ThreadActivity;
  using tensix::coprocessor::Unit;
  auto& signals = coprocessor.issue().signals();
  bool some = false;
  for (unsigned t = 0; t < signals.thread.size(); ++t) {
    recorder_.watch(signals.thread[t], {.path = path + ".T" + std::to_string(t),
                                        .text_of = ThreadActivity::text,
                                        .rest = ThreadActivity::text(0)});
    some = some || signals.thread[t].on();
  }
  for (unsigned i = 0; i < signals.unit_busy.size(); ++i) {
    const std::string name = row_of(static_cast<Unit>(i));
    if (name.empty()) continue;
    watch_level(signals.unit_busy[i], path + "." + name, 1);
    some = some || signals.unit_busy[i].on();
  }
  for (unsigned i = 0; i < SyncUnit::kSemaphores; ++i) {
    watch_number(signals.semaphores[i], path + ".semaphore_" + std::to_string(i), 4);
    some = some || signals.semaphores[i].on();
  }
  recorder_.watch(coprocessor.mover().busy_signal(), {.path = path + ".mover"});
  if (!some) coprocessor.issue().drop_signals();
}

void MachineWaves::watch_queues(ethernet::EthernetQueues& queues, const std::string& path) {
  for (unsigned i = 0; i < 2; ++i) {
    const std::string number = std::to_string(i);
    watch_number(queues.tx(i).window_signal(), path + ".txq" + number + ".window", kQueueBits);
    watch_level(queues.tx(i).buffer_signal(), path + ".txq" + number + ".buffer_bytes", kBytesBits);
    watch_level(queues.rx(i).depth_signal(), path + ".rxq" + number + ".depth", kQueueBits);
  }
}

void MachineWaves::watch_dram(dram::DramTile& tile, const std::string& path) {
  for (unsigned i = 0; i < tile.channels(); ++i) {
    watch_level(tile.channel(i).busy_signal(), path + ".channel_" + std::to_string(i) + ".busy", 1);
  }
  for (unsigned endpoint = 0; endpoint < tile.endpoints(); ++endpoint) {
    for (unsigned noc = 0; noc < 2; ++noc) {
      watch_niu(tile.niu(endpoint, noc), path + ".endpoint_" + std::to_string(endpoint));
    }
  }
}

void MachineWaves::watch_streams(noc::Overlay& overlay, const std::string& path) {
  overlay.set_observer(&streams_.emplace_back(recorder_, path));
}

}  // namespace tvp::platform
