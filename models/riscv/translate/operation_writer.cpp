#include "models/riscv/translate/operation_writer.h"

#include "models/riscv/execute/load_store_unit.h"

namespace tvp::riscv {

// ---- What is computed --------------------------------------------------------------------------

void OperationWriter::operation(const BlockOp& op, Code code, Place place) {
  if (code == Code::kNop) return;
  if (is_load(code) || is_store(code)) {
    access(op, code, place);
  } else if (op.rd == Op::kSink) {
    return;
  } else if (code == Code::kConstant) {
    const Reg32 to = result(op.rd, kNobody, kNobody);
    mov(to, static_cast<std::uint32_t>(op.imm));
    store_result(op.rd, to);
  } else if (code >= Code::kMul && code <= Code::kMulhu) {
    multiply(op, code);
  } else {
    calculate(op, code);
  }
}

void OperationWriter::calculate(const BlockOp& op, Code code) {
  const bool immediate = is_immediate(code);
  const unsigned rs2 = immediate ? kNobody : op.rs2;
  const Reg32 a = value_of(op.rs1, rs2);
  const Reg32 b = immediate ? a : value_of(op.rs2, op.rs1);
  const Reg32 to = result(op.rd, op.rs1, rs2);
  const auto imm = static_cast<std::uint32_t>(op.imm);
  switch (code) {
    case Code::kAddi:
      lea(to, ptr[a.cvt64() + op.imm]);
      break;
    case Code::kAdd:
      lea(to, ptr[a.cvt64() + b.cvt64()]);
      break;
    case Code::kXori:
      mov(to, a);
      xor_(to, imm);
      break;
    case Code::kOri:
      mov(to, a);
      or_(to, imm);
      break;
    case Code::kAndi:
      mov(to, a);
      and_(to, imm);
      break;
    case Code::kSub:
      mov(to, a);
      sub(to, b);
      break;
    case Code::kXor:
      mov(to, a);
      xor_(to, b);
      break;
    case Code::kOr:
      mov(to, a);
      or_(to, b);
      break;
    case Code::kAnd:
      mov(to, a);
      and_(to, b);
      break;
    case Code::kSlti:
    case Code::kSltiu:
    case Code::kSlt:
    case Code::kSltu:
      xor_(eax, eax);
      if (immediate) {
        cmp(a, imm);
      } else {
        cmp(a, b);
      }
      if (code == Code::kSlti || code == Code::kSlt) {
        setl(al);
      } else {
        setb(al);
      }
      mov(to, eax);
      break;
    default:
      if (is_bit_manipulation(code)) {
        manipulate_bits(op, code, a, b);
        mov(to, eax);
        break;
      }
      if (!immediate) mov(ecx, b);
      mov(to, a);
      shift(op, code, to);
      break;
  }
  store_result(op.rd, to);
}

/// Leaves the result in eax.
void OperationWriter::manipulate_bits(const BlockOp& op, Code code, const Reg32& a,
                                      const Reg32& b) {
  switch (code) {
    case Code::kSh1add:
      lea(eax, ptr[b.cvt64() + a.cvt64() * 2]);
      return;
    case Code::kSh2add:
      lea(eax, ptr[b.cvt64() + a.cvt64() * 4]);
      return;
    case Code::kSh3add:
      lea(eax, ptr[b.cvt64() + a.cvt64() * 8]);
      return;
    case Code::kAndn:
    case Code::kOrn:
      mov(eax, b);
      not_(eax);
      if (code == Code::kAndn) {
        and_(eax, a);
      } else {
        or_(eax, a);
      }
      return;
    case Code::kRol:
    case Code::kRor:
      mov(ecx, b);
      mov(eax, a);
      if (code == Code::kRol) {
        rol(eax, cl);
      } else {
        ror(eax, cl);
      }
      return;
    case Code::kClz:
      // Without a bit, 63 gives 32.
      mov(eax, 63);
      bsr(ecx, a);
      cmovz(ecx, eax);
      xor_(ecx, 31);
      mov(eax, ecx);
      return;
    case Code::kCtz:
      mov(ecx, 32);
      bsf(eax, a);
      cmovz(eax, ecx);
      return;
    default:
      break;
  }
  mov(eax, a);
  switch (code) {
    case Code::kXnor:
      xor_(eax, b);
      not_(eax);
      break;
    case Code::kMax:
      cmp(eax, b);
      cmovl(eax, b);
      break;
    case Code::kMaxu:
      cmp(eax, b);
      cmovb(eax, b);
      break;
    case Code::kMin:
      cmp(eax, b);
      cmovg(eax, b);
      break;
    case Code::kMinu:
      cmp(eax, b);
      cmova(eax, b);
      break;
    case Code::kRori:
      ror(eax, op.imm & 31);
      break;
    case Code::kSextb:
      movsx(eax, al);
      break;
    case Code::kSexth:
      movsx(eax, ax);
      break;
    case Code::kZexth:
      movzx(eax, ax);
      break;
    case Code::kRev8:
      bswap(eax);
      break;
    case Code::kOrcb:
      // As bytes_with_bits().
      mov(ecx, eax);
      and_(ecx, 0x7F7F7F7F);
      add(ecx, 0x7F7F7F7F);
      or_(eax, ecx);
      shr(eax, 7);
      and_(eax, 0x01010101);
      imul(eax, eax, 0xFF);
      break;
    default:  // kCpop: counts in pairs of bits, in groups of four, and in bytes
      mov(ecx, eax);
      shr(ecx, 1);
      and_(ecx, 0x55555555);
      sub(eax, ecx);
      mov(ecx, eax);
      shr(ecx, 2);
      and_(eax, 0x33333333);
      and_(ecx, 0x33333333);
      add(eax, ecx);
      mov(ecx, eax);
      shr(ecx, 4);
      add(eax, ecx);
      and_(eax, 0x0F0F0F0F);
      imul(eax, eax, 0x01010101);
      shr(eax, 24);
      break;
  }
}

void OperationWriter::shift(const BlockOp& op, Code code, const Reg32& to) {
  const int by = op.imm & 31;
  switch (code) {
    case Code::kSlli:
      shl(to, by);
      break;
    case Code::kSrli:
      shr(to, by);
      break;
    case Code::kSrai:
      sar(to, by);
      break;
    case Code::kSll:
      shl(to, cl);
      break;
    case Code::kSrl:
      shr(to, cl);
      break;
    default:
      sar(to, cl);
      break;
  }
}

void OperationWriter::multiply(const BlockOp& op, Code code) {
  const Reg32 a = value_of(op.rs1, op.rs2);
  const Reg32 b = value_of(op.rs2, op.rs1);
  const Reg32 to = result(op.rd, op.rs1, op.rs2);
  if (code == Code::kMul) {
    mov(to, a);
    imul(to, b);
  } else {
    if (code == Code::kMulhu) {
      mov(eax, a);
    } else {
      movsxd(rax, a);
    }
    if (code == Code::kMulh) {
      movsxd(rcx, b);
    } else {
      mov(ecx, b);
    }
    imul(rax, rcx);
    shr(rax, 32);
    mov(to, eax);
  }
  store_result(op.rd, to);
}

// ---- Accesses ----------------------------------------------------------------------------------

void OperationWriter::find_address(const BlockOp& op) {
  const Reg32 base = value_of(op.rs1);
  if (op.imm == 0) {
    mov(eax, base);
  } else {
    lea(eax, ptr[base.cvt64() + op.imm]);
  }
}

void OperationWriter::access(const BlockOp& op, Code code, Place place) {
  const bool in_l1 = place == Place::kL1;
  const unsigned bytes = access_bytes(code);
  find_address(op);
  if (is_load(code)) check_queue(op.index);
  if (in_l1) {
    check_l1(op.index, bytes);
  } else {
    lea(ecx, ptr[rax + static_cast<int>(0U - LoadStoreUnit::kLocalBase)]);
    cmp(ecx, TVP_RUN(local_bytes));
    jae(leave_at(op.index), T_NEAR);
    if (bytes > 1) {
      test(al, bytes - 1);
      jnz(leave_at(op.index), T_NEAR);
    }
  }
  if (is_store(code)) check_store(op.index, bytes, in_l1);
  if (in_l1) check_stream(op.index, is_load(code));
  if (is_load(code)) {
    load(op, code, in_l1 ? r14 + rax : r15 + rcx);
  } else if (in_l1) {
    move_to_l1(op, code);
  } else {
    move_to_local(op, code);
  }
}

/// Leaves accesses beyond ExecutionState::l1_direct to the interpreter.
void OperationWriter::check_l1(unsigned op, unsigned bytes) {
  cmp(eax, in_state(&s_.l1_direct));
  jae(leave_at(op), T_NEAR);
  if (bytes == 1) return;
  test(al, bytes - 1);
  jnz(leave_at(op), T_NEAR);
}

/// Checks that no store that may still be in the queue has the address.
void OperationWriter::check_queue(unsigned op) {
  if (node_->rare->queued == nullptr) return;
  const unsigned queued = node_->rare->queued[op];
  if (queued == 0) return;
  mov(edx, in_state(&s_.stores.next));
  for (unsigned i = 0; queued >> i != 0; ++i) {
    if ((queued >> i & 1U) == 0) continue;
    lea(ecx, ptr[rdx - static_cast<int>(1 + i)]);
    and_(ecx, Pipeline::StoreAddresses::kMask);
    cmp(eax, ptr[rbx + rcx * 4 + distance(s_.stores.at.data())]);
    je(leave_at(op), T_NEAR);
  }
}

/// Checks an access of a stream that others may delay.
void OperationWriter::check_stream(unsigned op, bool load) {
  const BlockNode::Rare& rare = *node_->rare;
  if (rare.stream_of == nullptr || rare.stream_of[op] == 0) return;
  const StreamAccess& stream = rare.streams[rare.stream_of[op] - 1];
  push(rax);
  sub(rsp, 8);
  mov(rsi, reinterpret_cast<std::uintptr_t>(&stream));
  mov(edx, eax);
  mov(rcx, r12);
  call(reinterpret_cast<const void*>(load ? calls_.load_passes : calls_.store_passes));
  mov(ecx, eax);
  add(rsp, 8);
  pop(rax);
  keep_nothing();
  test(cl, cl);
  jz(leave_at(op), T_NEAR);
}

/// Leaves a store to the interpreter if an agent waits for it or it ends the program.
void OperationWriter::check_store(unsigned op, unsigned bytes, bool in_l1) {
  cmp(rax, in_state(&s_.stop_store));
  je(leave_at(op), T_NEAR);
  if (!in_l1) return;
  Label watched, back;
  cmp(byte[rbp + offsetof(TranslatedRun, any_watched)], 0);
  jne(watched, T_NEAR);
  L(back);
  later([this, op, bytes, watched, back]() mutable {
    L(watched);
    const Xbyak::Reg64 saved[] = {rax, rsi, rdi, r8, r9};
    for (const auto& r : saved) push(r);
    sub(rsp, 8);
    mov(esi, eax);
    mov(edx, bytes);
    call(reinterpret_cast<const void*>(calls_.is_watched));
    mov(ecx, eax);
    add(rsp, 8);
    for (unsigned i = std::size(saved); i-- > 0;) pop(saved[i]);
    test(cl, cl);
    jz(back, T_NEAR);
    jmp(leave_at(op), T_NEAR);
  });
}

void OperationWriter::load(const BlockOp& op, Code code, const Xbyak::RegExp& from) {
  const Reg32 to = result(op.rd, kNobody, kNobody);
  switch (code) {
    case Code::kLb:
      movsx(to, byte[from]);
      break;
    case Code::kLh:
      movsx(to, word[from]);
      break;
    case Code::kLbu:
      movzx(to, byte[from]);
      break;
    case Code::kLhu:
      movzx(to, word[from]);
      break;
    default:
      mov(to, dword[from]);
      break;
  }
  store_result(op.rd, to);
}

void OperationWriter::move_to_l1(const BlockOp& op, Code code) {
  const Reg32 value = value_of(op.rs2);
  mov(edx, value);
  switch (access_bytes(code)) {
    case 1:
      mov(byte[r14 + rax], dl);
      break;
    case 2:
      mov(word[r14 + rax], dx);
      break;
    default:
      mov(dword[r14 + rax], edx);
      break;
  }
  Label higher, back;
  cmp(eax, in_state(&s_.l1_stored));
  ja(higher, T_NEAR);
  L(back);
  later([this, higher, back]() mutable {
    L(higher);
    mov(in_state(&s_.l1_stored), eax);
    jmp(back, T_NEAR);
  });
  push_store();
}

/// Stores at the offset in ecx. A store without a change leaves no trace.
void OperationWriter::move_to_local(const BlockOp& op, Code code) {
  const Reg32 value = value_of(op.rs2);
  mov(edx, value);
  Label same;
  const auto store = [&](const Xbyak::Address& at, const Xbyak::Reg& low) {
    cmp(at, low);
    je(same);
    mov(at, low);
  };
  switch (access_bytes(code)) {
    case 1:
      store(byte[r15 + rcx], dl);
      break;
    case 2:
      store(word[r15 + rcx], dx);
      break;
    default:
      store(dword[r15 + rcx], edx);
      break;
  }
  or_(r11d, static_cast<unsigned>(ExecutionState::kDirty));
  L(same);
  push_store();
}

/// Does the same as Pipeline::StoreAddresses::push() with eax.
void OperationWriter::push_store() {
  mov(edx, in_state(&s_.stores.next));
  mov(ecx, edx);
  and_(ecx, Pipeline::StoreAddresses::kMask);
  mov(dword[rbx + rcx * 4 + distance(s_.stores.at.data())], eax);
  inc(edx);
  mov(in_state(&s_.stores.next), edx);
}

}  // namespace tvp::riscv
