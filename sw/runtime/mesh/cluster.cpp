#include "sw/runtime/mesh/cluster.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "foundation/contract/profiler.h"
#include "foundation/hex.h"
#include "sw/runtime/devices/chip_kinds.h"
#include "sw/runtime/devices/firmware_fit.h"
#include "sw/runtime/devices/harvest_of.h"
#include "sw/runtime/devices/mailbox.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/long_wait.h"
#include "sw/runtime/open_library.h"
#include "sw/runtime/printing/waiting_cores.h"
#include "sw/runtime/reads_times.h"

namespace tvp::runtime {
namespace {

using nlohmann::json;

// Cycles of a clock() call. Simulated time may pass beyond the end of a program by up to this step.
// Kernel times come from the device.
constexpr std::uint32_t kStepCycles = 2000;

/// Folder of the firmware: the option's, or the library's.
std::string root_of(const Cluster::Options& options, DeviceLibrary& library) {
  return options.root == KernelCompiler::default_root() ? firmware_root(library) : options.root;
}

std::string name_of(unsigned device, const CoreId& core) {
  return "device " + std::to_string(device) + (core.ethernet ? " ethernet core " : " core ") +
         core.logical.str();
}

/// The shape of a mesh whose devices stand in the order of its rows, otherwise one row.
MeshShape shape_of(const json& system, unsigned devices) {
  const json topology = system.value("topology", json::object());
  const auto shape = topology.value("shape", std::vector<std::uint32_t>());
  const bool mesh = shape.size() == 2 && shape[0] * shape[1] == devices &&
                    topology.value("chips", json()) == system.at("devices");
  return mesh ? MeshShape{shape[0], shape[1]} : MeshShape{1, devices};
}

}  // namespace

bool enabled_by_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != 0 && std::string(value) != "0";
}

Cluster::Cluster(DeviceLibrary& library, Options options)
    : library_(library),
      mesh_options_(std::move(options)),
      base_firmware_(library),
      compiler_(root_of(mesh_options_, library), mesh_options_.cache),
      dram_("DRAM", 0, 0, 1, false),
      l1_("L1", 0, 0, 1, true),
      sub_devices_(l1_),
      dprint_(mesh_options_.print) {
  compiler_.cache().set_waiting([this] { library_.call_clock_hook(); });
  library_.init();
  options_.dprint = mesh_options_.dprint;
  options_.watcher = mesh_options_.watcher;
  options_.profile = mesh_options_.profile;
  options_.debuggable = library_.wants_debuggable_kernels();
  discover();
  measure();
}

/// An allocation has the same address range on each device, so the smallest memory and the fewest
/// banks count.
void Cluster::measure() {
  options_.l1_banks = devices_.front()->layout().workers();
  dram_banks_ = devices_.front()->layout().dram_banks();
  std::uint64_t bank_bytes = devices_.front()->layout().dram_bank_bytes();
  std::uint64_t l1_bytes = devices_.front()->layout().spec().memories.tensix_l1_bytes;
  for (const auto& d : devices_) {
    check_firmware_fits(d->layout());
    options_.l1_banks = std::min(options_.l1_banks, d->layout().workers());
    dram_banks_ = std::min(dram_banks_, d->layout().dram_banks());
    bank_bytes = std::min(bank_bytes, d->layout().dram_bank_bytes());
    l1_bytes = std::min<std::uint64_t>(l1_bytes, d->layout().spec().memories.tensix_l1_bytes);
  }
  std::uint32_t alignment = 0;
  for (const auto& d : devices_) alignment = std::max(alignment, d->layout().dram_alignment());
  dram_ = BankManager("DRAM", alignment, bank_bytes, alignment, false);
  // Pages move between both memories, where source and destination of a read must be congruent.
  l1_ = BankManager("L1", contract::kL1UnreservedBase, l1_bytes, alignment, true);
}

CompileOptions Cluster::options_of(const Device& device) const {
  CompileOptions options = options_;
  options.chip = device.layout().shared_spec();
  options.translated = device.layout().translated();
  return options;
}

Cluster::~Cluster() = default;

