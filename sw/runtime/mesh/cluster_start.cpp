// The part of Cluster that boots cores and starts programs on them.
#include <algorithm>
#include <cstddef>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/contract/profiler.h"
#include "foundation/regs/tensix_tile.h"
#include "sw/runtime/devices/mailbox.h"
#include "sw/runtime/mesh/cluster.h"

namespace tvp::runtime {
namespace {

namespace tile = regs::tensix_tile;

constexpr std::uint64_t kSoftReset = tile::kControl + tile::kSoftReset0;

/// jal x0, offset
std::uint32_t jump_to(std::uint32_t offset) {
  return (offset >> 20 & 1U) << 31 | (offset >> 1 & 0x3FFU) << 21 | (offset >> 11 & 1U) << 20 |
         (offset >> 12 & 0xFFU) << 12 | 0x6F;
}

std::vector<tensix_vp_circular_buffer> as_registered(std::span<const HeldBuffer> buffers) {
  std::vector<tensix_vp_circular_buffer> registered;
  for (const HeldBuffer& each : buffers)
    registered.push_back(
        {each.pages, each.page_bytes, each.address, each.is_tensor ? 1U : 0U,
         each.format == DataFormat::Invalid ? 0U : 1 + static_cast<std::uint32_t>(each.format)});
  return registered;
}

}  // namespace

void Cluster::hold_core(Device& device, const CoreId& core) {
  if (core.ethernet && base_firmware_.is_there()) {
    base_firmware_.hold(device.index(), device.tiles(), core.noc0);
  } else {
    device.tiles().write32(core.noc0, kSoftReset, tile::kResetCores);
  }
}

void Cluster::start_core(Device& device, const CoreId& core, std::uint32_t first) {
  TileAccess& tiles = device.tiles();
  if (core.ethernet && base_firmware_.is_there()) {
    base_firmware_.let_go(device.index(), tiles, core.noc0);
    return;
  }
  tiles.write32(core.noc0, contract::kBootJump, jump_to(contract::firmware_base(first)));
  tiles.write32(core.noc0, kSoftReset, tile::kResetCores & ~tile::kResetB);
}

void Cluster::boot_core(Device& device, const CoreId& core) {
  TileAccess& tiles = device.tiles();
  hold_core(device, core);

  const std::vector<std::uint8_t> zeros(contract::kMailboxSize, 0);
  tiles.write(core.noc0, mailbox(core, 0), zeros.data(), zeros.size());
  contract::CoreInfo info{};
  info.noc_size_x = static_cast<std::uint8_t>(device.layout().spec().columns);
  info.noc_size_y = static_cast<std::uint8_t>(device.layout().spec().rows);
  info.worker_grid_size_x = static_cast<std::uint8_t>(device.layout().grid_size().x);
  info.worker_grid_size_y = static_cast<std::uint8_t>(device.layout().grid_size().y);
  info.absolute_logical_x = static_cast<std::uint8_t>(core.logical.x);
  info.absolute_logical_y = static_cast<std::uint8_t>(core.logical.y);
  info.l1_unreserved_start =
      core.ethernet ? contract::kEthUnreservedBase : contract::kL1UnreservedBase;
  info.core_magic_number =
      core.ethernet ? contract::kCoreMagicActiveEth : contract::kCoreMagicWorker;
  tiles.write_object(core.noc0, mailbox(core, offsetof(contract::Mailboxes, core_info)), info);
  contract::GoMessage go{};
  go.signal = contract::kRunInit;
  tiles.write_object(core.noc0, mailbox(core, offsetof(contract::Mailboxes, go_messages)), go);
  DprintServer::open(device, core, mesh_options_.dprint);
  const std::vector<std::uint8_t> tables = device.layout().bank_tables();
  tiles.write(core.noc0,
              core.ethernet ? contract::kEthBankTableScratch : contract::kBankTableScratch,
              tables.data(), tables.size());

  const CompileOptions options = options_of(device);
  const std::uint32_t first = core.ethernet ? contract::kErisc : contract::kBrisc;
  const std::uint32_t last = core.ethernet ? contract::kErisc : contract::kTrisc2;
  for (std::uint32_t processor = first; processor <= last; ++processor) {
    const auto firmware = compiler_.firmware(processor, options);
    for (const ElfImage::Segment& segment : firmware->segments())
      tiles.write(core.noc0, segment.load_address, segment.data.data(), segment.data.size());
    library_.symbols(device.chip(), core.noc0.x, core.noc0.y, processor, firmware->name());
  }
  start_core(device, core, first);
}

void Cluster::boot_cores(Device& device, const std::vector<CoreLaunch>& cores,
                         std::vector<Running>& booting) {
  for (const CoreLaunch& launch : cores) {
    const Running id{device.index(), launch.core};
    only_services_run_ = false;
    // Core E cannot invalidate its instruction cache, only a reset clears it (ISA
    // EthernetTile/BabyRISCV/InstructionCache.md). Another kernel at the same place therefore needs
    // a reset.
    const auto loaded = images_.find(id);
    const bool other_kernel =
        launch.core.ethernet && loaded != images_.end() && loaded->second != launch.images;
    if (booted_[id] && !other_kernel) continue;
    boot_core(device, launch.core);
    booted_[id] = true;
    booting.push_back(id);
  }
}

void Cluster::load(Device& device, const CoreLaunch& launch) {
  TileAccess& tiles = device.tiles();
  const CoreCoord noc0 = launch.core.noc0;
  const Running id{device.index(), launch.core};
  auto& loaded = images_[id];
  for (const auto& [processor, image] : launch.images) {
    for (const ElfImage::Segment& segment : image->segments())
      tiles.write(noc0, segment.load_address, segment.data.data(), segment.data.size());
    const bool known =
        std::find(loaded.begin(), loaded.end(), std::pair(processor, image)) != loaded.end();
    if (!known) library_.symbols(device.chip(), noc0.x, noc0.y, processor, image->name());
  }
  loaded = launch.images;
  notes_[id] = launch.notes;
  if (!launch.core.ethernet)
    library_.circular_buffers(device.chip(), noc0.x, noc0.y, as_registered(launch.notes.buffers()));
  for (const auto& [processor, words] : launch.arguments)
    library_.kernel_arguments(device.chip(), noc0.x, noc0.y, processor, words);
  tiles.write(noc0, launch.configuration_base(), launch.configuration.data(),
              launch.configuration.size());
  for (const CoreLaunch::Given& given : launch.given)
    library_.given_words(device.chip(), noc0.x, noc0.y,
                         launch.configuration_base() + static_cast<std::uint32_t>(given.offset),
                         static_cast<std::uint32_t>(given.bytes), given.each, given.what,
                         given.use);
  if (mesh_options_.profile) {
    const std::vector<std::uint8_t> zeros(sizeof(contract::Mailboxes::profiler), 0);
    tiles.write(noc0, mailbox(launch.core, offsetof(contract::Mailboxes, profiler)), zeros.data(),
                zeros.size());
  }
  const std::uint32_t read_pointer =
      tiles.read32(noc0, mailbox(launch.core, offsetof(contract::Mailboxes, launch_msg_rd_ptr)));
  tiles.write_object(noc0,
                     mailbox(launch.core, offsetof(contract::Mailboxes, launch) +
                                              read_pointer % contract::kLaunchMessages *
                                                  sizeof(contract::LaunchMessage)),
                     launch.message);
  running_.push_back(id);
}

void Cluster::give_go(Device& device, const CoreLaunch& launch) {
  contract::GoMessage go{};
  go.signal = contract::kRunGo;
  // No dispatcher is modeled. Kernels that test assertions notify it, so the tile is its own one.
  if (mesh_options_.watcher) {
    go.master_x = static_cast<std::uint8_t>(launch.core.noc0.x);
    go.master_y = static_cast<std::uint8_t>(launch.core.noc0.y);
  }
  device.tiles().write_object(launch.core.noc0,
                              mailbox(launch.core, offsetof(contract::Mailboxes, go_messages)), go);
}

void Cluster::give_signals(const MeshLaunch& launches) {
  struct Signal {
    unsigned device;
    const CoreLaunch* core;
    std::uint32_t moment;
  };
  std::vector<Signal> signals;
  for (const MeshLaunch::Part& part : launches.parts)
    for (const CoreLaunch& core : part.plan.cores()) signals.push_back({part.device, &core, 0});
  if (!start_moments_) start_moments_.emplace(library_);
  const std::vector<std::uint32_t> moments = start_moments_->draw(signals.size());
  for (std::size_t i = 0; i < signals.size(); ++i) signals[i].moment = moments[i];
  std::stable_sort(signals.begin(), signals.end(),
                   [](const Signal& a, const Signal& b) { return a.moment < b.moment; });
  std::uint32_t now = 0;
  for (const Signal& signal : signals) {
    if (signal.moment > now) library_.clock(signal.moment - now);
    now = signal.moment;
    give_go(device(signal.device), *signal.core);
  }
}

void Cluster::start(const MeshLaunch& launches) {
  std::vector<Running> booting;
  for (const MeshLaunch::Part& part : launches.parts)
    boot_cores(device(part.device), part.plan.cores(), booting);
  wait(booting, "start of the firmware");
  for (const MeshLaunch::Part& part : launches.parts) part.plan.preset(device(part.device));
  for (const MeshLaunch::Part& part : launches.parts)
    for (const CoreLaunch& core : part.plan.cores()) load(device(part.device), core);
  give_signals(launches);
}

}  // namespace tvp::runtime
