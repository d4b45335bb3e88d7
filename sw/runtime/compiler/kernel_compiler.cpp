#include "sw/runtime/compiler/kernel_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <sstream>

#include "foundation/chip/chip_header.h"
#include "foundation/content_hash.h"
#include "foundation/host_error.h"
#include "foundation/read_file.h"
#include "foundation/source_root.h"
#include "sw/runtime/compiler/forwarding_headers.h"
#include "sw/runtime/compiler/kernel_signature.h"
#include "sw/runtime/compiler/published_tree.h"
#include "sw/runtime/devices/chip_layout.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/vectors/vector_registers.h"

namespace tvp::runtime {
namespace {

namespace fs = std::filesystem;

struct ProcessorName {
  const char* source;
  const char* define;
};
constexpr ProcessorName kProcessors[] = {
    {"brisc.cpp", "-DCOMPILE_FOR_BRISC"},   {"ncrisc.cpp", "-DCOMPILE_FOR_NCRISC"},
    {"trisc.cpp", "-DCOMPILE_FOR_TRISC=0"}, {"trisc.cpp", "-DCOMPILE_FOR_TRISC=1"},
    {"trisc.cpp", "-DCOMPILE_FOR_TRISC=2"}, {"erisc.cpp", "-DCOMPILE_FOR_ERISC"},
};

/// Constants of up to this many bytes (kernel.ld).
constexpr const char* kConstantsInLocalMemory = "-msmall-data-limit=128";

/// -include brings in the source, because its argument may have any name. An #include cannot name a
/// file with a quote in its path.
constexpr const char* kOnlyIncluded = "// All of it is included by the command line.\n";

/// Headers of the standard library that the kernel API includes. They take a third of the compile
/// time of a small kernel. The list has no others, whose names a kernel may define itself, and none
/// that a kernel can change with a macro.
constexpr const char* kStandardForData =
    "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <algorithm>\n"
    "#include <array>\n#include <cstring>\n#include <limits>\n#include <string_view>\n"
    "#include <tuple>\n#include <type_traits>\n#include <utility>\n";
constexpr const char* kStandardForCompute =
    "#include <stddef.h>\n#include <stdint.h>\n#include <array>\n#include <string_view>\n"
    "#include <type_traits>\n#include <utility>\n";

/// Published kernels ask for this macro too.
const char* arch_of(Generation generation) {
  return generation == Generation::kBlackhole ? "-DARCH_BLACKHOLE" : "-DARCH_WORMHOLE";
}

/// Lets kernels for Blackhole contain assembly of its instructions. The compiler itself has no
/// libraries for them, and would not find those of RV32IM. Its NoC addresses take two more words
/// of each transaction, with which functions exceed GCC's limit for inlining.
std::vector<std::string> words_of(Generation generation) {
  if (generation != Generation::kBlackhole) return {};
  return {"-mno-riscv-attribute", "-Wa,-march=rv32ima_zicsr_zba_zbb",
          "--param=max-inline-insns-single=100"};
}

std::string defsym(const char* name, std::uint32_t value) {
  return std::string("-Wl,--defsym,") + name + "=" + std::to_string(value);
}

template <typename Get>
std::string array_of(const char* type, const std::string& name, const CbDescriptors& cbs, Get get) {
  // Tables that are indexed at run time are in the small local memories, so they are as short as
  // possible.
  std::size_t count = cbs.cbs.size();
  while (count > 1 && !cbs.cbs[count - 1]) --count;
  std::string text =
      std::string("constexpr ") + type + " " + name + "[" + std::to_string(count) + "] = {";
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text += ',';
    text += std::to_string(static_cast<std::uint32_t>(get(cbs.cbs[i])));
  }
  return text + "};\n";
}

/// Format in the source registers for the L1 format `l1`. Block formats are expanded to the 16-bit
/// format with the 8-bit or the 5-bit exponent. 32-bit floats are cut to 19 bits.
DataFormat unpacked_format(DataFormat l1, bool fp32_dest, bool short_exponents) {
  switch (l1) {
    case DataFormat::Float32:
      if (fp32_dest) return DataFormat::Tf32;
      return short_exponents ? DataFormat::Float16 : DataFormat::Float16_b;
    case DataFormat::Bfp8:
    case DataFormat::Bfp4:
    case DataFormat::Bfp2:
      return DataFormat::Bfp8;
    case DataFormat::Bfp8_b:
    case DataFormat::Bfp4_b:
    case DataFormat::Bfp2_b:
      return DataFormat::Bfp8_b;
    default:
      return l1;
  }
}

/// Format that unpackers and packers use for a buffer.
DataFormat hardware_format(DataFormat of_buffer) {
  switch (of_buffer) {
    case DataFormat::RawUInt8:
      return DataFormat::Lf8;
    case DataFormat::RawUInt16:
      return DataFormat::Float16;
    case DataFormat::RawUInt32:
      return DataFormat::Float32;
    default:
      return of_buffer;
  }
}

bool is_one_of(DataFormat format, std::initializer_list<DataFormat> all) {
  return std::find(all.begin(), all.end(), format) != all.end();
}
/// Formats with 5-bit exponents. A program does not mix them with 8-bit exponents, except for FP32.
bool has_short_exponent(DataFormat format) {
  using enum DataFormat;
  return is_one_of(format, {Float16, Lf8, Bfp8, Bfp4, Bfp2});
}

/// Format between Dst and the last conversion to `l1` (firmware/llk/llk_pack.h).
DataFormat packed_from_format(DataFormat l1, bool fp32_dest, bool precise_blocks,
                              bool short_exponents) {
  using enum DataFormat;
  const bool block_e8 = is_one_of(l1, {Bfp8_b, Bfp4_b, Bfp2_b});
  const bool block_e5 = is_one_of(l1, {Bfp8, Bfp4, Bfp2});
  if (block_e8 && !precise_blocks) return Bfp8_b;
  if (fp32_dest) return block_e8 || block_e5 ? Float32 : l1 == Float16 ? Float16_b : l1;
  if (block_e5) return precise_blocks ? Float16 : Bfp8;
  if (block_e8 || is_one_of(l1, {Float32, Tf32})) return short_exponents ? Float16 : Float16_b;
  return l1;
}

/// Macros with the compile-time arguments. They are in a file, since a word of a command line has
/// at most 128 KiB.
std::string arguments_header(const KernelRequest& request) {
  std::string text = "#define KERNEL_COMPILE_TIME_ARGS ";
  for (std::size_t i = 0; i < request.compile_args.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(request.compile_args[i]) + "u";
  text += '\n';
  if (request.named_compile_args.empty()) return text;
  text += "#define KERNEL_COMPILE_TIME_ARG_MAP ";
  const char* before = "{\"";
  for (const auto& [name, value] : request.named_compile_args) {
    text += before + name + "\"," + std::to_string(value) + "u}";
    before = ",{\"";
  }
  return text + '\n';
}

/// True if a preprocessor condition uses a compile-time argument, directly or through a macro of
/// the kernel.
bool asks_in_conditions(const std::string& source) {
  std::vector<std::string> askers = {"get_compile_time_arg_val"};
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    std::istringstream words(line.substr(hash + 1));
    std::string directive;
    words >> directive;
    const auto asks = [&line](const std::string& name) {
      return line.find(name) != std::string::npos;
    };
    if (directive == "if" || directive == "elif") {
      if (std::any_of(askers.begin(), askers.end(), asks)) return true;
    } else if (directive == "define" && asks(askers.front())) {
      std::string name;
      words >> name;
      askers.push_back(name);
    }
  }
  return false;
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// Selects the thread of a compute kernel.
void add_thread(std::uint32_t thread, std::vector<std::string>& command) {
  static constexpr const char* kNames[] = {"unpack", "math", "pack"};
  static constexpr const char* kUpper[] = {"UNPACK", "MATH", "PACK"};
  command.insert(command.end(), {std::string("-DTRISC_") + kUpper[thread],
                                 std::string("-DUCK_CHLKC_") + kUpper[thread],
                                 std::string("-DNAMESPACE=chlkc_") + kNames[thread],
                                 std::string("-DMAIN=") + kNames[thread] + "_main()"});
}

const char* option_of(KernelBuildOptLevel level) {
  switch (level) {
    case KernelBuildOptLevel::O0:
      return "-O0";
    case KernelBuildOptLevel::O1:
      return "-O1";
    case KernelBuildOptLevel::O2:
      return "-O2";
    case KernelBuildOptLevel::O3:
      return "-O3";
    case KernelBuildOptLevel::Os:
      return "-Os";
    case KernelBuildOptLevel::Ofast:
      return "-Ofast";
    case KernelBuildOptLevel::Oz:
      break;
  }
  return "-Oz";
}

/// Options for kernels that gdb can follow, or this one.
/// gdb 13 finds no line whose first instruction belongs to an inlined function. Functions of the
/// API are therefore called (firmware/api/internal/risc_attribs.h).
/// -Og alone copies constant structures to the stack and never reads the copies. Frames of nearly 1
/// KiB would then lie over the data of a core with 2 KiB of local memory.
std::vector<std::string> optimization(bool debuggable, const char* otherwise) {
  if (debuggable)
    return {"-Og", "-ftree-sra", "-ftree-dse", "-fno-early-inlining", "-DTVP_DEBUGGABLE"};
  return {otherwise};
}

}  // namespace

void Tile::check() const {
  const bool rows = height != 0 && height <= 32 && (height & (height - 1)) == 0;
  if (!rows || (width != 16 && width != 32))
    bad_use("tile", std::to_string(height) + " x " + std::to_string(width) +
                        "; expected 1, 2, 4, 8, 16 or 32 rows of 16 or 32 columns");
}

void FaceGeometry::check() const {
  const bool rows = face_r_dim != 0 && face_r_dim <= 16 && (face_r_dim & (face_r_dim - 1)) == 0;
  if (!rows || (num_faces != 1 && num_faces != 2 && num_faces != 4))
    bad_use("tile", std::to_string(num_faces) + " faces of " + std::to_string(face_r_dim) +
                        " rows; expected 1, 2 or 4 faces of 1, 2, 4, 8 or 16 rows");
}

void refuse_format_without_size() { bad_use("tile", "its data format has no size"); }

std::string descriptors_header(const KernelRequest& request) {
  using Cb = std::optional<CbDescriptors::Cb>;
  const bool fp32 = request.fp32_dest_acc_en;
  const auto format = [](DataFormat f) { return static_cast<std::uint32_t>(f); };
  const auto invalid = format(DataFormat::Invalid);
  const bool short_exponents =
      std::any_of(request.cbs.cbs.begin(), request.cbs.cbs.end(),
                  [](const Cb& cb) { return cb && has_short_exponent(cb->format); });
  std::string text =
      "#pragma once\n#include <stdint.h>\n#include \"foundation/contract/data_format.h\"\n";
  for (const std::string side : {"unpack", "pack"}) {
    const auto list = [&](const char* type, const std::string& what, auto get) {
      text += array_of(type, side + "_" + what, request.cbs, get);
    };
    const bool unpack = side == "unpack";
    list("uint8_t", "src_format", [&](const Cb& cb) {
      if (!cb) return invalid;
      const DataFormat in_l1 = hardware_format(cb->format);
      return format(
          unpack ? in_l1
                 : packed_from_format(in_l1, fp32, request.bfp8_pack_precise, short_exponents));
    });
    list("uint8_t", "dst_format", [&](const Cb& cb) {
      if (!cb) return invalid;
      const DataFormat in_l1 = hardware_format(cb->format);
      return format(unpack ? unpacked_format(in_l1, fp32, short_exponents) : in_l1);
    });
    const auto face_rows = [](const Cb& cb) {
      if (!cb) return std::uint32_t{16};
      return cb->faces ? cb->faces->face_r_dim : cb->tile.face_height();
    };
    list("uint8_t", "tile_num_faces", [](const Cb& cb) {
      if (!cb) return std::uint32_t{4};
      return cb->faces ? cb->faces->num_faces : cb->tile.faces();
    });
    list("uint8_t", "partial_face", [&](const Cb& cb) { return face_rows(cb) < 16 ? 1U : 0U; });
    list("uint8_t", "tile_face_r_dim", face_rows);
    list("uint8_t", "narrow_tile",
         [](const Cb& cb) { return cb && cb->tile.width < 32 ? 1U : 0U; });
    list("uint8_t", "tile_r_dim", [](const Cb& cb) { return cb ? cb->tile.height : 32; });
    list("uint8_t", "tile_c_dim", [](const Cb& cb) { return cb ? cb->tile.width : 32; });
    list("uint8_t", "num_faces_r_dim",
         [&](const Cb& cb) { return (cb ? cb->tile.height : 32) / face_rows(cb); });
    list("uint8_t", "num_faces_c_dim", [](const Cb& cb) { return cb ? cb->tile.width / 16 : 2; });
    list("uint16_t", "tile_size", [](const Cb& cb) { return cb ? cb->tile.bytes(cb->format) : 0; });
  }
  if (contract::is_trisc(request.processor)) {
    // Names of tt-metal are constants here as there, so that a kernel's #ifdef of one means the
    // same. Macros for the API's own headers have its prefix.
    const auto macro = [&](const std::string& name, const std::string& value) {
      text += "#define TVP_" + name + " " + value + "\n";
    };
    macro("MATH_FIDELITY", std::to_string(static_cast<unsigned>(request.math_fidelity)));
    macro("FP32_DST", fp32 ? "true" : "false");
    macro("WHOLE_DST", request.dst_full_sync_en ? "1" : "0");
    if (request.bfp8_pack_precise) macro("BFP8_PACK_PRECISE", "true");
    if (short_exponents) macro("SHORT_EXPONENTS", "true");
    // A host may also define these names. Its macro then holds behind the constant, as in tt-metal.
    const auto constant = [&](const std::string& name, bool value) {
      text += "#pragma push_macro(\"" + name + "\")\n#undef " + name + "\nconstexpr bool " + name +
              (value ? " = true;\n" : " = false;\n") + "#pragma pop_macro(\"" + name + "\")\n";
    };
    constant("DST_ACCUM_MODE", fp32);
    constant("APPROX", request.math_approx_mode);
  }
  return text;
}

KernelCompiler::KernelCompiler(const std::string& root, const std::string& cache_folder)
    : root_(fs::absolute(root).lexically_normal().string()),
      cache_(cache_folder),
      cross_(CrossCompiler::from_environment()) {
  refuse_line_break(root_, "the firmware");
  if (!fs::exists(root_ + "/firmware/boot/kernel.ld"))
    bad_use(root_, "has no firmware/ to compile kernels with (TENSIX_VP_ROOT)");
  forwarding_folder_ = cache_.generated(forwarding_headers(root_));
  cache_.set_preparing(
      [this](const std::vector<const CompileCache::Job*>& jobs) { prepare(jobs); });
}

std::string KernelCompiler::default_root() {
  if (const char* set = std::getenv("TENSIX_VP_ROOT"); set != nullptr && *set != 0) return set;
  return foundation::source_root();
}

std::string KernelCompiler::find_source(const std::string& source) const {
  std::error_code error;
  std::vector<std::string> paths = {root_ + "/" + source, source};
  append(paths, metal_home_paths(source));
  for (const std::string& path : paths)
    if (fs::is_regular_file(path, error)) {
      std::string found = fs::absolute(path).lexically_normal().string();
      refuse_line_break(found, "a kernel");
      return found;
    }
  const std::string home = metal_home();
  bad_use(source, "no such kernel file, in " + root_ +
                      (home.empty() ? " or here, and TT_METAL_HOME names no tree of tt-metal"
                                    : ", here or in " + home));
}

std::vector<std::string> KernelCompiler::base_command() const {
  std::vector<std::string> command = cross_.command();
  append(command,
         {"-mstrict-align", "-std=c++20", "-g", "-fno-exceptions", "-fno-rtti",
          "-fno-threadsafe-statics", "-fno-asynchronous-unwind-tables", "-fno-use-cxa-atexit",
          "-ffunction-sections", "-fdata-sections", "-fno-tree-loop-distribute-patterns",
          // GCC 12 moves a plain store behind its loop and repeats a following volatile store
          // there. An instruction or a NoC request would then be sent once too often.
          "-fno-move-loop-stores",
          "--param=min-pagesize=0",  // low addresses are valid
          // Zone numbers come from file names, so they must not depend on the tree's folder.
          "-fmacro-prefix-map=" + root_ + "/="});
  for (const std::string& folder : cross_.header_folders())
    command.insert(command.end(), {"-isystem", folder});
  return command;
}

const foundation::ChipSpec& KernelCompiler::chip_of(const CompileOptions& options) {
  if (options.chip) return *options.chip;
  if (!usual_chip_) usual_chip_ = ChipLayout::usual_spec();
  return *usual_chip_;
}

const std::string& KernelCompiler::chip_folder(const foundation::ChipSpec& chip) {
  const std::string text = foundation::chip_header(chip);
  std::string& folder = chip_folders_[text];
  if (folder.empty()) folder = cache_.generated({{"chip_numbers.h", text}});
  return folder;
}

PrecompiledHeader& KernelCompiler::standard_headers(bool compute,
                                                    const std::vector<std::string>& optimized) {
  auto& header = standard_headers_[{compute, optimized}];
  if (header) return *header;
  std::vector<std::string> command = base_command();
  command.push_back(kConstantsInLocalMemory);
  append(command, optimized);
  append(command, cross_.flags());
  header =
      std::make_unique<PrecompiledHeader>(cache_, compute ? kStandardForCompute : kStandardForData,
                                          std::move(command), cross_.identity());
  return *header;
}

void KernelCompiler::prepare(const std::vector<const CompileCache::Job*>& jobs) {
  for (const auto& [kind, header] : standard_headers_) {
    const auto reads_it = [&header = header](const CompileCache::Job* job) {
      return job->first_header == header->path();
    };
    const auto count = std::count_if(jobs.begin(), jobs.end(), reads_it);
    if (count != 0) header->prepare(static_cast<std::size_t>(count));
  }
}

std::vector<std::string> KernelCompiler::common_command(std::uint32_t processor,
                                                        const CompileOptions& options) {
  const foundation::ChipSpec& chip = chip_of(options);
  std::vector<std::string> command = base_command();
  command.push_back(kConstantsInLocalMemory);
  for (const char* folder : {"", "/firmware", "/firmware/api"})
    command.push_back("-I" + root_ + folder);
  command.push_back("-I" + chip_folder(chip));
  for (const char* folder : {"", "/firmware", "/firmware/api"})
    command.push_back("-I" + forwarding_folder_ + folder);
  command.insert(command.end(),
                 {kProcessors[processor].define, "-DPROCESSOR_INDEX=" + std::to_string(processor),
                  arch_of(chip.generation), "-DTENSIX_FIRMWARE", "-DLOCAL_MEM_EN=0",
                  "-DNUM_DRAM_BANKS=" + std::to_string(chip.dram_banks()),
                  "-DNUM_L1_BANKS=" + std::to_string(options.l1_banks)});
  for (const std::string& word : words_of(chip.generation)) command.push_back(word);
  if (!options.translated) command.push_back("-DCOORDINATE_VIRTUALIZATION_ENABLED=0");
  if (options.dprint) command.push_back("-DDEBUG_PRINT_ENABLED");
  if (options.watcher) command.push_back("-DWATCHER_ENABLED");
  if (options.profile) command.push_back("-DPROFILE_KERNEL");
  return command;
}

std::vector<std::string> KernelCompiler::link_words(std::uint32_t processor,
                                                    const CompileOptions& options) {
  const foundation::ChipSpec::Memories& memories = chip_of(options).memories;
  return {"-Wl,-z,max-page-size=16",
          "-Wl,--no-warn-rwx-segments",
          "-Wl,--orphan-handling=place",
          defsym("__local_base", contract::kLocalBase),
          defsym("__local_size", contract::is_trisc(processor) ? memories.compute_local_bytes
                                                               : memories.data_local_bytes),
          defsym("__stack_min", contract::stack_min_size(processor)),
          defsym("__gp", contract::kGlobalPointer)};
}

CompileCache::Job KernelCompiler::firmware_job(std::uint32_t processor,
                                               const CompileOptions& options) {
  CompileCache::Job job;
  const std::string boot_folder = root_ + "/firmware/boot/";
  job.name = boot_folder + kProcessors[processor].source;
  CompileOptions plain;  // firmware is independent of the kernels' options
  plain.watcher = options.watcher;
  plain.chip = options.chip;
  job.command = common_command(processor, plain);
  job.inputs = {boot_folder + "firmware.ld"};
  append(job.command, link_words(processor, plain));
  job.command.insert(job.command.end(),
                     {"-Os", "-DFW_BUILD", job.name, "-T", job.inputs[0], "-Wl,--no-gc-sections",
                      defsym("__text_base", contract::firmware_base(processor)),
                      defsym("__text_size", contract::firmware_size(processor))});
  append(job.command, cross_.flags());
  append(job.command, {"-lc", "-lgcc"});
  job.key_text = cross_.identity();
  return job;
}

CompileCache::Job KernelCompiler::object_job(const KernelRequest& request,
                                             const CompileOptions& options) {
  CompileCache::Job job;
  const std::string source = find_source(request.source);
  job.name = source;
  const bool compute = contract::is_trisc(request.processor);
  // The fabric's routers and muxes serve the user's kernels, so their speed stays.
  const bool debuggable = options.debuggable && !request.source.starts_with("firmware/fabric/");
  const std::vector<std::string> optimized = optimization(debuggable, option_of(request.opt_level));

  // Kernels use these without including them.
  std::string entry = arguments_header(request) +
                      "#include <type_traits>\n#include \"firmware/boot/kernel_entry.h\"\n";
  if (compute) {
    for (const std::string header : {"compile_time_args.h", "kernel_args.h", "risc_common.h"})
      entry += "#include \"api/" + header + "\"\n";
  } else {
    entry += "#include \"api/dataflow/dataflow_api.h\"\n";
  }
  if (!request.names.empty()) entry += request.names.header(source);
  const std::string text = foundation::read_file(source);
  const std::optional<KernelSignature> signature = KernelSignature::find(text, source);
  const std::string last =
      signature ? signature->kernel_main(request.names, source) : std::string(kOnlyIncluded);
  const std::string generated =
      cache_.generated({{"entry.h", entry},
                        {"kernel.cpp", last},
                        {"defines_generated.h", "// All defines are on the command line.\n"},
                        {"chlkc_descriptors.h", descriptors_header(request)}});

  job.command = common_command(request.processor, options);
  append(job.command, optimized);
  job.command.insert(
      job.command.end(),
      {"-DKERNEL_BUILD", "-I" + generated, "-DNOC_INDEX=" + std::to_string(request.noc_index),
       "-DNOC_MODE=" + std::to_string(static_cast<unsigned>(request.noc_mode))});
  // After all folders of the API, whose headers take precedence.
  for (const std::string& folder : request.include_paths)
    job.command.insert(job.command.end(), {"-idirafter", std::filesystem::absolute(folder)});
  if (!metal_home().empty())
    for (const char* folder :
         {"", "/ttnn", "/ttnn/cpp", "/tt_metal/hw/ckernels/wormhole_b0/metal/llk_api"})
      job.command.insert(job.command.end(), {"-idirafter", metal_home() + folder});
  if (metal_home_has_socket_addresses()) job.command.push_back("-DTVP_SOCKET_ADDRESSES");
  for (const std::string& define : metal_home_defines()) job.command.push_back("-D" + define);
  for (const auto& [name, value] : request.defines)
    job.command.push_back("-D" + name + "=" + value);
  if (asks_in_conditions(text)) {
    job.command.push_back("-DTVP_COMPILE_TIME_ARGS_IN_CONDITIONS");
    for (std::size_t i = 0; i < request.compile_args.size(); ++i)
      job.command.push_back("-DKERNEL_COMPILE_TIME_ARG_" + std::to_string(i) + "=" +
                            std::to_string(request.compile_args[i]) + "u");
  }
  if (compute) {
    add_thread(request.processor - contract::kTrisc0, job.command);
    if (request.unpack_to_dst_fp32 != 0)
      job.command.push_back(
          "-DTVP_UNPACK_TO_DST_FP32=" + std::to_string(request.unpack_to_dst_fp32) + "u");
    // Older kernels name their entry through the macros, or have one for each thread; newer ones
    // define kernel_main.
    for (const char* const old_entry : {"void MAIN", "void math_main", "void pack_main"})
      if (text.find(old_entry) != std::string::npos) {
        job.command.push_back("-DTVP_KERNEL_HAS_MAIN");
        break;
      }
  }

  append(job.command, cross_.flags());
  const PrecompiledHeader& first = standard_headers(compute, optimized);
  job.first_header = first.path();
  job.first_files = first.files();
  append(job.command, {"-include", job.first_header, "-include", generated + "/entry.h", "-include",
                       source, generated + "/kernel.cpp"});
  job.key_text = cross_.identity();
  if (compute && request.processor != contract::kTrisc0) {  // threads with the vector unit
    job.rewrite = [](const std::string& assembly) {
      return vectors::assign_vector_registers(assembly);
    };
    job.key_text += vectors::version();
    job.second_command = cross_.command();
    job.second_command.push_back("-c");
  } else {
    job.command.push_back("-c");
  }
  return job;
}

CompileCache::Job KernelCompiler::link_job(const KernelRequest& request,
                                           const CompileOptions& options,
                                           const CompileCache::Image& object) {
  const std::uint32_t base =
      request.image_base.value_or(contract::usual_kernel_base(request.processor));
  CompileCache::Job job;
  job.name = find_source(request.source);
  job.tool = CompileCache::Job::Tool::kLinker;
  job.key_text = cross_.identity() + object.hash;
  job.inputs = {root_ + "/firmware/boot/kernel.ld", firmware_symbols(request.processor, options),
                object.path};
  job.command = cross_.command();
  append(job.command, link_words(request.processor, options));
  const bool in_iram =
      request.processor == contract::kNcrisc && chip_of(options).memories.instruction_bytes != 0;
  append(job.command,
         {"-T", job.inputs[0], "-Wl,--gc-sections", "-Xlinker", "--just-symbols=" + job.inputs[1],
          defsym("__image_base", base), defsym("__text_base", in_iram ? contract::kIramBase : base),
          // Larger than any place. kernel_places() then names the kernel that does not fit.
          defsym("__text_size", chip_of(options).memories.tensix_l1_bytes), object.path, "-lc",
          "-lgcc"});
  return job;
}

std::string KernelCompiler::firmware_symbols(std::uint32_t processor,
                                             const CompileOptions& options) {
  const CompileCache::Image image = cache_.build({firmware_job(processor, options)})[0];
  CompileCache::Job job;
  job.name = image.path;
  job.tool = CompileCache::Job::Tool::kObjcopy;
  job.command = {cross_.objcopy(), "--weaken", "--strip-debug", image.path};
  job.key_text = cross_.identity() + image.hash;  // other symbols make another file
  job.inputs = {image.path};
  return cache_.build({job})[0].path;
}

std::shared_ptr<const ElfImage> KernelCompiler::load(const CompileCache::Image& image) {
  auto& loaded = loaded_[image.path + "@" + image.hash];
  if (loaded) return loaded;
  const std::string content = foundation::read_file(image.path);
  if (foundation::ContentHash().add(content).hex() != image.hash) {
    throw foundation::HostError(image.path, "another process has just changed it: try again");
  }
  loaded = std::make_shared<const ElfImage>(
      ElfImage::from_memory({content.begin(), content.end()}, image.path));
  return loaded;
}

std::shared_ptr<const ElfImage> KernelCompiler::firmware(std::uint32_t processor,
                                                         const CompileOptions& options) {
  return load(cache_.build({firmware_job(processor, options)})[0]);
}

std::vector<std::shared_ptr<const ElfImage>> KernelCompiler::kernels(
    const std::vector<KernelRequest>& requests, const CompileOptions& options) {
  // Compiles all firmware first, in parallel, because kernels need its symbols.
  std::vector<CompileCache::Job> firmware_jobs;
  for (const KernelRequest& request : requests)
    firmware_jobs.push_back(firmware_job(request.processor, options));
  cache_.build(firmware_jobs);

  std::vector<CompileCache::Job> jobs;
  for (const KernelRequest& request : requests) jobs.push_back(object_job(request, options));
  const std::vector<CompileCache::Image> objects = cache_.build(jobs);
  jobs.clear();
  for (std::size_t i = 0; i < requests.size(); ++i)
    jobs.push_back(link_job(requests[i], options, objects[i]));
  std::vector<std::shared_ptr<const ElfImage>> images;
  for (const auto& image : cache_.build(jobs)) {
    const KernelRequest& request = requests[images.size()];
    images.push_back(load(image));
    sources_[image.path] = find_source(request.source);
    check_instruction_memory(request, *images.back(), options);
  }
  return images;
}

std::string KernelCompiler::source_of(const ElfImage& image) const {
  const auto found = sources_.find(image.name());
  return found == sources_.end() ? image.name() : found->second;
}

void KernelCompiler::check_instruction_memory(const KernelRequest& request, const ElfImage& image,
                                              const CompileOptions& options) {
  if (request.processor != contract::kNcrisc) return;
  const std::uint32_t has = chip_of(options).memories.instruction_bytes;
  const std::uint32_t needs = image.symbol("__text_bytes");
  if (has == 0 || needs <= has) return;
  throw foundation::Fault(foundation::FaultKind::kFirmware, request.source,
                          "its instructions take " + std::to_string(needs) +
                              " bytes on NCRISC, which executes them in an instruction memory of " +
                              std::to_string(has) + " bytes" +
                              (options.debuggable ? kLargerForDebugger : ""));
}

std::shared_ptr<const ElfImage> KernelCompiler::unit_program(
    const std::string& source, const std::map<std::string, std::string>& defines, bool debuggable) {
  CompileCache::Job job;
  job.name = find_source(source);
  const std::string generated =
      cache_.generated({{"entry.h", "#include \"firmware/boot/pim/unit_start.cpp\"\n"},
                        {"unit.cpp", kOnlyIncluded}});
  job.inputs = {root_ + "/firmware/boot/pim/unit.ld"};
  job.command = base_command();
  append(job.command, optimization(debuggable, "-O2"));
  job.command.insert(job.command.end(),
                     {"-I" + root_, "-include", generated + "/entry.h", "-include", job.name,
                      generated + "/unit.cpp", "-T", job.inputs[0], "-Wl,--gc-sections"});
  for (const auto& [name, value] : defines) job.command.push_back("-D" + name + "=" + value);
  append(job.command, cross_.flags());
  append(job.command, {"-lc", "-lgcc"});
  job.key_text = cross_.identity();
  return load(cache_.build({job})[0]);
}

}  // namespace tvp::runtime