Device& Cluster::device(unsigned index) {
  if (index >= devices_.size())
    bad_use("device " + std::to_string(index),
            "the system has " + std::to_string(devices_.size()) + " devices");
  return *devices_[index];
}

void Cluster::discover() {
  if (!library_.has_system()) {
    const ChipLayout layout(ChipLayout::usual_spec(), 0, true);
    for (unsigned pci = 0; library_.config_read(pci, 0) != ~0U; ++pci)
      devices_.push_back(std::make_unique<Device>(library_, pci, pci, pci, layout));
    if (devices_.empty()) bad_use(library_.name(), "has no devices");
    shape_ = {1, num_devices()};
    return;
  }
  json system = json::parse(library_.system());
  if (!mesh_options_.chips.empty()) system["devices"] = mesh_options_.chips;
  const std::vector<ChipLayout::Spec> kinds = chip_kinds(system);
  std::map<unsigned, unsigned> index_of_chip;
  for (const json& id : system.at("devices")) {
    const auto chip = id.get<unsigned>();
    for (const json& description : system.at("chips")) {
      if (description.at("id") != chip) continue;
      if (!description.contains("pci_device") || description.at("pci_device").is_null())
        bad_use("chip " + std::to_string(chip),
                "is reached by ethernet only, which is not supported");
      const ChipLayout::Spec& kind = kinds.at(description.value("description", 0U));
      auto harvested = description.at(kind->harvest_key()).get<std::uint32_t>();
      if (library_.system_is_described())
        harvested =
            harvest_of(library_, description.at("pci_device").get<unsigned>(), kind, harvested);
      const ChipLayout layout(kind, harvested, description.value("translated", true));
      index_of_chip[chip] = static_cast<unsigned>(devices_.size());
      devices_.push_back(std::make_unique<Device>(library_, index_of_chip[chip], chip,
                                                  description.at("pci_device").get<unsigned>(),
                                                  layout));
    }
  }
  if (devices_.empty())
    bad_use("system " + system.value("name", std::string()),
            "has no chips: expected one of kind wormhole, e.g. single_chip");
  shape_ = shape_of(system, num_devices());
  for (const json& link : system.at("links")) {
    const auto a = index_of_chip.find(link.at("a").at("chip").get<unsigned>());
    const auto b = index_of_chip.find(link.at("b").at("chip").get<unsigned>());
    if (a == index_of_chip.end() || b == index_of_chip.end()) continue;
    links_.push_back({a->second, link.at("a").at("channel").get<unsigned>(), b->second,
                      link.at("b").at("channel").get<unsigned>()});
  }
}

std::uint32_t Cluster::create_global_semaphore(const CoreRangeSet& cores, std::uint32_t initial) {
  const auto address = static_cast<std::uint32_t>(l1_.allocate(contract::kSemaphoreStride));
  reset_semaphore(address, cores, initial);
  global_semaphores_.insert(address);
  return address;
}

void Cluster::reset_semaphore(std::uint32_t address, const CoreRangeSet& cores,
                              std::uint32_t value) {
  for (const auto& d : devices_)
    for (const CoreCoord core : cores.cores()) d->write_l1(core, address, &value, 4);
}

std::uint32_t Cluster::l1_limit(std::optional<SubDeviceId> sub_device) {
  SubDeviceManager* const split = sub_devices_.loaded();
  if (split != nullptr && sub_device && split->bank_manager(*sub_device).in_use())
    return static_cast<std::uint32_t>(split->bank_manager(*sub_device).lowest());
  return static_cast<std::uint32_t>(l1_.lowest());
}

MeshLaunch::Part Cluster::plan(unsigned index, const Program& program) {
  Device& d = device(index);
  std::optional<SubDeviceId> sub_device = SubDeviceId{0};
  CoreCoord origin;
  if (SubDeviceManager* const split = sub_devices_.loaded(); split != nullptr) {
    sub_device = split->owner(program);
    if (sub_device) origin = split->sub_device(*sub_device).origin();
  }
  return {index, sub_device,
          LaunchPlan(program, d, compiler_, options_of(d), l1_limit(sub_device), origin)};
}

