#include "models/tensix/coprocessor/config/configuration_unit.h"

#include <algorithm>
#include <utility>

#include "foundation/hex.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;
namespace cfg = regs::config;

ConfigurationUnit::ConfigurationUnit(std::string where, BackendConfig& config, Gprs& gprs,
                                     WriteBack& write_back, ConfigListener& listener,
                                     foundation::FaultPolicy& faults, Generation generation)
    : where_(std::move(where)),
      layout_(ConfigLayout::of(generation)),
      config_(config),
      gprs_(gprs),
      write_back_(write_back),
      listener_(listener),
      faults_(faults) {
  if (layout_.is_internal()) return;
  words_.resize(2 * layout_.bank_words());
  thread_words_.resize(3 * layout_.thread_words());
}

Issue ConfigurationUnit::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
  const Issue issue = execute(instruction, thread, now);
  if (issue.kind == Issue::Kind::kStarted) idle_from_ = std::max(idle_from_, issue.done);
  return issue;
}

Issue ConfigurationUnit::execute(std::uint32_t instruction, unsigned thread, Cycle now) {
  switch (op::opcode_of(instruction)) {
    case op::Opcode::kSetc16:
      return write_thread(instruction, thread, now);
    case op::Opcode::kWrcfg:
      return write_from_gprs(instruction, thread, now);
    case op::Opcode::kRdcfg:
      return read_to_gpr(instruction, thread, now);
    default:
      return write_byte(instruction, thread, now);
  }
}

bool ConfigurationUnit::check(bool ok, const char* mnemonic, unsigned thread, std::uint32_t index) {
  if (!ok) {
    faults_.raise(foundation::Fault(foundation::FaultKind::kFirmware, where_,
                                    "thread T" + std::to_string(thread) + ": " + mnemonic +
                                        " names configuration word " + std::to_string(index) +
                                        ", which does not exist"));
  }
  return ok;
}

void ConfigurationUnit::unmodelled(const std::string& what, std::uint32_t bits) {
  faults_.raise(foundation::Fault(
      foundation::FaultKind::kUnmodelled, where_,
      what + ": the effect of bits " + foundation::hex(bits) + " is not modelled"));
}

Issue ConfigurationUnit::write_thread(std::uint32_t instruction, unsigned thread, Cycle now) {
  unsigned index = op::Setc16::kCfgIndex.of(instruction);
  if (check(index < layout_.thread_words(), "SETC16", thread, index)) {
    const std::uint32_t value = op::Setc16::kNewValue.of(instruction);
    if (!layout_.is_internal()) {
      if (!layout_.models(index, value)) {
        unmodelled("thread T" + std::to_string(thread) + ": SETC16 of " + foundation::hex(value) +
                       " to word " + std::to_string(index),
                   value);
      }
      thread_words_[thread * layout_.thread_words() + index] = value;
      index = layout_.thread_word(index);
      if (index == ConfigLayout::kNone) return Issue::started(now, now + 1);
    }
    config_.thread[thread][index] = value;
    if (index == cfg::thread::context_count_reset(0).addr32) {
      listener_.reset_context_counters(thread);
    }
  }
  return Issue::started(now, now + 1);
}

Issue ConfigurationUnit::write_from_gprs(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (wrcfg_used_ == now) return Issue::retry_at(now + 1);
  wrcfg_used_ = long_used_ = now;
  const std::uint32_t index = op::Wrcfg::kCfgIndex.of(instruction);
  if (check(index < layout_.bank_words(), "WRCFG", thread, index)) {
    const bool wide = op::Wrcfg::kIs128Bit.of(instruction) != 0;
    const unsigned reg = op::Wrcfg::kInputReg.of(instruction) & (wide ? ~3U : ~0U);
    WriteBack::Entry entry;
    entry.when = now + kWrcfgLatency;
    entry.target = WriteBack::Target::kConfig;
    entry.thread_or_bank = static_cast<std::uint8_t>(config_.state_id(thread));
    entry.index = static_cast<std::uint16_t>(index & (wide ? ~3U : ~0U));
    entry.words = wide ? 4 : 1;
    for (unsigned i = 0; i < entry.words; ++i) {
      entry.data[i] = gprs_[thread][reg + i];
      announce(entry.thread_or_bank, entry.index + i, entry.data[i], entry.when);
    }
    write_back_.add(entry);
  }
  return Issue::started(now, now + kWrcfgLatency);
}

bool ConfigurationUnit::slot_free(Cycle now) const {
  return slot_used_ != now && (long_used_ == support::kNever || long_used_ + 1 != now);
}

