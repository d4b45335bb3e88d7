#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "foundation/contract/data_format.h"
#include "sw/runtime/compiler/kernel_names.h"

namespace tvp::runtime {

using ::DataFormat;

enum class DataMovementProcessor : std::uint8_t { RISCV_0 = 0, RISCV_1 = 1 };
enum class NOC : std::uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };
/// Default NoCs of a reader's and a writer's kernel (tt-metal tt-metalium/kernel_types.hpp, for
/// Wormhole): responses from DRAM take the short way over NoC 0.
namespace detail {
constexpr NOC preferred_noc_for_dram_read() { return NOC::NOC_0; }
constexpr NOC preferred_noc_for_dram_write() { return NOC::NOC_1; }
}  // namespace detail
enum class NOC_MODE : std::uint8_t { DM_DEDICATED_NOC = 0, DM_DYNAMIC_NOC = 1 };
enum class MathFidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };

/// Optimization level of a kernel. Defaults are tt-metal's, except for compute kernels (O3 there).
enum class KernelBuildOptLevel : std::uint8_t { O1, O2, O3, O0, Os, Ofast, Oz };

/// Compile-time arguments by name, from any map type of the host program.
struct NamedArguments : std::map<std::string, std::uint32_t> {
  using map::map;
  NamedArguments(const map& arguments) : map(arguments) {}
  NamedArguments(const std::unordered_map<std::string, std::uint32_t>& arguments)
      : map(arguments.begin(), arguments.end()) {}
};

/// Kernel of BRISC (RISCV_0) or NCRISC (RISCV_1).
struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  NOC_MODE noc_mode = NOC_MODE::DM_DEDICATED_NOC;
  std::vector<std::uint32_t> compile_args{};
  std::map<std::string, std::string> defines{};
  NamedArguments named_compile_args{};
  KernelNames names{};
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
  /// Folders of the kernel's own headers, searched after those of the API.
  std::vector<std::string> compiler_include_paths{};
};
struct ReaderDataMovementConfig : DataMovementConfig {
  explicit ReaderDataMovementConfig(std::vector<std::uint32_t> args = {},
                                    std::map<std::string, std::string> definitions = {})
      : DataMovementConfig{.processor = DataMovementProcessor::RISCV_1,
                           .noc = detail::preferred_noc_for_dram_read(),
                           .compile_args = std::move(args),
                           .defines = std::move(definitions),
                           .named_compile_args = {},
                           .names = {},
                           .compiler_include_paths = {}} {}
};
struct WriterDataMovementConfig : DataMovementConfig {
  explicit WriterDataMovementConfig(std::vector<std::uint32_t> args = {},
                                    std::map<std::string, std::string> definitions = {})
      : DataMovementConfig{.processor = DataMovementProcessor::RISCV_0,
                           .noc = detail::preferred_noc_for_dram_write(),
                           .compile_args = std::move(args),
                           .defines = std::move(definitions),
                           .named_compile_args = {},
                           .names = {},
                           .compiler_include_paths = {}} {}
};

/// Selects how copy_tile() moves FP32 tiles of a circular buffer to a 32-bit DST: unchanged, or
/// through the source registers, which keep ten bits of the mantissa.
enum class UnpackToDestMode : std::uint8_t { UnpackToDestFp32, Default };

/// One source that becomes the kernels of the three TRISCs.
struct ComputeConfig {
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false;
  bool dst_full_sync_en = false;
  std::vector<UnpackToDestMode> unpack_to_dest_mode{};  ///< mode of each circular buffer
  /// Rounds results in block formats once, and not to seven digits first.
  bool bfp8_pack_precise = false;
  bool math_approx_mode = false;
  std::vector<std::uint32_t> compile_args{};
  std::map<std::string, std::string> defines{};
  NamedArguments named_compile_args{};
  KernelNames names{};
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::O2;
  /// Folders of the kernel's own headers, searched after those of the API.
  std::vector<std::string> compiler_include_paths{};
};

/// Kernel of an ethernet tile's core.
struct EthernetConfig {
  NOC noc = NOC::NOC_0;
  std::vector<std::uint32_t> compile_args{};
  std::map<std::string, std::string> defines{};
  NamedArguments named_compile_args{};
  KernelNames names{};
  KernelBuildOptLevel opt_level = KernelBuildOptLevel::Os;
  /// Folders of the kernel's own headers, searched after those of the API.
  std::vector<std::string> compiler_include_paths{};
};

/// Shape of a tile: rows and columns of datums, faces of at most 16x16.
struct Tile {
  std::uint32_t height = 32;
  std::uint32_t width = 32;

  std::uint32_t face_height() const { return height < 16 ? height : 16; }
  std::uint32_t face_width() const { return width < 16 ? width : 16; }
  /// Throws Fault(kDescription) for a shape that hardware does not have.
  void check() const;
  std::uint32_t faces() const { return height / face_height() * (width / face_width()); }
  /// Bytes in L1. Block formats have one shared exponent for each 16 datums, in units of 16 bytes.
  constexpr std::uint32_t bytes(DataFormat format) const;
  bool operator==(const Tile&) const = default;
};

/// The part of a tile that kernels use instead of the whole shape: some faces and the first rows of
/// each.
struct FaceGeometry {
  std::uint32_t face_r_dim = 16;
  std::uint32_t num_faces = 4;

  /// Throws Fault(kDescription).
  void check() const;
  bool operator==(const FaceGeometry&) const = default;
};

/// Throws Fault(kDescription): not a constant expression.
[[noreturn]] void refuse_format_without_size();

constexpr std::uint32_t Tile::bytes(DataFormat format) const {
  const std::uint32_t datums = height * width;
  const std::uint32_t exponents = (datums / 16 + 15) & ~15U;
  switch (format) {
    case DataFormat::Float32:
    case DataFormat::Tf32:
    case DataFormat::Int32:
    case DataFormat::UInt32:
    case DataFormat::RawUInt32:
      return datums * 4;
    case DataFormat::Float16:
    case DataFormat::Float16_b:
    case DataFormat::UInt16:
    case DataFormat::RawUInt16:
      return datums * 2;
    case DataFormat::Lf8:
    case DataFormat::Int8:
    case DataFormat::UInt8:
    case DataFormat::RawUInt8:
      return datums;
    case DataFormat::Bfp8:
    case DataFormat::Bfp8_b:
      return datums + exponents;
    case DataFormat::Bfp4:
    case DataFormat::Bfp4_b:
      return datums / 2 + exponents;
    case DataFormat::Bfp2:
    case DataFormat::Bfp2_b:
      return datums / 4 + exponents;
    case DataFormat::Invalid:
      break;
  }
  refuse_format_without_size();
}

}  // namespace tvp::runtime
