#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "foundation/regs/generation.h"
#include "foundation/regs/tensix_config.h"

namespace tvp::tensix::coprocessor {

/// The configuration words of a generation, and their bits in BackendConfig, which has Wormhole's
/// words (ISA WormholeB0 and BlackholeA0, TensixCoprocessor/BackendConfiguration.md).
class ConfigLayout {
 public:
  static constexpr unsigned kNone = regs::config::kGone;
  /// Bits of a word: `mask` at their place in `word` of BackendConfig, `left` places further left.
  struct Part {
    std::uint16_t word;
    std::int8_t left;
    std::uint32_t mask;

    std::uint32_t insert(std::uint32_t into, std::uint32_t value) const {
      const std::uint32_t moved = left < 0 ? value >> -left : value << left;
      return (into & ~mask) | (moved & mask);
    }
  };

  static const ConfigLayout& of(Generation generation);

  /// True if the words are those of BackendConfig.
  bool is_internal() const { return is_internal_; }
  unsigned bank_words() const { return bank_words_; }
  unsigned thread_words() const { return thread_words_; }
  /// Writes from this word on reach both banks.
  unsigned global_base() const { return global_base_; }
  /// First word of THCON, whose words REG2FLOP writes.
  unsigned thcon_base() const { return thcon_base_; }
  /// Banks in the window of the cores; a third one means both for writes.
  unsigned banks_in_window() const { return banks_in_window_; }
  /// Distance of the words of a thread in that window.
  unsigned thread_stride() const { return thread_stride_; }

  std::span<const Part> parts(unsigned word) const { return parts_[word]; }
  /// Bits whose effect is not modelled.
  std::uint32_t unmodelled(unsigned word) const { return unmodelled_[word]; }
  /// The word of BackendConfig for a word of a thread, or kNone.
  unsigned thread_word(unsigned word) const { return thread_word_[word]; }
  /// False for a value of a word of a thread whose effect is not modelled.
  bool models(unsigned thread_word, std::uint32_t value) const;
  /// The word of BackendConfig for a register of the tile's control registers, or kNone.
  unsigned control_word(std::uint32_t offset) const;

 private:
  explicit ConfigLayout(Generation generation);
  void move(const regs::config::Field& from, const regs::config::Field& to);
  void move(const regs::config::AddressControl& from, const regs::config::AddressControl& to);
  void drop(const regs::config::Field& field);

  bool is_internal_ = true;
  unsigned bank_words_ = regs::config::kBankWords;
  unsigned thread_words_ = regs::config::kThreadWords;
  unsigned global_base_ = regs::config::kGlobalBase;
  unsigned thcon_base_ = regs::config::kThconBase;
  unsigned banks_in_window_ = 2;
  unsigned thread_stride_ = 4;
  std::vector<std::vector<Part>> parts_;
  std::vector<std::uint32_t> unmodelled_;
  std::vector<unsigned> thread_word_;
};

}  // namespace tvp::tensix::coprocessor
