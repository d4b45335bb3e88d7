// Predication (ISA VectorUnit.md, lane predication masks) and SFPCONFIG.

#include "models/tensix/coprocessor/lanes/lanes.h"
#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

void VectorUnit::set_flags(std::uint32_t lanes, std::uint32_t values) {
  flags_ = (flags_ & ~lanes) | (values & lanes);
  update_enabled();
}

TVP_ALSO_WIDE void VectorUnit::spread_enabled() noexcept {
  for (unsigned lane = 0; lane < kLanes; ++lane)
    enabled_mask_[lane] = 0u - ((enabled_ >> lane) & 1);
}

TVP_ALSO_WIDE void VectorUnit::set_condition(const Operation& operation) noexcept {
  enum Mode { kLess = 0, kImmediate = 1, kNotEqual = 2, kNotLess = 4, kEqual = 6, kClear = 8 };
  std::uint32_t values = 0;
  if ((operation.mod & kClear) == 0) {
    if ((operation.mod & kImmediate) != 0) {
      values = (operation.imm & 1) != 0 ? ~0u : 0;
    } else {
      std::uint32_t negative = 0;
      std::uint32_t zero = 0;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t c = (*in_)[operation.vc][lane];
        negative |= (c >> 31) << lane;
        zero |= static_cast<std::uint32_t>(c == 0) << lane;
      }
      values = operation.mod == kLess       ? negative
               : operation.mod == kNotEqual ? ~zero
               : operation.mod == kNotLess  ? ~negative
                                            : zero;
    }
  }
  set_flags(enabled_, values & use_flags_);
}

void VectorUnit::enable_condition(const Operation& operation) {
  constexpr unsigned kInvertEnable = 1;
  constexpr unsigned kSetEnable = 2;
  constexpr unsigned kSetFlags = 8;
  // The page takes the values from Mod1, but names bits of the immediate. The immediate is right.
  if ((operation.mod & kSetEnable) != 0) {
    use_flags_ = (operation.imm & 1) != 0 ? ~0u : 0;
  } else if ((operation.mod & kInvertEnable) != 0) {
    use_flags_ = ~use_flags_;
  }
  flags_ = (operation.mod & kSetFlags) == 0 || (operation.imm & 2) != 0 ? ~0u : 0;
  update_enabled();
}

void VectorUnit::complement_condition() {
  const StackEntry top = stack_size_ == 0 ? StackEntry{~0u, ~0u, 0} : stack_[stack_size_ - 1];
  flags_ = top.use_flags & use_flags_ & top.flags & ~flags_;
  update_enabled();
}

void VectorUnit::push_condition() {
  if (stack_size_ == kStackDepth) {
    firmware_fault("SFPPUSHC onto a full stack");
    return;
  }
  stack_[stack_size_++] = {flags_, use_flags_, undefined_flags_};
}

std::uint32_t VectorUnit::combined_flags(unsigned mod, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t operators[16] = {b,        b,      ~b,     a & b,   a | b,   a & ~b,
                                       a | ~b,   ~a & b, ~a | b, ~a & ~b, ~a | ~b, a ^ b,
                                       ~(a ^ b), ~a,     ~0u,    0};
  return operators[mod];
}

void VectorUnit::pop_condition(const Operation& operation) {
  const StackEntry top = stack_size_ == 0 ? StackEntry{} : stack_[stack_size_ - 1];
  if (operation.mod == 0) {
    if (stack_size_ == 0) {
      firmware_fault("SFPPOPC from an empty stack");
      return;
    }
    --stack_size_;
  } else if (stack_size_ == kStackDepth && !rules_.peeks_at_full_stack()) {
    firmware_fault("SFPPOPC that peeks at a full stack overwrites its bottom");
    stack_[0] = top;
  }
  flags_ = combined_flags(operation.mod, flags_, top.flags);
  if (operation.mod <= 12) use_flags_ = top.use_flags;
  if (operation.mod >= 14) use_flags_ = ~0u;
  update_enabled();
}

void VectorUnit::configure(const Operation& operation, Cycle now) {
  constexpr unsigned kImmIsValue = 1;
  constexpr unsigned kImmIsMask = 8;
  const bool from_imm = (operation.mod & kImmIsValue) != 0;
  const unsigned vd = operation.vd;
  const bool was_full = full_width_;
  const auto combined = [&](std::uint32_t old, std::uint32_t value) {
    switch (operation.mod & 6) {
      case 2:
        return old | value;
      case 4:
        return old & value;
      case 6:
        return old ^ value;
      default:
        return value;
    }
  };
  for (unsigned column = 0; column < 8; ++column) {
    if ((operation.mod & kImmIsMask) != 0 && (operation.imm >> (2 * column) & 1) == 0) continue;
    if ((use_flags_ & ~flags_) >> column & 1) continue;
    LoadMacroConfig& macro = macro_config_[column];
    const std::uint32_t given = (*in_)[0][column];
    const std::uint32_t value = from_imm ? operation.imm : given;
    if (vd < 4) {
      macro.instruction_template[vd] = given;
    } else if (vd < 8) {
      macro.sequence[vd - 4] = value;
    } else if (vd == 8) {
      macro.misc = combined(macro.misc, value & 0xFFF) & 0xFFF;
    } else if (vd >= 11 && vd < 15) {
      // ISA SFPCONFIG.md: -1, 1/512 and two coefficients.
      constexpr std::uint32_t kDefaults[] = {0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9};
      const std::uint32_t constant = from_imm ? kDefaults[vd - 11] : given;
      for (unsigned lane = column; lane < kLanes; lane += 8) write(vd, lane, constant);
    } else if (vd == 15) {
      std::uint32_t& config = lane_config_[column];
      const std::uint32_t high = from_imm ? config & 0x30000 : 0;
      config = (combined(config, value) & 0x3FFFF) | high;
    }
  }
  if (vd != 15) return;
  derive_lane_config();
  if (full_width_ != was_full) width_changed_ = now + 1;
}

void VectorUnit::derive_lane_config() {
  std::uint32_t columns[9] = {};  // bits 0 to 8
  masked_rows_ = 0;
  registers_.block_dest_mov = 0;
  for (unsigned column = 0; column < 8; ++column) {
    const std::uint32_t config = lane_config_[column];
    for (unsigned bit = 0; bit < 9; ++bit) columns[bit] |= ((config >> bit) & 1) << column;
    for (unsigned row = 0; row < 4; ++row) {
      masked_rows_ |= ((config >> (12 + row)) & 1) << (8 * row + column);
    }
    registers_.block_dest_mov |= static_cast<std::uint16_t>(((config >> 9) & 3) << (2 * column));
  }
  fp16_infinity_ = columns_to_lanes(columns[0]);
  full_width_ = columns[1] == 0xFF;
  mixed_width_ = columns[1] != 0xFF && columns[1] != 0;
  dest_index_ = columns_to_lanes(columns[2]);
  capture_index_ = columns_to_lanes(columns[3]);
  no_store_ = columns_to_lanes(columns[4]);
  no_load_ = columns_to_lanes(columns[5]);
  load_odd_ = columns_to_lanes(columns[6]);
  store_odd_ = columns_to_lanes(columns[7]);
  exchange_compare_ = columns_to_lanes(columns[8]);
  update_enabled();
}

}  // namespace tvp::tensix::coprocessor
