#include "models/tensix/coprocessor/address_counters.h"

#include "models/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace {

namespace op = regs::tensix;

/// Field of 0 is the issuing thread; 1..3 name a thread.
unsigned overridden(unsigned thread, std::uint32_t field) {
  return field == 0 ? thread : field - 1;
}

}  // namespace

template <typename Change>
void AddressCounters::for_users(std::uint32_t instruction, unsigned thread, Change change) {
  // U0, U1 and PK are in the same place in all of these instructions.
  Thread& counters = threads_[thread];
  if (op::Setadc::kU0.of(instruction)) change(counters.unpacker[0]);
  if (op::Setadc::kU1.of(instruction)) change(counters.unpacker[1]);
  if (op::Setadc::kPk.of(instruction)) change(counters.packers);
}

bool AddressCounters::execute(std::uint32_t instruction, unsigned thread) {
  // SETADCXY and the other three-bit forms put the same fields in the same places.
  using Xy = op::Addrcrxy;
  const std::uint32_t first0 = Xy::kX0Inc.of(instruction), second0 = Xy::kY0Inc.of(instruction);
  const std::uint32_t first1 = Xy::kX1Inc.of(instruction), second1 = Xy::kY1Inc.of(instruction);
  const bool do_first0 = Xy::kX0.of(instruction), do_second0 = Xy::kY0.of(instruction);
  const bool do_first1 = Xy::kX1.of(instruction), do_second1 = Xy::kY1.of(instruction);
  const unsigned target = overridden(thread, Xy::kThreadOverride.of(instruction));

  switch (op::opcode_of(instruction)) {
    case op::Opcode::kSetadc: {
      const std::uint32_t value = op::Setadc::kNewValue.of(instruction);
      // Bits 17:16 of the value are both part of it and a thread.
      for_users(instruction, overridden(thread, value >> 16), [&](AddressChannels& user) {
        AddressCounter& c = user.channel[op::Setadc::kChannel.of(instruction)];
        switch (op::Setadc::kXyzw.of(instruction)) {
          case 0:
            c.set_x(value);
            break;
          case 1:
            c.set_y(value);
            break;
          case 2:
            c.set_z(value);
            break;
          default:
            c.set_w(value);
            break;
        }
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
      for_users(instruction, target, [&](AddressChannels& user) {
        if (do_first0) user.channel[0].set_x(first0);
        if (do_second0) user.channel[0].set_y(second0);
        if (do_first1) user.channel[1].set_x(first1);
        if (do_second1) user.channel[1].set_y(second1);
      });
      return true;
    case op::Opcode::kSetadczw:
      for_users(instruction, target, [&](AddressChannels& user) {
        if (do_first0) user.channel[0].set_z(first0);
        if (do_second0) user.channel[0].set_w(second0);
        if (do_first1) user.channel[1].set_z(first1);
        if (do_second1) user.channel[1].set_w(second1);
      });
      return true;
    case op::Opcode::kIncadcxy:
      for_users(instruction, target, [&](AddressChannels& user) {
        user.channel[0].add_x(first0);
        user.channel[0].add_y(second0);
        user.channel[1].add_x(first1);
        user.channel[1].add_y(second1);
      });
      return true;
    case op::Opcode::kIncadczw:
      for_users(instruction, target, [&](AddressChannels& user) {
        user.channel[0].add_z(first0);
        user.channel[0].add_w(second0);
        user.channel[1].add_z(first1);
        user.channel[1].add_w(second1);
      });
      return true;
    case op::Opcode::kAddrcrxy:
      for_users(instruction, target, [&](AddressChannels& user) {
        if (do_first0) user.channel[0].return_x(first0);
        if (do_second0) user.channel[0].return_y(second0);
        if (do_first1) user.channel[1].return_x(first1);
        if (do_second1) user.channel[1].return_y(second1);
      });
      return true;
    case op::Opcode::kAddrcrzw:
      for_users(instruction, target, [&](AddressChannels& user) {
        if (do_first0) user.channel[0].return_z(first0);
        if (do_second0) user.channel[0].return_w(second0);
        if (do_first1) user.channel[1].return_z(first1);
        if (do_second1) user.channel[1].return_w(second1);
      });
      return true;
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
