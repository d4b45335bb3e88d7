#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "foundation/contract/memory_map.h"
#include "foundation/elf_image.h"
#include "sw/runtime/compiler/compile_cache.h"
#include "sw/runtime/compiler/cross_compiler.h"
#include "sw/runtime/compiler/precompiled_header.h"
#include "sw/runtime/programs/kernel_types.h"

namespace tvp::runtime {

using foundation::ElfImage;

/// Descriptors of a core's circular buffers that become constants in a kernel.
struct CbDescriptors {
  struct Cb {
    DataFormat format = DataFormat::Float16_b;
    Tile tile;
    std::optional<FaceGeometry> faces{};

    bool operator==(const Cb&) const = default;
  };
  std::array<std::optional<Cb>, contract::kCircularBuffers> cbs;
};

/// Options of all kernels and firmwares of a run.
struct CompileOptions {
  bool dprint = false;
  bool watcher = false;
  bool profile = false;
  /// Kernels, but not the fabric's, are optimized for gdb instead of as their requests say.
  bool debuggable = false;
  std::uint32_t l1_banks = 64;
  std::shared_ptr<const foundation::ChipSpec> chip;  ///< chip of the kernels; null: Wormhole B0
  bool translated = true;                            ///< true if its NIUs translate coordinates
};

/// Ends the message about debuggable kernels that do not fit.
inline constexpr const char* kLargerForDebugger =
    "; kernel.optimize=debug makes kernels larger, kernel.optimize=speed smaller";

/// One image to compile.
struct KernelRequest {
  std::uint32_t processor = 0;  ///< contract::Processor
  std::string source;           ///< file name
  std::uint32_t noc_index = 0;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
  std::vector<std::uint32_t> compile_args;
  std::map<std::string, std::uint32_t> named_compile_args;
  KernelNames names;
  std::map<std::string, std::string> defines;
  CbDescriptors cbs;
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
  std::vector<std::string> include_paths;
  // For compute kernels.
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false;
  bool dst_full_sync_en = false;
  bool math_approx_mode = false;
  bool bfp8_pack_precise = false;
  std::uint32_t unpack_to_dst_fp32 = 0;  ///< one bit for each circular buffer
  /// Address of the image in L1, by default contract::usual_kernel_base().
  std::optional<std::uint32_t> image_base{};
};

/// Compiles firmware and kernels with the RISC-V cross compiler, through a CompileCache.
class KernelCompiler {
 public:
  /// `root` is the folder with firmware/ and models/.
  KernelCompiler(const std::string& root, const std::string& cache_folder);
  KernelCompiler(const KernelCompiler&) = delete;
  KernelCompiler& operator=(const KernelCompiler&) = delete;
  /// $TENSIX_VP_ROOT, or foundation::source_root().
  static std::string default_root();

  std::shared_ptr<const ElfImage> firmware(std::uint32_t processor, const CompileOptions& options);
  /// Images in the order of `requests`. All are compiled before any is loaded. A kernel is compiled
  /// once and linked for each requested place. Throws Fault(kFirmware) for a kernel that does not
  /// fit into its core's instruction memory.
  std::vector<std::shared_ptr<const ElfImage>> kernels(const std::vector<KernelRequest>& requests,
                                                       const CompileOptions& options);
  /// Source file of a kernel's image.
  std::string source_of(const ElfImage& image) const;

  /// Compiles a program for PIM units, which has its own main() (firmware/api/pim.h).
  std::shared_ptr<const ElfImage> unit_program(const std::string& source,
                                               const std::map<std::string, std::string>& defines,
                                               bool debuggable = false);

  /// Finds an existing file, below the root or by its path. Throws Fault(kDescription).
  std::string find_source(const std::string& source) const;
  CompileCache& cache() { return cache_; }

 private:
  std::vector<std::string> common_command(std::uint32_t processor, const CompileOptions& options);
  /// Linker options of a processor.
  std::vector<std::string> link_words(std::uint32_t processor, const CompileOptions& options);
  CompileCache::Job firmware_job(std::uint32_t processor, const CompileOptions& options);
  const foundation::ChipSpec& chip_of(const CompileOptions& options);
  /// Folder with chip_numbers.h of the chip.
  const std::string& chip_folder(const foundation::ChipSpec& chip);
  /// Compiler options of all images, for any processor.
  std::vector<std::string> base_command() const;
  /// Headers of the standard library that all kernels of such a core include.
  PrecompiledHeader& standard_headers(bool compute, const std::vector<std::string>& optimized);
  void prepare(const std::vector<const CompileCache::Job*>& jobs);
  /// Job for an object, independent of its place.
  CompileCache::Job object_job(const KernelRequest& request, const CompileOptions& options);
  CompileCache::Job link_job(const KernelRequest& request, const CompileOptions& options,
                             const CompileCache::Image& object);
  /// The firmware's symbols, weak and without debug information, for linking a kernel.
  std::string firmware_symbols(std::uint32_t processor, const CompileOptions& options);
  std::shared_ptr<const ElfImage> load(const CompileCache::Image& image);
  void check_instruction_memory(const KernelRequest& request, const ElfImage& image,
                                const CompileOptions& options);

  std::string root_;
  CompileCache cache_;
  std::string forwarding_folder_;  ///< folder that is searched after the headers of the API
  CrossCompiler cross_;
  std::map<std::string, std::shared_ptr<const ElfImage>> loaded_;
  std::map<std::string, std::string> sources_;  ///< sources of kernels by the image's file
  std::shared_ptr<const foundation::ChipSpec> usual_chip_;
  std::map<std::string, std::string>
      chip_folders_;  ///< folders of chip headers by the header's text
  std::map<std::pair<bool, std::vector<std::string>>, std::unique_ptr<PrecompiledHeader>>
      standard_headers_;
};

/// Text of chlkc_descriptors.h: formats and tile shapes of the circular buffers, math
/// configuration.
std::string descriptors_header(const KernelRequest& request);

}  // namespace tvp::runtime