MeshLaunch Cluster::prepare(const std::vector<Placed>& programs) {
  MeshLaunch launch;
  launch.manager = sub_devices_.loaded_id();
  for (const auto& [index, program] : programs) launch.parts.push_back(plan(index, *program));
  return launch;
}

void Cluster::refuse_running(const MeshLaunch& launch) const {
  for (const MeshLaunch::Part& part : launch.parts)
    for (const CoreLaunch& core : part.plan.cores())
      if (std::find(running_.begin(), running_.end(), Running{part.device, core.core}) !=
          running_.end())
        bad_use(name_of(part.device, core.core), "runs another program still");
}

void Cluster::enqueue(const std::vector<Placed>& programs) {
  const MeshLaunch launches = prepare(programs);
  refuse_running(launches);
  start(launches);
}

bool Cluster::is_done(const Running& running) {
  const std::uint64_t address = mailbox(running.core, offsetof(contract::Mailboxes, go_messages));
  const bool done = devices_[running.device]
                        ->tiles()
                        .read_object<contract::GoMessage>(running.core.noc0, address)
                        .signal == contract::kRunDone;
  // A kernel that sets the mailbox before its assertion trips does not keep the tile from ending.
  if (done && mesh_options_.watcher) check_asserts({running});
  // Services continue after the workers end, until the host stops them.
  if (done && !(only_services_run_ && running.core.ethernet)) {
    library_.note_end(library_.ps_of(run_times(running.device, running.core).done));
  }
  if (done && !running.core.ethernet) {
    const CoreCoord noc0 = running.core.noc0;
    library_.circular_buffers(devices_[running.device]->chip(), noc0.x, noc0.y, {});
  }
  return done;
}

bool Cluster::poll_dprint() {
  if (!mesh_options_.dprint) return false;
  bool any = false;
  for (bool more = true; more;
       any = any || more) {  // other cores may have waited for the printed line
    more = false;
    for (const auto& [id, booted] : booted_)
      if (booted && dprint_.poll(*devices_[id.device], id.core)) more = true;
  }
  return any;
}

class Cluster::Patience {
 public:
  Patience(Cluster& mesh, const char* what)
      : mesh_(mesh),
        what_(what),
        begin_ps_(mesh.library_.time_ps()),
        long_wait_(mesh.library_, std::chrono::steady_clock::now(), std::cerr) {}

  /// Lets a step of time pass. `progress` is true if cores or host have made progress since the
  /// last step.
  void wait(const std::vector<Running>& suspects, bool progress) {
    DeviceLibrary& library = mesh_.library_;
    const std::uint64_t most = mesh_.mesh_options_.max_cycles;
    if (library.status() == TENSIX_VP_TIME_LIMIT ||
        (most != 0 && library.time_ps() - begin_ps_ > most * 1000))
      throw TimeLimitError(
          "the time limit came before the end of " + std::string(what_) + " on " +
          (suspects.empty() ? "no core" : name_of(suspects.front().device, suspects.front().core)) +
          mesh_.where_they_are(suspects));
    // Idle twice without progress in between: no core will ever run again.
    const bool idle_now = library.status() == TENSIX_VP_IDLE && !progress;
    if (idle_ && idle_now) mesh_.report_hang(suspects, what_);
    idle_ = idle_now;
    if (!idle_now) long_wait_.look(std::chrono::steady_clock::now());
    library.clock(kStepCycles);
  }

 private:
  Cluster& mesh_;
  const char* what_;
  std::uint64_t begin_ps_;
  bool idle_ = false;
  LongWait long_wait_;
};

void Cluster::wait(std::vector<Running>& waiting, const char* what) {
  Patience patience(*this, what);
  for (;;) {
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                 [&](const Running& running) { return is_done(running); }),
                  waiting.end());
    const bool printed = poll_dprint();
    if (waiting.empty()) break;
    try {
      patience.wait(waiting, printed);
    } catch (const foundation::Fault& fault) {
      const std::string cause = on_one_noc(waiting, fault.message());
      if (cause.empty()) throw;
      throw foundation::Fault(fault.kind(), fault.where(), fault.message() + cause);
    }
  }
  if (running_.empty()) dprint_.flush();
}

