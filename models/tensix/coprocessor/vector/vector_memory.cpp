// SFPLOAD, SFPSTORE and SFPLOADI, between LReg and Dst or an immediate.

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/vector/vector_immediate.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

namespace {

/// Mod0 of SFPLOAD and SFPSTORE.
enum Format : std::uint8_t {
  kSrcb,
  kFp16,
  kBf16,
  kFp32,
  kInt32,
  kInt8,
  kUint16,
  kHi16,
  kInt16,
  kLo16,
  kInt32All,
  kZero,
  kInt32Sm,
  kInt8Comp,
  kLo16Only,
  kHi16Only,
};

bool loads_dst32(unsigned format) {
  return format == kFp32 || format == kInt32 || format == kInt32All || format == kInt32Sm;
}
bool stores_dst32(unsigned format) {
  return loads_dst32(format) || format == kLo16 || format == kHi16;
}

constexpr std::uint32_t sign_magnitude_to_twos(std::uint32_t x) {
  const std::uint32_t magnitude = x & 0x7FFFFFFF;
  return (x >> 31) != 0 ? 0u - magnitude : magnitude;
}
constexpr std::uint32_t twos_to_sign_magnitude(std::uint32_t x) {
  const std::uint32_t sign = x & 0x80000000;
  return sign | ((sign != 0 ? 0u - x : x) & 0x7FFFFFFF);
}

constexpr std::uint32_t load_fp16(std::uint32_t x, bool infinity) {
  const std::uint32_t sign = (x >> 15) << 31;
  const std::uint32_t mantissa = (x >> 5) & 0x3FF;
  const std::uint32_t exponent = x & 0x1F;
  if (infinity && exponent == 0x1F && mantissa == 0x3FF) return sign | 0x7F800000;
  return sign | ((exponent != 0 ? exponent + 112 : 0) << 23) | (mantissa << 13);
}
/// IEEE-like FP16, truncated. Underflow gives zero, overflow all ones.
constexpr std::uint32_t store_fp16(std::uint32_t x) {
  const std::uint32_t sign = (x >> 31) << 15;
  const auto exponent = static_cast<std::int32_t>((x >> 23) & 0xFF) - 112;
  const std::uint32_t mantissa = (x >> 13) & 0x3FF;
  if (exponent <= 0) return sign;
  if (exponent > 31) return sign | (0x3FF << 5) | 31;
  return sign | (mantissa << 5) | static_cast<std::uint32_t>(exponent);
}
/// Denormals become zero with their sign. SFPSTORE.md says that FP32 is stored like integers. The
/// flush follows the vendor's functional simulator.
constexpr std::uint32_t flushed(std::uint32_t x) {
  return (x & 0x7F800000) == 0 ? x & 0x80000000 : x;
}
constexpr std::uint32_t store_bf16(std::uint32_t x) {
  return datum::ieee16_to_dst(flushed(x) >> 16);
}
/// Sign and ten bits of magnitude with the fixed exponent of integer "8".
constexpr std::uint32_t store_int8(std::uint32_t x) {
  return ((x >> 31) << 15) | ((x & 0x3FF) << 5) | 16;
}

std::uint32_t loaded(unsigned format, std::uint32_t stored, std::uint32_t old, bool infinity) {
  const std::uint32_t sign = (stored >> 15) << 31;
  switch (format) {
    case kFp16:
      return load_fp16(stored, infinity);
    case kBf16:
      return datum::dst_to_ieee16(stored) << 16;
    case kFp32:
    case kInt32:
    case kInt32All:
      return datum::dst_to_ieee32(stored);
    case kInt32Sm:
      return sign_magnitude_to_twos(datum::dst_to_ieee32(stored));
    case kInt8:
      return sign | ((stored >> 5) & 0x7F);
    case kInt8Comp:
      return sign_magnitude_to_twos(sign | ((stored >> 5) & 0x3FF));
    case kLo16Only:
      return (old & 0xFFFF0000) | stored;
    case kHi16Only:
      return (stored << 16) | (old & 0xFFFF);
    case kInt16:
      return sign | (stored & 0x7FFF);
    case kUint16:
    case kLo16:
      return stored;
    case kHi16:
      return stored << 16;
    default:
      return 0;
  }
}

std::uint32_t to_store(unsigned format, std::uint32_t x) {
  switch (format) {
    case kFp16:
      return store_fp16(x);
    case kBf16:
      return store_bf16(x);
    case kFp32:
      return datum::ieee32_to_dst(flushed(x));
    case kInt32:
    case kInt32All:
      return datum::ieee32_to_dst(x);
    case kInt32Sm:
      return datum::ieee32_to_dst(twos_to_sign_magnitude(x));
    case kInt8:
      return store_int8(x);
    case kInt8Comp:
      return store_int8(twos_to_sign_magnitude(x));
    case kLo16Only:
    case kUint16:
      return x & 0xFFFF;
    case kHi16Only:
      return x >> 16;
    case kInt16:
      return ((x >> 31) << 15) | (x & 0x7FFF);
    case kLo16:
      return (x << 16) | (x >> 16);
    case kHi16:
      return x;
    default:
      return 0;
  }
}

unsigned column_of(unsigned lane, unsigned address, std::uint32_t odd_lanes) {
  const bool odd = (address & 2) != 0 || ((odd_lanes >> (lane & 7)) & 1) != 0;
  return (lane & 7) * 2 + (odd ? 1 : 0);
}

}  // namespace

