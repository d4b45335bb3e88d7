#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "foundation/contract/launch.h"
#include "sw/runtime/compiler/kernel_compiler.h"
#include "sw/runtime/devices/device.h"
#include "sw/runtime/programs/launch_notes.h"
#include "sw/runtime/programs/program.h"
#include "sw/runtime/programs/program_images.h"

namespace tvp::runtime {

/// Bytes that the host writes to one core to start a program there.
struct CoreLaunch {
  CoreId core;
  contract::LaunchMessage message{};
  /// Content at the kernel configuration's base: semaphores, circular buffers, arguments.
  std::vector<std::uint8_t> configuration;
  /// Image of each processor.
  std::vector<std::pair<std::uint32_t, std::shared_ptr<const ElfImage>>> images;
  /// All argument words of kernels on the processors that read and write buffers.
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> arguments{};
  /// Parts of the configuration that no kernel changes, or that none changes through the NoC.
  struct Given {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    std::uint32_t each = 0;  ///< bytes of one of several; 0: there is one
    std::string what{};
    std::int32_t use = 0;  ///< tensix_vp_use; 0: no kernel changes them
  };
  std::vector<Given> given{};
  LaunchNotes notes{};

  std::uint32_t configuration_base() const {
    return core.ethernet ? contract::kEthKernelConfigBase : contract::kKernelConfigBase;
  }
};

/// A program laid out for one device: addresses of its circular buffers, configuration of each
/// core.
class LaunchPlan {
 public:
  /// Compiles the kernels. Circular buffers end below `l1_end`. `origin` is that of the sub-device.
  /// Throws Fault(kDescription) if the program needs something that a core does not have.
  LaunchPlan(const Program& program, const Device& device, KernelCompiler& compiler,
             const CompileOptions& options, std::uint32_t l1_end, CoreCoord origin = {});

  const std::vector<CoreLaunch>& cores() const { return cores_; }
  /// End of the circular buffers that the program places itself.
  std::uint32_t l1_end() const { return l1_end_; }
  /// Throws if the memory of circular buffers or remote ends is no longer allocated.
  void check_memory() const;
  /// Empties the program's own remote buffers on `device`, before any of its cores starts.
  void preset(Device& device) const;

 private:
  void check_places(const Program& program, const Device& device);
  void place_circular_buffers(const Program& program, std::uint32_t alignment,
                              std::uint32_t l1_end);
  /// The configuration of a core, without images.
  CoreLaunch plan_core(const Program& program, const CoreId& core) const;
  static void describe_semaphores(const Program& program, CoreLaunch& launch);
  void add_circular_buffers(const Program& program, CoreLaunch& launch) const;
  bool lies_over_remote(const Program& program, CoreCoord core, std::uint32_t address) const;
  /// Adds the core's ends of global circular buffers in a table after the arguments.
  static void add_remote_circular_buffers(const Program& program, CoreLaunch& launch);
  /// Adds the core's ends of remote buffers in tables after that.
  static void add_remote_ends(const Program& program, CoreLaunch& launch);
  void preset_own_buffers(const Program& program, const Device& device);
  /// Returns their offset.
  std::uint16_t append_arguments(std::vector<std::uint8_t>& to,
                                 const std::vector<std::uint32_t>& arguments) const;
  void add_kernel(const Kernel& kernel, CoreLaunch& launch) const;
  static void add_images(const Program& program, const ProgramImages& images, CoreLaunch& launch);

  struct Preset {
    CoreCoord noc0;
    std::uint32_t address;
    std::vector<std::uint32_t> words;
  };

  CoreCoord origin_;
  bool counts_arguments_;  ///< adds a word with the number of arguments, for kernels that check it
  std::uint32_t l1_end_ = 0;
  std::vector<std::uint32_t> cb_addresses_;  ///< address for each CBHandle
  std::vector<CoreLaunch> cores_;
  std::vector<Preset> presets_;
  std::vector<std::pair<std::string, Life::Watch>> memory_;  ///< memory in use, with a description
};

}  // namespace tvp::runtime
