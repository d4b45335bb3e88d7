#include "models/tensix/coprocessor/address_counters.h"

#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace op = regs::tensix;

/// 0 is the issuing thread; 1..3 name a thread.
unsigned overridden(unsigned thread, std::uint32_t field) {
  return field == 0 ? thread : field - 1;
}

}  // namespace

template <typename Change>
void AddressCounters::for_users(std::uint32_t instruction, unsigned thread, Change change) {
  // U0, U1 and PK have the same place in all of these instructions.
  Thread& counters = threads_[thread];
  if (op::Setadc::kU0.of(instruction)) change(counters.unpacker[0]);
  if (op::Setadc::kU1.of(instruction)) change(counters.unpacker[1]);
  if (op::Setadc::kPk.of(instruction)) change(counters.packers);
}

namespace {

// SETADCXY and the other three-bit forms have the same fields in the same places.
using Xy = op::Addrcrxy;

/// Changes X and Y, or Z and W, in both channels. `kAlways`: also if not selected.
template <auto kFirst, auto kSecond, bool kAlways = false>
void change_pairs(std::uint32_t instruction, AddressChannels& user) {
  AddressCounter& zero = user.channel[0];
  AddressCounter& one = user.channel[1];
  if (kAlways || Xy::kX0.of(instruction)) (zero.*kFirst)(Xy::kX0Inc.of(instruction));
  if (kAlways || Xy::kY0.of(instruction)) (zero.*kSecond)(Xy::kY0Inc.of(instruction));
  if (kAlways || Xy::kX1.of(instruction)) (one.*kFirst)(Xy::kX1Inc.of(instruction));
  if (kAlways || Xy::kY1.of(instruction)) (one.*kSecond)(Xy::kY1Inc.of(instruction));
}

void set_counter(AddressCounter& c, std::uint32_t xyzw, std::uint32_t value) {
  switch (xyzw) {
    case 0:
      return c.set_x(value);
    case 1:
      return c.set_y(value);
    case 2:
      return c.set_z(value);
    default:
      return c.set_w(value);
  }
}

}  // namespace

bool AddressCounters::execute(std::uint32_t instruction, unsigned thread) {
  using C = AddressCounter;
  const unsigned target = overridden(thread, Xy::kThreadOverride.of(instruction));
  const auto change = [&](auto pairs) {
    for_users(instruction, target, [&](AddressChannels& user) { pairs(instruction, user); });
    return true;
  };
  switch (op::opcode_of(instruction)) {
    case op::Opcode::kSetadc: {
      const std::uint32_t value = op::Setadc::kNewValue.of(instruction);
      // Bits 17:16 of the value are both part of it and the number of a thread.
      for_users(instruction, overridden(thread, value >> 16), [&](AddressChannels& user) {
        set_counter(user.channel[op::Setadc::kChannel.of(instruction)],
                    op::Setadc::kXyzw.of(instruction), value);
      });
      return true;
    }
    case op::Opcode::kSetadcxx:
      for_users(instruction, thread, [&](AddressChannels& user) {
        user.channel[0].set_x(op::Setadcxx::kX0Val.of(instruction));
        user.channel[1].set_x(op::Setadcxx::kX1Val.of(instruction));
      });
      return true;
    case op::Opcode::kSetadcxy:
      return change(change_pairs<&C::set_x, &C::set_y>);
    case op::Opcode::kSetadczw:
      return change(change_pairs<&C::set_z, &C::set_w>);
    case op::Opcode::kIncadcxy:
      return change(change_pairs<&C::add_x, &C::add_y, true>);
    case op::Opcode::kIncadczw:
      return change(change_pairs<&C::add_z, &C::add_w, true>);
    case op::Opcode::kAddrcrxy:
      return change(change_pairs<&C::return_x, &C::return_y>);
    case op::Opcode::kAddrcrzw:
      return change(change_pairs<&C::return_z, &C::return_w>);
    default:
      return false;
  }
}

void AddressCounters::set_one(unsigned thread, unsigned user, unsigned channel, unsigned xyzw,
                              bool cr, std::uint32_t value) {
  Thread& counters = threads_[thread];
  AddressChannels& channels = user < 2 ? counters.unpacker[user] : counters.packers;
  AddressCounter& c = channels.channel[channel];
  switch (xyzw) {
    case 0:
      (cr ? c.x_cr : c.x) = value & AddressCounter::kXMask;
      break;
    case 1:
      (cr ? c.y_cr : c.y) = value & AddressCounter::kYMask;
      break;
    case 2:
      (cr ? c.z_cr : c.z) = value & AddressCounter::kZMask;
      break;
    default:
      (cr ? c.w_cr : c.w) = value & AddressCounter::kWMask;
      break;
  }
}

}  // namespace tvp::tensix::coprocessor
