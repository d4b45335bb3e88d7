// Tracks undefined lanes: values from unwritten rows of Dst are followed through the registers
// until SFPSTORE marks them in Dst. A warning comes only if packers write them to L1, since a
// kernel may compute on a whole tile of which a reduction has defined one row.

#include "models/tensix/coprocessor/vector/vector_unit.h"

namespace tvp::tensix::coprocessor {

using namespace regs::tensix;

namespace {

/// Lane i of each group of eight gets the state of lane i - 1.
constexpr std::uint32_t rotated(std::uint32_t lanes) {
  return (lanes << 1 & 0xFEFEFEFE) | (lanes >> 7 & 0x01010101);
}
constexpr std::uint32_t lanes_of_row(std::uint32_t lanes, unsigned row) {
  return lanes >> 8 * row & 0xFF;
}

}  // namespace

void VectorUnit::follow_undefined(const Operation& operation) {
  const LaneMasks& in = *undefined_in_;
  const unsigned vd = operation.vd;
  std::uint32_t from = 0;
  for (unsigned index = 0, read = registers_read(operation); read != 0; ++index, read >>= 1) {
    if ((read & 1) != 0) from |= in[index];
  }
  switch (operation.opcode) {
    case Opcode::kSfpload:
    case Opcode::kSfploadmacro:
    case Opcode::kSfpstore:
    case Opcode::kSfpnop:
      return;
    case Opcode::kSfpsetcc:
    case Opcode::kSfpencc:
    case Opcode::kSfpcompc:
    case Opcode::kSfppushc:
    case Opcode::kSfppopc:
      follow_into_flags(operation, from);
      break;
    case Opcode::kSfple:
    case Opcode::kSfpgt:
      if ((operation.mod & 8) != 0 && writable(vd)) mark_undefined(vd, enabled_, from);
      if ((operation.mod & 2) != 0 && stack_size_ != 0) stack_[stack_size_ - 1].undefined |= from;
      follow_into_flags(operation, from);
      break;
    case Opcode::kSfpswap:
      follow_swap(operation);
      break;
    case Opcode::kSfpshft2:
      follow_shift2(operation);
      break;
    case Opcode::kSfptransp:
      follow_transpose();
      break;
    case Opcode::kSfpconfig:
      if ((in[0] & 0xFF) != 0 && ((operation.mod & 1) == 0 || vd < 4)) {
        firmware_fault("SFPCONFIG takes undefined values from LReg0");
      }
      break;
    case Opcode::kSfploadi:
      follow_immediate(operation);
      break;
    default: {
      const bool all = operation.opcode == Opcode::kSfpmov && operation.mod == 2;
      const bool indirect =
          sub_unit_of(operation.opcode) == SubUnit::kMad && (operation.mod & 8) != 0 && vd != 16;
      if (indirect) {
        follow_indirect(from);
      } else if (writable(vd)) {
        mark_undefined(vd, all ? ~0u : enabled_, from);
        follow_into_flags(operation, from);
      }
    }
  }
  std::uint32_t any = undefined_flags_ | undefined_rotated_;
  for (const std::uint32_t lanes : undefined_) any |= lanes;
  for (unsigned i = 0; i < stack_size_; ++i) any |= stack_[i].undefined;
  any_undefined_ = any != 0;
}

/// The other half is kept, so only both halves make the register defined again.
void VectorUnit::follow_immediate(const Operation& operation) {
  const unsigned vd = operation.vd;
  const unsigned half = operation.mod == 8 ? 2 : operation.mod == 10 ? 1 : 3;
  if (!writable(vd)) return;
  const unsigned loaded = loaded_halves_[vd] | half;
  const bool everywhere = ((*undefined_in_)[vd] & ~enabled_) == 0;
  mark_undefined(vd, enabled_, loaded == 3 ? 0 : (*undefined_in_)[vd]);
  if (loaded != 3 && everywhere) loaded_halves_[vd] = static_cast<std::uint8_t>(loaded);
}

void VectorUnit::follow_into_flags(const Operation& operation, std::uint32_t from) {
  const auto set = [this](std::uint32_t undefined) {
    undefined_flags_ = (undefined_flags_ & ~enabled_) | (undefined & enabled_);
  };
  const std::uint32_t top = stack_size_ == 0 ? 0 : stack_[stack_size_ - 1].undefined;
  switch (operation.opcode) {
    case Opcode::kSfpsetcc:
      return set((operation.mod & 9) != 0 ? 0 : from);
    case Opcode::kSfple:
    case Opcode::kSfpgt:
      if ((operation.mod & 1) != 0) set(from);
      return;
    case Opcode::kSfpencc:
      undefined_flags_ = 0;
      return;
    case Opcode::kSfpcompc:
      undefined_flags_ |= top;
      return;
    case Opcode::kSfppopc:
      undefined_flags_ = operation.mod == 0 ? top : undefined_flags_ | top;
      return;
    case Opcode::kSfpiadd:
      if ((operation.mod & 4) == 0 && operation.vd < 8) set(from);
      return;
    case Opcode::kSfpexexp:
    case Opcode::kSfplz:
      if ((operation.mod & 2) != 0 && operation.vd < 8) set(from);
      return;
    default:
      return;
  }
}

void VectorUnit::follow_swap(const Operation& operation) {
  const LaneMasks in = *undefined_in_;
  const auto exchange = [&](unsigned c, unsigned other, unsigned d, std::uint32_t deciding) {
    if (d < 8) mark_undefined(d, enabled_, in[c] | deciding);
    if (c < 8) mark_undefined(c, enabled_, in[other] | deciding);
  };
  const std::uint32_t either = in[operation.vc] | in[operation.vb];
  const std::uint32_t deciding = operation.mod == 0 ? 0 : either;
  exchange(operation.vc, operation.vb, operation.vd, deciding);
  if (dest_index_ == 0) return;
  const unsigned c = 4 + (operation.vc & 3);
  const unsigned d = 4 + (operation.vd & 3);
  exchange(c, d, d, deciding | (in[c] | in[d]));
}

void VectorUnit::follow_shift2(const Operation& operation) {
  const LaneMasks in = *undefined_in_;
  const std::uint32_t c = in[operation.vc];
  const auto copy_down = [&](std::uint32_t last) {
    for (unsigned i = 0; i < 3; ++i) mark_undefined(i, enabled_, in[i + 1]);
    mark_undefined(3, enabled_, last);
  };
  const auto write_vd = [&](std::uint32_t lanes) {
    if (writable(operation.vd)) mark_undefined(operation.vd, enabled_, lanes);
  };
  switch (operation.mod) {
    case 0:
      return copy_down(0);
    case 1:
      return copy_down(in[0] >> 8);
    case 2:
      undefined_rotated_ = c;
      return copy_down(rotated(c));
    case 3:
      undefined_rotated_ = c;
      return write_vd(rotated(c));
    case 4:
      return write_vd((rotated(c) & 0xFEFEFEFE) | (rotated(undefined_rotated_) & 0x01010101));
    default:
      return write_vd(in[operation.vb] | (operation.mod == 5 ? c : 0));
  }
}

void VectorUnit::follow_transpose() {
  const LaneMasks in = *undefined_in_;
  for (unsigned base = 0; base < 8; base += 4) {
    for (unsigned i = 0; i < 4; ++i) {
      std::uint32_t lanes = 0;
      for (unsigned j = 0; j < 4; ++j) lanes |= lanes_of_row(in[base + j], i) << 8 * j;
      mark_undefined(base + i, enabled_, lanes);
    }
  }
}

/// SFPMAD and similar instructions write to the register that LReg7 names in each lane.
void VectorUnit::follow_indirect(std::uint32_t from) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned vd = (*in_)[7][lane] & 15;
    const std::uint32_t bit = 1u << lane;
    if (vd < 8 && (enabled_ & bit) != 0) mark_undefined(vd, bit, from);
  }
}

}  // namespace tvp::tensix::coprocessor
