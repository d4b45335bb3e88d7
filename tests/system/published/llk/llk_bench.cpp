#include "tests/system/published/llk/llk_bench.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "foundation/elf_image.h"
#include "sw/runtime/devices/chip_layout.h"

namespace tvp::test {
namespace {

namespace fs = std::filesystem;
using namespace runtime;

const std::array<std::string, 3> kThreads = {"unpack", "math", "pack"};

// Addresses that the tests' boot code, profiler and host share (tests/helpers: src/brisc.cpp,
// src/trisc.cpp, include/profiler.h, ld/memory.wormhole.ld).
constexpr std::uint32_t kMailboxes = 0x1FFB8;
constexpr std::uint32_t kBriscCommands = kMailboxes + 12;
constexpr std::uint32_t kBriscCounter = kMailboxes + 20;
constexpr std::uint32_t kParameters = 0x20000;
constexpr std::uint32_t kZones = 0x16B000;
constexpr std::uint32_t kZonesOfThread = 0x1000;
constexpr std::uint32_t kStartAddresses = 0x16DFF0;
constexpr std::uint32_t kLocalMemory = 0xFFB00000;
constexpr std::uint32_t kResetTriscs = 2, kStartTriscs = 3, kComplete = 0xFF;

// ISA TileControlDebugStatus.md and SoftReset.md.
constexpr std::uint32_t kSoftReset = 0xFFB121B0;
constexpr std::uint32_t kAllInReset = 0x47800, kBriscRuns = 0x47000;

constexpr std::uint32_t kClockCycles = 2000;

/// Debian's compiler builds the kernels. `.ttinsn` is a word of the program, rotated left by two
/// (ISA BabyRISCV/PushTensixInstruction.md).
constexpr const char* kPrelude =
    "asm(\".macro .ttinsn value\\n"
    ".word (((\\\\value) & 0x3fffffff) << 2) | (((\\\\value) >> 30) & 3)\\n.endm\");\n";

/// The functions of the replay buffer that tt-metal's compiler provides.
constexpr const char* kReplays = R"(#pragma once
#include <cstdint>
namespace lltt {
enum ExecBool : bool { NoExec, Exec };
constexpr std::uint32_t word(unsigned start, unsigned length, unsigned execute, unsigned load) {
  return 0x04u << 24 | start << 14 | length << 4 | execute << 1 | load;
}
__attribute__((always_inline)) inline void push(std::uint32_t word) {
  if (__builtin_constant_p(word)) {
    asm volatile(".ttinsn %0" : : "i"(word));
  } else {
    *reinterpret_cast<volatile std::uint32_t*>(0xFFE40000) = word;
  }
}
template <ExecBool execute = NoExec>
__attribute__((always_inline)) inline void record(unsigned start, unsigned length) {
  push(word(start, length, execute, 1));
}
__attribute__((always_inline)) inline void replay(unsigned start, unsigned length) {
  push(word(start, length, 0, 0));
}
constexpr std::uint32_t replay_insn(unsigned start, unsigned length) {
  return word(start, length, 0, 0);
}
}
)";

/// The header with all functions of the vector unit needs tt-metal's compiler. These kernels do not
/// use it.
constexpr const char* kNoVectors = R"(#pragma once
#include "ckernel.h"
#include "ckernel_defs.h"
)";

constexpr const char* kEveryHeader = R"(#pragma once
#include <array>
#include <type_traits>
#include "operand.h"
#include "llk_defs.h"
#include "llk_sfpu_types.h"
#include "perf.h"
#include "tensix_types.h"
#define RUNTIME_PARAMETERS [[maybe_unused]] const struct RuntimeParams&
constexpr bool l1_acc_en = false;
struct FormatConfig {
  std::uint32_t unpack_A_src, unpack_B_src, unpack_S_src, unpack_A_dst, unpack_B_dst, unpack_S_dst;
  std::uint32_t math, pack_src, pack_dst, pack_S_src, pack_S_dst;
};
)";

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  return text;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string newest_cxx_headers() {
  std::vector<std::string> versions;
  for (const auto& entry : fs::directory_iterator("/usr/include/newlib/c++"))
    versions.push_back(entry.path());
  return *std::max_element(versions.begin(), versions.end());
}

}  // namespace

