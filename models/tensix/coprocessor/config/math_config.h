#pragma once

#include "foundation/regs/tensix_config.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/datum.h"
#include "models/tensix/coprocessor/register_files.h"

namespace tvp::tensix::coprocessor {

/// The configuration that the matrix and vector units read when a thread issues an instruction.
class MathConfig {
 public:
  using Format = regs::config::DataFormat;

  MathConfig(const BackendConfig& config, unsigned thread)
      : thread_(config.thread[thread]),
        bank_(config.bank[regs::config::thread::kStateId.get(thread_)]) {}

  bool fp16a_force() const { return regs::config::thread::kFp16aForce.get(thread_) != 0; }
  bool fp32_enabled() const { return regs::config::alu::kFp32Enabled.get(bank_) != 0; }
  bool int8_enabled() const { return regs::config::alu::kInt8MathEnabled.get(bank_) != 0; }
  bool sfpu_fp32_enabled() const { return regs::config::alu::kSfpuFp32Enabled.get(bank_) != 0; }
  bool fpu_stochastic_rounding() const {
    return regs::config::alu::kFpuStochasticRounding.get(bank_) != 0;
  }
  bool flush_src_denormals() const {
    return regs::config::alu::kZeroFlagDisabledSrc.get(bank_) == 0;
  }
  bool keep_srca_bank() const {
    return regs::config::thread::kClearDvalidSrcADisable.get(thread_) != 0;
  }
  bool keep_srcb_bank() const {
    return regs::config::thread::kClearDvalidSrcBDisable.get(thread_) != 0;
  }
  unsigned fidelity_phase(const Rwc& rwc) const {
    return (rwc.fidelity_phase + regs::config::thread::kFidelityBasePhase.get(thread_)) & 3;
  }
  unsigned math_dest_offset() const { return regs::config::thread::kMathDestOffset.get(thread_); }
  unsigned dest_regw_base() const { return regs::config::alu::kDestRegwBase.get(bank_); }
  /// Row of Dst that an instruction names, before alignment.
  unsigned dst_row(unsigned field, const Rwc& rwc) const {
    return field + math_dest_offset() + rwc.dst + dest_regw_base();
  }

  Format srca_format() const {
    using namespace regs::config::alu;
    return static_cast<Format>(kSrcAFormatOverride.get(bank_) != 0
                                   ? kSrcAFormatOverrideValue.get(bank_)
                                   : kSrcAFormat.get(bank_));
  }
  Format srcb_format() const {
    using namespace regs::config::alu;
    return static_cast<Format>(kSrcBFormatOverride.get(bank_) != 0
                                   ? kSrcBFormatOverrideValue.get(bank_)
                                   : kSrcBFormat.get(bank_));
  }
  /// True for formats with eight exponent bits.
  static constexpr bool wide_exponent(Format format) {
    switch (format) {
      case Format::kFp32:
      case Format::kTf32:
      case Format::kBf16:
      case Format::kBfp8:
      case Format::kBfp4:
      case Format::kBfp2:
      case Format::kInt32:
      case Format::kInt16:
        return true;
      default:
        return false;
    }
  }
  /// Style of a floating-point format. FP16 includes integer "8" in moves without arithmetic.
  static constexpr datum::SrcStyle float_style(Format format) {
    if (format == Format::kTf32) return datum::SrcStyle::kTf32;
    return wide_exponent(format) ? datum::SrcStyle::kBf16 : datum::SrcStyle::kFp16;
  }

  /// Formats of Src and Dst in arithmetic instructions (ELWADD.md, "Determine the data formats").
  struct Arithmetic {
    datum::SrcStyle srca;
    datum::SrcStyle srcb;
    bool dst32;
  };
  Arithmetic arithmetic() const {
    using datum::SrcStyle;
    if (fp16a_force()) return {SrcStyle::kFp16, SrcStyle::kFp16, false};
    if (int8_enabled()) return {SrcStyle::kInt8, SrcStyle::kInt8, true};
    // BF16 and TF32 may be mixed. If the exponent widths differ, SrcB gets the style of SrcA
    // (assumed).
    const SrcStyle srca = float_style(srca_format());
    const SrcStyle srcb = float_style(srcb_format());
    const bool mixes = srca != SrcStyle::kFp16 && srcb != SrcStyle::kFp16;
    return {srca, mixes ? srcb : srca, fp32_enabled()};
  }

 private:
  const std::array<std::uint32_t, BackendConfig::kThreadWords>& thread_;
  const std::array<std::uint32_t, BackendConfig::kBankWords>& bank_;
};

/// A section of address modifiers of a thread.
class AddrMod {
 public:
  static constexpr unsigned kSections = 8;
  /// The section that an instruction selects.
  static unsigned section_of(const Rwc& rwc, const BackendConfig& config, unsigned thread,
                             unsigned addr_mod) {
    const bool high = rwc.extra_addr_mod_bit != 0 ||
                      regs::config::thread::kAddrModSetBase.get(config.thread[thread]) != 0;
    return addr_mod | (high ? kSections / 2 : 0);
  }

  AddrMod() = default;
  AddrMod(const BackendConfig& config, unsigned thread, unsigned section);
  void apply(Rwc& rwc, bool update_fidelity = true) const;

 private:
  std::uint32_t ab_ = 0, dst_ = 0, bias_ = 0;
};

/// ApplyAddrMod of ISA TensixCoprocessor/RWCs.md; without `update_fidelity` ApplyPartialAddrMod.
void apply_addr_mod(Rwc& rwc, const BackendConfig& config, unsigned thread, unsigned addr_mod,
                    bool update_fidelity = true);

}  // namespace tvp::tensix::coprocessor
