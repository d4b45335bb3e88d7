#include "sw/runtime/programs/launch_plan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/contract/global_circular_buffer.h"
#include "foundation/contract/remote_dfb.h"
#include "sw/runtime/buffers/cross_node_dfb.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

// Kernel configuration of a core: semaphores, table of circular buffers, arguments.
constexpr std::uint32_t kCbOffset = contract::kSemaphores * contract::kSemaphoreStride;
constexpr std::uint32_t kArgsOffset =
    kCbOffset + contract::kCircularBuffers * sizeof(contract::CbConfig);

std::vector<CoreId> cores_of(const Program& program, const Device& device) {
  std::set<CoreId> cores;
  for (const Kernel& kernel : program.kernels())
    for (const CoreCoord core : kernel.cores.cores()) {
      if (kernel.on_ethernet() && core.x != 0)
        bad_use(kernel.source, "runs on ethernet core " + core.str() + "; expected (0, channel)");
      cores.insert(kernel.on_ethernet() ? device.ethernet(core.y) : device.worker(core));
    }
  return {cores.begin(), cores.end()};
}

/// True if the core has a kernel of BRISC or NCRISC.
bool has_data_movement(std::uint32_t enables) {
  return (enables & (1U << contract::kBrisc | 1U << contract::kNcrisc)) != 0;
}

/// Index of a processor among those of its tile.
std::uint32_t slot_of(std::uint32_t processor) {
  return processor == contract::kErisc ? 0 : processor;
}

void append_words(std::vector<std::uint8_t>& bytes, const std::vector<std::uint32_t>& words) {
  const std::size_t at = bytes.size();
  bytes.resize(at + words.size() * 4);
  if (!words.empty()) std::memcpy(bytes.data() + at, words.data(), words.size() * 4);
}

/// Cores that access remote buffers themselves.
bool sends(std::uint32_t processor) {
  return processor == contract::kBrisc || processor == contract::kNcrisc ||
         processor == contract::kErisc;
}

bool runs_on(const Kernel& kernel, const CoreId& core) {
  return kernel.on_ethernet() == core.ethernet && kernel.cores.contains(core.logical);
}

/// The arguments of a kernel for one core; none if the host has set none.
const std::vector<std::uint32_t>& arguments_of(const Kernel& kernel, const CoreId& core) {
  static const std::vector<std::uint32_t> kNone;
  const auto known = kernel.runtime_args.find(core.logical);
  return known == kernel.runtime_args.end() ? kNone : known->second;
}

/// All words that a kernel gets from the host; `unique` are those of its core.
std::vector<std::uint32_t> all_arguments(const Kernel& kernel,
                                         const std::vector<std::uint32_t>& unique) {
  std::vector<std::uint32_t> all = unique;
  all.insert(all.end(), kernel.common_args.begin(), kernel.common_args.end());
  std::visit(
      [&](const auto& config) {
        all.insert(all.end(), config.compile_args.begin(), config.compile_args.end());
        for (const auto& [name, value] : config.named_compile_args) all.push_back(value);
      },
      kernel.config);
  return all;
}

}  // namespace

LaunchPlan::LaunchPlan(const Program& program, const Device& device, KernelCompiler& compiler,
                       const CompileOptions& options, std::uint32_t l1_end, CoreCoord origin)
    : origin_(origin), counts_arguments_(options.watcher) {
  const std::vector<CoreId> cores = cores_of(program, device);
  if (cores.empty()) bad_use("program", "has no kernels");
  check_places(program, device);
  check_memory();
  place_circular_buffers(program, device.layout().dram_alignment(), l1_end);
  std::map<CoreId, std::uint32_t> configurations;
  for (const CoreId& core : cores) {
    cores_.push_back(plan_core(program, core));
    configurations[core] = static_cast<std::uint32_t>(cores_.back().configuration.size());
  }
  const ProgramImages images(program, configurations, compiler, options);
  for (CoreLaunch& launch : cores_) add_images(program, images, launch);
  preset_own_buffers(program, device);
}

