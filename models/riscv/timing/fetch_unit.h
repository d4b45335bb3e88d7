#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "models/riscv/core_generation.h"
#include "models/riscv/decode/predecoded_code.h"
#include "models/riscv/execute/load_store_unit.h"
#include "models/riscv/timing/instruction_cache.h"

namespace tvp::riscv {

/// The fetched instructions of a core, its instruction RAM, and breakpoints.
class FetchUnit {
 public:
  FetchUnit(std::uint32_t iram_bytes, CoreGeneration cores) : cores_(cores), iram_(iram_bytes) {}

  /// Reset: nothing is fetched, and the cache (ISA InstructionCache.md) is empty.
  void reset(std::uint32_t l1_bytes, const CoreGeneration::Cache& cache);
  /// Makes the core fetch everything again. No other function does that.
  void invalidate();
  /// A debugger or the host has written words in memory.
  void forget(std::uint32_t address, std::uint32_t bytes) {
    ++generation_;
    code_.forget(address, bytes);
  }

  std::uint32_t iram_bytes() const { return static_cast<std::uint32_t>(iram_.size()); }
  /// False beyond the end of instruction RAM.
  bool write_iram(std::uint32_t offset, const std::uint8_t* data, std::uint32_t bytes);
  bool read_iram(std::uint32_t address, void* data, std::uint32_t bytes) const;

  /// Reports a jump to address 0 as the use of a null pointer.
  void refuse_null(bool refused) {
    if (refuses_null_ == refused) return;
    refuses_null_ = refused;
    forget(0, 4);
  }

  /// The page at which a core begins after reset or by a debugger.
  PredecodedCode::Page* page_to_begin_at(std::uint32_t pc) { return code_.page(pc); }
  /// The page of address pc, or null if nothing can be fetched there.
  PredecodedCode::Page* page(std::uint32_t pc) {
    return pc == 0 && refuses_null_ ? nullptr : code_.page(pc);
  }
  CoreGeneration cores() const { return cores_; }
  /// Enters the word at the place of `op`; false if there is no memory.
  bool fetch(PredecodedCode::Page& page, Op* op, LoadStoreUnit& memory);

  // For users that keep data about code.

  /// Changes when fetched words change.
  std::uint32_t generation() const { return generation_; }
  /// Number of evicted lines.
  std::uint64_t evictions() const { return evictions_; }

  const InstructionCache::Tags& cached() const { return cache_.tags(); }
  /// True if fetching the word takes no time.
  bool is_present(std::uint32_t pc) const {
    return !cache_.on() || pc >= PredecodedCode::kIramBase ||
           cache_.has(pc / InstructionCache::kLineBytes);
  }
  /// Loads the absent line of `op` into the cache.
  void take_in(PredecodedCode::Page& page, const Op* op);
  /// The same for many lines in turn. The predecoded words follow with show_present().
  void take_in_unshown(std::uint32_t pc) {
    const std::uint32_t line = pc / InstructionCache::kLineBytes;
    if (cache_.fill(line) != InstructionCache::kNothing) ++evictions_;
    unshown_[cache_.place_of(line)] = true;
    any_unshown_ = true;
  }
  void show_present() {
    if (any_unshown_) show_unshown();
  }

  void insert_breakpoint(std::uint32_t pc);
  void remove_breakpoint(std::uint32_t pc);

 private:
  const CoreGeneration cores_;
  void patch_breakpoint(std::uint32_t pc, bool insert);
  void show_unshown();

  std::vector<std::uint8_t> iram_;
  PredecodedCode code_;
  InstructionCache cache_;
  std::vector<std::uint32_t> breakpoints_;
  std::uint32_t generation_ = 0;
  std::uint64_t evictions_ = 0;
  bool refuses_null_ = false;
  /// The lines whose words PredecodedCode shows, and the places of the cache that have another one.
  InstructionCache::Tags shown_{};
  std::bitset<InstructionCache::kMaxLines> unshown_;
  bool any_unshown_ = false;
};

}  // namespace tvp::riscv
