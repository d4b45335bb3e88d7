#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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

/// All chips of the system, which the meshes of a program share. Loads firmware where a program
/// first runs, launches programs (documented slow-dispatch protocol), waits for their end. Devices
/// have their number in the system here.
class Cluster {
 public:
  struct Options {
    /// Compile DPRINT in and print it.
    bool dprint = enabled_by_environment("TT_METAL_DPRINT_CORES");
    /// Waypoints and assertions.
    bool watcher = enabled_by_environment("TT_METAL_WATCHER");
    /// DeviceZoneScopedN leaves marks.
    bool profile = enabled_by_environment("TT_METAL_DEVICE_PROFILER");
    /// Takes lines of DPRINT; by default they go to standard output.
    std::function<void(const std::string&)> print = [](const std::string& line) {
      std::printf("%s\n", line.c_str());
    };
    std::string root = KernelCompiler::default_root();
    std::string cache = CompileCache::default_folder();
    /// Limit of one wait in cycles, for libraries without a limit of their own; 0: none.
    std::uint64_t max_cycles = 0;
  };

  /// Initializes the library if the caller has not. Without tensix_vp_system the chips are all PCI
  /// devices that answer, without harvesting.
  Cluster(DeviceLibrary& library, Options options);
  ~Cluster();

  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  /// For buffers, semaphores and events, which a host may keep longer.
  Life::Watch life() const { return life_.watch(); }
  unsigned num_devices() const { return static_cast<unsigned>(devices_.size()); }
  Device& device(unsigned index);
  const std::vector<MeshLink>& links() const { return links_; }
  DeviceLibrary& library() { return library_; }
  KernelCompiler& compiler() { return compiler_; }
  double compile_seconds() { return compiler_.cache().seconds(); }

  BankManager& bank_manager(BufferType type) { return type == BufferType::DRAM ? dram_ : l1_; }
  /// L1 of a sub-device's own, or all of it where the mesh is not split.
  BankManager& bank_manager(SubDeviceId id);
  std::uint32_t l1_banks() const { return options_.l1_banks; }
  /// Over which pages of a buffer are spread; of the device that has the fewest.
  std::uint32_t dram_banks() const { return dram_banks_; }

  /// 16 bytes at one address of L1 on all workers, set to `initial`.
  std::uint32_t create_global_semaphore(const CoreRangeSet& cores, std::uint32_t initial);
  void reset_semaphore(std::uint32_t address, const CoreRangeSet& cores, std::uint32_t value);

  // Sub-devices, as MeshDevice has them. Until a manager is loaded, all cores are sub-device 0. All
  // of these throw Fault(kDescription) for what is not there.
  /// `local_l1_size`: bytes of L1 that each sub-device allocates on its own, below what they share.
  SubDeviceManagerId create_sub_device_manager(std::span<const SubDevice> sub_devices,
                                               std::uint64_t local_l1_size);
  /// No worker may be running, and no sub-device of the manager that was loaded may have buffers of
  /// its own.
  void load_sub_device_manager(SubDeviceManagerId id);
  void clear_loaded_sub_device_manager();
  void remove_sub_device_manager(SubDeviceManagerId id) { sub_devices_.remove(id); }
  SubDeviceManagerId active_sub_device_manager_id() const { return sub_devices_.loaded_id(); }
  std::vector<SubDeviceId> sub_device_ids() const;
  /// Those that finish() and accesses of a queue to buffers wait for; all, until it is set.
  std::vector<SubDeviceId> sub_device_stall_group() const;
  void set_sub_device_stall_group(std::span<const SubDeviceId> ids);
  void reset_sub_device_stall_group();
  CoreRangeSet worker_cores(HalProgrammableCoreType type, SubDeviceId id) const;

  /// A program for a device.
  using Placed = std::pair<unsigned, const Program*>;
  /// Starts the programs on their devices, all in the same moment: firmware that is not there yet
  /// is loaded on all devices before. Their cores must not be running another program, and those of
  /// a program must belong to one sub-device.
  void enqueue(const std::vector<Placed>& programs);
  /// Lets time pass until programs have finished: those of the stall group, which is all unless one
  /// is set; of some sub-devices; or of a device. Throws HangError, TimeLimitError, or the Fault
  /// that stopped the simulation.
  void finish();
  void finish(std::span<const SubDeviceId> sub_devices);
  void finish(unsigned device);
  /// Until what runs on an ethernet tile has.
  void finish_ethernet(unsigned device, unsigned channel);
  /// Until all Tensix tiles have finished; what runs on ethernet tiles goes on.
  void finish_workers();
  bool running() const { return !running_.empty(); }