LlkBench::LlkBench(const std::string& llk, const std::string& metal)
    : llk_(llk),
      metal_(metal),
      library_(DeviceLibrary::open(TVP_LIBRARY)),
      spec_(ChipLayout::usual_spec()),
      cache_(CompileCache::default_folder()) {
  // These kernels pack uninitialized data and unpack over data that is not packed yet.
  library_->configure("system=single_chip\nfaults=warn\ncoprocessor.missing_waits=off");
  library_->init();
  tiles_ = std::make_unique<TileAccess>(*library_, 0, *spec_);
  tile_ = ChipLayout(spec_, 0, false).worker_noc0({0, 0});
  // An #include in quotes searches the file's folder first, so all headers of that folder but one
  // are linked there.
  headers_ = TVP_KERNEL_FOLDER "/headers";
  fs::remove_all(headers_);
  fs::create_directories(headers_);
  for (const auto& entry : fs::directory_iterator(llk_ + "/tt_llk_wormhole_b0/common/inc")) {
    const std::string name = entry.path().filename();
    if (name == "sfpu") fs::create_directory_symlink(entry.path(), headers_ + "/" + name);
    if (name != "ckernel_sfpu.h" && entry.is_regular_file())
      fs::create_symlink(entry.path(), headers_ + "/" + name);
  }
}

LlkBench::~LlkBench() = default;

std::unique_ptr<LlkBench> LlkBench::of_environment() {
  const std::string metal = variable("TT_METAL_HOME");
  if (metal.empty()) return nullptr;
  for (const std::string& llk : {variable("TT_LLK_HOME"), metal + "/tt_metal/third_party/tt_llk",
                                 metal + "/tt_metal/tt-llk"}) {
    if (fs::exists(llk + "/tests/sources/matmul_perf.cpp"))
      return std::make_unique<LlkBench>(llk, metal);
  }
  return nullptr;
}

std::string LlkBench::kernel_folder(const LlkCell& cell) {
  std::string header = kEveryHeader;
  for (const std::string& line : cell.header) header += line + "\n";
  header += "constexpr auto PERF_RUN_TYPE = PerfRunType::" + cell.run_type + ";\n";
  header +=
      "struct RuntimeParams {\n"
      "  std::uint32_t TILE_SIZE_PACK, TILE_SIZE_UNPACK_A, TILE_SIZE_UNPACK_B;\n"
      "  FormatConfig formats;\n"
      "  Operand buffer_A, buffer_B, buffer_Res;\n";
  for (const auto& parameter : cell.parameters)
    header += "  " + parameter.type + " " + parameter.name + ";\n";
  header += "};\n";
  std::map<std::string, std::string> files = {
      {"build.h", header},
      {"prelude.h", kPrelude},
      {"lltt.h", kReplays},
      {"ckernel_sfpu.h", kNoVectors},
      {"sfpi.h", "#pragma once\n"},
      {"kernel.cpp", "#include <" + cell.source + ">\n#include <trisc.cpp>\n"},
      {"boot.cpp", "#include <brisc.cpp>\n"}};
  for (const auto& [name, text] : cell.headers) files[name] = text;
  return cache_.generated({files.begin(), files.end()});
}

std::vector<std::string> LlkBench::command(const std::string& thread) const {
  const std::string cxx = newest_cxx_headers(), tests = llk_ + "/tests";
  const std::string chip = metal_ + "/tt_metal/hw/inc";
  const std::string wormhole = chip + "/internal/tt-1xx/wormhole";
  const std::string scripts = tests + "/helpers/ld/";
  return {"riscv64-unknown-elf-g++",
          "-march=rv32im",
          "-mabi=ilp32",
          "--specs=picolibc.specs",
          "-O3",
          "-std=c++17",
          "-ffast-math",
          "-w",
          "-mstrict-align",
          "-fno-move-loop-stores",
          "-fno-tree-loop-distribute-patterns",
          "--param=min-pagesize=0",
          "-fno-exceptions",
          "-fno-rtti",
          "-fno-use-cxa-atexit",
          "-fno-asynchronous-unwind-tables",
          "-nostdlib",
          "-nostartfiles",
          "-isystem",
          cxx,
          "-isystem",
          cxx + "/arm-none-eabi",
          "-I" + tests,
          "-I" + tests + "/helpers/src",
          "-I" + llk_ + "/tt_llk_wormhole_b0/llk_lib",
          "-I" + headers_,
          "-I" + llk_ + "/common",
          "-I" + wormhole,
          "-I" + wormhole + "/wormhole_b0_defines",
          "-I" + chip,
          "-I" + tests + "/helpers/include",
          "-DTENSIX_FIRMWARE",
          "-DENV_LLK_INFRA",
          "-DENABLE_LLK_ASSERT",
          "-DARCH_WORMHOLE",
          "-DLLK_BOOT_MODE_BRISC",
          "-Wl,-z,max-page-size=16",
          "-Wl,-z,common-page-size=16",
          "-T" + scripts + "memory.wormhole.ld",
          "-T" + scripts + thread + ".ld",
          "-T" + scripts + "sections.ld"};
}