Issue ConfigurationUnit::write_byte(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (!slot_free(now)) return Issue::retry_at(now + 1);
  slot_used_ = now;
  const std::uint32_t index = op::Rmwcib0::kIndex4.of(instruction);
  if (check(index < layout_.bank_words(), "RMWCIB", thread, index)) {
    const unsigned byte = (instruction >> 24) - static_cast<unsigned>(op::Opcode::kRmwcib0);
    const std::uint32_t mask = op::Rmwcib0::kMask.of(instruction) << (byte * 8);
    const std::uint32_t value = op::Rmwcib0::kNewValue.of(instruction) << (byte * 8);
    const unsigned bank = config_.state_id(thread);
    const std::uint32_t changed = (word(bank, index) & ~mask) | (value & mask);
    if (index == cfg::alu::kStateResetEn.addr32) {
      // The write without the special case of resetting the bank.
      word(bank, index) = changed;
    } else {
      write(bank, index, changed, now);
    }
  }
  return Issue::started(now, now + 1);
}

Issue ConfigurationUnit::read_to_gpr(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (!slot_free(now)) return Issue::retry_at(now + 1);
  slot_used_ = long_used_ = now;
  const std::uint32_t index = op::Rdcfg::kCfgIndex.of(instruction);
  if (check(index < layout_.bank_words(), "RDCFG", thread, index)) {
    WriteBack::Entry entry;
    entry.when = now + kRdcfgCycles;
    entry.thread_or_bank = static_cast<std::uint8_t>(thread);
    entry.index = static_cast<std::uint16_t>(op::Rdcfg::kResultReg.of(instruction));
    entry.data[0] = word(config_.state_id(thread), index);
    write_back_.add(entry);
  }
  return Issue::started(now, now + kRdcfgCycles, now + kRdcfgCycles);
}

void ConfigurationUnit::store(unsigned bank, unsigned index, std::uint32_t value, Cycle now) {
  if (index < cfg::kGlobalBase) {
    config_.bank[bank][index] = value;
    return;
  }
  config_.bank[0][index] = config_.bank[1][index] = value;
  if (index == cfg::global::kPrngSeed.addr32) {
    listener_.seed_prng(value);
  } else if (index == cfg::global::kInvalidateInstructionCaches.addr32) {
    listener_.invalidate_instruction_caches(
        cfg::global::kInvalidateInstructionCaches.of_word(value), now);
  }
}

/// A word of the generation that has other words than BackendConfig.
void ConfigurationUnit::store_moved(unsigned bank, unsigned index, std::uint32_t value, Cycle now) {
  const std::uint32_t bits = value & layout_.unmodelled(index);
  if (bits != 0) unmodelled("configuration word " + std::to_string(index), bits);
  word(bank, index) = value;
  if (index >= layout_.global_base()) word(1 - bank, index) = value;
  for (const ConfigLayout::Part& part : layout_.parts(index))
    store(bank, part.word, part.insert(config_.bank[bank][part.word], value), now);
}

/// The word will become `value`.
void ConfigurationUnit::announce(unsigned bank, unsigned index, std::uint32_t value, Cycle now) {
  if (layout_.is_internal()) return listener_.changes(bank, index, value, now);
  for (const ConfigLayout::Part& part : layout_.parts(index)) {
    listener_.changes(bank, part.word, part.insert(config_.bank[bank][part.word], value), now);
  }
}

void ConfigurationUnit::write(unsigned bank, unsigned index, std::uint32_t value, Cycle now) {
  announce(bank, index, value, now);
  deliver(bank, index, value, now);
}

void ConfigurationUnit::deliver(unsigned bank, unsigned index, std::uint32_t value, Cycle now) {
  if (index == cfg::alu::kStateResetEn.addr32) {
    std::fill_n(config_.bank[bank].begin(), cfg::kGlobalBase, 0U);
    std::fill_n(&word(bank, 0), layout_.global_base(), 0U);
  } else if (layout_.is_internal()) {
    store(bank, index, value, now);
  } else {
    store_moved(bank, index, value, now);
  }
}

bool ConfigurationUnit::read_window(unsigned at, std::uint32_t& value) const {
  const unsigned of_banks = layout_.banks_in_window() * layout_.bank_words();
  if (at < of_banks) {
    const unsigned bank = at / layout_.bank_words();
    value = word(bank % 2, at % layout_.bank_words());
    return true;
  }
  const unsigned entry = (at - of_banks) / layout_.thread_stride();
  if (entry >= 3 * layout_.thread_words()) return false;
  value = (at - of_banks) % layout_.thread_stride() != 0
              ? 0
              : thread_word(entry / layout_.thread_words(), entry % layout_.thread_words());
  return true;
}

bool ConfigurationUnit::write_window(unsigned at, std::uint32_t value, Cycle now) {
  const unsigned of_banks = layout_.banks_in_window() * layout_.bank_words();
  if (at >= of_banks) {
    if (at - of_banks >= 3 * layout_.thread_words() * layout_.thread_stride()) return false;
    faults_.raise(foundation::Fault(foundation::FaultKind::kFirmware, where_,
                                    "store of a core to thread-specific configuration, which only "
                                    "SETC16 can write"));
    return true;
  }
  const unsigned bank = at / layout_.bank_words();
  write(bank % 2, at % layout_.bank_words(), value, now);
  if (bank == 2) write(1, at % layout_.bank_words(), value, now);
  return true;
}

}  // namespace tvp::tensix::coprocessor