/// Checks that cores exist, that L1 addresses belong to programs, and that memory is allocated.
void LaunchPlan::check_places(const Program& program, const Device& device) {
  for (const auto& [number, semaphore] : program.semaphores())
    for (const CoreCoord core : semaphore.cores.cores())
      semaphore.on_ethernet ? device.ethernet(core.y) : device.worker(core);
  const std::uint32_t l1_bytes = device.layout().spec().memories.tensix_l1_bytes;
  for (const CircularBuffer& cb : program.circular_buffers()) {
    for (const CoreCoord core : cb.cores.cores()) device.worker(core);
    const auto& indices =
        cb.config.indices().empty() ? cb.config.remote_indices() : cb.config.indices();
    const std::string name = "circular buffer " + std::to_string(indices.begin()->first);
    if (cb.config.memory()) memory_.emplace_back(name, *cb.config.memory());
    if (!cb.config.address()) continue;
    const std::uint64_t begin = *cb.config.address(), end = begin + cb.config.total_bytes();
    if (begin < contract::kL1UnreservedBase || end > l1_bytes)
      bad_use(name, "lies at " + std::to_string(begin) + " to " + std::to_string(end) +
                        " of L1; expected an address from " +
                        std::to_string(contract::kL1UnreservedBase) + " on and an end at most at " +
                        std::to_string(l1_bytes));
  }
  for (const RemoteEnd& end : program.remote_ends())
    if (end.memory) memory_.emplace_back(name_of(end.kind, end.number), *end.memory);
}

void LaunchPlan::check_memory() const {
  for (const auto& [name, memory] : memory_)
    if (memory.expired())
      bad_use(name, "the buffer or pipe in which it lies has been deallocated, or has ended");
}

void LaunchPlan::place_circular_buffers(const Program& program, std::uint32_t alignment,
                                        std::uint32_t l1_end) {
  std::map<CoreCoord, std::uint32_t> next;  // free L1 of a core
  for (const CircularBuffer& cb : program.circular_buffers()) {
    if (cb.config.address()) {
      cb_addresses_.push_back(*cb.config.address());
      continue;
    }
    // Uses the same address on all its cores, above the memory in use on any of them.
    std::uint32_t address = contract::kL1UnreservedBase;
    for (const CoreCoord core : cb.cores.cores())
      if (const auto used = next.find(core); used != next.end())
        address = std::max(address, used->second);
    address = (address + alignment - 1) / alignment * alignment;
    // 64 bits, because sizes may be the largest number.
    const std::uint64_t end = std::uint64_t{address} + cb.config.total_bytes();
    if (end > l1_end)
      bad_use("circular buffer " + std::to_string(cb.config.indices().begin()->first),
              "ends at " + std::to_string(end) + ", where buffers in L1 begin at " +
                  std::to_string(l1_end));
    for (const CoreCoord core : cb.cores.cores()) next[core] = static_cast<std::uint32_t>(end);
    l1_end_ = std::max(l1_end_, static_cast<std::uint32_t>(end));
    cb_addresses_.push_back(address);
  }
}

CoreLaunch LaunchPlan::plan_core(const Program& program, const CoreId& core) const {
  CoreLaunch launch;
  launch.core = core;
  contract::LaunchMessage& message = launch.message;
  message.kernel_config_base[0] = contract::kKernelConfigBase;
  message.kernel_config_base[1] = contract::kEthKernelConfigBase;
  message.kernel_config_base[2] = contract::kEthKernelConfigBase;
  message.local_cb_offset = kCbOffset;
  message.remote_cb_offset = kCbOffset;
  message.min_remote_cb_start_index = contract::kCircularBuffers;
  message.mode = contract::kDispatchModeHost;
  if (!core.ethernet) {
    message.sub_device_origin_x = static_cast<std::uint8_t>(origin_.x);
    message.sub_device_origin_y = static_cast<std::uint8_t>(origin_.y);
  }

  launch.configuration.assign(kArgsOffset, 0);
  for (const auto& [number, semaphore] : program.semaphores()) {
    if (semaphore.on_ethernet != core.ethernet || !semaphore.cores.contains(core.logical)) continue;
    std::memcpy(launch.configuration.data() + number * contract::kSemaphoreStride,
                &semaphore.initial, 4);
    launch.notes.semaphore(number);
  }
  if (!core.ethernet) {
    describe_semaphores(program, launch);
    add_circular_buffers(program, launch);
    launch.given.push_back({.offset = kCbOffset,
                            .bytes = kArgsOffset - kCbOffset,
                            .each = sizeof(contract::CbConfig),
                            .what = "behind its 16 semaphores, the entry of circular buffer"});
  }
  for (auto& offset : message.rta_offset) offset = {contract::kNoArgs, contract::kNoArgs};
  for (const Kernel& kernel : program.kernels())
    if (runs_on(kernel, core)) add_kernel(kernel, launch);
  if (!core.ethernet) {
    add_remote_circular_buffers(program, launch);
    add_remote_ends(program, launch);
  }
  const std::uint32_t limit =
      core.ethernet ? contract::kEthKernelArgumentsSize : contract::kMostKernelArgumentsSize;
  if (launch.configuration.size() > limit)
    bad_use("core " + core.logical.str(), "arguments of its kernels take " +
                                              std::to_string(launch.configuration.size()) +
                                              " bytes of " + std::to_string(limit));
  return launch;
}

