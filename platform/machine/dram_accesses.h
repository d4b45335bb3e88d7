#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "foundation/warning_sink.h"
#include "models/noc/dram_watch.h"
#include "models/riscv/core.h"
#include "platform/machine/dram_buffers.h"
#include "platform/machine/symbol_table.h"

namespace tvp::platform {

/// Warns of what the cores of a tile read and write beyond the buffers in DRAM, once for each place
/// in their code as long as the buffers are the same. Silicon does it without a word.
class DramAccesses : public noc::DramWatch {
 public:
  struct Tile {
    unsigned chip = 0;
    unsigned x = 0;
    unsigned y = 0;
  };
  DramAccesses(DramBuffers& buffers, const SymbolTable& symbols, Tile tile,
               std::span<const std::uint8_t> l1, foundation::WarningSink& warnings)
      : buffers_(buffers), symbols_(symbols), tile_(tile), l1_(l1), warnings_(warnings) {}
  /// `kind` is its tensix_vp_core.
  void add(const riscv::Core& core, unsigned kind) { cores_.push_back({&core, kind, {}}); }

  /// All words that the kernel which this one starts next is given; false if there is no such core.
  bool give(unsigned kind, std::span<const std::uint32_t> words);

  void started(support::BusMaster core, const Access& access) override;

 private:
  struct KnownCore {
    const riscv::Core* core;
    unsigned kind;
    std::vector<std::uint32_t> given{};   ///< in ascending order
    std::vector<std::uint64_t> stored{};  ///< buffers whose address its kernel finds in L1
  };
  /// The kernel was given the buffer before, and not the one in which it is.
  static bool went_on(const KnownCore& by, const DramBuffers::Found& found);
  bool is_stored(KnownCore& by, const Access& access, const DramBuffers::Found& found) const;
  static std::string not_given(const DramBuffers::Found& found);
  std::string sender_of_nothing(support::BusMaster core, const Access& access) const;
  DramBuffers::Command command_of(support::BusMaster core, const Access& access) const;
  bool is_told(const KnownCore& of);
  void warn(const KnownCore& of, const Access& access, const std::string& beyond);

  DramBuffers& buffers_;
  const SymbolTable& symbols_;
  const Tile tile_;
  const std::span<const std::uint8_t> l1_;
  foundation::WarningSink& warnings_;
  std::vector<KnownCore> cores_;
  std::vector<std::pair<const riscv::Core*, std::uint32_t>> told_;  ///< core and pc
  std::uint64_t told_at_ = 0;                                       ///< changes of the buffers
};

}  // namespace tvp::platform
