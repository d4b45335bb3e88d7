#include "models/riscv/decode/predecoded_code.h"

#include <algorithm>

namespace tvp::riscv {

void PredecodedCode::resize(std::uint32_t l1_bytes, std::uint32_t iram_bytes, bool hides) {
  hides_ = hides;
  l1_pages_.resize((l1_bytes + kPageBytes - 1) / kPageBytes);
  iram_pages_.resize((iram_bytes + kPageBytes - 1) / kPageBytes);
}

void PredecodedCode::allocate(std::unique_ptr<Page>& slot, std::uint32_t base) const {
  slot = std::make_unique<Page>();
  slot->base = base;
  clear(*slot);
}

void PredecodedCode::clear(Page& page) const {
  const bool hides = hides_ && page.base < kIramBase;
  page.ops.fill(Op{.code = static_cast<std::uint8_t>(hides ? Code::kAbsent : Code::kUndecoded)});
  page.hidden.fill(static_cast<std::uint8_t>(Code::kUndecoded));
  page.heat.fill(0);
  page.ops.back().code = static_cast<std::uint8_t>(Code::kPageEnd);
}

void PredecodedCode::fill(Page& page, Op* op, std::uint32_t word, const Op& decoded) {
  const std::uint32_t pc = page.pc(op);
  *op = decoded;
  page.words[(pc - page.base) / 4] = word;
  const auto code = static_cast<Code>(op->code);
  if (code == Code::kJal || is_branch(code)) {
    const auto target = static_cast<std::uint32_t>(op->imm);
    const bool near = target >= page.base && target - page.base < kPageBytes && target % 4 == 0;
    op->aux = near ? (op->imm - static_cast<std::int32_t>(pc)) / 4 : Op::kFar;
  } else if (code == Code::kJalr) {
    op->aux = -1;  // no instruction has this address, so the first jump is mispredicted
  }
}

void PredecodedCode::hide(std::uint32_t line) {
  std::unique_ptr<Page>* const slot = find(line * InstructionCache::kLineBytes);
  if (slot == nullptr || !*slot) return;
  Op* const first = (*slot)->at(line * InstructionCache::kLineBytes);
  std::uint8_t* const hidden = (*slot)->hidden.data() + (first - (*slot)->ops.data());
  for (unsigned i = 0; i < InstructionCache::kLineBytes / 4; ++i) {
    hidden[i] = first[i].code;
    first[i].code = static_cast<std::uint8_t>(Code::kAbsent);
  }
}

void PredecodedCode::show(Page& page, std::uint32_t line) {
  Op* const first = page.at(line * InstructionCache::kLineBytes);
  const std::uint8_t* const hidden = page.hidden.data() + (first - page.ops.data());
  for (unsigned i = 0; i < InstructionCache::kLineBytes / 4; ++i) first[i].code = hidden[i];
}

void PredecodedCode::forget() {
  for (auto* pages : {&l1_pages_, &iram_pages_}) {
    for (auto& page : *pages) {
      if (page) clear(*page);
    }
  }
}

void PredecodedCode::forget(std::uint32_t first, std::uint32_t bytes) {
  constexpr std::uint64_t kSpace = 1ULL << 32;
  const std::uint64_t end = std::min(std::uint64_t{first} + bytes, kSpace);
  for (std::uint64_t at = first & ~3U; at < end; at += 4) {
    const auto pc = static_cast<std::uint32_t>(at);
    std::unique_ptr<Page>* slot = find(pc);
    if (slot == nullptr || !*slot) continue;
    Op* const op = (*slot)->at(pc);
    (*slot)->code_of(op) = static_cast<std::uint8_t>(Code::kUndecoded);
    op->prediction = 0;
  }
}

}  // namespace tvp::riscv