void Cluster::forget_finished() {
  running_.erase(std::remove_if(running_.begin(), running_.end(),
                                [&](const Running& running) { return is_done(running); }),
                 running_.end());
}

void Cluster::wait_until(const std::function<bool()>& done, const char* what) {
  Patience patience(*this, what);
  for (;;) {
    const bool given = give_commands();
    forget_finished();
    const bool printed = poll_dprint();
    if (done()) break;
    patience.wait(running_, given || printed);
  }
  if (running_.empty()) dprint_.flush();
}

template <typename Selected>
void Cluster::wait_for(Selected selected, const char* what) {
  const auto first = std::stable_partition(
      running_.begin(), running_.end(), [&](const Running& running) { return !selected(running); });
  std::vector<Running> waiting(first, running_.end());
  running_.erase(first, running_.end());
  wait(waiting, what);
}

void Cluster::finish() {
  const std::vector<SubDeviceId> group = sub_device_stall_group();
  wait_for(
      [&](const Running& running) {
        const auto id = owner(running);
        return !id || std::find(group.begin(), group.end(), *id) != group.end();
      },
      "the programs");
}

void Cluster::finish(std::span<const SubDeviceId> sub_devices) {
  for (const SubDeviceId id : sub_devices) bank_manager(id);  // throws if there is none
  wait_for(
      [&](const Running& running) {
        const auto id = owner(running);
        return id && std::find(sub_devices.begin(), sub_devices.end(), *id) != sub_devices.end();
      },
      "the programs");
}

void Cluster::finish(unsigned index) {
  wait_for([&](const Running& running) { return running.device == index; }, "the program");
}

void Cluster::finish_ethernet(unsigned index, unsigned channel) {
  wait_for(
      [&](const Running& running) {
        return running.device == index && running.core.ethernet &&
               running.core.logical.y == channel;
      },
      "the program");
}

void Cluster::finish_workers() {
  wait_for([](const Running& running) { return !running.core.ethernet; }, "the programs");
  only_services_run_ = true;
}

void Cluster::check_asserts(const std::vector<Running>& waiting) {
  for (const Running& running : waiting) {
    const auto status = devices_[running.device]->tiles().read_object<contract::AssertStatus>(
        running.core.noc0, mailbox(running.core, offsetof(contract::Mailboxes, watcher) +
                                                     offsetof(contract::Watcher, assert_status)));
    if (status.tripped < contract::kAssertTripped) continue;
    const std::uint32_t processor =
        running.core.ethernet ? std::uint32_t{contract::kErisc} : std::uint32_t{status.which};
    std::string kernel;
    for (const auto& [loaded, image] : images_[running])
      if (loaded == processor) kernel = compiler_.source_of(*image);
    std::string where = waiting_cores(library_);
    if (where.empty() && !kernel.empty()) where = "; kernel " + kernel;
    throw foundation::Fault(
        foundation::FaultKind::kFirmware, name_of(running.device, running.core),
        "processor " + std::to_string(status.which) + text_of_assert(status, kernel) + where);
  }
}

std::string Cluster::where_they_are(const std::vector<Running>& waiting) const {
  constexpr std::size_t kMost = 4;
  const std::string report = library_.report();
  std::string text;
  for (std::size_t i = 0; i < std::min(waiting.size(), kMost); ++i)
    text += kernels_of(report, devices_[waiting[i].device]->chip(), waiting[i].core);
  return text;
}

