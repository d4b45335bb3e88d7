#include "models/riscv/translate/node_writer.h"

#include "models/riscv/execute/load_store_unit.h"

namespace tvp::riscv {

namespace {

constexpr unsigned kLoaded = ExecutionState::kLoaded;
constexpr unsigned kDirty = ExecutionState::kDirty;

}  // namespace

void NodeWriter::write(BlockNode& node, const std::uint8_t* exit, const std::uint8_t* absent) {
  exit_ = exit;
  absent_ = absent;
  node_ = &node;
  block_ = node.rare->block;
  enter(node);
  const std::vector<BlockOp>& ops = block_->ops;
  for (unsigned i = 0; i < block_->body; ++i)
    operation(ops[i], static_cast<Code>(block_->source[i].code), block_->places[i]);
  end(ops[block_->body], static_cast<Code>(block_->source[block_->body].code));
  write_cold(node, exit);
}

/// Enters the node if all its accesses may be made and its code is cached.
void NodeWriter::enter(const BlockNode& node) {
  Label other, absent;
  if (node.last_access != BlockNode::kNone) {
    lea(rcx, ptr[r12 + static_cast<int>(node.last_access)]);
    cmp(rcx, r13);
    jge(other, T_NEAR);
  }
  mov(rcx, TVP_RUN(evictions));
  cmp(rcx, ptr[rax + offsetof(BlockNode, seen)]);
  jne(absent, T_NEAR);
  later([this, other, absent]() mutable {
    L(absent);
    jmp(absent_, T_NEAR);
    L(other);
    mov(ecx, TranslatedRun::kEnter);
    jmp(exit_, T_NEAR);
  });
}

// ---- Ends --------------------------------------------------------------------------------------

void NodeWriter::end(const BlockOp& op, Code code) {
  switch (block_->end) {
    case BlockEnd::kFall:
      take_edge(0);
      pass({});
      break;
    case BlockEnd::kPageEnd:
      take_edge(0);
      leap(false, {});
      break;
    case BlockEnd::kJal:
      jump(op);
      break;
    case BlockEnd::kJalr:
      jump_indirectly(op);
      break;
    case BlockEnd::kBranch:
      branch(op, code);
      break;
    case BlockEnd::kDivide:
      divide(op);
      break;
    case BlockEnd::kLoad:
    case BlockEnd::kStore:
      varying(op, code);
      break;
  }
}

/// Sets rdx to the edge and rax to the node behind it.
void NodeWriter::take_edge(unsigned outcome) {
  mov(rdx, reinterpret_cast<std::uintptr_t>(node_->edges() + outcome));
  mov(rax, ptr[rdx + offsetof(BlockEdge, next)]);
  test(rax, rax);
  jz(leave_at(block_->body), T_NEAR);
}

/// Counts the executed node; the cycle is set elsewhere.
void NodeWriter::account() {
  if (node_->count != 0) add(r10, node_->count);
  if (node_->activity != 0) or_(r11d, node_->activity);
}

void NodeWriter::go_on() { jmp(ptr[rax + offsetof(BlockNode, translated)]); }

/// Continues with the next node, which always follows.
void NodeWriter::pass(const Commit& commit) {
  mov(ecx, ptr[rdx + offsetof(BlockEdge, elapsed)]);
  add(rcx, r12);
  if (node_->ahead != 0) {
    lea(rsi, ptr[r12 + node_->ahead]);
    mov(in_state(&s_.ahead_until), rsi);
  }
  if (commit) commit();
  account();
  mov(r12, rcx);
  go_on();
}

/// Continues behind a taken jump by its edge. The core may stop there, and a backward jump may be
/// that of a poll.
void NodeWriter::leap(bool backward, const Commit& commit) {
  constexpr std::uint32_t kPerhapsPoll = ~(1U | 1U << kDirty | 1U << (kDirty | kLoaded));
  Label stop;
  const auto check_poll = [this](Label& perhaps) {
    mov(esi, r11d);
    if (node_->activity != 0) or_(esi, node_->activity);
    mov(edi, kPerhapsPoll);
    bt(edi, esi);
    jc(perhaps, T_NEAR);
  };
  mov(ecx, ptr[rdx + offsetof(BlockEdge, elapsed)]);
  add(rcx, r12);
  if (node_->ahead != 0) {
    lea(r8, ptr[r12 + node_->ahead]);
    cmp(rcx, r8);
  } else {
    cmp(rcx, in_state(&s_.ahead_until));
  }
  jae(stop, T_NEAR);
  if (backward) {
    Label perhaps, none;
    check_poll(perhaps);
    L(none);
    later([this, perhaps, none]() mutable {
      L(perhaps);
      std::uint8_t* const left = block_->unchecked();
      if (left == nullptr) {
        jmp(leave_at(block_->body), T_NEAR);
        return;
      }
      cmp(esi, static_cast<unsigned>(ExecutionState::kRecording));
      jae(leave_at(block_->body), T_NEAR);
      mov(rdi, reinterpret_cast<std::uintptr_t>(left));
      cmp(byte[rdi], 0);
      je(leave_at(block_->body), T_NEAR);
      dec(byte[rdi]);
      jmp(none, T_NEAR);
    });
  }
  if (node_->ahead != 0) mov(in_state(&s_.ahead_until), r8);
  if (commit) commit();
  account();
  if (backward) xor_(r11d, r11d);
  mov(r12, rcx);
  go_on();

  later([this, backward, stop, check_poll, commit]() mutable {
    L(stop);
    cmp(rcx, r13);
    jge(leave_at(block_->body), T_NEAR);
    if (backward) check_poll(leave_at(block_->body));
    if (commit) commit();
    account();
    if (backward) {
      mov(r11d, static_cast<unsigned>(ExecutionState::kSuspect));
    } else {
      Label some;
      test(r11d, r11d);
      jnz(some);
      mov(r11d, static_cast<unsigned>(ExecutionState::kSuspect));
      L(some);
    }
    mov(r12, rcx);
    add(rcx, static_cast<int>(ExecutionState::kRunAhead));
    mov(in_state(&s_.ahead_until), rcx);
    go_on();
  });
}

// ---- Predictions -------------------------------------------------------------------------------

/// Loads the prediction into ecx if it is in the buffer.
void NodeWriter::look_up(Label& forgotten) {
  const BranchPredictor::Window window = s_.branches.window();
  mov(rcx, reinterpret_cast<std::uintptr_t>(&node_->last->prediction));
  mov(ecx, ptr[rcx]);
  mov(eax, in_state(window.next));
  sub(eax, ecx);
  dec(eax);
  cmp(eax, in_state(window.size));
  jae(forgotten, T_NEAR);
}

/// Keeps the new prediction for the commit.
void NodeWriter::remember(const Reg32& prediction) {
  mov(dword[rsp + kPrediction], prediction);
  mov(esi, in_state(s_.branches.window().next));
  mov(dword[rsp + kMark], esi);
}

/// The same for an entry into the buffer with that counter.
void NodeWriter::remember_entry(unsigned counter) {
  mov(esi, in_state(s_.branches.window().next));
  lea(edi, ptr[rsi + counter]);
  mov(dword[rsp + kPrediction], edi);
  add(esi, BranchPredictor::kStep);
  mov(dword[rsp + kMark], esi);
}

void NodeWriter::learn() {
  mov(esi, dword[rsp + kPrediction]);
  mov(rdi, reinterpret_cast<std::uintptr_t>(&node_->last->prediction));
  mov(ptr[rdi], esi);
  mov(esi, dword[rsp + kMark]);
  mov(in_state(s_.branches.window().next), esi);
}

/// The front end restarts after an unpredicted jump.
void NodeWriter::redirect() {
  lea(rsi, ptr[rcx - static_cast<int>(s_.branches.penalty())]);
  mov(in_state(s_.fetches.redirected()), rsi);
}

/// Does the same as BranchPredictor::settled(), or takes the slow path.
void NodeWriter::go_way(bool taken) {
  Label forgotten, unsettled;
  look_up(forgotten);
  mov(eax, ecx);
  and_(eax, 3);
  cmp(eax, taken ? 3 : 0);
  jne(unsettled, T_NEAR);
  take_edge(taken ? BlockNode::kTaken : 0);
  if (taken) {
    leap(node_->is_backward, {});
  } else {
    pass({});
  }
  later([this, taken, forgotten, unsettled]() mutable { learn_way(taken, forgotten, unsettled); });
}

/// Does the same as BlockRunner::resolve().
void NodeWriter::learn_way(bool taken, Label& forgotten, Label& unsettled) {
  if (!s_.branches.learns()) {
    L(forgotten);
    L(unsettled);
    jmp(leave_at(block_->body), T_NEAR);
    return;
  }
  Label foreseen, wrong;
  L(forgotten);
  remember_entry(taken ? 2 : 1);
  jmp(taken ? wrong : foreseen, T_NEAR);
  L(unsettled);
  lea(eax, ptr[rcx + (taken ? 1 : -1)]);
  remember(eax);
  test(ecx, 2);
  if (taken) {
    jz(wrong, T_NEAR);
  } else {
    jnz(wrong, T_NEAR);
  }
  const auto go = [this, taken](unsigned outcome, const Commit& commit) {
    take_edge(outcome);
    if (taken) {
      leap(node_->is_backward, commit);
    } else {
      pass(commit);
    }
  };
  const unsigned outcome = taken ? BlockNode::kTaken : 0;
  L(foreseen);
  go(outcome, [this]() { learn(); });
  L(wrong);
  go(outcome | BlockNode::kMispredicted, [this]() {
    learn();
    redirect();
  });
}

// ---- Jumps -------------------------------------------------------------------------------------

void NodeWriter::branch(const BlockOp& op, Code code) {
  const Reg32 a = value_of(op.rs1, op.rs2);
  const Reg32 b = value_of(op.rs2, op.rs1);
  Label taken;
  cmp(a, b);
  switch (code) {
    case Code::kBeq:
      je(taken, T_NEAR);
      break;
    case Code::kBne:
      jne(taken, T_NEAR);
      break;
    case Code::kBlt:
      jl(taken, T_NEAR);
      break;
    case Code::kBge:
      jge(taken, T_NEAR);
      break;
    case Code::kBltu:
      jb(taken, T_NEAR);
      break;
    default:
      jae(taken, T_NEAR);
      break;
  }
  go_way(false);
  L(taken);
  go_way(true);
}

void NodeWriter::jump(const BlockOp& op) {
  const Commit link = [this, rd = op.rd]() {
    if (rd != Op::kSink) mov(guest(rd), node_->pc + 4U * node_->count);
  };
  Label forgotten;
  look_up(forgotten);
  take_edge(0);
  leap(node_->is_backward, link);
  later([this, forgotten, link]() mutable {
    L(forgotten);
    if (!s_.branches.learns()) {
      jmp(leave_at(block_->body), T_NEAR);
      return;
    }
    remember_entry(3);
    take_edge(BlockNode::kMispredicted);
    leap(node_->is_backward, [this, link]() {
      link();
      learn();
      redirect();
    });
  });
}

/// Loads the target into r9d.
void NodeWriter::jump_indirectly(const BlockOp& op) {
  const Reg32 base = value_of(op.rs1);
  lea(eax, ptr[base.cvt64() + op.imm]);
  keep_nothing();
  mov(r9d, eax);
  and_(r9d, ~1U);
  test(r9d, 3);
  jnz(leave_at(block_->body), T_NEAR);
  const Commit link = [this, rd = op.rd]() {
    if (rd != Op::kSink) mov(guest(rd), node_->pc + 4U * node_->count);
  };
  Label forgotten, other;
  look_up(forgotten);
  mov(rax, reinterpret_cast<std::uintptr_t>(&node_->last->aux));
  cmp(r9d, ptr[rax]);
  jne(other, T_NEAR);
  lead(0, link);
  later([this, forgotten, other, link]() mutable {
    L(other);
    if (!s_.branches.learns()) {
      L(forgotten);
      jmp(leave_at(block_->body), T_NEAR);
      return;
    }
    Label wrong;
    remember(ecx);
    jmp(wrong);
    L(forgotten);
    remember_entry(3);
    L(wrong);
    lead(BlockNode::kMispredicted, [this, link]() {
      link();
      learn();
      mov(rdi, reinterpret_cast<std::uintptr_t>(&node_->last->aux));
      mov(ptr[rdi], r9d);
      redirect();
    });
  });
}

/// Continues with the node for target r9d behind that edge.
void NodeWriter::lead(unsigned outcome, const Commit& commit) {
  take_edge(outcome);
  Label other, known, forward;
  cmp(r9d, ptr[rax + offsetof(BlockNode, pc)]);
  jne(other, T_NEAR);
  L(known);
  cmp(r9d, node_->pc + 4U * node_->count - 4);
  ja(forward, T_NEAR);
  leap(true, commit);
  L(forward);
  leap(false, commit);
  later([this, outcome, other, known]() mutable {
    L(other);
    push(r9);
    sub(rsp, 8);
    mov(rsi, rdx);
    mov(edx, r9d);
    call(reinterpret_cast<const void*>(calls_.led));
    add(rsp, 8);
    pop(r9);
    test(rax, rax);
    jz(leave_at(block_->body), T_NEAR);
    mov(rdx, reinterpret_cast<std::uintptr_t>(node_->edges() + outcome));
    mov(ptr[rdx + offsetof(BlockEdge, next)], rax);
    jmp(known, T_NEAR);
  });
}

void NodeWriter::divide(const BlockOp& op) {
  mov(edx, guest(op.rs1));
  mov(ecx, guest(op.rs2));
  mov(esi, static_cast<unsigned>(block_->source[op.index].code));
  call(reinterpret_cast<const void*>(calls_.divide));
  keep_nothing();
  mov(r8, rax);
  mov(ecx, eax);
  shl(rcx, 4);
  static_assert(sizeof(BlockEdge) == 1U << 4);
  mov(rdx, reinterpret_cast<std::uintptr_t>(node_->edges()));
  add(rdx, rcx);
  mov(rax, ptr[rdx + offsetof(BlockEdge, next)]);
  test(rax, rax);
  jz(leave_at(block_->body), T_NEAR);
  shr(r8, 32);
  store_result(op.rd, r8d);
  pass({});
}

/// An access of L1 or of local data RAM, alone in its block.
void NodeWriter::varying(const BlockOp& op, Code code) {
  const unsigned bytes = access_bytes(code);
  const bool is_a_load = is_load(code);
  Label elsewhere;
  find_address(op);
  if (bytes > 1) {
    test(al, bytes - 1);
    jnz(leave_at(0), T_NEAR);
  }
  if (is_a_load) {
    check_queue(0);
  } else {
    cmp(rax, in_state(&s_.stop_store));
    je(leave_at(0), T_NEAR);
  }
  const unsigned local = is_a_load ? BlockNode::load_outcome(true, 0) : 1;
  lea(ecx, ptr[rax + static_cast<int>(0U - LoadStoreUnit::kLocalBase)]);
  cmp(ecx, TVP_RUN(local_bytes));
  jae(elsewhere, T_NEAR);
  // Sets rax to the next node and edx to the value.
  const auto next_of = [this](unsigned outcome) {
    mov(r8, reinterpret_cast<std::uintptr_t>(node_->edges() + outcome));
    mov(r9, ptr[r8 + offsetof(BlockEdge, next)]);
    test(r9, r9);
    jz(leave_at(0), T_NEAR);
  };
  const auto go = [this]() {
    mov(rdx, r8);
    mov(rax, r9);
    pass({});
  };
  keep_nothing();
  next_of(local);
  // Neither needs more value registers than r8 and r9.
  if (is_a_load) {
    load(op, code, r15 + rcx);
  } else {
    move_to_local(op, code);
  }
  go();

  L(elsewhere);
  keep_nothing();
  check_l1(0, 1);
  if (!is_a_load) {
    cmp(byte[rbp + offsetof(TranslatedRun, any_watched)], 0);
    jne(leave_at(0), T_NEAR);
  }
  next_of(0);
  movzx(ecx, word[r8 + offsetof(BlockEdge, access)]);
  add(rcx, r12);
  cmp(rcx, r13);
  jge(leave_at(0), T_NEAR);
  if (is_a_load) {
    load(op, code, r14 + rax);
    or_(r11d, kLoaded);
  } else {
    move_to_l1(op, code);
    or_(r11d, kDirty);
  }
  movzx(ecx, word[r8 + offsetof(BlockEdge, ahead)]);
  add(rcx, r12);
  mov(in_state(&s_.ahead_until), rcx);
  go();
}

}  // namespace tvp::riscv
