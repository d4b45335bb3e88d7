#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "foundation/contract/mailboxes.h"
#include "sw/runtime/buffers/bank_manager.h"
#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/compiler/kernel_compiler.h"
#include "sw/runtime/devices/base_firmware.h"
#include "sw/runtime/devices/device.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/devices/start_moments.h"
#include "sw/runtime/devices/sub_device_managers.h"
#include "sw/runtime/life.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/mesh/mesh_traces.h"
#include "sw/runtime/printing/dprint_server.h"
#include "sw/runtime/programs/mesh_launch.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// An ethernet link between two devices.
struct MeshLink {
  unsigned device_a = 0;
  unsigned channel_a = 0;
  unsigned device_b = 0;
  unsigned channel_b = 0;
};

/// A zone of a kernel on the time line, in cycles of the wall clock.
struct Zone {
  unsigned device = 0;
  CoreId core;
  std::uint32_t processor = 0;  ///< contract::Processor
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// True if an environment variable of tt-metal is set and not 0.
bool enabled_by_environment(const char* variable);

/// All chips of the system, which the meshes of a program share. It loads firmware before a
/// program's first launch, launches programs (documented slow-dispatch protocol) and waits for
/// them. Device numbers are those of the system.
class Cluster {
 public:
  struct Options {
    /// Compiles DPRINT in and prints its output.
    bool dprint = enabled_by_environment("TT_METAL_DPRINT_CORES");
    /// Enables waypoints and assertions.
    bool watcher = enabled_by_environment("TT_METAL_WATCHER");
    /// Enables DeviceZoneScopedN.
    bool profile = enabled_by_environment("TT_METAL_DEVICE_PROFILER");
    /// Takes lines of DPRINT; by default they go to standard output.
    std::function<void(const std::string&)> print = [](const std::string& line) {
      std::printf("%s\n", line.c_str());
    };
    std::string root = KernelCompiler::default_root();
    std::string cache = CompileCache::default_folder();
    /// Limit of a wait in cycles, for libraries without a time limit; 0: none.
    std::uint64_t max_cycles = 0;
    /// Chips that become devices, in this order. Empty: those of the system.
    std::vector<unsigned> chips;
  };

  /// Initializes the library if the caller has not. Without tensix_vp_system the chips are all PCI
  /// devices that respond, without harvesting.
  Cluster(DeviceLibrary& library, Options options);
  ~Cluster();

  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// Lifetime for buffers, semaphores and events, which a host may keep longer.
  Life::Watch life() const { return life_.watch(); }
  unsigned num_devices() const { return static_cast<unsigned>(devices_.size()); }
  Device& device(unsigned index);
  const std::vector<MeshLink>& links() const { return links_; }
  /// Rows and columns in the order of the devices; one row if the system is no mesh.
  const MeshShape& shape() const { return shape_; }
  DeviceLibrary& library() { return library_; }
  KernelCompiler& compiler() { return compiler_; }
  double compile_seconds() { return compiler_.cache().seconds(); }

  BankManager& bank_manager(BufferType type) { return type == BufferType::DRAM ? dram_ : l1_; }
  /// L1 of a sub-device, or all of L1 if the mesh is not split.
  BankManager& bank_manager(SubDeviceId id);
  std::uint32_t l1_banks() const { return options_.l1_banks; }
  /// Number of DRAM banks of a buffer: the smallest of all devices.
  std::uint32_t dram_banks() const { return dram_banks_; }

  /// Reserves 16 bytes at one address of L1 on all workers, set to `initial`.
  std::uint32_t create_global_semaphore(const CoreRangeSet& cores, std::uint32_t initial);
  void reset_semaphore(std::uint32_t address, const CoreRangeSet& cores, std::uint32_t value);

  // Sub-devices, as in MeshDevice. Until a manager is loaded, all cores are sub-device 0. These
  // functions throw Fault(kDescription) for unknown sub-devices and managers.
  /// `local_l1_size` is the number of bytes of L1 that each sub-device allocates for itself, below
  /// the shared L1.
  SubDeviceManagerId create_sub_device_manager(std::span<const SubDevice> sub_devices,
                                               std::uint64_t local_l1_size);
  /// No worker may be running, and no sub-device of the loaded manager may have buffers of its own.
  void load_sub_device_manager(SubDeviceManagerId id);
  void clear_loaded_sub_device_manager();
  void remove_sub_device_manager(SubDeviceManagerId id) { sub_devices_.remove(id); }
  SubDeviceManagerId active_sub_device_manager_id() const { return sub_devices_.loaded_id(); }
  std::vector<SubDeviceId> sub_device_ids() const;
  /// Sub-devices for which finish() and a queue's accesses to buffers wait; by default all.
  std::vector<SubDeviceId> sub_device_stall_group() const;
  void set_sub_device_stall_group(std::span<const SubDeviceId> ids);
  void reset_sub_device_stall_group();
  CoreRangeSet worker_cores(HalProgrammableCoreType type, SubDeviceId id) const;