/// The first line names the first cause, the last one the programs.
void Cluster::report_hang(const std::vector<Running>& waiting, const char* what) {
  constexpr std::size_t kMostNames = 8;
  check_asserts(waiting);
  const std::string where = with_names(waiting_cores(library_));
  constexpr std::string_view kIndent = "\n  ";
  std::string text = "nothing moves any more";
  text += where.empty() ? "" : ": " + where.substr(kIndent.size());
  // "the programs" of one tile are one program.
  const std::string_view name = what;
  const bool is_one = waiting.size() == 1 && name == "the programs";
  text += on_one_noc(waiting, where) + "\n  ";
  text += is_one ? name.substr(0, name.size() - 1) : name;
  text += " on ";
  if (waiting.empty()) text += "no core";
  for (std::size_t i = 0; i < std::min(waiting.size(), kMostNames); ++i) {
    const std::string tile =
        tile_name(devices_[waiting[i].device]->chip(), waiting[i].core);  // ends in a point
    text += (i == 0 ? "" : ", ") + tile.substr(0, tile.size() - 1);
  }
  if (waiting.size() > kMostNames)
    text += " and " + std::to_string(waiting.size() - kMostNames) + " more tiles";
  text += is_one || name == "the program" ? " has not finished" : " have not finished";
  throw HangError(text + " (coordinates of NoC 0)");
}

std::string Cluster::with_names(std::string lines) {
  for (const auto& [id, notes] : notes_) {
    Device& of = device(id.device);
    const std::string tile = tile_name(of.chip(), id.core);
    if (lines.find("\n  " + tile) == std::string::npos) continue;
    const CoreCoord noc0 = id.core.noc0;
    const std::uint32_t base =
        id.core.ethernet ? contract::kEthKernelConfigBase : contract::kKernelConfigBase;
    const auto read = [&](std::uint32_t address) { return of.tiles().read32(noc0, address); };
    for (const LaunchNotes::Word& word : notes.words(base, read))
      lines = with_name(lines, tile, word.address, word.name);
    for (const std::uint32_t address : global_semaphores_)
      lines = with_name(lines, tile, address, "global semaphore " + foundation::hex(address));
  }
  return with_bytes_of_credits(lines);
}

std::string Cluster::on_one_noc(const std::vector<Running>& waiting, const std::string& where) {
  std::string text;  // text of one core, equal for others with the same kernels
  for (const Running& running : waiting)
    if (text.empty()) text = notes_[running].of_nocs(name_of(running.device, running.core), where);
  return text;
}

contract::RunTimes Cluster::run_times(unsigned index, const CoreId& core) {
  const ReadsTimes times(library_);
  return device(index).tiles().read_object<contract::RunTimes>(
      core.noc0, mailbox(core, offsetof(contract::Mailboxes, run_times)));
}

std::vector<Zone> Cluster::zones() {
  // The low word of a marker is its time.
  const ReadsTimes times(library_, sizeof(contract::ProfilerBuffer::markers[0]), 4, 4);
  std::vector<Zone> zones;
  for (const auto& [id, images] : images_) {
    for (const auto& [processor, image] : images) {
      std::map<std::uint32_t, std::string> names;
      for (const std::string& text : image->notes(".tvp_zones"))
        names[contract::zone_hash(text.c_str())] = text.substr(0, text.find(','));
      const std::uint32_t slot = processor == contract::kErisc ? 0 : processor;
      const auto buffer = devices_[id.device]->tiles().read_object<contract::ProfilerBuffer>(
          id.core.noc0, mailbox(id.core, offsetof(contract::Mailboxes, profiler) +
                                             slot * sizeof(contract::ProfilerBuffer)));
      std::vector<std::size_t> open;
      for (std::uint32_t m = 0; m < contract::kProfilerMarkers; ++m) {
        const std::uint32_t word = buffer.markers[m][0];
        if ((word & contract::kProfilerMarkerValid) == 0) break;
        const std::uint32_t timer = word >> 12 & 0x7FFFF;
        const std::uint64_t when =
            std::uint64_t{word & 0xFFFU} << 32 | std::uint64_t{buffer.markers[m][1]};
        if (timer >> 16 == contract::kProfilerZoneStart) {
          open.push_back(zones.size());
          zones.push_back({id.device, id.core, processor, names[timer & 0xFFFF], when, when});
        } else if (timer >> 16 == contract::kProfilerZoneEnd && !open.empty()) {
          zones[open.back()].end = when;
          open.pop_back();
        } else if (timer >> 16 == contract::kProfilerTsData) {
          ++m;  // the datum follows
        }
      }
    }
  }
  return zones;
}

}  // namespace tvp::runtime