/// Describes the words of semaphores, also of those that the program has not created on this core.
void LaunchPlan::describe_semaphores(const Program& program, CoreLaunch& launch) {
  std::array<bool, contract::kSemaphores> is_own{};
  for (const auto& [number, semaphore] : program.semaphores())
    if (!semaphore.on_ethernet && semaphore.cores.contains(launch.core.logical))
      is_own.at(number) = true;
  for (std::uint32_t number = 0; number < contract::kSemaphores; ++number)
    launch.given.push_back({.offset = number * contract::kSemaphoreStride,
                            .bytes = sizeof(std::uint32_t),
                            .what = "semaphore " + std::to_string(number),
                            .use = is_own.at(number) ? TENSIX_VP_SHARED : TENSIX_VP_UNUSED});
}

/// Adds the buffers of the core to its configuration.
void LaunchPlan::add_circular_buffers(const Program& program, CoreLaunch& launch) const {
  for (std::size_t handle = 0; handle < program.circular_buffers().size(); ++handle) {
    const CircularBuffer& cb = program.circular_buffers()[handle];
    if (!cb.cores.contains(launch.core.logical)) continue;
    for (const auto& [index, config] : cb.config.indices()) {
      const std::uint32_t page = cb.config.page_bytes(index);
      CircularBufferConfig::check_pages(index, page, cb.config.total_bytes());
      const contract::CbConfig entry{cb_addresses_[handle], cb.config.total_bytes(),
                                     cb.config.total_bytes() / page, page};
      std::memcpy(launch.configuration.data() + kCbOffset + index * sizeof(entry), &entry,
                  sizeof(entry));
      launch.message.local_cb_mask |= 1ULL << index;
      if (!cb.config.is_relay() && !lies_over_remote(program, launch.core.logical, entry.address))
        launch.notes.holds(index, {entry.num_pages, page, entry.address,
                                   cb.config.address().has_value(), config.format});
    }
  }
}

/// Kernels size buffers over a remote circular buffer for each tensor
/// (align_local_cbs_to_remote_cb), so the host does not know their number of pages.
bool LaunchPlan::lies_over_remote(const Program& program, CoreCoord core,
                                  std::uint32_t address) const {
  for (std::size_t handle = 0; handle < program.circular_buffers().size(); ++handle) {
    const CircularBuffer& cb = program.circular_buffers()[handle];
    if (cb.config.remote_indices().empty() || !cb.cores.contains(core)) continue;
    if (address - cb_addresses_[handle] < cb.config.total_bytes()) return true;
  }
  return false;
}

void LaunchPlan::add_remote_circular_buffers(const Program& program, CoreLaunch& launch) {
  std::map<std::uint32_t, contract::RemoteCbConfig> entries;
  for (const CircularBuffer& cb : program.circular_buffers()) {
    if (!cb.cores.contains(launch.core.logical)) continue;
    for (const auto& [index, unused] : cb.config.remote_indices()) {
      if (cb.config.remote_config_address() == 0)
        bad_use("remote circular buffer " + std::to_string(index),
                "is of no global one; experimental::CreateCircularBuffer says of which");
      entries[index] = {cb.config.remote_config_address(), cb.config.remote_page_bytes(index)};
      launch.notes.remote(index, entries[index].config_address, entries[index].page_size);
    }
  }
  if (entries.empty()) return;
  launch.message.min_remote_cb_start_index = static_cast<std::uint8_t>(entries.begin()->first);
  launch.message.remote_cb_offset = static_cast<std::uint16_t>(launch.configuration.size());
  std::vector<std::uint32_t> table;
  for (std::uint32_t i = contract::kCircularBuffers; i-- > entries.begin()->first;) {
    const contract::RemoteCbConfig entry = entries[i];
    table.insert(table.end(), {entry.config_address, entry.page_size});
  }
  append_words(launch.configuration, table);
}

void LaunchPlan::add_remote_ends(const Program& program, CoreLaunch& launch) {
  const auto table_of = [&](RemoteEnd::Kind kind) -> std::uint16_t {
    std::vector<contract::RemoteDfbSlot> slots;
    for (const RemoteEnd& end : program.remote_ends()) {
      if (end.kind != kind || !end.cores.contains(launch.core.logical)) continue;
      if (slots.size() <= end.number) slots.resize(end.number + 1U, {0, 0, contract::kNoRelay});
      const bool relayed = end.relay_cores.contains(launch.core.logical);
      slots[end.number] = {end.config_address, end.entry_size,
                           relayed ? *end.relay : contract::kNoRelay};
    }
    if (slots.empty()) return 0;
    const auto at = static_cast<std::uint16_t>(launch.configuration.size());
    std::vector<std::uint32_t> table{static_cast<std::uint32_t>(slots.size())};
    for (const contract::RemoteDfbSlot& slot : slots)
      table.insert(table.end(), {slot.config_address, slot.entry_size, slot.relay});
    append_words(launch.configuration, table);
    return at;
  };
  launch.message.prefetcher_pipe_offset = table_of(RemoteEnd::Kind::kPrefetcherPipe);
  launch.message.cross_node_dfb_offset = table_of(RemoteEnd::Kind::kCrossNodeDFB);
}

