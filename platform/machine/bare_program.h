#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foundation/elf_image.h"
#include "foundation/output_file.h"
#include "models/riscv/debug/commit_log.h"
#include "platform/machine/chip.h"
#include "platform/machine/program_access.h"

namespace tvp::platform {

/// A linked RV32IM program on one core, without firmware. It is loaded at its link addresses and
/// starts at its entry. It ends with the store of an odd value to its symbol `tohost` (convention
/// of riscv-tests: 1 passes, v fails test v >> 1).
class BareProgram {
 public:
  using Options = ProgramOptions;
  using Result = ProgramResult;

  /// `core` is a tensix_vp_core at NoC 0 (x, y). Reads and checks the file. Throws
  /// Fault(kDescription) that names file and address.
  BareProgram(Chip& chip, unsigned x, unsigned y, unsigned core, const std::string& elf_path,
              const Options& options);
  ~BareProgram();
  BareProgram(const BareProgram&) = delete;
  BareProgram& operator=(const BareProgram&) = delete;

  /// Fills the memories and releases the core. Takes no simulated time.
  void start();
  /// The result up to cycle `now`, or up to the cycle of detach().
  Result result(support::Cycle now) const;
  /// True if the program has neither ended nor been replaced.
  bool unfinished() const { return !final_ && !result(0).ended; }
  /// Leaves the core to another program.
  void detach(support::Cycle now);
  /// Writes the rest of the commit log and, if the program has ended, the signature. Throws
  /// HostError if that fails.
  void flush();
  bool same_core(const BareProgram& other) const { return core_ == other.core_; }

 private:
  enum class Kind : std::uint8_t { kL1, kLocal, kInstruction };
  struct Memory {
    Kind kind;
    std::uint32_t base;
    std::uint32_t bytes;
  };
  /// A segment of the file and its destination.
  struct Region {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    const std::vector<std::uint8_t>* data = nullptr;
  };

  [[noreturn]] void refuse(const std::string& reason) const;
  const Memory* memory_at(std::uint32_t address, std::uint32_t bytes) const;
  void find_core(unsigned kind);
  void find_memories();
  void find_regions();
  void check_overlaps() const;
  void check_entry() const;
  void find_tohost();
  void open_commit_log(const std::string& path);
  void open_signature(const std::string& path);
  void write_signature();
  void fill(const Region& region);
  void release(support::Cycle now);
  void wake_tile();
  void leave_core();
  void tile_access(std::uint32_t address, std::uint8_t* data, std::uint32_t bytes, bool write);

  Chip& chip_;
  tensix::TensixTile* tensix_;
  ethernet::EthernetTile* ethernet_;
  riscv::Core* core_ = nullptr;
  std::uint32_t reset_bit_ = 0;
  foundation::ElfImage image_;
  std::vector<Memory> memories_;
  std::vector<Region> regions_;
  std::uint32_t tohost_ = 0;
  foundation::OutputFile commit_log_file_;
  std::unique_ptr<riscv::CommitLog> commit_log_;
  foundation::OutputFile signature_file_;
  std::uint32_t signature_begin_ = 0;
  std::uint32_t signature_bytes_ = 0;
  std::optional<Result> final_;  ///< set by detach()
  std::uint64_t executed_before_ = 0;
  std::uint64_t slept_before_ = 0;
};

}  // namespace tvp::platform