unsigned VectorUnit::resolve_format(unsigned mod, unsigned thread) const {
  if (mod != kSrcb) return mod;
  const MathConfig config(config_, thread);
  if (config.sfpu_fp32_enabled()) return kFp32;
  return MathConfig::wide_exponent(config.srcb_format()) ? kBf16 : kFp16;
}

unsigned VectorUnit::dst_address(unsigned format, unsigned imm, unsigned thread) const {
  const MathConfig config(config_, thread);
  const unsigned base = registers_.rwc[thread].dst + config.dest_regw_base();
  return (imm + config.math_dest_offset() + (format == kInt32All ? base & 3 : base)) & 0x3FF;
}

void VectorUnit::check_readable(unsigned address, bool dst32, Cycle now) {
  const Dst& dst = registers_.dst;
  const unsigned first = address & ~3u;
  const Cycle readable =
      dst32 ? dst.vector_readable_from32(first) : dst.vector_readable_from16(first);
  if (now < readable) {
    firmware_fault("SFPLOAD of rows of Dst that the matrix unit is still writing, row " +
                   std::to_string(first));
  }
  registers_.dst_in_flight.used(dst32 ? Dst::adjusted(first) : dst.storage16(first), now);
}

std::uint32_t VectorUnit::lanes_loaded_undefined(unsigned address, bool dst32,
                                                 std::uint32_t lanes) {
  Dst& dst = registers_.dst;
  std::uint32_t undefined = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = (address & ~3u) + i;
    const unsigned columns = dst32 ? dst.undefined_columns32(row) : dst.undefined_columns16(row);
    if (columns == 0) continue;
    for (unsigned lane = 8 * i; lane < 8 * i + 8; ++lane) {
      undefined |= ((columns >> column_of(lane, address, load_odd_)) & 1) << lane;
    }
    const bool wholly = dst32 ? dst.undefined32(row) : dst.undefined16(row);
    if (wholly) dst.note_loaded_undefined(row);
  }
  return undefined & lanes;
}

TVP_ALSO_WIDE void VectorUnit::load_lanes(unsigned vd, unsigned format, unsigned address,
                                          std::uint32_t lanes, std::uint32_t undefined) noexcept {
  const bool dst32 = loads_dst32(format);
  if (undefined != 0 || any_undefined_) [[unlikely]] {
    const bool keeps_half = format == kLo16Only || format == kHi16Only;
    mark_undefined(vd, lanes, undefined | (keeps_half ? (*undefined_in_)[vd] : 0));
    any_undefined_ = true;
  }
  const Dst& dst = registers_.dst;
  Lanes stored;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = (address & ~3u) + i;
    const Dst::Row& high = dst.storage(dst32 ? Dst::adjusted(row) : dst.storage16(row));
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned column = column_of(k, address, load_odd_);
      stored[8 * i + k] = dst32 ? dst.read32(row, column) : high[column];
    }
  }
  if (format == kBf16 && lanes == ~0u) {  // the most frequent case
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      lreg_[vd][lane] = datum::dst_to_ieee16(stored[lane]) << 16;
    }
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (((lanes >> lane) & 1) == 0) continue;
      lreg_[vd][lane] =
          loaded(format, stored[lane], (*in_)[vd][lane], ((fp16_infinity_ >> lane) & 1) != 0);
    }
  }
  const std::uint32_t captures = dest_index_ & capture_index_ & lanes;
  if (captures == 0 || vd >= 4) return;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (((captures >> lane) & 1) == 0) continue;
    const unsigned row = (address & ~3u) + lane / 8;
    lreg_[vd + 4][lane] = (row << 4) | column_of(lane, address, load_odd_);
  }
}

