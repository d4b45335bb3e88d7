#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/config/config_layout.h"
#include "models/tensix/coprocessor/execution_unit.h"
#include "models/tensix/coprocessor/scalar/gprs.h"
#include "models/tensix/coprocessor/write_back.h"

namespace tvp::tensix::coprocessor {

/// Configuration writes that take effect at once (ISA BackendConfiguration.md, special cases).
class ConfigListener {
 public:
  virtual ~ConfigListener() = default;
  virtual void invalidate_instruction_caches(std::uint32_t mask, Cycle now) = 0;
  virtual void seed_prng(std::uint32_t seed) = 0;
  /// SETC16 to UNPACK_MISC_CFG resets the unpackers' context counters of the thread.
  virtual void reset_context_counters(unsigned thread) = 0;
  /// A word will become `value`.
  virtual void changes(unsigned bank, unsigned index, std::uint32_t value, Cycle now) = 0;
};

/// Executes SETC16, WRCFG, RMWCIB and RDCFG. No other class writes the configuration (ISA
/// TensixCoprocessor/ConfigurationUnit.md).
///
/// Requests of RISC-V cores and of the mover are served when they come. Their contention with
/// RMWCIB and RDCFG for one slot a cycle is not modelled.
class ConfigurationUnit {
 public:
  /// WRCFG takes effect for instructions issued this long after it.
  static constexpr Cycle kWrcfgLatency = 2;
  /// RDCFG holds its thread for this long.
  static constexpr Cycle kRdcfgCycles = 2;
  ConfigurationUnit(std::string where, BackendConfig& config, Gprs& gprs, WriteBack& write_back,
                    ConfigListener& listener, foundation::FaultPolicy& faults,
                    Generation generation = Generation::kWormhole);

  const ConfigLayout& layout() const { return layout_; }

  Issue issue(std::uint32_t instruction, unsigned thread, Cycle now);

  /// First cycle without an instruction of any thread in the unit.
  Cycle idle_from() const { return idle_from_; }

  /// Writes one word of a bank, including side effects.
  void write(unsigned bank, unsigned index, std::uint32_t value, Cycle now);
  /// The same for a write that WRCFG has announced.
  void deliver(unsigned bank, unsigned index, std::uint32_t value, Cycle now);
  /// Reads one word of the window at TENSIX_CFG_BASE: the banks, then ThreadConfig. False if there
  /// is none.
  bool read_window(unsigned word, std::uint32_t& value) const;
  bool write_window(unsigned word, std::uint32_t value, Cycle now);

 private:
  Issue execute(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue write_from_gprs(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue write_thread(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue write_byte(std::uint32_t instruction, unsigned thread, Cycle now);
  Issue read_to_gpr(std::uint32_t instruction, unsigned thread, Cycle now);
  bool slot_free(Cycle now) const;
  bool check(bool ok, const char* mnemonic, unsigned thread, std::uint32_t index);
  void announce(unsigned bank, unsigned index, std::uint32_t value, Cycle now);
  void store(unsigned bank, unsigned index, std::uint32_t value, Cycle now);
  void store_moved(unsigned bank, unsigned index, std::uint32_t value, Cycle now);
  void unmodelled(const std::string& what, std::uint32_t bits);
  std::uint32_t& word(unsigned bank, unsigned index) {
    return layout_.is_internal() ? config_.bank[bank][index]
                                 : words_[bank * layout_.bank_words() + index];
  }
  std::uint32_t word(unsigned bank, unsigned index) const {
    return layout_.is_internal() ? config_.bank[bank][index]
                                 : words_[bank * layout_.bank_words() + index];
  }
  std::uint32_t thread_word(unsigned thread, unsigned index) const {
    return layout_.is_internal() ? config_.thread[thread][index]
                                 : thread_words_[thread * layout_.thread_words() + index];
  }

  std::string where_;
  const ConfigLayout& layout_;
  BackendConfig& config_;
  /// Values that firmware wrote, of both banks and of the threads. Empty if `config_` has them.
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> thread_words_;
  Gprs& gprs_;
  WriteBack& write_back_;
  ConfigListener& listener_;
  foundation::FaultPolicy& faults_;
  Cycle wrcfg_used_ = support::kNever;  ///< one WRCFG in each cycle
  Cycle slot_used_ = support::kNever;   ///< one RMWCIB or RDCFG in each cycle ...
  Cycle idle_from_ = 0;
  Cycle long_used_ = support::kNever;  ///< ... and none in the cycle after WRCFG or RDCFG
};

}  // namespace tvp::tensix::coprocessor
