#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "foundation/abi/tensix_vp/libttsim.h"
#include "models/support/calendar.h"
#include "platform/checks/record/dram_buffers.h"
#include "platform/checks/record/l1_buffers.h"
#include "platform/checks/tile_context.h"

namespace tvp::platform {

/// A core as the host names it: chip, NoC 0 coordinates, tensix_vp_core.
struct CorePlace {
  unsigned chip = 0;
  unsigned x = 0;
  unsigned y = 0;
  unsigned core = 0;
};

/// The outputs of a bare program.
struct ProgramOptions {
  std::string commit_log;  ///< file for spike's --log-commits text; empty: none
  std::string signature;   ///< file for the words from begin_signature to end_signature, or empty
};

struct ProgramResult {
  bool ended = false;
  std::uint32_t tohost = 0;        ///< the value that ended it
  std::uint64_t instructions = 0;  ///< executed, up to and including that store
  std::uint64_t slept_instructions = 0;
  support::Cycle cycles = 0;  ///< since the release from reset
};

/// Cores of chips that take ELF files by their place.
class ProgramAccess {
 public:
  virtual ~ProgramAccess() = default;
  /// Adds the symbols of an image that firmware has loaded there. False if it is no ELF file or
  /// there is no such core.
  virtual bool add_symbols(const CorePlace& place, const std::string& elf_path) = 0;
  /// The circular buffers of a Tensix tile; false when there is no such tile, or none has so many.
  virtual bool set_buffers(const CorePlace& place,
                           std::span<const tensix_vp_circular_buffer> buffers) = 0;
  /// Sets the arguments of a core's kernel. False if there is no such core.
  virtual bool set_arguments(const CorePlace& place, std::span<const std::uint32_t> words) = 0;
  /// Registers bytes of L1 that the program of a Tensix tile is given. False if there is no such
  /// tile, or not so much L1.
  virtual bool set_given(const CorePlace& place, const checks::TileContext::Given& given,
                         std::uint32_t address, std::uint32_t bytes) = 0;
  /// A buffer of the host's in DRAM, or its end; false when there is no such chip, or its pages
  /// have no size.
  virtual bool set_dram_buffer(unsigned chip, std::uint64_t address,
                               const checks::DramBuffers::Buffer& buffer) = 0;
  /// A buffer of the host's in L1 of these tiles, or its end; false when there is no such chip or
  /// tile.
  virtual bool set_l1_buffer(unsigned chip, std::uint32_t address, std::uint32_t bytes,
                             std::span<const checks::L1Buffers::Tile> tiles) = 0;
  /// Names the writer of the data at an address of a tile, in sentences with lines of kernels;
  /// empty if nothing is recorded.
  virtual std::string origin(unsigned chip, unsigned x, unsigned y,
                             std::uint64_t address) const = 0;
  /// Loads and starts a bare program, instead of an earlier one of the same core; returns its
  /// number. Throws Fault(kDescription) when that is not possible.
  virtual unsigned start_program(const CorePlace& place, const std::string& elf_path,
                                 const ProgramOptions& options) = 0;
  /// So far; nothing when there is no such program.
  virtual std::optional<ProgramResult> program_result(unsigned number) const = 0;
};

}  // namespace tvp::platform