CompileCache::Job LlkBench::job(const LlkCell& cell, unsigned thread) {
  const bool boot = thread == kThreads.size();
  const std::string name = boot ? "brisc" : kThreads[thread];
  const std::string folder = kernel_folder(cell);
  CompileCache::Job job;
  job.name = cell.source;
  job.command = command(name);
  job.command.insert(job.command.end(),
                     {"-iquote", folder, "-I" + folder, "-include", folder + "/prelude.h"});
  if (!boot) {
    job.command.insert(job.command.end(),
                       {"-DLLK_PROFILER", "-DRUNTIME_FORMATS", "-DLLK_TRISC_" + upper(name),
                        "-DCOMPILE_FOR_TRISC=" + std::to_string(thread)});
  }
  job.command.insert(job.command.end(),
                     {folder + (boot ? "/boot.cpp" : "/kernel.cpp"), "-lc", "-lgcc"});
  return job;
}

/// The host cannot access local memories. Their content goes to the address that the start code
/// copies from. Returns the entry address.
std::uint32_t LlkBench::load(const std::string& elf) {
  const auto image = foundation::ElfImage::from_file(elf);
  const std::uint32_t copied = image.symbol("__loader_init_start");
  for (const auto& segment : image.segments()) {
    if (segment.data.empty()) continue;
    const std::uint32_t to = segment.address >= kLocalMemory
                                 ? copied + (segment.address - kLocalMemory)
                                 : segment.address;
    tiles_->write(tile_, to, segment.data.data(), segment.data.size());
  }
  return image.entry();
}

void LlkBench::command_brisc(std::uint32_t command) {
  const std::uint32_t counter = read32(kBriscCounter);
  write32(kBriscCommands + 4 * (counter & 1), command);
  for (unsigned i = 0; read32(kBriscCounter) == counter; ++i) {
    if (i == 100) throw std::runtime_error("BRISC does not take a command");
    library_->clock(kClockCycles);
  }
}

void LlkBench::boot() {
  write32(kSoftReset, kBriscRuns);
  library_->clock(5 * kClockCycles);
  booted_ = true;
}

void LlkBench::write_parameters(const LlkCell& cell) {
  std::vector<std::uint8_t> bytes;
  const auto append = [&bytes](std::uint32_t value, std::size_t size) {
    while (bytes.size() % size != 0) bytes.push_back(0);
    for (std::size_t i = 0; i < size; ++i)
      bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  };
  for (const std::uint32_t size : cell.tile_sizes) append(size, 4);
  for (const std::uint32_t format : cell.formats) append(format, 4);
  for (const std::uint32_t operand : cell.operands) append(operand, 4);
  for (const auto& parameter : cell.parameters)
    append(parameter.value, parameter.type == "bool" ? 1 : 4);
  while (bytes.size() % 4 != 0) bytes.push_back(0);
  tiles_->write(tile_, kParameters, bytes.data(), bytes.size());
}

/// Entries are two words: type and upper bits of the time, lower bits. The zones are KERNEL, and in
/// it INIT, TILE_LOOP and those of the kernel.
LlkBench::Zone LlkBench::tile_loop_of(unsigned thread) {
  std::array<std::uint32_t, 10> words{};
  tiles_->read(tile_, kZones + thread * kZonesOfThread, words.data(), sizeof(words));
  const auto time = [&words](std::size_t entry, std::uint32_t type) {
    if (words[2 * entry] >> 28 != type) throw std::runtime_error("a zone is missing");
    return std::uint64_t{words[2 * entry] & 0xFFF} << 32 | words[2 * entry + 1];
  };
  return {time(3, 0xA), time(4, 0xB)};
}

void LlkBench::run(const LlkCell& cell) {
  std::vector<CompileCache::Job> jobs;
  for (unsigned thread = 0; thread <= kThreads.size(); ++thread) jobs.push_back(job(cell, thread));
  const auto images = cache_.build(jobs);
  if (!booted_) {
    write32(kSoftReset, kAllInReset);
    load(images[kThreads.size()].path);
    boot();
  }
  command_brisc(kResetTriscs);
  std::array<std::uint32_t, 3> starts{};
  for (unsigned thread = 0; thread < kThreads.size(); ++thread)
    starts[thread] = load(images[thread].path);
  tiles_->write(tile_, kStartAddresses, starts.data(), sizeof(starts));
  write_parameters(cell);
  command_brisc(kStartTriscs);
  for (unsigned thread = 0; thread < kThreads.size(); ++thread) {
    for (unsigned i = 0; read32(kMailboxes + 4 * thread) != kComplete; ++i) {
      if (i == 20000) throw std::runtime_error(cell.source + ": " + kThreads[thread] + " hangs");
      library_->clock(kClockCycles);
    }
  }
}

std::uint64_t LlkBench::tile_loop(const LlkCell& cell) {
  run(cell);
  if (cell.run_type == "L1_TO_L1") return tile_loop_of(2).end - tile_loop_of(0).begin;
  const unsigned isolated = cell.run_type == "UNPACK_ISOLATE" ? 0
                            : cell.run_type == "MATH_ISOLATE" ? 1
                                                              : 2;
  const Zone zone = tile_loop_of(isolated);
  return zone.end - zone.begin;
}

}  // namespace tvp::test
