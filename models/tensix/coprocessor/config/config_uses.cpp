#include "models/tensix/coprocessor/config/config_uses.h"

#include <algorithm>
#include <initializer_list>

namespace tvp::tensix::coprocessor {

namespace cfg = regs::config;

namespace {

using Bits = std::array<std::uint32_t, BackendConfig::kBankWords>;

constexpr void add(Bits& bits, std::initializer_list<cfg::Field> fields) {
  for (const cfg::Field& field : fields) bits[field.addr32] |= field.mask;
}

constexpr Bits of_unpacker(unsigned unpacker) {
  const cfg::UnpackerFields& f = cfg::kUnpacker[unpacker];
  Bits bits{};
  add(bits, {f.tile.in_data_format, f.tile.is_uncompressed, f.tile.no_bfp_exp_section,
             f.out_data_format, f.haloize_mode, f.tileize_mode, f.unpack_to_dst,
             f.unpack_to_dst_context(0), f.shift_amount(0), f.shift_amount(1), f.shift_amount(2)});
  return bits;
}

constexpr Bits of_packers() {
  Bits bits{};
  for (const cfg::PackerFields& f : cfg::kPacker) {
    add(bits, {f.row_start_section_size, f.exp_section_size, f.out_data_format, f.in_data_format,
               f.disable_zero_compress, f.l1_accumulate, f.exp_threshold_en, f.exp_threshold});
  }
  add(bits, {cfg::alu::kApplyRelu, cfg::alu::kReluThreshold});
  for (unsigned i = 0; i < 4; ++i) add(bits, {cfg::pack::edge_mask(i)});
  return bits;
}

constexpr std::array<Bits, ConfigUses::kReaders> all_bits() {
  return {of_unpacker(0), of_unpacker(1), of_packers()};
}

constexpr Bits any_bits() {
  Bits bits{};
  for (const Bits& each : all_bits()) {
    for (unsigned i = 0; i < bits.size(); ++i) bits[i] |= each[i];
  }
  return bits;
}

const char* const kReaderNames[] = {"unpacker 0", "unpacker 1", "packers"};

}  // namespace

constinit const std::array<Bits, ConfigUses::kReaders> ConfigUses::kRead = all_bits();
constinit const Bits ConfigUses::kReadByAny = any_bits();

Cycle ConfigUses::busy_until(unsigned reader, unsigned thread) const {
  if (reader != kPackers) return unpackers_.idle_from(reader, thread);
  Cycle until = 0;
  for (unsigned i = 0; i < Packers::kPackers; ++i) {
    until = std::max(until, packers_.idle_from(i, thread));
  }
  return until;
}

void ConfigUses::look_at(unsigned bank, unsigned index, std::uint32_t changed, Cycle now) {
  if (!missing_waits_.looks_at_configuration()) return;
  for (unsigned reader = 0; reader < kReaders; ++reader) {
    const Offered& user = latest_[reader];
    if ((changed & kRead[reader][index]) == 0 || user.thread == Offered::kNone) continue;
    if (index < cfg::kGlobalBase && config_.state_id(user.thread) != bank) continue;
    const Cycle until = busy_until(reader, user.thread);
    if (until > now) {
      missing_waits_.reconfigured_too_early(index, user, kReaderNames[reader], now, until);
    }
  }
}

}  // namespace tvp::tensix::coprocessor