void VectorUnit::load(const Operation& operation, Cycle now) {
  const unsigned format = resolve_format(operation.mod, operation.thread);
  const unsigned address = dst_address(format, operation.imm, operation.thread);
  const std::uint32_t lanes = (format == kInt32All ? ~0u : enabled_) & ~no_load_;
  if (operation.vd < 8 && lanes != 0) {
    const bool dst32 = loads_dst32(format);
    std::uint32_t undefined = 0;
    if (format != kZero) {
      check_readable(address, dst32, now);
      undefined = lanes_loaded_undefined(address, dst32, lanes);
    }
    load_lanes(operation.vd, format, address, lanes, undefined);
  }
  apply_addr_mod(registers_.rwc[operation.thread], config_, operation.thread, operation.addr_mod,
                 false);
}

/// Four rows of one block.
void VectorUnit::tell_changes(unsigned address, bool dst32, Cycle now) {
  const unsigned first = address & ~3u;
  if (dst32) {
    registers_.dst_in_flight.changed(Dst::adjusted(first), 2 * Dst::kBlockRows, now);
  } else {
    registers_.dst_in_flight.changed(registers_.dst.storage16(first), now);
  }
}

/// All lanes, none of them undefined or with a separate column, to 16-bit Dst: by far the most
/// frequent case.
TVP_ALSO_WIDE void VectorUnit::store_all(const Lanes& source, unsigned format,
                                         unsigned address) noexcept {
  const unsigned first_column = column_of(0, address, 0);
  const auto columns = static_cast<std::uint16_t>(0x5555 << first_column);
  Dst& dst = registers_.dst;
  Lanes values;
  if (format == kBf16) {
    for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = store_bf16(source[lane]);
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) values[lane] = to_store(format, source[lane]);
  }
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned row = (address & ~3u) + i;
    dst.define_columns16(row, columns);
    Dst::Row& out = dst.storage(dst.storage16(row));
    for (unsigned k = 0; k < 8; ++k)
      out[first_column + 2 * k] = static_cast<std::uint16_t>(values[8 * i + k]);
  }
}

void VectorUnit::store(const Operation& operation, Cycle now) {
  const unsigned format = resolve_format(operation.mod, operation.thread);
  const unsigned address = operation.scheduled
                               ? operation.address
                               : dst_address(format, operation.imm, operation.thread);
  const std::uint32_t lanes = (format == kInt32All ? ~0u : enabled_) & ~no_store_;
  const bool dst32 = stores_dst32(format);
  Dst& dst = registers_.dst;
  if (lanes != 0) {
    tell_changes(address, dst32, now);
    const Lanes& source = (*in_)[operation.vd];
    const std::uint32_t undefined = ((*undefined_in_)[operation.vd] & lanes) | undefined_flags_;
    const bool plain = lanes == ~0u && undefined == 0 && store_odd_ == 0 && !dst32;
    if (plain) store_all(source, format, address);
    for (unsigned i = 0; i < 4 && !plain; ++i) {
      const unsigned row = (address & ~3u) + i;
      const auto columns_of = [&](std::uint32_t mask) {
        unsigned columns = 0;
        for (unsigned lane = 8 * i; lane < 8 * i + 8; ++lane) {
          columns |= ((mask >> lane) & 1) << column_of(lane, address, store_odd_);
        }
        return static_cast<std::uint16_t>(columns);
      };
      const std::uint16_t columns = columns_of(lanes);
      const std::uint16_t marked = undefined != 0 ? columns_of(undefined) : std::uint16_t{0};
      if ((columns | marked) == 0) continue;
      if (dst32) {
        dst.define_columns32(row, columns, marked);
      } else {
        dst.define_columns16(row, columns, marked);
      }
      for (unsigned lane = 8 * i; lane < 8 * i + 8; ++lane) {
        if (((lanes >> lane) & 1) == 0) continue;
        const unsigned column = column_of(lane, address, store_odd_);
        const std::uint32_t value = to_store(format, source[lane]);
        if (dst32) {
          dst.write32(row, column, value);
        } else {
          dst.write16(row, column, static_cast<std::uint16_t>(value));
        }
      }
    }
  }
  if (operation.scheduled) return;
  apply_addr_mod(registers_.rwc[operation.thread], config_, operation.thread, operation.addr_mod,
                 false);
}

void VectorUnit::load_immediate(const Operation& operation) {
  if (operation.vd >= 8) return;
  const Immediate immediate = immediate_of(operation);
  if (!immediate.defined) {
    firmware_fault("SFPLOADI with undefined Mod0 " + std::to_string(operation.mod));
    return;
  }
  write_immediate(operation.vd, immediate);
}

TVP_ALSO_WIDE void VectorUnit::write_immediate(unsigned vd, const Immediate& immediate) noexcept {
  Lanes result;
  const Lanes& old = (*in_)[vd];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result[lane] = immediate.value | (old[lane] & immediate.kept);
  write(vd, result);
}

}  // namespace tvp::tensix::coprocessor
