#include "models/tensix/coprocessor/config/configuration_unit.h"

#include <algorithm>

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;
namespace cfg = regs::config;

Issue ConfigurationUnit::issue(std::uint32_t instruction, unsigned thread, Cycle now) {
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

Issue ConfigurationUnit::write_thread(std::uint32_t instruction, unsigned thread, Cycle now) {
  const std::uint32_t index = op::Setc16::kCfgIndex.of(instruction);
  if (check(index < BackendConfig::kThreadWords, "SETC16", thread, index)) {
    config_.thread[thread][index] = op::Setc16::kNewValue.of(instruction);
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
  if (check(index < BackendConfig::kBankWords, "WRCFG", thread, index)) {
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
      listener_.changes(entry.thread_or_bank, entry.index + i, entry.data[i], entry.when);
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
  if (check(index < BackendConfig::kBankWords, "RMWCIB", thread, index)) {
    const unsigned byte = (instruction >> 24) - static_cast<unsigned>(op::Opcode::kRmwcib0);
    const std::uint32_t mask = op::Rmwcib0::kMask.of(instruction) << (byte * 8);
    const std::uint32_t value = op::Rmwcib0::kNewValue.of(instruction) << (byte * 8);
    const unsigned bank = config_.state_id(thread);
    const std::uint32_t word = (config_.bank[bank][index] & ~mask) | (value & mask);
    if (index == cfg::alu::kStateResetEn.addr32) {
      // The write without the special case of resetting the bank.
      config_.bank[bank][index] = word;
    } else {
      write(bank, index, word, now);
    }
  }
  return Issue::started(now, now + 1);
}

Issue ConfigurationUnit::read_to_gpr(std::uint32_t instruction, unsigned thread, Cycle now) {
  if (!slot_free(now)) return Issue::retry_at(now + 1);
  slot_used_ = long_used_ = now;
  const std::uint32_t index = op::Rdcfg::kCfgIndex.of(instruction);
  if (check(index < BackendConfig::kBankWords, "RDCFG", thread, index)) {
    WriteBack::Entry entry;
    entry.when = now + kRdcfgCycles;
    entry.thread_or_bank = static_cast<std::uint8_t>(thread);
    entry.index = static_cast<std::uint16_t>(op::Rdcfg::kResultReg.of(instruction));
    entry.data[0] = config_.of(thread)[index];
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

void ConfigurationUnit::write(unsigned bank, unsigned index, std::uint32_t value, Cycle now) {
  listener_.changes(bank, index, value, now);
  deliver(bank, index, value, now);
}

void ConfigurationUnit::deliver(unsigned bank, unsigned index, std::uint32_t value, Cycle now) {
  if (index == cfg::alu::kStateResetEn.addr32) {
    std::fill_n(config_.bank[bank].begin(), cfg::kGlobalBase, 0U);
    return;
  }
  store(bank, index, value, now);
}

bool ConfigurationUnit::read_window(unsigned word, std::uint32_t& value) const {
  if (word >= kWindowWords) return false;
  if (word < 2 * BackendConfig::kBankWords) {
    value = config_.bank[word / BackendConfig::kBankWords][word % BackendConfig::kBankWords];
    return true;
  }
  const unsigned slot = word - 2 * BackendConfig::kBankWords;
  const unsigned entry = slot / 4;
  value = slot % 4 != 0 ? 0
                        : config_.thread[entry / BackendConfig::kThreadWords]
                                        [entry % BackendConfig::kThreadWords];
  return true;
}

bool ConfigurationUnit::write_window(unsigned word, std::uint32_t value, Cycle now) {
  if (word >= kWindowWords) return false;
  if (word >= 2 * BackendConfig::kBankWords) {
    faults_.raise(foundation::Fault(foundation::FaultKind::kFirmware, where_,
                                    "store of a core to thread-specific configuration, which only "
                                    "SETC16 can write"));
    return true;
  }
  write(word / BackendConfig::kBankWords, word % BackendConfig::kBankWords, value, now);
  return true;
}

}  // namespace tvp::tensix::coprocessor
