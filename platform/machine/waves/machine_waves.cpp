#include "platform/machine/waves/machine_waves.h"

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
                           const std::vector<std::unique_ptr<ethernet::Link>>& links)
    : recorder_(recorder) {
  for (const auto& chip : chips) {
    for (unsigned noc = 0; noc < 2; ++noc) watch_torus(*chip, noc);
    for (const auto& tile : chip->tensix_tiles()) {
      const std::string path = path_of(tile->where());
      for (unsigned i = 0; i < tensix::kTileCores; ++i) {
        watch_core(tile->core(static_cast<tensix::TileCore>(i)));
      }
      for (unsigned noc = 0; noc < 2; ++noc) watch_niu(tile->niu(noc), path);
      watch_coprocessor(tile->coprocessor(), path + ".coprocessor");
      watch_streams(tile->overlay(), path);
    }
    for (const auto& tile : chip->ethernet_tiles()) {
      const std::string path = path_of(tile->where());
      watch_core(tile->core());
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
    }
  }
}

void MachineWaves::watch_core(riscv::Core& core) {
  cores_.watch(recorder_, core, path_of(core.where()));
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
