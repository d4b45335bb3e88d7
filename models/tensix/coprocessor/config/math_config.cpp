#include "models/tensix/coprocessor/config/math_config.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace fields = regs::config::thread;

// All sections have the fields of the first one at their own words.
constexpr fields::AddrModAb kAb = fields::addr_mod_ab(0);
constexpr fields::AddrModDst kDst = fields::addr_mod_dst(0);
constexpr fields::AddrModBias kBias = fields::addr_mod_bias(0);
constexpr unsigned word_of(const regs::config::Field& first, const regs::config::Field& second,
                           unsigned section) {
  return first.addr32 + (second.addr32 - first.addr32) * section;
}
constexpr unsigned ab_word(unsigned section) {
  return word_of(kAb.src_a_incr, fields::addr_mod_ab(1).src_a_incr, section);
}
constexpr unsigned dst_word(unsigned section) {
  return word_of(kDst.dest_incr, fields::addr_mod_dst(1).dest_incr, section);
}
constexpr unsigned bias_word(unsigned section) {
  return word_of(kBias.bias_incr, fields::addr_mod_bias(1).bias_incr, section);
}

void advance_src(std::uint8_t& counter, std::uint8_t& carriage, bool clear, bool use_carriage,
                 unsigned increment) {
  if (clear) {
    counter = carriage = 0;
  } else if (use_carriage) {
    counter = carriage = static_cast<std::uint8_t>((carriage + increment) & 0x3F);
  } else {
    counter = static_cast<std::uint8_t>((counter + increment) & 0x3F);
  }
}

}  // namespace

AddrMod::AddrMod(const BackendConfig& config, unsigned thread, unsigned section)
    : ab_(config.thread[thread][ab_word(section)]),
      dst_(config.thread[thread][dst_word(section)]),
      bias_(config.thread[thread][bias_word(section)]) {}

void AddrMod::apply(Rwc& rwc, bool update_fidelity) const {
  advance_src(rwc.srca, rwc.srca_cr, kAb.src_a_clear.of_word(ab_) != 0,
              kAb.src_a_cr.of_word(ab_) != 0, kAb.src_a_incr.of_word(ab_));
  advance_src(rwc.srcb, rwc.srcb_cr, kAb.src_b_clear.of_word(ab_) != 0,
              kAb.src_b_cr.of_word(ab_) != 0, kAb.src_b_incr.of_word(ab_));

  const unsigned increment = kDst.dest_incr.of_word(dst_);
  if (kDst.dest_clear.of_word(dst_) != 0) {
    rwc.dst = rwc.dst_cr = 0;
  } else if (kDst.dest_c_to_cr.of_word(dst_) != 0) {
    rwc.dst = rwc.dst_cr = static_cast<std::uint16_t>((rwc.dst + increment) & 0x3FF);
  } else if (kDst.dest_cr.of_word(dst_) != 0) {
    rwc.dst = rwc.dst_cr = static_cast<std::uint16_t>((rwc.dst_cr + increment) & 0x3FF);
  } else {
    rwc.dst = static_cast<std::uint16_t>((rwc.dst + increment) & 0x3FF);
  }

  if (update_fidelity) {
    const unsigned phase = rwc.fidelity_phase + kDst.fidelity_incr.of_word(dst_);
    rwc.fidelity_phase =
        kDst.fidelity_clear.of_word(dst_) != 0 ? 0 : static_cast<std::uint8_t>(phase & 3);
  }

  if (kBias.bias_clear.of_word(bias_) != 0) {
    rwc.extra_addr_mod_bit = 0;
  } else if ((kBias.bias_incr.of_word(bias_) & 3) != 0) {
    rwc.extra_addr_mod_bit ^= 1;
  }
}

void apply_addr_mod(Rwc& rwc, const BackendConfig& config, unsigned thread, unsigned addr_mod,
                    bool update_fidelity) {
  const unsigned section = AddrMod::section_of(rwc, config, thread, addr_mod);
  AddrMod(config, thread, section).apply(rwc, update_fidelity);
}

}  // namespace tvp::tensix::coprocessor
