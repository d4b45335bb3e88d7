#include "models/riscv/debug/debug_hooks.h"

#include "models/riscv/decode/decoder.h"

namespace tvp::riscv {

bool DebugHooks::before(const PredecodedCode::Page& page, const Op* op, support::Cycle t) {
  commit();
  const std::uint32_t pc = page.pc(op);
  if (skip_stop_) {
    skip_stop_ = false;
  } else if (s_.observer != nullptr && s_.observer->stop_before(core_, pc)) {
    return false;
  }
  // The listener may have moved the core or removed the observer.
  if (s_.page == nullptr || s_.observer == nullptr) return true;
  auto code = static_cast<Code>(op->code);
  if (code == Code::kBreakpoint) code = static_cast<Code>(decode(page.word(op), pc).code);
  commit_ = Commit{};
  commit_.pc = pc;
  commit_.word = page.word(op);
  commit_.cycle = t;
  commit_.rd = op->rd == Op::kSink || is_branch(code) ? std::uint8_t{0} : op->rd;
  if (is_load(code)) commit_.load_bytes = static_cast<std::uint8_t>(access_bytes(code));
  if (is_store(code)) commit_.store_bytes = static_cast<std::uint8_t>(access_bytes(code));
  if (is_load(code) || is_store(code)) {
    commit_.address = s_.regs[op->rs1] + static_cast<std::uint32_t>(op->imm);
  }
  if (is_store(code)) commit_.stored = s_.regs[op->rs2];
  commit_pending_ = true;
  return true;
}

void DebugHooks::tell() {
  commit_pending_ = false;
  commit_.value = s_.regs[commit_.rd];
  if (s_.observer != nullptr) s_.observer->committed(core_, commit_);
}

}  // namespace tvp::riscv