void LaunchPlan::preset(Device& device) const {
  for (const Preset& preset : presets_)
    device.tiles().write(preset.noc0, preset.address, preset.words.data(), preset.words.size() * 4);
}

/// Remote buffers of the program begin empty. All of its cores must be reset before one of them
/// sends.
void LaunchPlan::preset_own_buffers(const Program& program, const Device& device) {
  for (const RemoteEnd& end : program.remote_ends())
    if (end.own != nullptr)
      for (const CoreCoord core : end.cores.cores())
        presets_.push_back({device.worker(core).noc0, end.own->config_address(),
                            end.own->configuration(device, core)});
}

std::uint16_t LaunchPlan::append_arguments(std::vector<std::uint8_t>& to,
                                           const std::vector<std::uint32_t>& arguments) const {
  if (counts_arguments_) append_words(to, {static_cast<std::uint32_t>(arguments.size())});
  const auto at = static_cast<std::uint16_t>(to.size());
  append_words(to, arguments);
  return at;
}

/// Arguments of a kernel that runs on the core.
void LaunchPlan::add_kernel(const Kernel& kernel, CoreLaunch& launch) const {
  contract::LaunchMessage& message = launch.message;
  const CoreId& core = launch.core;
  if (const auto* dm = std::get_if<DataMovementConfig>(&kernel.config)) {
    const auto mode = static_cast<std::uint8_t>(dm->noc_mode);
    if (has_data_movement(message.enables) && message.brisc_noc_mode != mode)
      bad_use(kernel.source, "dynamic NoC mode is of both data-movement kernels of core " +
                                 core.logical.str() + ", or of none");
    message.brisc_noc_mode = mode;
    if (dm->noc_mode == NOC_MODE::DM_DEDICATED_NOC) launch.notes.counts(dm->noc, kernel.source);
  }
  const std::vector<std::uint32_t>& args = arguments_of(kernel, core);
  // Their offsets have 16 bits.
  const std::size_t words = args.size() + kernel.common_args.size();
  if (launch.configuration.size() + 4 * words > contract::kMostKernelArgumentsSize)
    bad_use(kernel.source, std::to_string(words) + " runtime arguments on core " +
                               core.logical.str() + "; the arguments of a core's kernels have " +
                               std::to_string(contract::kMostKernelArgumentsSize) +
                               " bytes in all");
  const std::size_t before = launch.configuration.size();
  const std::uint16_t unique = append_arguments(launch.configuration, args);
  const std::uint16_t common = append_arguments(launch.configuration, kernel.common_args);
  if (const std::size_t bytes = launch.configuration.size() - before; bytes != 0 && !core.ethernet)
    launch.given.push_back({.offset = before,
                            .bytes = bytes,
                            .what = "the arguments of " + kernel.source,
                            .use = TENSIX_VP_STORED});
  launch.configuration.resize((launch.configuration.size() + 15) & ~std::size_t{15});
  for (const std::uint32_t processor : processors_of(kernel)) {
    const std::uint32_t slot = slot_of(processor);
    message.enables |= 1U << slot;
    message.rta_offset[slot] = {unique, common};
    if (processor == contract::kBrisc)
      message.brisc_noc_id =
          static_cast<std::uint8_t>(std::get<DataMovementConfig>(kernel.config).noc);
    if (sends(processor)) launch.arguments.emplace_back(processor, all_arguments(kernel, args));
  }
}

void LaunchPlan::add_images(const Program& program, const ProgramImages& images,
                            CoreLaunch& launch) {
  contract::LaunchMessage& message = launch.message;
  for (std::size_t k = 0; k < program.kernels().size(); ++k) {
    if (!runs_on(program.kernels()[k], launch.core)) continue;
    for (const auto& [processor, image] : images.of(launch.core, k)) {
      message.kernel_text_offset[slot_of(processor)] =
          image->symbol("__image_base") - launch.configuration_base();
      if (processor == contract::kNcrisc)
        message.ncrisc_kernel_size16 =
            static_cast<std::uint16_t>(image->symbol("__text_bytes") / 16);
      launch.images.emplace_back(processor, image);
    }
  }
}

}  // namespace tvp::runtime