  /// A program for a device.
  using Placed = std::pair<unsigned, const Program*>;
  /// Starts the programs on their devices in the same cycle, after loading missing firmware on all
  /// devices. Their cores must not be running another program. The cores of a program must belong
  /// to one sub-device.
  void enqueue(const std::vector<Placed>& programs);
  /// Lets time pass until programs have finished: those of the stall group, of some sub-devices, or
  /// of a device. Throws HangError, TimeLimitError, or the Fault that stopped the simulation.
  void finish();
  void finish(std::span<const SubDeviceId> sub_devices);
  void finish(unsigned device);
  /// Waits for the program of an ethernet tile.
  void finish_ethernet(unsigned device, unsigned channel);
  /// Waits for all Tensix tiles. Programs on ethernet tiles continue.
  void finish_workers();
  bool running() const { return !running_.empty(); }

  // Building blocks of command queues (mesh_command_queue.h).
  static constexpr std::uint32_t kCommandQueues = 2;
  /// An action of the host and its condition.
  struct Command {
    std::function<bool()> ready;
    std::function<void()> act;
  };
  /// Appends to the commands of a queue and runs those that are ready.
  void add_command(std::uint32_t queue, Command command);
  bool has_commands(std::uint32_t queue) const { return !commands_[queue].empty(); }
  MeshTraces& traces() { return traces_; }
  /// Counts the meshes that use the queues. Without meshes, pending commands are dropped.
  void add_mesh() { ++meshes_; }
  void remove_mesh();
  /// Lays programs out for their devices. Throws for programs that cannot run.
  MeshLaunch prepare(const std::vector<Placed>& programs);
  /// Throws if the split into sub-devices has changed, or if buffers now overlap its circular
  /// buffers.
  void check_current(const MeshLaunch& launch);
  /// True if no program runs on its sub-devices.
  bool can_start(const MeshLaunch& launch);
  /// Starts all in the same cycle, or as StartMoments selects, after loading missing firmware.
  void start(const MeshLaunch& launch);
  bool idle(std::span<const SubDeviceId> sub_devices);
  /// Runs the queues' commands that are ready. Returns true if there were any.
  bool give_commands();
  /// Lets time pass and runs queues until `done`.
  void wait_until(const std::function<bool()>& done, const char* what);

  /// Wall clock of a worker's last program at go and done, in cycles.
  contract::RunTimes run_times(unsigned device, const CoreId& core);
  /// Zones of the last program of each core. Requires Options::profile.
  std::vector<Zone> zones();

 private:
  struct Running {
    unsigned device;
    CoreId core;
    auto operator<=>(const Running&) const = default;
  };

  void discover();
  void measure();
  CompileOptions options_of(const Device& device) const;
  MeshLaunch::Part plan(unsigned device, const Program& program);
  /// Upper limit of circular buffers of a sub-device, or of the whole mesh.
  std::uint32_t l1_limit(std::optional<SubDeviceId> sub_device);
  void refuse_running(const MeshLaunch& launch) const;
  void forget_finished();
  /// Starts the firmware of cores that do not run it yet and adds them to `booting`.
  void boot_cores(Device& device, const std::vector<CoreLaunch>& cores,
                  std::vector<Running>& booting);
  void hold_core(Device& device, const CoreId& core);
  void start_core(Device& device, const CoreId& core, std::uint32_t first);
  void boot_core(Device& device, const CoreId& core);
  /// Loads everything except the go signal.
  void load(Device& device, const CoreLaunch& core);
  void give_go(Device& device, const CoreLaunch& core);
  void give_signals(const MeshLaunch& launch);
  void refuse_while_running(const char* what) const;
  std::optional<SubDeviceId> owner(const Running& running) const;
  /// Removes the programs for which `selected` is true from the running ones and waits for them.
  template <typename Selected>
  void wait_for(Selected selected, const char* what);
  /// Waits until `done` for all of `waiting`, which is then empty.
  void wait(std::vector<Running>& waiting, const char* what);
  /// One step of a wait: throws if there is no time left, or if `suspects` will never end.
  class Patience;
  bool poll_dprint();
  bool is_done(const Running& running);
  std::string where_they_are(const std::vector<Running>& waiting) const;
  [[noreturn]] void report_hang(const std::vector<Running>& waiting, const char* what);
  /// Describes cores whose state in the report may come from two kernels that share a NoC
  /// unintentionally.
  std::string on_one_noc(const std::vector<Running>& waiting, const std::string& where);
  /// Names semaphores and remote circular buffers where `lines` have addresses.
  std::string with_names(std::string lines);
  void check_asserts(const std::vector<Running>& waiting);

  Life life_;
  DeviceLibrary& library_;
  Options mesh_options_;
  CompileOptions options_;
  BaseFirmware base_firmware_;
  KernelCompiler compiler_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<MeshLink> links_;
  MeshShape shape_;
  std::uint32_t dram_banks_ = 0;
  BankManager dram_;
  BankManager l1_;
  SubDeviceManagers sub_devices_;
  MeshTraces traces_;
  unsigned meshes_ = 0;
  std::array<std::deque<Command>, kCommandQueues> commands_;  ///< by queue
  DprintServer dprint_;
  std::map<Running, bool> booted_;
  std::vector<Running> running_;
  std::optional<StartMoments> start_moments_;  ///< set at the first launch
  bool only_services_run_ = false;             ///< true after finish_workers()
  std::map<Running, std::vector<std::pair<std::uint32_t, std::shared_ptr<const ElfImage>>>> images_;
  std::map<Running, LaunchNotes> notes_;
  std::set<std::uint32_t> global_semaphores_;  ///< addresses in L1
};

}  // namespace tvp::runtime
