#include "models/tensix/coprocessor/config/config_reports.h"

#include <algorithm>
#include <initializer_list>

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;

namespace {

using Bits = std::array<std::uint32_t, BackendConfig::kBankWords>;

constexpr void add(Bits& bits, std::initializer_list<cfg::Field> fields) {
  for (const cfg::Field& field : fields) bits[field.addr32] |= field.mask;
}

constexpr Bits unpacker_bits(unsigned unpacker) {
  const cfg::UnpackerFields& f = cfg::kUnpacker[unpacker];
  Bits bits{};
  add(bits, {f.tile.in_data_format, f.tile.is_uncompressed, f.tile.no_bfp_exp_section,
             f.out_data_format, f.haloize_mode, f.tileize_mode, f.unpack_to_dst,
             f.unpack_to_dst_context(0), f.shift_amount(0), f.shift_amount(1), f.shift_amount(2)});
  return bits;
}

constexpr Bits packer_bits() {
  Bits bits{};
  for (const cfg::PackerFields& f : cfg::kPacker) {
    add(bits, {f.row_start_section_size, f.exp_section_size, f.out_data_format, f.in_data_format,
               f.disable_zero_compress, f.l1_accumulate, f.exp_threshold_en, f.exp_threshold});
  }
  add(bits, {cfg::alu::kApplyRelu, cfg::alu::kReluThreshold});
  for (unsigned i = 0; i < 4; ++i) add(bits, {cfg::pack::edge_mask(i)});
  return bits;
}

constexpr std::array<Bits, ConfigReports::kReaders> all_bits() {
  return {unpacker_bits(0), unpacker_bits(1), packer_bits()};
}

constexpr Bits any_bits() {
  Bits bits{};
  for (const Bits& each : all_bits()) {
    for (unsigned i = 0; i < bits.size(); ++i) bits[i] |= each[i];
  }
  return bits;
}

}  // namespace

constinit const std::array<Bits, ConfigReports::kReaders> ConfigReports::kRead = all_bits();
constinit const Bits ConfigReports::kReadByAny = any_bits();

Cycle ConfigReports::busy_until(unsigned reader, unsigned thread) const {
  if (reader != kPackers) return unpackers_.idle_from(reader, thread);
  Cycle until = 0;
  for (unsigned i = 0; i < Packers::kPackers; ++i)
    until = std::max(until, packers_.idle_from(i, thread));
  return until;
}

void ConfigReports::report(const support::Probe& probe, unsigned bank, unsigned index,
                           std::uint32_t changed, Cycle now) const {
  using support::BusMaster;
  static constexpr BusMaster kAgents[kReaders] = {BusMaster::kUnpacker0, BusMaster::kUnpacker1,
                                                  BusMaster::kPacker0};
  for (unsigned reader = 0; reader < kReaders; ++reader) {
    const support::Offered& user = latest_[reader];
    if ((changed & kRead[reader][index]) == 0 || user.thread == support::Offered::kNone) continue;
    if (index < cfg::kGlobalBase && config_.state_id(user.thread) != bank) continue;
    const Cycle until = busy_until(reader, user.thread);
    if (until <= now) continue;
    probe.report({.kind = support::ProbeEvent::Kind::kReconfigured,
                  .agent = kAgents[reader],
                  .index = index,
                  .instruction = user.instruction,
                  .thread = static_cast<std::uint8_t>(user.thread),
                  .value = changed & kRead[reader][index],
                  .cycle = now,
                  .done = until,
                  .offered = probe.offered()});
  }
}

}  // namespace tvp::tensix::coprocessor