  // Building blocks of command queues (mesh_command_queue.h).
  static constexpr std::uint32_t kCommandQueues = 2;
  /// Something for the host to do when its time has come.
  struct Command {
    std::function<bool()> ready;
    std::function<void()> act;
  };
  /// Appends to the commands of a queue, and gives those whose time has come.
  void add_command(std::uint32_t queue, Command command);
  bool has_commands(std::uint32_t queue) const { return !commands_[queue].empty(); }
  MeshTraces& traces() { return traces_; }
  /// Meshes that use the queues: with the last one commands end that have not been given.
  void add_mesh() { ++meshes_; }
  void remove_mesh();
  /// Lays programs out for their devices; refuses what cannot run.
  MeshLaunch prepare(const std::vector<Placed>& programs);
  /// Refuses one that was laid out under another split into sub-devices, or whose circular buffers
  /// lie where there are buffers by now.
  void check_current(const MeshLaunch& launch);
  /// True if no program runs on its sub-devices.
  bool can_start(const MeshLaunch& launch);
  /// All in the same moment, or as StartMoments says: firmware that is not there yet is loaded
  /// before.
  void start(const MeshLaunch& launch);
  bool idle(std::span<const SubDeviceId> sub_devices);
  /// Gives the queues' commands whose time has come; whether there were any.
  bool give_commands();
  /// Lets time pass, and queues go on, until `done`.
  void wait_until(const std::function<bool()>& done, const char* what);

  /// Wall clock of a worker's last program at go and done, in cycles.
  contract::RunTimes run_times(unsigned device, const CoreId& core);
  /// Zones of the last program of each core that has run one; with Options::profile.
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
  /// Where circular buffers of a sub-device, or of the whole mesh, have to end.
  std::uint32_t l1_limit(std::optional<SubDeviceId> sub_device);
  void refuse_running(const MeshLaunch& launch) const;
  void forget_finished();
  /// Starts the firmware of those that do not run it yet; they are added to `booting`.
  void boot_cores(Device& device, const std::vector<CoreLaunch>& cores,
                  std::vector<Running>& booting);
  void hold_core(Device& device, const CoreId& core);
  void start_core(Device& device, const CoreId& core, std::uint32_t first);
  void boot_core(Device& device, const CoreId& core);
  /// Everything but the go signal.
  void load(Device& device, const CoreLaunch& core);
  void give_go(Device& device, const CoreLaunch& core);
  void give_signals(const MeshLaunch& launch);
  void refuse_while_running(const char* what) const;
  std::optional<SubDeviceId> owner(const Running& running) const;
  /// Takes those that `selected` says from the running ones, and waits for them.
  template <typename Selected>
  void wait_for(Selected selected, const char* what);
  /// Until `done` for all of `waiting`, which is emptied.
  void wait(std::vector<Running>& waiting, const char* what);
  /// A moment of a wait: throws when there is no time left, or `suspects` will never end.
  class Patience;
  bool poll_dprint();
  bool is_done(const Running& running);
  std::string where_they_are(const std::vector<Running>& waiting) const;
  [[noreturn]] void report_hang(const std::vector<Running>& waiting, const char* what);
  /// Describes cores whose state in the report may come from two kernels that share a NoC
  /// unintentionally.
  std::string on_one_noc(const std::vector<Running>& waiting, const std::string& told);
  /// Describes the circular buffers and semaphores that `told` names.
  std::string what_they_wait_for(const std::vector<Running>& waiting, const std::string& told);
  void check_asserts(const std::vector<Running>& waiting);

  Life life_;
  DeviceLibrary& library_;
  Options mesh_options_;
  CompileOptions options_;
  BaseFirmware base_firmware_;
  KernelCompiler compiler_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<MeshLink> links_;
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
  std::optional<StartMoments> start_moments_;  ///< since the first launch
  bool only_services_run_ = false;             ///< since finish_workers()
  std::map<Running, std::vector<std::pair<std::uint32_t, std::shared_ptr<const ElfImage>>>> images_;
  std::map<Running, LaunchNotes> notes_;
};

}  // namespace tvp::runtime
