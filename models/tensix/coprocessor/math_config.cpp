#include "models/tensix/coprocessor/math_config.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace fields = regs::config::thread;

constexpr auto kAbSections = [] {
  std::array<fields::AddrModAb, 8> sections{};
  for (unsigned i = 0; i < 8; ++i) sections[i] = fields::addr_mod_ab(i);
  return sections;
}();
constexpr auto kDstSections = [] {
  std::array<fields::AddrModDst, 8> sections{};
  for (unsigned i = 0; i < 8; ++i) sections[i] = fields::addr_mod_dst(i);
  return sections;
}();
constexpr auto kBiasSections = [] {
  std::array<fields::AddrModBias, 8> sections{};
  for (unsigned i = 0; i < 8; ++i) sections[i] = fields::addr_mod_bias(i);
  return sections;
}();

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

void apply_addr_mod(Rwc& rwc, const BackendConfig& config, unsigned thread, unsigned addr_mod,
                    bool update_fidelity) {
  const auto& words = config.thread[thread];
  const bool high = rwc.extra_addr_mod_bit != 0 || fields::kAddrModSetBase.get(words) != 0;
  const unsigned index = addr_mod + (high ? 4 : 0);
  const fields::AddrModAb& ab = kAbSections[index];
  const fields::AddrModDst& dst = kDstSections[index];
  const fields::AddrModBias& bias = kBiasSections[index];

  advance_src(rwc.srca, rwc.srca_cr, ab.src_a_clear.get(words) != 0, ab.src_a_cr.get(words) != 0,
              ab.src_a_incr.get(words));
  advance_src(rwc.srcb, rwc.srcb_cr, ab.src_b_clear.get(words) != 0, ab.src_b_cr.get(words) != 0,
              ab.src_b_incr.get(words));

  const unsigned increment = dst.dest_incr.get(words);
  if (dst.dest_clear.get(words) != 0) {
    rwc.dst = rwc.dst_cr = 0;
  } else if (dst.dest_c_to_cr.get(words) != 0) {
    rwc.dst = rwc.dst_cr = static_cast<std::uint16_t>((rwc.dst + increment) & 0x3FF);
  } else if (dst.dest_cr.get(words) != 0) {
    rwc.dst = rwc.dst_cr = static_cast<std::uint16_t>((rwc.dst_cr + increment) & 0x3FF);
  } else {
    rwc.dst = static_cast<std::uint16_t>((rwc.dst + increment) & 0x3FF);
  }

  if (update_fidelity) {
    const unsigned phase = rwc.fidelity_phase + dst.fidelity_incr.get(words);
    rwc.fidelity_phase =
        dst.fidelity_clear.get(words) != 0 ? 0 : static_cast<std::uint8_t>(phase & 3);
  }

  if (bias.bias_clear.get(words) != 0) {
    rwc.extra_addr_mod_bit = 0;
  } else if ((bias.bias_incr.get(words) & 3) != 0) {
    rwc.extra_addr_mod_bit ^= 1;
  }
}

}  // namespace tvp::tensix::coprocessor
