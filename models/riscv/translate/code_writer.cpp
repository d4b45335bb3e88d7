#include "models/riscv/translate/code_writer.h"

namespace tvp::riscv {

int CodeWriter::distance(const void* field) const {
  return static_cast<int>(static_cast<const char*>(field) -
                          reinterpret_cast<const char*>(s_.regs.data()));
}

Xbyak::Address CodeWriter::in_state(const void* field) { return ptr[rbx + distance(field)]; }

Xbyak::Address CodeWriter::guest(unsigned r) { return dword[rbx + 4 * r]; }

CodeWriter::Common CodeWriter::write_common() {
  const Xbyak::Reg64 saved[] = {rbx, rbp, r12, r13, r14, r15};
  Common at{};
  at.enter = getSize();
  for (const auto& r : saved) push(r);
  sub(rsp, kRoom);
  mov(rbp, rdi);
  mov(rbx, TVP_RUN(regs));
  mov(r12, TVP_RUN(t));
  mov(r13, TVP_RUN(limit));
  mov(r14, TVP_RUN(l1));
  mov(r15, TVP_RUN(local));
  mov(r10, TVP_RUN(executed));
  mov(r11d, TVP_RUN(activity));
  mov(rax, TVP_RUN(node));
  mov(rdx, TVP_RUN(edge));
  jmp(ptr[rax + offsetof(BlockNode, translated)]);
  Label leave, absent;
  at.leave = getSize();
  mov(rcx, TVP_RUN(evictions));
  cmp(rcx, ptr[rax + offsetof(BlockNode, seen)]);
  jne(absent);
  L(leave);
  mov(ecx, TranslatedRun::kEnter);
  at.exit = getSize();
  mov(TVP_RUN(node), rax);
  mov(TVP_RUN(edge), rdx);
  mov(TVP_RUN(at), ecx);
  mov(TVP_RUN(t), r12);
  mov(TVP_RUN(executed), r10);
  mov(TVP_RUN(activity), r11d);
  add(rsp, kRoom);
  for (unsigned i = std::size(saved); i-- > 0;) pop(saved[i]);
  ret();
  L(absent);
  at.absent = getSize();
  mov(TVP_RUN(node), rax);
  mov(TVP_RUN(edge), rdx);
  mov(TVP_RUN(t), r12);
  mov(TVP_RUN(executed), r10);
  mov(rsi, rbp);
  call(reinterpret_cast<const void*>(calls_.find_code));
  mov(r12, TVP_RUN(t));
  mov(rdx, TVP_RUN(edge));
  mov(ecx, eax);
  mov(rax, TVP_RUN(node));
  test(cl, cl);
  jz(leave, T_NEAR);
  jmp(ptr[rax + offsetof(BlockNode, translated)]);
  return at;
}

// ---- Values ------------------------------------------------------------------------------------

CodeWriter::Reg32 CodeWriter::kept(unsigned slot) const {
  const Reg32 all[kKept] = {esi, edi, r8d, r9d};
  return all[slot];
}

/// Frees the least recently used register that holds neither of these two.
unsigned CodeWriter::take(unsigned first, unsigned second) {
  unsigned oldest = kKept;
  for (unsigned i = 0; i < kKept; ++i) {
    const unsigned guest = kept_[i].guest;
    if (guest != kNobody && (guest == first || guest == second)) continue;
    if (oldest == kKept || kept_[i].used < kept_[oldest].used) oldest = i;
  }
  kept_[oldest] = {kNobody, ++uses_};
  return oldest;
}

/// Keeps the register of `with`.
CodeWriter::Reg32 CodeWriter::value_of(unsigned guest_register, unsigned with) {
  for (unsigned i = 0; i < kKept; ++i) {
    if (kept_[i].guest != guest_register) continue;
    kept_[i].used = ++uses_;
    return kept(i);
  }
  const unsigned slot = take(with, kNobody);
  kept_[slot].guest = guest_register;
  if (guest_register == 0) {
    xor_(kept(slot), kept(slot));
  } else {
    mov(kept(slot), guest(guest_register));
  }
  return kept(slot);
}

/// A register other than those of the operands.
CodeWriter::Reg32 CodeWriter::result(unsigned rd, unsigned rs1, unsigned rs2) {
  const unsigned slot = take(rs1, rs2);
  for (Kept& k : kept_) {
    if (k.guest == rd) k.guest = kNobody;
  }
  kept_[slot].guest = rd == Op::kSink ? kNobody : rd;
  return kept(slot);
}

void CodeWriter::store_result(unsigned rd, const Reg32& value) {
  if (rd != Op::kSink) mov(guest(rd), value);
}

CodeWriter::Label& CodeWriter::leave_at(unsigned op) {
  is_left_[op] = true;
  return leave_[op];
}

void CodeWriter::write_cold(BlockNode& node, const std::uint8_t* exit) {
  // Each one may add more.
  for (std::size_t i = 0; i < cold_.size(); ++i) {
    const std::function<void()> write = std::move(cold_[i]);
    write();
  }
  Label out;
  for (unsigned i = 0; i < leave_.size(); ++i) {
    if (!is_left_[i]) continue;
    L(leave_[i]);
    mov(ecx, i);
    jmp(out, T_NEAR);
  }
  L(out);
  mov(rax, reinterpret_cast<std::uintptr_t>(&node));
  jmp(exit, T_NEAR);
}

void CodeWriter::call(const void* function) {
  push(r10);
  push(r11);
  mov(rdi, reinterpret_cast<std::uintptr_t>(calls_.self));
  mov(rax, reinterpret_cast<std::uintptr_t>(function));
  CodeGenerator::call(rax);
  pop(r11);
  pop(r10);
}

}  // namespace tvp::riscv
