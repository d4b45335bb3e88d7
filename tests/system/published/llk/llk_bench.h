#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "foundation/chip/chip_spec.h"
#include "sw/runtime/compiler/compile_cache.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/devices/tile_access.h"

namespace tvp::test {

/// One measurement of tt-llk's performance tests: a kernel, the content of its header `build.h`,
/// and the words that the host writes to the core's memory.
struct LlkCell {
  struct Parameter {
    std::string type, name;
    std::uint32_t value = 0;
  };
  std::string source;               ///< path in the tests' folder: sources/matmul_perf.cpp
  std::vector<std::string> header;  ///< lines of build.h besides those of all kernels
  std::string run_type;             ///< L1_TO_L1, UNPACK_ISOLATE, MATH_ISOLATE, PACK_ISOLATE
  std::array<std::uint32_t, 3> tile_sizes{};  ///< for packer and unpackers, in 16 B
  std::array<std::uint32_t, 11> formats{};    ///< FormatConfig of build.h
  std::array<std::uint32_t, 6> operands{};  ///< address and tile size in bytes of A, B, the result
  std::vector<Parameter> parameters;        ///< the rest of RuntimeParams
  /// Headers by name that replace the tests' own.
  std::map<std::string, std::string> headers{};
};

/// Builds and runs unchanged kernels of tt-llk's performance tests with their boot code, as their
/// Python host does (tests/python_tests/helpers/test_config.py, profiler.py).
class LlkBench {
 public:
  /// `llk`: tt-llk's tree; `metal`: tt-metal's, for the register names of the chip.
  LlkBench(const std::string& llk, const std::string& metal);
  ~LlkBench();
  /// Uses the trees of TT_METAL_HOME and TT_LLK_HOME, or tt-llk's in the former. Null if there are
  /// none.
  static std::unique_ptr<LlkBench> of_environment();

  /// Cycles of the zone TILE_LOOP: from unpack's start to pack's end, or of the isolated thread.
  std::uint64_t tile_loop(const LlkCell& cell);
  /// Runs a kernel to its end. Kernels other than performance tests have no zones.
  void run(const LlkCell& cell);
  void write(std::uint32_t address, const std::vector<std::uint32_t>& words) {
    tiles_->write(tile_, address, words.data(), words.size() * 4);
  }
  std::vector<std::uint32_t> read(std::uint32_t address, std::size_t words) {
    std::vector<std::uint32_t> made(words);
    tiles_->read(tile_, address, made.data(), words * 4);
    return made;
  }

 private:
  struct Zone {
    std::uint64_t begin = 0, end = 0;
  };

  runtime::CompileCache::Job job(const LlkCell& cell, unsigned thread);
  std::string kernel_folder(const LlkCell& cell);
  std::vector<std::string> command(const std::string& thread) const;
  std::uint32_t load(const std::string& elf);
  void boot();
  void command_brisc(std::uint32_t command);
  void write_parameters(const LlkCell& cell);
  Zone tile_loop_of(unsigned thread);
  std::uint32_t read32(std::uint32_t address) { return tiles_->read32(tile_, address); }
  void write32(std::uint32_t address, std::uint32_t value) {
    tiles_->write32(tile_, address, value);
  }

  std::string llk_, metal_, headers_;
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::shared_ptr<const foundation::ChipSpec> spec_;
  std::unique_ptr<runtime::TileAccess> tiles_;
  runtime::CompileCache cache_;
  runtime::CoreCoord tile_;
  bool booted_ = false;
};

}  // namespace tvp::test
