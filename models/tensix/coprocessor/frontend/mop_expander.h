#pragma once

#include <array>
#include <cstdint>

namespace tvp::tensix::coprocessor {

/// MOP expander of one thread (ISA TensixCoprocessor/MOPExpander.md): turns one MOP into a loop
/// over pre-programmed instructions. It has no notion of time; Frontend takes one instruction in
/// each cycle.
class MopExpander {
 public:
  static constexpr unsigned kConfigWords = 9;
  /// Words from here on are instructions; those before are counts and flags.
  static constexpr unsigned kFirstInstruction = 2;

  /// MopCfg[index], write-only for the thread's RISC-V core, which does it at `pc`.
  void set_config(unsigned index, std::uint32_t value, std::uint32_t pc = 0) {
    config_[index] = value;
    configured_at_ = pc;
  }
  /// pc of the last set_config() before start(); 0: there was none.
  std::uint32_t sampled_at() const { return sampled_at_; }
  std::uint32_t config(unsigned index) const { return config_[index]; }

  /// Executes MOP_CFG.
  void set_mask_high(std::uint32_t mask_high) { mask_high_ = mask_high; }
  /// Starts the expansion of a MOP, which may be empty.
  void start(std::uint32_t mop);
  bool expanding() const { return expanding_; }
  /// Next instruction of the expansion. Requires expanding().
  std::uint32_t take();

 private:
  void start_template0(std::uint32_t mop);
  void start_template1();
  std::uint32_t take_template0();
  std::uint32_t take_template1();
  void end_inner_loop();
  void next_outer();

  std::array<std::uint32_t, kConfigWords> config_{};
  std::uint32_t mask_high_ = 0;
  std::uint32_t configured_at_ = 0;

  bool expanding_ = false;
  bool template1_ = false;
  /// Values sampled at the start. Software must not change them during an expansion.
  std::array<std::uint32_t, kConfigWords> sampled_{};
  std::uint32_t sampled_at_ = 0;
  std::uint32_t mask_ = 0;    ///< template 0: one bit for each iteration
  unsigned remaining_ = 0;    ///< template 0: iterations; template 1: outer iterations
  unsigned step_ = 0;         ///< template 0: position in the iteration; template 1: see Step
  unsigned inner_count_ = 0;  ///< template 1
  unsigned inner_ = 0;
  std::uint32_t loop_op_ = 0;
  std::uint32_t loop_flip_ = 0;
};

}  // namespace tvp::tensix::coprocessor
